#pragma once
// The kernels of all standard ops.

#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/compare.hpp>
#include <dgraph/kernels/linalg.hpp>
#include <dgraph/kernels/math.hpp>
#include <dgraph/kernels/reduction.hpp>

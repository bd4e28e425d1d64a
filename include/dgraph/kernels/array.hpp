#pragma once
// CPU kernels of the array family, as in ops/array.hpp.

#include <dgraph/kernels/checks.hpp>
#include <dgraph/kernels/gather.hpp>
#include <dgraph/kernels/gather_nd.hpp>
#include <dgraph/kernels/movement.hpp>
#include <dgraph/kernels/padding.hpp>
#include <dgraph/kernels/partition.hpp>
#include <dgraph/kernels/reversal.hpp>
#include <dgraph/kernels/segment.hpp>
#include <dgraph/kernels/sets.hpp>
#include <dgraph/kernels/shape.hpp>
#include <dgraph/kernels/space.hpp>
#include <dgraph/kernels/sparse.hpp>

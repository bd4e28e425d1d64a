#pragma once
// CPU kernels of the array family, as in ops/array.hpp.

#include <dgraph/kernels/gather.hpp>
#include <dgraph/kernels/movement.hpp>
#include <dgraph/kernels/shape.hpp>

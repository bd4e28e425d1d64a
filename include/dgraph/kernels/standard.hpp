#pragma once
// The kernels of all standard ops.

#include <dgraph/kernels/array.hpp>
#include <dgraph/kernels/bitwise.hpp>
#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/compare.hpp>
#include <dgraph/kernels/complex.hpp>
#include <dgraph/kernels/constant.hpp>
#include <dgraph/kernels/control_flow.hpp>
#include <dgraph/kernels/cross.hpp>
#include <dgraph/kernels/cumulative.hpp>
#include <dgraph/kernels/division.hpp>
#include <dgraph/kernels/linalg.hpp>
#include <dgraph/kernels/math.hpp>
#include <dgraph/kernels/nn.hpp>
#include <dgraph/kernels/random.hpp>
#include <dgraph/kernels/reduction.hpp>
#include <dgraph/kernels/rounding.hpp>
#include <dgraph/kernels/selection.hpp>
#include <dgraph/kernels/special.hpp>
#include <dgraph/kernels/state.hpp>
#include <dgraph/kernels/training.hpp>
#include <dgraph/kernels/trigonometric.hpp>
#include <dgraph/kernels/variable_scatter.hpp>

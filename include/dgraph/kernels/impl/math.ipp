#pragma once
#include <dgraph/kernels/math.hpp>

#pragma once
#include <dgraph/kernels/reduction.hpp>

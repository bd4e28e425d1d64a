#pragma once
#include <dgraph/kernels/compare.hpp>

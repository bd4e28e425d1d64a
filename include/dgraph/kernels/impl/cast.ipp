#pragma once
#include <dgraph/kernels/cast.hpp>

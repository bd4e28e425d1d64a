#pragma once
#include <dgraph/kernels/linalg.hpp>

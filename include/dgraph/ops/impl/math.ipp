#pragma once
#include <dgraph/ops/math.hpp>

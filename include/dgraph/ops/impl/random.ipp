#pragma once
#include <dgraph/ops/random.hpp>

namespace dgraph::ops {}

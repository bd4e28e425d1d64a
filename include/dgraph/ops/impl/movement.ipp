#pragma once
#include <dgraph/ops/movement.hpp>

namespace dgraph::ops {}

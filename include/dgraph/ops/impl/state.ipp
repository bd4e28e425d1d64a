#pragma once
#include <dgraph/ops/state.hpp>

namespace dgraph::ops {}

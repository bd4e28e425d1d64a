#pragma once
#include <dgraph/ops/control_flow.hpp>

namespace dgraph::ops {}

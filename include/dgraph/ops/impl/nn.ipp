#pragma once
#include <dgraph/ops/nn.hpp>

namespace dgraph::ops {}

#pragma once
#include <dgraph/ops/shape.hpp>

namespace dgraph::ops {}

#pragma once
#include <dgraph/ops/gather.hpp>

namespace dgraph::ops {}

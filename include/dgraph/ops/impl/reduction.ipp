#pragma once
#include <dgraph/ops/reduction.hpp>

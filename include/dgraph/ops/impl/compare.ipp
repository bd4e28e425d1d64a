#pragma once
#include <dgraph/ops/compare.hpp>

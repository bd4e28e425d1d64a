#pragma once
#include <dgraph/ops/linalg.hpp>

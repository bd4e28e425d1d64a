#pragma once
// Registered gradients against central differences, for one sample of an op's inputs.

#include <string>

#include <dgraph/base/dtype.hpp>

#include "conformance/cases.hpp"

namespace gradient_suite {

struct Outcome {
  int first = 0;        ///< elements of first derivatives that were compared
  int second = 0;       ///< of second derivatives
  std::string wrong;    ///< what differs, and how; empty where nothing does
  std::string missing;  ///< the op type on the way of a second derivative that has no gradient
};

/// Whether a sample can be checked: every input that has a gradient is of that dtype, and there is one.
bool is_checkable(const conformance::Case& sample, dgraph::DType dtype);

/// Builds the op of a sample, whose inputs of dtype `from` are taken as `as` (its dtype attributes
/// too), float64 or
/// float32, and compares. A sample is a case of one op as in the conformance vectors; of its `outputs`,
/// `cotangents` and `grads`, which may be absent, only those that are null count: no gradient is
/// asked there.
/// Throws Error where the op cannot be built or run.
Outcome check(const conformance::Case& sample, dgraph::DType from, dgraph::DType as);

}  // namespace gradient_suite

#pragma once
// Runs one case: builds its nodes by name, runs them in a session and compares.

#include <optional>
#include <string>
#include <vector>

#include "conformance/cases.hpp"

namespace conformance {

enum class InputKind {
  Fed,       ///< placeholders of known shape
  Unknown,   ///< placeholders of unknown shape
  Constant,  ///< constants: shape rules see their values
};

struct RunnerOptions {
  std::string target;  ///< a server's address; empty: an embedded session
  InputKind inputs = InputKind::Fed;
};

/// What was expected and what came instead.
struct Failure {
  std::string expected, got;
};

/// Nothing where the case passes. Throws nothing that comes of the case.
std::optional<Failure> run_case(const Case& one, const RunnerOptions& options);
/// Whether an op type is in the library's op set.
bool is_known(const std::string& op);

}  // namespace conformance

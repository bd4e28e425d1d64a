#pragma once
// Gradients through conditionals, loops, arrays and symmetric matrices, whose ops cannot be sampled one
// by one: small programs, run in sessions.

#include <set>
#include <string>
#include <vector>

namespace gradient_suite {

struct FlowOutcome {
  std::string program;
  std::set<std::string> ops;  ///< op types between x and y, or between x and dy/dx
  int first = 0, second = 0;  ///< derivatives that were compared
  std::string wrong;          ///< what differs, and how; empty where nothing does
};

std::vector<FlowOutcome> check_flow();

}  // namespace gradient_suite

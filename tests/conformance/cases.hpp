#pragma once
// The lines of the vectors' files.

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace conformance {

struct Case {
  std::string name;
  std::set<std::string> ops;  ///< op types that it builds; empty for a row of Philox
  nlohmann::json line;
};

/// The cases of the files, and of the *.jsonl in the folders, in the order of their names. Throws
/// std::runtime_error naming file and line where one cannot be read.
std::vector<Case> read_cases(const std::vector<std::string>& paths);

}  // namespace conformance

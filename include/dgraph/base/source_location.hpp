#pragma once
// SourceLocation: the user's line that built a node. std::source_location is missing in clang 14 (D12).

#include <string>

namespace dgraph {

struct SourceLocation {
  const char* file = "";
  int line = 0;

  static constexpr SourceLocation current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) noexcept {
    return {file, line};
  }
  bool known() const noexcept { return line != 0; }
  /// "model.cpp:12", or nothing where it is not known.
  std::string to_string() const { return known() ? std::string(file) + ":" + std::to_string(line) : std::string(); }
};

}  // namespace dgraph

#pragma once
// The parser of Regex: a pattern as a tree.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dgraph/kernels/regex.hpp>

namespace dgraph::detail {

struct RegexTree {
  enum Kind : std::uint8_t { Empty, Runes, Concat, Alternate, Repeat, Group, Place };
  struct Node {
    Kind kind = Empty;
    bool greedy = true;
    bool may_be_empty = true;
    RegexStep::Kind place = RegexStep::BeginText;  ///< of Place
    std::uint32_t number = 0;                      ///< of Runes, the set; of Group, which
    std::int32_t least = 0, most = 0;              ///< of Repeat; most -1: any number
    std::vector<std::uint32_t> parts;
  };
  std::vector<Node> nodes;
  std::vector<RuneSet> sets;
  std::uint32_t root = 0;
  std::size_t groups = 0;
};

/// Throws InvalidArgument for what is no pattern.
RegexTree parse_regex(std::string_view pattern);
/// Throws InvalidArgument "Invalid pattern: PATTERN, error: WHAT: WHERE".
[[noreturn]] void invalid_regex(std::string_view pattern, std::string_view what,
                                std::string_view where = {});

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/regex_parser.ipp>
#endif

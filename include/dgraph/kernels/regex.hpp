#pragma once
// Regex: regular expressions of RE2's syntax, matched in time linear in the text.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dgraph/kernels/rune_set.hpp>

namespace dgraph::detail {

/// One instruction of a compiled pattern.
struct RegexStep {
  enum Kind : std::uint8_t {
    Runes,
    Split,
    Jump,
    Save,
    BeginText,
    EndText,
    BeginLine,
    EndLine,
    WordEdge,
    NoWordEdge,
    Match
  };
  Kind kind;
  std::uint32_t to =
      0;  ///< of Jump and Split: the preferred way; of Runes, the set; of Save, the slot
  std::uint32_t other = 0;  ///< of Split
};

/// Perl-like patterns over UTF-8 with leftmost-first matching: literals, classes ([a-z], \d \w \s,
/// [[:alpha:]]), anchors, groups (also named, also (?imsU)), alternation, repetition, greedy or
/// not. No back-references, no look-around; \p and \C are refused. Letters beyond ASCII fold their
/// case by Unicode's simple mappings. Matching keeps a thread for each step of the pattern and no
/// more. K. Thompson, "Regular expression search algorithm", 1968; captures as in R. Cox, "Regular
/// expression matching: the virtual machine approach", 2009.
class Regex {
 public:
  /// Throws InvalidArgument "Invalid pattern: ..., error: ..." for a pattern that is none or that
  /// is too large.
  explicit Regex(std::string_view pattern);

  std::size_t groups() const noexcept { return groups_; }
  /// The leftmost match that begins at byte `from` or later (of the whole text where `whole`).
  /// Fills as many of the slots as there are: begin and end of the match, then of each group, -1
  /// where it took no part.
  bool search(std::string_view text, std::size_t from, bool whole,
              std::span<std::ptrdiff_t> slots) const;
  /// The text with its first match, or all, replaced: in `rewrite` a backslash and a digit stand
  /// for a group, two backslashes for one. Unchanged where the rewrite asks for a group that there
  /// is not.
  std::string replace(const std::string& text, std::string_view rewrite, bool all) const;

 private:
  std::vector<RegexStep> steps_;
  std::vector<RuneSet> sets_;
  std::size_t groups_ = 0;
};

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/regex.ipp>
#include <dgraph/kernels/impl/regex_compiler.ipp>
#endif

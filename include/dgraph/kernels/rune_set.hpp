#pragma once
// RuneSet: a set of code points, for the classes of regular expressions.

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace dgraph::detail {

inline constexpr std::uint32_t kLastRune = 0x10ffff;

/// A set of code points as ranges, sorted and apart.
struct RuneSet {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  bool contains(std::uint32_t rune) const noexcept;
};

/// Ranges in any order, made into a set.
class RuneSetBuilder {
 public:
  void add(std::uint32_t first, std::uint32_t last) { set_.ranges.emplace_back(first, last); }
  void add(const RuneSet& set) {
    set_.ranges.insert(set_.ranges.end(), set.ranges.begin(), set.ranges.end());
  }
  /// Every letter in both cases.
  void fold();
  /// All code points that are not in it.
  void negate();
  RuneSet take();

 private:
  void merge();
  RuneSet set_;
};

/// The set of a name, "d" of \d or "alpha" of [:alpha:]; no ranges for none.
RuneSet named_runes(std::string_view name);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/rune_set.ipp>
#endif

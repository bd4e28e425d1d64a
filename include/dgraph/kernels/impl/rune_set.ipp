#pragma once
#include <dgraph/kernels/rune_set.hpp>

#include <algorithm>
#include <iterator>

#include <dgraph/base/config.hpp>
#include <dgraph/kernels/unicode_case.hpp>

namespace dgraph::detail {

DGRAPH_DECL bool RuneSet::contains(std::uint32_t rune) const noexcept {
  const auto at =
      std::upper_bound(ranges.begin(), ranges.end(), rune,
                       [](std::uint32_t r, const auto& range) { return r < range.first; });
  return at != ranges.begin() && rune <= std::prev(at)->second;
}

DGRAPH_DECL void RuneSetBuilder::fold() {
  // Twice: a letter may have two of the other case, as K and the Kelvin sign are of k.
  for (int pass = 0; pass < 2; ++pass) {
    merge();
    RuneSet more;
    const auto pair = [&](std::uint32_t a, std::uint32_t b) {
      if (set_.contains(a)) more.ranges.emplace_back(b, b);
      if (set_.contains(b)) more.ranges.emplace_back(a, a);
    };
    for (std::uint32_t c = 'a'; c <= 'z'; ++c) pair(c, c - 32);
    const auto pairs = [&](const CaseRange& range) {
      for (std::uint32_t r = range.first; r <= range.last; r += range.step)
        pair(r, static_cast<std::uint32_t>(static_cast<std::int32_t>(r) + range.by));
    };
    std::for_each(std::begin(kToLower), std::end(kToLower), pairs);
    std::for_each(std::begin(kToUpper), std::end(kToUpper), pairs);
    add(more);
  }
}

DGRAPH_DECL void RuneSetBuilder::negate() {
  merge();
  RuneSet out;
  std::uint32_t next = 0;
  for (const auto& [first, last] : set_.ranges) {
    if (first > next) out.ranges.emplace_back(next, first - 1);
    next = last + 1;
  }
  if (next <= kLastRune) out.ranges.emplace_back(next, kLastRune);
  set_ = std::move(out);
}

DGRAPH_DECL RuneSet RuneSetBuilder::take() {
  merge();
  return std::move(set_);
}

DGRAPH_DECL void RuneSetBuilder::merge() {
  std::sort(set_.ranges.begin(), set_.ranges.end());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  for (const auto& range : set_.ranges) {
    if (!out.empty() && range.first <= out.back().second + 1)
      out.back().second = std::max(out.back().second, range.second);
    else
      out.push_back(range);
  }
  set_.ranges = std::move(out);
}

// The set of a name, "d" of \d or "alpha" of [:alpha:]; empty ranges for none.
DGRAPH_DECL RuneSet named_runes(std::string_view name) {
  if (name == "d" || name == "digit") return {{{'0', '9'}}};
  if (name == "s") return {{{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}}};
  if (name == "w" || name == "word") return {{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}};
  if (name == "alnum") return {{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}};
  if (name == "alpha") return {{{'A', 'Z'}, {'a', 'z'}}};
  if (name == "ascii") return {{{0, 0x7f}}};
  if (name == "blank") return {{{'\t', '\t'}, {' ', ' '}}};
  if (name == "cntrl") return {{{0, 0x1f}, {0x7f, 0x7f}}};
  if (name == "graph") return {{{'!', '~'}}};
  if (name == "lower") return {{{'a', 'z'}}};
  if (name == "print") return {{{' ', '~'}}};
  if (name == "punct") return {{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}};
  if (name == "space") return {{{'\t', '\r'}, {' ', ' '}}};
  if (name == "upper") return {{{'A', 'Z'}}};
  if (name == "xdigit") return {{{'0', '9'}, {'A', 'F'}, {'a', 'f'}}};
  return {};
}

}  // namespace dgraph::detail

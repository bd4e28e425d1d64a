#pragma once
#include <dgraph/kernels/regex.hpp>

#include <algorithm>

#include <dgraph/base/config.hpp>
#include <dgraph/kernels/utf8.hpp>

namespace dgraph::detail {

// What lies around a place of the text.
struct RegexPlace {
  std::uint32_t before, after;  // kNoRune at the ends, and for bytes that are no code point
  bool begin, end;
};

inline bool is_word(std::uint32_t rune) noexcept {
  return rune == '_' || (rune >= '0' && rune <= '9') || (rune >= 'A' && rune <= 'Z') ||
         (rune >= 'a' && rune <= 'z');
}

inline bool holds_at(RegexStep::Kind kind, const RegexPlace& place) noexcept {
  switch (kind) {
    case RegexStep::BeginText:
      return place.begin;
    case RegexStep::EndText:
      return place.end;
    case RegexStep::BeginLine:
      return place.begin || place.before == '\n';
    case RegexStep::EndLine:
      return place.end || place.after == '\n';
    case RegexStep::WordEdge:
      return is_word(place.before) != is_word(place.after);
    default:
      return is_word(place.before) == is_word(place.after);
  }
}

// The threads that wait for a code point, in the order of their preference, each with its slots.
class RegexThreads {
 public:
  RegexThreads(std::size_t steps, std::size_t slots)
      : number_(steps, 0), slots_(slots), saved_(steps * slots, -1) {}
  void clear() noexcept { waiting_.clear(), ++round_; }
  bool seen(std::uint32_t step) noexcept {
    if (number_[step] == round_) return true;
    number_[step] = round_;
    return false;
  }
  void add(std::uint32_t step, const std::vector<std::ptrdiff_t>& slots) {
    waiting_.push_back(step);
    std::copy(slots.begin(), slots.end(), at(step));
  }
  const std::vector<std::uint32_t>& waiting() const noexcept { return waiting_; }
  std::ptrdiff_t* at(std::uint32_t step) noexcept { return saved_.data() + step * slots_; }

 private:
  std::vector<std::uint32_t> waiting_;
  std::vector<std::size_t> number_;
  std::size_t slots_, round_ = 1;
  std::vector<std::ptrdiff_t> saved_;
};

// Follows from `first` all ways that take no code point. Depth is kept in `todo`, not on the stack.
class RegexFollow {
 public:
  explicit RegexFollow(const std::vector<RegexStep>& steps) : steps_(steps) {}
  void operator()(RegexThreads& threads, std::uint32_t first, std::vector<std::ptrdiff_t>& slots,
                  std::ptrdiff_t position, const RegexPlace& place) {
    todo_.assign(1, {first, kStep, 0});
    while (!todo_.empty()) {
      const Todo now = todo_.back();
      todo_.pop_back();
      if (now.slot != kStep) {
        slots[now.slot] = now.value;
        continue;
      }
      if (threads.seen(now.step)) continue;
      const RegexStep& step = steps_[now.step];
      switch (step.kind) {
        case RegexStep::Runes:
        case RegexStep::Match:
          threads.add(now.step, slots);
          break;
        case RegexStep::Jump:
          todo_.push_back({step.to, kStep, 0});
          break;
        case RegexStep::Split:
          todo_.push_back({step.other, kStep, 0});
          todo_.push_back({step.to, kStep, 0});
          break;
        case RegexStep::Save:
          if (step.to < slots.size()) {
            todo_.push_back({0, step.to, slots[step.to]});
            slots[step.to] = position;
          }
          todo_.push_back({now.step + 1, kStep, 0});
          break;
        default:
          if (holds_at(step.kind, place)) todo_.push_back({now.step + 1, kStep, 0});
      }
    }
  }

 private:
  static constexpr std::uint32_t kStep = 0xffffffffu;
  struct Todo {
    std::uint32_t step, slot;  // a step to follow, or a slot to set back
    std::ptrdiff_t value;
  };
  const std::vector<RegexStep>& steps_;
  std::vector<Todo> todo_;
};

DGRAPH_DECL bool Regex::search(std::string_view text, std::size_t from, bool whole,
                               std::span<std::ptrdiff_t> slots) const {
  const std::size_t kept = std::max<std::size_t>(slots.size(), 2);
  RegexThreads now(steps_.size(), kept), next(steps_.size(), kept);
  RegexFollow follow(steps_);
  std::vector<std::ptrdiff_t> current(kept, -1), best;
  RegexPlace place{kNoRune, kNoRune, from == 0, false};
  if (from > 0) {
    std::size_t last = from - 1;
    while (last > 0 && from - last < 4 && continues_rune(text[last])) --last;
    const Rune rune = read_rune(text.substr(last));
    if (last + rune.size == from) place.before = rune.value;
  }
  now.clear();
  for (std::size_t position = from;;) {
    place.end = position == text.size();
    const Rune rune = place.end ? Rune{kNoRune, 0} : read_rune(text.substr(position));
    place.after = rune.value;
    // A later beginning is worth less than every thread that there is.
    if (best.empty() && (!whole || position == from)) {
      std::fill(current.begin(), current.end(), -1);
      follow(now, 0, current, static_cast<std::ptrdiff_t>(position), place);
    }
    if (now.waiting().empty() && (whole || !best.empty())) break;
    const std::size_t after = position + rune.size;
    RegexPlace beyond{rune.value, kNoRune, false, after == text.size()};
    if (!place.end && !beyond.end) beyond.after = read_rune(text.substr(after)).value;
    next.clear();
    for (const std::uint32_t at : now.waiting()) {
      const RegexStep& step = steps_[at];
      std::ptrdiff_t* const saved = now.at(at);
      if (step.kind == RegexStep::Match) {
        if (whole && !place.end) continue;
        best.assign(saved, saved + kept);
        break;
      }
      if (rune.value == kNoRune || !sets_[step.to].contains(rune.value)) continue;
      current.assign(saved, saved + kept);
      follow(next, at + 1, current, static_cast<std::ptrdiff_t>(after), beyond);
    }
    if (place.end) break;
    std::swap(now, next);
    place = beyond;
    position = after;
  }
  if (best.empty()) return false;
  std::copy_n(best.begin(), slots.size(), slots.begin());
  return true;
}

// Adds the rewrite of one match; false at what is no rewrite, with what came before it added.
inline bool append_rewrite(std::string& out, std::string_view text, std::string_view rewrite,
                           std::span<const std::ptrdiff_t> slots) {
  for (std::size_t i = 0; i < rewrite.size(); ++i) {
    if (rewrite[i] != '\\') {
      out.push_back(rewrite[i]);
      continue;
    }
    if (++i == rewrite.size()) return false;
    const char c = rewrite[i];
    if (c >= '0' && c <= '9') {
      const auto group = static_cast<std::size_t>(c - '0');
      if (2 * group >= slots.size()) return false;
      const std::ptrdiff_t begin = slots[2 * group], end = slots[2 * group + 1];
      if (begin >= 0)
        out.append(
            text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    } else if (c == '\\') {
      out.push_back('\\');
    } else {
      return false;
    }
  }
  return true;
}

DGRAPH_DECL std::string Regex::replace(const std::string& text, std::string_view rewrite,
                                       bool all) const {
  std::size_t most = 0;
  for (std::size_t i = 0; i + 1 < rewrite.size(); ++i)
    if (rewrite[i] == '\\') {
      ++i;
      if (rewrite[i] >= '0' && rewrite[i] <= '9')
        most = std::max(most, static_cast<std::size_t>(rewrite[i] - '0'));
    }
  if (most > groups_) return text;
  std::vector<std::ptrdiff_t> slots(2 * (most + 1));
  std::string out;
  std::size_t position = 0;
  std::ptrdiff_t last_end = -1;
  bool found = false;
  while (position <= text.size() && search(text, position, false, slots)) {
    const auto begin = static_cast<std::size_t>(slots[0]), end = static_cast<std::size_t>(slots[1]);
    if (!all) {
      std::string instead;
      if (!append_rewrite(instead, text, rewrite, slots)) return text;
      return text.substr(0, begin) + instead + text.substr(end);
    }
    out.append(text, position, begin - position);
    if (begin == end && slots[0] == last_end) {
      // Nothing is matched right after a match: one code point is left as it is.
      position = begin;
      if (position == text.size()) break;
      const std::size_t size = read_rune(std::string_view(text).substr(position)).size;
      out.append(text, position, size);
      position += size;
      last_end = -1;
      continue;
    }
    append_rewrite(out, text, rewrite, slots);
    found = true;
    position = end;
    last_end = slots[1];
  }
  if (!found) return text;
  if (position < text.size()) out.append(text, position, std::string::npos);
  return out;
}

}  // namespace dgraph::detail

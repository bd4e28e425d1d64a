#pragma once
#include <dgraph/kernels/regex_parser.hpp>

#include <algorithm>
#include <cstring>
#include <set>

#include <dgraph/base/error.hpp>
#include <dgraph/kernels/utf8.hpp>

namespace dgraph::detail {

class RegexParser {
 public:
  explicit RegexParser(std::string_view pattern) : pattern_(pattern) {
    for (std::size_t i = 0; i < pattern.size();) {
      const Rune rune = read_rune(pattern.substr(i));
      if (rune.value == kNoRune) wrong("invalid UTF-8");
      i += rune.size;
    }
  }

  RegexTree run() {
    tree_.root = alternation(0);
    if (!at_end()) wrong("unexpected )", pattern_);
    return std::move(tree_);
  }

 private:
  struct Flags {
    bool fold = false, lines = false, dot_newline = false, lazy = false;
  };
  using Node = RegexTree::Node;

  [[noreturn]] void wrong(std::string_view what, std::string_view where = {}) const {
    invalid_regex(pattern_, what, where);
  }
  bool at_end() const noexcept { return at_ == pattern_.size(); }
  char peek() const noexcept { return pattern_[at_]; }
  bool looks_at(std::string_view text) const noexcept {
    return pattern_.substr(at_, text.size()) == text;
  }
  bool skip(std::string_view text) noexcept {
    if (!looks_at(text)) return false;
    at_ += text.size();
    return true;
  }
  std::uint32_t next_rune() {
    const Rune rune = read_rune(pattern_.substr(at_));
    at_ += rune.size;
    return rune.value;
  }

  std::uint32_t add(Node node) {
    tree_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
  }
  std::uint32_t add_runes(RuneSetBuilder& set) {
    Node node;
    node.kind = RegexTree::Runes;
    node.may_be_empty = false;
    node.number = static_cast<std::uint32_t>(tree_.sets.size());
    tree_.sets.push_back(set.take());
    return add(std::move(node));
  }
  std::uint32_t add_literal(std::uint32_t rune) {
    RuneSetBuilder set;
    set.add(rune, rune);
    if (flags_.fold) set.fold();
    return add_runes(set);
  }
  std::uint32_t add_place(RegexStep::Kind kind) {
    Node node;
    node.kind = RegexTree::Place;
    node.place = kind;
    return add(std::move(node));
  }
  std::uint32_t add_list(RegexTree::Kind kind, std::vector<std::uint32_t> parts) {
    if (parts.size() == 1) return parts[0];
    Node node;
    node.kind = parts.empty() ? RegexTree::Empty : kind;
    const auto empty = [this](std::uint32_t part) { return tree_.nodes[part].may_be_empty; };
    node.may_be_empty = kind == RegexTree::Concat ? std::all_of(parts.begin(), parts.end(), empty)
                                                  : std::any_of(parts.begin(), parts.end(), empty);
    node.parts = std::move(parts);
    return add(std::move(node));
  }

  std::uint32_t alternation(int depth) {
    if (depth > kMostDepth) wrong("expression nests too deeply");
    std::vector<std::uint32_t> parts{concatenation(depth)};
    while (skip("|")) parts.push_back(concatenation(depth));
    return add_list(RegexTree::Alternate, std::move(parts));
  }

  std::uint32_t concatenation(int depth) {
    std::vector<std::uint32_t> parts;
    while (!at_end() && peek() != '|' && peek() != ')') {
      if (skip("\\Q")) {
        const std::size_t before = parts.size();
        while (!at_end() && !looks_at("\\E")) parts.push_back(add_literal(next_rune()));
        skip("\\E");
        // An operator after it is the last letter's.
        if (parts.size() > before) parts.back() = repeated(parts.back());
        continue;
      }
      std::uint32_t part = 0;
      if (atom(depth, part)) parts.push_back(repeated(part));
    }
    return add_list(RegexTree::Concat, std::move(parts));
  }

  // False where it only sets flags.
  bool atom(int depth, std::uint32_t& out) {
    switch (peek()) {
      case '(':
        return group(depth, out);
      case '[':
        out = bracket();
        return true;
      case '\\':
        out = escape();
        return true;
      case '.':
        ++at_;
        out = dot();
        return true;
      case '^':
        ++at_;
        out = add_place(flags_.lines ? RegexStep::BeginLine : RegexStep::BeginText);
        return true;
      case '$':
        ++at_;
        out = add_place(flags_.lines ? RegexStep::EndLine : RegexStep::EndText);
        return true;
      case '*':
      case '+':
      case '?':
        wrong("no argument for repetition operator", pattern_.substr(at_, 1));
      default:
        break;
    }
    if (peek() == '{') {
      std::int32_t least, most;
      const std::size_t begin = at_;
      if (bounds(least, most))
        wrong("no argument for repetition operator", pattern_.substr(begin, at_ - begin));
    }
    out = add_literal(next_rune());
    return true;
  }

  std::uint32_t dot() {
    RuneSetBuilder set;
    if (!flags_.dot_newline) set.add('\n', '\n');
    set.negate();
    return add_runes(set);
  }

  bool group(int depth, std::uint32_t& out) {
    const std::size_t begin = at_++;
    const Flags before = flags_;
    bool captures = true;
    if (looks_at("?P<") || looks_at("?<")) {
      at_ += looks_at("?P<") ? 3 : 2;
      name(begin);
    } else if (skip("?")) {
      captures = false;
      // Flags up to ')' hold until the group around ends.
      if (!group_flags(begin)) return false;
    }
    const std::size_t number = captures ? ++tree_.groups : 0;
    const std::uint32_t inner = alternation(depth + 1);
    if (!skip(")")) wrong("missing )", pattern_.substr(begin));
    flags_ = before;
    out = inner;
    if (captures) {
      Node node;
      node.kind = RegexTree::Group;
      node.number = static_cast<std::uint32_t>(number);
      node.may_be_empty = tree_.nodes[inner].may_be_empty;
      node.parts = {inner};
      out = add(std::move(node));
    }
    return true;
  }

  void name(std::size_t begin) {
    const std::size_t end = pattern_.find('>', at_);
    const std::string text(pattern_.substr(at_, end == std::string_view::npos ? end : end - at_));
    const bool letters = std::all_of(text.begin(), text.end(), [](char c) {
      return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
    if (end == std::string_view::npos || text.empty() || !letters)
      wrong("invalid named capture group", pattern_.substr(begin));
    if (!names_.insert(text).second) wrong("duplicate capture group name", text);
    at_ = end + 1;
  }

  // After "(?": true where a group follows, false where there is nothing but flags.
  bool group_flags(std::size_t begin) {
    bool value = true, any = false;
    while (!at_end()) {
      const char c = pattern_[at_++];
      switch (c) {
        case 'i':
          flags_.fold = value;
          any = true;
          break;
        case 'm':
          flags_.lines = value;
          any = true;
          break;
        case 's':
          flags_.dot_newline = value;
          any = true;
          break;
        case 'U':
          flags_.lazy = value;
          any = true;
          break;
        case '-':
          if (!value) wrong("invalid perl operator", pattern_.substr(begin, at_ - begin));
          value = any = false;
          break;
        case ':':
        case ')':
          if (!value && !any) wrong("invalid perl operator", pattern_.substr(begin, at_ - begin));
          return c == ':';
        default:
          wrong("invalid perl operator", pattern_.substr(begin, at_ - begin));
      }
    }
    wrong("missing )", pattern_.substr(begin));
  }

  // "{2}", "{2,}", "{2,5}"; false, and nothing read, where it is none.
  bool bounds(std::int32_t& least, std::int32_t& most) {
    const std::size_t begin = at_;
    const auto number = [this](std::int32_t& out) {
      const std::size_t first = at_;
      for (out = 0; !at_end() && peek() >= '0' && peek() <= '9'; ++at_)
        out = std::min(out * 10 + (peek() - '0'), 100000);
      return at_ > first;
    };
    ++at_;
    bool right = number(least);
    most = least;
    if (right && skip(",")) {
      most = -1;
      if (!looks_at("}")) right = number(most);
    }
    if (!right || !skip("}")) {
      at_ = begin;
      return false;
    }
    if (least > kMostRepeats || most > kMostRepeats || (most >= 0 && least > most))
      wrong("invalid repetition size", pattern_.substr(begin, at_ - begin));
    return true;
  }

  // The part with the operator that follows it, if one does.
  std::uint32_t repeated(std::uint32_t part) {
    const std::size_t begin = at_;
    Node node;
    if (!repetition(node)) return part;
    Node again;
    if (repetition(again)) wrong("bad repetition operator", pattern_.substr(begin, at_ - begin));
    node.kind = RegexTree::Repeat;
    node.may_be_empty = node.least == 0 || tree_.nodes[part].may_be_empty;
    node.parts = {part};
    return add(std::move(node));
  }

  bool repetition(Node& node) {
    if (at_end()) return false;
    if (skip("*")) {
      node.least = 0, node.most = -1;
    } else if (skip("+")) {
      node.least = 1, node.most = -1;
    } else if (skip("?")) {
      node.least = 0, node.most = 1;
    } else if (peek() != '{' || !bounds(node.least, node.most)) {
      return false;
    }
    node.greedy = !skip("?") != flags_.lazy;
    return true;
  }

  // A code point given by an escape, at_ being behind the backslash.
  std::uint32_t escaped_rune() {
    const std::size_t begin = at_ - 1;
    if (at_end()) wrong("trailing \\ at end of expression");
    const auto bad = [&] {
      wrong("invalid escape sequence", pattern_.substr(begin, std::max(at_, begin + 2) - begin));
    };
    const std::uint32_t c = next_rune();
    const auto octal = [this] { return !at_end() && peek() >= '0' && peek() <= '7'; };
    switch (c) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case 'f':
        return '\f';
      case 'v':
        return '\v';
      case 'a':
        return '\a';
      case 'x':
        return hexadecimal(begin);
      default:
        break;
    }
    if (c >= '0' && c <= '7') {
      // One digit that is not 0 would be a reference to a group.
      if (c != '0' && !octal()) bad();
      std::uint32_t value = c - '0';
      for (int i = 0; i < 2 && octal(); ++i)
        value = value * 8 + static_cast<std::uint32_t>(pattern_[at_++] - '0');
      return value;
    }
    if (c >= 0x80 || is_letter_or_digit(c)) bad();
    return c;
  }
  static bool is_letter_or_digit(std::uint32_t c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  std::uint32_t hexadecimal(std::size_t begin) {
    const bool braces = skip("{");
    std::uint32_t value = 0;
    std::size_t digits = 0;
    while (!at_end() && (braces || digits < 2)) {
      const char c = peek();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) break;
      value = std::min(value * 16 + static_cast<std::uint32_t>(digit), kLastRune + 1);
      ++at_, ++digits;
    }
    if (digits == 0 || (!braces && digits != 2) || (braces && !skip("}")) || value > kLastRune)
      wrong("invalid escape sequence", pattern_.substr(begin, at_ - begin));
    return value;
  }

  // \d and the like, at_ being at the backslash: adds to the set, and reads it.
  bool class_escape(RuneSetBuilder& set) {
    if (at_ + 1 >= pattern_.size()) return false;
    const char c = pattern_[at_ + 1];
    if (c == 'p' || c == 'P') wrong("Unicode classes are not supported", pattern_.substr(at_, 2));
    if (std::strchr("dswDSW", c) == nullptr) return false;
    const bool negated = c < 'a';
    RuneSetBuilder named;
    named.add(named_runes(std::string_view(negated ? c == 'D'   ? "d"
                                                     : c == 'S' ? "s"
                                                                : "w"
                                                   : pattern_.substr(at_ + 1, 1))));
    if (negated) named.negate();
    set.add(named.take());
    at_ += 2;
    return true;
  }

  std::uint32_t escape() {
    RuneSetBuilder set;
    if (class_escape(set)) return add_runes(set);
    if (skip("\\b")) return add_place(RegexStep::WordEdge);
    if (skip("\\B")) return add_place(RegexStep::NoWordEdge);
    if (skip("\\A")) return add_place(RegexStep::BeginText);
    if (skip("\\z")) return add_place(RegexStep::EndText);
    ++at_;
    return add_literal(escaped_rune());
  }

  std::uint32_t bracket() {
    const std::size_t begin = at_++;
    const auto missing = [&] { wrong("missing ]", pattern_.substr(begin)); };
    const bool negated = skip("^");
    RuneSetBuilder set;
    for (bool first = true; at_end() || peek() != ']' || first; first = false) {
      if (at_end()) missing();
      if (looks_at("[:") && posix_class(set)) continue;
      if (peek() == '\\' && class_escape(set)) continue;
      const std::size_t from = at_;
      const std::uint32_t low = bracket_rune(begin);
      std::uint32_t high = low;
      if (looks_at("-") && at_ + 1 < pattern_.size() && pattern_[at_ + 1] != ']') {
        ++at_;
        high = bracket_rune(begin);
      }
      if (high < low) wrong("invalid character class range", pattern_.substr(from, at_ - from));
      set.add(low, high);
    }
    ++at_;
    if (flags_.fold) set.fold();
    if (negated) set.negate();
    return add_runes(set);
  }

  std::uint32_t bracket_rune(std::size_t begin) {
    if (at_end()) wrong("missing ]", pattern_.substr(begin));
    return skip("\\") ? escaped_rune() : next_rune();
  }

  // "[:alpha:]" or "[:^alpha:]"; false where it is none.
  bool posix_class(RuneSetBuilder& set) {
    const std::size_t end = pattern_.find(":]", at_ + 2);
    if (end == std::string_view::npos) return false;
    std::string_view text = pattern_.substr(at_ + 2, end - at_ - 2);
    const bool negated = text.substr(0, 1) == "^";
    if (negated) text.remove_prefix(1);
    RuneSetBuilder named;
    RuneSet runes = text.size() < 2 ? RuneSet() : named_runes(text);
    if (runes.ranges.empty())
      wrong("invalid character class range", pattern_.substr(at_, end + 2 - at_));
    named.add(runes);
    if (negated) named.negate();
    set.add(named.take());
    at_ = end + 2;
    return true;
  }

  static constexpr int kMostDepth = 500;
  static constexpr std::int32_t kMostRepeats = 1000;
  std::string_view pattern_;
  std::size_t at_ = 0;
  Flags flags_;
  RegexTree tree_;
  std::set<std::string> names_;
};

DGRAPH_DECL RegexTree parse_regex(std::string_view pattern) { return RegexParser(pattern).run(); }

DGRAPH_DECL void invalid_regex(std::string_view pattern, std::string_view what,
                               std::string_view where) {
  constexpr std::size_t kMost = 200;
  fail(Code::InvalidArgument, "Invalid pattern: ", pattern.substr(0, kMost), ", error: ", what,
       where.empty() ? "" : ": ", where.substr(0, kMost));
}

}  // namespace dgraph::detail

#pragma once
#include <dgraph/kernels/regex.hpp>

#include <dgraph/base/config.hpp>
#include <dgraph/kernels/regex_parser.hpp>

namespace dgraph::detail {

// Writes the steps of a tree.
class RegexCompiler {
 public:
  RegexCompiler(std::string_view pattern, const RegexTree& tree, std::vector<RegexStep>& steps)
      : pattern_(pattern), tree_(tree), steps_(steps) {}

  void write(std::uint32_t number) {
    // Counted also where nothing is written: {1000} of {1000} of nothing would take forever.
    if (++written_ > kMostSteps) invalid_regex(pattern_, "pattern too large - compile failed");
    const RegexTree::Node& node = tree_.nodes[number];
    switch (node.kind) {
      case RegexTree::Empty:
        break;
      case RegexTree::Runes:
        add(RegexStep::Runes, node.number);
        break;
      case RegexTree::Place:
        add(node.place);
        break;
      case RegexTree::Concat:
        for (const std::uint32_t part : node.parts) write(part);
        break;
      case RegexTree::Alternate:
        alternate(node);
        break;
      case RegexTree::Repeat:
        repeat(node);
        break;
      case RegexTree::Group:
        add(RegexStep::Save, 2 * node.number);
        write(node.parts[0]);
        add(RegexStep::Save, 2 * node.number + 1);
        break;
    }
  }
  std::uint32_t add(RegexStep::Kind kind, std::uint32_t to = 0) {
    if (steps_.size() >= kMostSteps) invalid_regex(pattern_, "pattern too large - compile failed");
    steps_.push_back({kind, to, 0});
    return static_cast<std::uint32_t>(steps_.size() - 1);
  }

 private:
  std::uint32_t here() const noexcept { return static_cast<std::uint32_t>(steps_.size()); }

  void alternate(const RegexTree::Node& node) {
    std::vector<std::uint32_t> jumps;
    for (std::size_t i = 0; i + 1 < node.parts.size(); ++i) {
      const std::uint32_t split = add(RegexStep::Split);
      steps_[split].to = here();
      write(node.parts[i]);
      jumps.push_back(add(RegexStep::Jump));
      steps_[split].other = here();
    }
    write(node.parts.back());
    for (const std::uint32_t jump : jumps) steps_[jump].to = here();
  }

  // Of a Split: goes into the part, or past it.
  void set_split(std::uint32_t split, bool greedy, std::uint32_t into, std::uint32_t past) {
    steps_[split].to = greedy ? into : past;
    steps_[split].other = greedy ? past : into;
  }

  void repeat(const RegexTree::Node& node) {
    const std::uint32_t part = node.parts[0];
    for (std::int32_t i = 0; i + 1 < node.least; ++i) write(part);
    if (node.most >= 0) {
      if (node.least > 0) write(part);
      std::vector<std::uint32_t> splits;
      for (std::int32_t i = node.least; i < node.most; ++i) {
        splits.push_back(add(RegexStep::Split));
        write(part);
      }
      for (const std::uint32_t split : splits) set_split(split, node.greedy, split + 1, here());
      return;
    }
    if (node.least == 0 && !tree_.nodes[part].may_be_empty) {
      const std::uint32_t split = add(RegexStep::Split);
      write(part);
      add(RegexStep::Jump, split);
      set_split(split, node.greedy, split + 1, here());
      return;
    }
    // One or more; none at all of what may be empty is one that may be left out.
    const std::uint32_t maybe = node.least == 0 ? add(RegexStep::Split) : 0;
    const std::uint32_t begin = here();
    write(part);
    const std::uint32_t split = add(RegexStep::Split);
    set_split(split, node.greedy, begin, here());
    if (node.least == 0) set_split(maybe, node.greedy, begin, here());
  }

  static constexpr std::size_t kMostSteps = 50'000;
  std::string_view pattern_;
  const RegexTree& tree_;
  std::vector<RegexStep>& steps_;
  std::size_t written_ = 0;
};

DGRAPH_DECL Regex::Regex(std::string_view pattern) {
  RegexTree tree = parse_regex(pattern);
  RegexCompiler compiler(pattern, tree, steps_);
  compiler.add(RegexStep::Save, 0);
  compiler.write(tree.root);
  compiler.add(RegexStep::Save, 1);
  compiler.add(RegexStep::Match);
  sets_ = std::move(tree.sets);
  groups_ = tree.groups;
}

}  // namespace dgraph::detail

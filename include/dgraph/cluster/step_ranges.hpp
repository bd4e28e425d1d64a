#pragma once
// StepRanges: which steps of a session are over, as a floor and a few ranges above it (D5d).

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

namespace dgraph {

/// A set of step numbers that only grows; holds little, for steps end nearly in order.
class StepRanges {
 public:
  /// Adds [begin, end).
  void add(std::uint64_t begin, std::uint64_t end) {
    if (begin < floor_) begin = floor_;
    if (begin >= end) return;
    auto after = ranges_.upper_bound(begin);
    if (after != ranges_.begin()) {
      const auto before = std::prev(after);
      if (before->second >= begin) {
        begin = before->first;
        if (before->second > end) end = before->second;
        ranges_.erase(before);
      }
    }
    while (after != ranges_.end() && after->first <= end) {
      if (after->second > end) end = after->second;
      after = ranges_.erase(after);
    }
    ranges_.emplace(begin, end);
  }
  /// Everything below `floor` is over.
  void raise_floor(std::uint64_t floor) {
    if (floor <= floor_) return;
    floor_ = floor;
    while (!ranges_.empty() && ranges_.begin()->first < floor) {
      const std::uint64_t end = ranges_.begin()->second;
      ranges_.erase(ranges_.begin());
      if (end > floor) ranges_.emplace(floor, end);
    }
  }
  bool contains(std::uint64_t step) const {
    if (step < floor_) return true;
    const auto after = ranges_.upper_bound(step);
    return after != ranges_.begin() && std::prev(after)->second > step;
  }
  std::uint64_t floor() const noexcept { return floor_; }
  std::size_t ranges() const noexcept { return ranges_.size(); }

 private:
  std::uint64_t floor_ = 0;
  std::map<std::uint64_t, std::uint64_t> ranges_;  // begin to end
};

}  // namespace dgraph

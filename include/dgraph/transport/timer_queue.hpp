#pragma once
// TimerQueue: tasks ordered by time, added and removed in logarithmic time and without memory of its own once warm.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <dgraph/base/host.hpp>

namespace dgraph::detail {

/// A binary heap of slots; a TimerId is (generation, slot + 1), so that a stale one names nothing. Not synchronised.
class TimerQueue {
 public:
  /// Tasks of the same time keep the order in which they were added.
  TimerId add(Time at, Task task) {
    std::uint32_t slot;
    if (free_.empty()) {
      slot = static_cast<std::uint32_t>(slots_.size());
      slots_.emplace_back();
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    slots_[slot].at = at;
    slots_[slot].order = ++order_;
    slots_[slot].task = std::move(task);
    heap_.push_back(slot);
    rise(heap_.size() - 1);
    return (TimerId{slots_[slot].generation} << 32) | (slot + 1);
  }

  /// The task that was taken out, to be destroyed where the caller likes; empty if there is none of that name.
  Task remove(TimerId id) {
    const auto slot = static_cast<std::uint32_t>(id & 0xffffffffu) - 1;
    if (slot >= slots_.size() || slots_[slot].generation != id >> 32 || slots_[slot].place == kNowhere) return {};
    return take(slots_[slot].place);
  }

  /// When the first is due; kNever if there is none.
  Time next() const noexcept { return heap_.empty() ? kNever : slots_[heap_.front()].at; }

  /// The first task that is due at `now`, or an empty one.
  Task pop(Time now) {
    if (heap_.empty() || slots_[heap_.front()].at > now) return {};
    return take(0);
  }

  std::size_t size() const noexcept { return heap_.size(); }

  /// Takes all tasks out, first ones first.
  std::vector<Task> clear() {
    std::vector<Task> tasks;
    tasks.reserve(heap_.size());
    while (!heap_.empty()) tasks.push_back(take(0));
    return tasks;
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffffu;
  struct Slot {
    Time at{};
    std::uint64_t order = 0;
    Task task;
    std::uint32_t place = kNowhere;
    std::uint32_t generation = 0;
  };

  bool before(std::uint32_t a, std::uint32_t b) const noexcept {
    return slots_[a].at != slots_[b].at ? slots_[a].at < slots_[b].at : slots_[a].order < slots_[b].order;
  }
  void put(std::size_t place, std::uint32_t slot) noexcept {
    heap_[place] = slot;
    slots_[slot].place = static_cast<std::uint32_t>(place);
  }
  void rise(std::size_t place) noexcept {
    const std::uint32_t slot = heap_[place];
    while (place > 0 && before(slot, heap_[(place - 1) / 2])) {
      put(place, heap_[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    put(place, slot);
  }
  void sink(std::size_t place) noexcept {
    const std::uint32_t slot = heap_[place];
    for (std::size_t child; (child = 2 * place + 1) < heap_.size(); place = child) {
      if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
      if (!before(heap_[child], slot)) break;
      put(place, heap_[child]);
    }
    put(place, slot);
  }
  Task take(std::size_t place) {
    const std::uint32_t slot = heap_[place];
    const std::uint32_t last = heap_.back();
    heap_.pop_back();
    if (place < heap_.size()) {
      put(place, last);
      rise(place);
      sink(slots_[last].place);
    }
    slots_[slot].place = kNowhere;
    ++slots_[slot].generation;
    free_.push_back(slot);
    return std::exchange(slots_[slot].task, Task());
  }

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> heap_;
  std::vector<std::uint32_t> free_;
  std::uint64_t order_ = 0;
};

}  // namespace dgraph::detail

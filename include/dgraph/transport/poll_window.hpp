#pragma once
// PollWindow: how long a waiting driver should poll before it sleeps, learnt from how its waits end (D2).

#include <chrono>
#include <cstdint>

#include <dgraph/base/host.hpp>

namespace dgraph::detail {

/// Two rules. The window halves when a wait outlasts it and doubles when a sleep turns out to have been shorter than the
/// longest window. And now and then a wait is done the other way, sleeping at once or polling: where sleeping ends as soon
/// (cores that do not halt because others keep them busy), polling stops. Not synchronised.
class PollWindow {
 public:
  explicit PollWindow(Duration longest) noexcept : longest_(longest), window_(longest) {}

  /// For the wait that begins now.
  Duration next() noexcept {
    if (longest_ <= Duration::zero()) return Duration::zero();
    Duration chosen = window();
    if (++waits_ % kTrial == 0) chosen = sleep_is_as_quick_ ? longest_ : Duration::zero();
    sleeps_at_once_ = chosen == Duration::zero();
    return chosen;
  }

  /// The wait ended while polling, after `waited`.
  void polled(Duration waited) noexcept { learn(polling_, waited); }

  /// The wait ended after a sleep, `waited` after it began.
  void slept(Duration waited) noexcept {
    if (longest_ <= Duration::zero()) return;
    if (waited <= longest_) {
      window_ = window_ * 2 < kShortest ? kShortest : window_ * 2 > longest_ ? longest_ : window_ * 2;
    } else {
      window_ = window_ / 2 < kShortest ? Duration::zero() : window_ / 2;
    }
    // Longer waits say nothing: while polling they would not have been seen to their end.
    if (sleeps_at_once_ && waited <= longest_) learn(sleeping_, waited);
  }

  Duration window() const noexcept { return sleep_is_as_quick_ ? Duration::zero() : window_; }

 private:
  static constexpr std::uint32_t kTrial = 32;
  static constexpr std::uint32_t kEnough = 8;
  static constexpr Duration kShortest = std::chrono::microseconds(10);

  struct Average {
    double value = 0;
    std::uint32_t count = 0;
  };

  void learn(Average& average, Duration waited) noexcept {
    const double x = static_cast<double>(waited.count());
    average.value = average.count == 0 ? x : average.value + (x - average.value) / 8;
    if (average.count < kEnough) ++average.count;
    if (polling_.count < kEnough || sleeping_.count < kEnough) return;
    // The gap between the two factors keeps it from changing its mind at every trial.
    if (sleeping_.value <= polling_.value * 1.05) sleep_is_as_quick_ = true;
    if (sleeping_.value > polling_.value * 1.2) sleep_is_as_quick_ = false;
  }

  Duration longest_;
  Duration window_;
  std::uint32_t waits_ = 0;
  bool sleeps_at_once_ = false;
  bool sleep_is_as_quick_ = false;
  Average polling_;
  Average sleeping_;
};

}  // namespace dgraph::detail

#pragma once
// PollWindow: how long a waiting driver should poll before it sleeps, learnt from how its waits end (D2).

#include <algorithm>
#include <chrono>
#include <cstdint>

#include <dgraph/base/host.hpp>

namespace dgraph::detail {

/// Polls for the longest window or not at all. Not at all where hits do not come (fewer than one wait in twenty ends within
/// the window), or where sleeping is quicker, because cores that others keep busy do not halt. To know that, now and
/// then a wait is done the other way and compared with the waits just before it. In doubt it polls: what a sleeper costs
/// whoever must wake it does not show in its own waits. Not synchronised.
class PollWindow {
 public:
  explicit PollWindow(Duration longest) noexcept : longest_(std::max(longest, Duration::zero())) {}

  /// For the wait that begins now.
  Duration next() noexcept {
    trial_ = ++waits_ >= (trials_ < kEnough ? kFirstTrials : kTrials);
    if (trial_) waits_ = 0;
    polls_ = pays() != trial_;
    return polls_ ? longest_ : Duration::zero();
  }

  /// The wait has ended, `waited` after it began, whether in a poll or in a sleep.
  void ended(Duration waited) noexcept {
    if (longest_ == Duration::zero()) return;
    hits_ += ((waited <= longest_ ? 1 : 0) - hits_) / 16;
    if (hits_ < 0.05) hits_come_ = false;
    if (hits_ > 0.1) hits_come_ = true;
    // Much longer waits say nothing of how they were done.
    if (waited > 2 * longest_) return;
    const double x = static_cast<double>(waited.count());
    if (!trial_) {
      usual_ += (x - usual_) / 16;
      return;
    }
    const double penalty = polls_ ? usual_ - x : x - usual_;
    if (trials_ < kMemory) ++trials_;
    penalty_ += (penalty - penalty_) / trials_;
    if (trials_ < kEnough) return;
    // The gap keeps it from changing its mind at every trial.
    if (penalty_ < -kGain) sleep_is_quicker_ = true;
    if (penalty_ > 0) sleep_is_quicker_ = false;
  }

  /// Whether polling pays, as far as is known.
  bool pays() const noexcept { return hits_come_ && !sleep_is_quicker_ && longest_ > Duration::zero(); }

 private:
  // Waits from one trial to the next, at first and once enough is known.
  static constexpr std::uint32_t kFirstTrials = 64;
  static constexpr std::uint32_t kTrials = 256;
  static constexpr int kEnough = 32;
  static constexpr int kMemory = 64;
  static constexpr double kGain = 3000;  ///< ns by which a sleep must be quicker

  const Duration longest_;
  std::uint32_t waits_ = 0;
  bool polls_ = true;
  bool trial_ = false;
  bool hits_come_ = true;
  bool sleep_is_quicker_ = false;
  double hits_ = 1;
  double usual_ = 0;    ///< ns that a wait takes in the way that is chosen
  double penalty_ = 0;  ///< ns by which a sleep takes longer
  int trials_ = 0;
};

}  // namespace dgraph::detail

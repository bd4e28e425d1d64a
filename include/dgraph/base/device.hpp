#pragma once
// DeviceSpec: full and partial device names in all of TensorFlow's forms.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>

namespace dgraph {

/// A device name, each part of which may be missing:
/// "/job:ps/replica:0/task:3/device:CPU:0", "/job:ps", "/task:1", "/cpu:0", "/device:GPU:*", "/job:*", "".
struct DeviceSpec {
  std::optional<std::string> job;
  std::optional<std::int32_t> replica;
  std::optional<std::int32_t> task;
  std::optional<std::string> type;   ///< "CPU", "GPU"
  std::optional<std::int32_t> index;

  /// Throws InvalidArgument naming `text` and what is wrong with it. "*" leaves a part open, of two equal parts the last counts,
  /// and the first '/' may be left out. The types cpu and gpu are written in upper case; any other is taken as it is.
  static DeviceSpec parse(std::string_view text);

  /// The parts of `inner` that are given, else those of this one (nested `device` scopes).
  DeviceSpec overridden_by(const DeviceSpec& inner) const;
  /// What both ask for; nothing where they contradict each other.
  std::optional<DeviceSpec> merged_with(const DeviceSpec& other) const;
  /// True where every part given here is the same in `full`.
  bool matches(const DeviceSpec& full) const;
  bool empty() const { return !job && !replica && !task && !type && !index; }
  /// Only job, replica and task.
  DeviceSpec task_part() const;
  /// "/job:ps/replica:0/task:3/device:CPU:0" with the parts that are given.
  std::string to_string() const;

  friend bool operator==(const DeviceSpec&, const DeviceSpec&) = default;
};

namespace detail {
/// A letter followed by letters, digits and '_'.
bool is_job_name(std::string_view text);
}  // namespace detail

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/base/impl/device.ipp>
#endif

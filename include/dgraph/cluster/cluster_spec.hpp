#pragma once
// ClusterSpec: the jobs of a cluster, their tasks and where each task is.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/device.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/cluster/task_list.hpp>

namespace dgraph {

/// The addresses of one job by task index: a list counts from 0, a map may leave indices out.
class JobTasks {
 public:
  JobTasks() = default;
  JobTasks(std::initializer_list<std::string> addresses)
      : JobTasks(std::vector<std::string>(addresses)) {}
  JobTasks(const std::vector<std::string>& addresses) {
    for (const std::string& address : addresses)
      by_index_.emplace(static_cast<std::int32_t>(by_index_.size()), address);
  }
  JobTasks(std::initializer_list<std::pair<const std::int32_t, std::string>> addresses)
      : by_index_(addresses) {}
  JobTasks(std::map<std::int32_t, std::string> addresses) : by_index_(std::move(addresses)) {}
  const std::map<std::int32_t, std::string>& by_index() const noexcept { return by_index_; }

 private:
  std::map<std::int32_t, std::string> by_index_;
};

/// A value, checked when it is made. An address is "host:port", which the transport in use
/// completes, or "scheme://...".
///
///   ClusterSpec{{"ps", {"10.0.0.1:2222"}}, {"worker", {{37, "10.0.0.2:2222"}}}}
class ClusterSpec {
 public:
  /// No job; what a cluster of nobody would be. `empty()` tells.
  ClusterSpec() = default;
  /// Throws InvalidArgument, naming what is wrong, for no jobs, a job without tasks, a job name
  /// that is not a letter followed by letters, digits and '_', a negative index, a malformed
  /// address, and an address that two tasks share (port 0 may be).
  ClusterSpec(const std::map<std::string, JobTasks>& jobs);
  ClusterSpec(std::initializer_list<std::pair<const std::string, JobTasks>> jobs);

  /// Reads "ps=host:port,host:port;worker=host:port"; an index may be given, and tasks without one
  /// follow the task before: "worker=37@host:port". Throws InvalidArgument as the constructors do,
  /// and for a job or an index that comes twice.
  static ClusterSpec parse(std::string_view text);
  /// What `parse` reads.
  std::string to_string() const;

  bool empty() const noexcept { return tasks_.empty(); }
  /// Number of tasks.
  std::size_t size() const noexcept { return tasks_.size(); }
  /// In the order of their names.
  std::vector<std::string> jobs() const;
  /// Rising. NotFound, listing the jobs there are, for another job.
  std::vector<std::int32_t> task_indices(std::string_view job) const;

  /// All tasks, by job name and then by index; a task's place in it is its position, the same on
  /// every server. Addresses are as they were given.
  const TaskList& tasks() const noexcept { return tasks_; }
  /// The same with full addresses.
  TaskList tasks(std::string_view scheme) const;
  /// The position of a task; none where there is no such task.
  std::optional<std::size_t> find(std::string_view job, std::int32_t index) const noexcept;
  /// The position of a task. NotFound, listing the jobs or the tasks there are.
  std::size_t position(std::string_view job, std::int32_t index) const;
  /// The same for a server's own task: InvalidArgument, also for an empty cluster.
  std::size_t server_position(std::string_view job, std::int32_t index) const;
  const std::string& address(std::string_view job, std::int32_t index) const;
  /// "/job:ps/replica:0/task:0"; OutOfRange where there is no such position.
  std::string task_name(std::size_t position) const;
  /// "/job:ps/replica:0/task:0/device:CPU:0" of each task, by position.
  std::vector<DeviceSpec> task_devices() const;

  /// Changes with any job, index or address; never 0 but for an empty one. The same on every
  /// machine.
  std::uint64_t fingerprint() const noexcept;
  friend bool operator==(const ClusterSpec& a, const ClusterSpec& b) noexcept;

 private:
  void add(const std::string& job, const JobTasks& tasks);
  void check() const;
  TaskList tasks_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/cluster_spec.ipp>
#endif

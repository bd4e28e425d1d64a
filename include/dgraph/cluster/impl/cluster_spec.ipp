#pragma once
#include <dgraph/cluster/cluster_spec.hpp>

#include <algorithm>
#include <charconv>

#include <dgraph/cluster/address.hpp>

namespace dgraph {
namespace detail {

// "a, b, c" of anything that errors::text takes.
template <class List>
std::string listed(const List& list) {
  std::string out;
  for (const auto& item : list) out += errors::text(out.empty() ? "" : ", ", item);
  return out;
}

// Takes off and returns what stands before the next `separator`.
DGRAPH_DECL std::string_view take_until(std::string_view& rest, char separator) {
  const std::string_view part = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(rest.size(), part.size() + 1));
  return part;
}

DGRAPH_DECL std::string_view without_spaces(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

DGRAPH_DECL std::map<std::int32_t, std::string> parse_job_tasks(std::string_view job,
                                                                std::string_view list) {
  std::map<std::int32_t, std::string> tasks;
  std::int32_t next = 0;
  while (!list.empty()) {
    std::string_view task = without_spaces(take_until(list, ','));
    if (const std::size_t at = task.find('@'); at != task.npos) {
      const std::string_view number = task.substr(0, at);
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), next);
      if (error != std::errc() || end != number.data() + number.size() || next < 0)
        fail(Code::InvalidArgument, "'", number, "' in job ", job, " is no task index");
      task.remove_prefix(at + 1);
    }
    if (!tasks.emplace(next, std::string(task)).second)
      fail(Code::InvalidArgument, "task ", next, " of job ", job, " is there twice");
    ++next;
  }
  return tasks;
}

}  // namespace detail

DGRAPH_DECL ClusterSpec::ClusterSpec(const std::map<std::string, JobTasks>& jobs) {
  for (const auto& [job, tasks] : jobs) add(job, tasks);
  check();
}

DGRAPH_DECL ClusterSpec::ClusterSpec(
    std::initializer_list<std::pair<const std::string, JobTasks>> jobs) {
  std::map<std::string, JobTasks> by_name;
  for (const auto& [job, tasks] : jobs) {
    if (!by_name.emplace(job, tasks).second)
      fail(Code::InvalidArgument, "job ", job, " is there twice");
  }
  *this = ClusterSpec(by_name);
}

DGRAPH_DECL void ClusterSpec::add(const std::string& job, const JobTasks& tasks) {
  if (!detail::is_job_name(job)) {
    fail(Code::InvalidArgument, "'", job,
         "' is no job name: it takes a letter, followed by letters, digits and '_'");
  }
  if (tasks.by_index().empty()) fail(Code::InvalidArgument, "job ", job, " has no task");
  for (const auto& [index, address] : tasks.by_index()) {
    if (index < 0) fail(Code::InvalidArgument, "job ", job, " has a task ", index);
    TaskEntry entry;
    entry.job = job;
    entry.index = static_cast<std::uint32_t>(index);
    entry.address = address;
    if (const Status status = check_address(address); !status.ok())
      fail(Code::InvalidArgument, entry.name(), ": ", status.message());
    tasks_.push_back(std::move(entry));
  }
}

DGRAPH_DECL void ClusterSpec::check() const {
  if (tasks_.empty()) fail(Code::InvalidArgument, "a cluster has at least one job");
  std::map<std::string_view, const TaskEntry*> taken;
  for (const TaskEntry& task : tasks_) {
    std::string_view place = task.address;
    if (place.substr(0, 6) == "tcp://") place.remove_prefix(6);
    const auto [at, fresh] = taken.emplace(place, &task);
    if (!fresh && !has_open_port(task.address)) {
      fail(Code::InvalidArgument, at->second->name(), " and ", task.name(),
           " have the same address, ", task.address);
    }
  }
}

DGRAPH_DECL ClusterSpec ClusterSpec::parse(std::string_view text) {
  std::map<std::string, JobTasks> jobs;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view entry = detail::without_spaces(detail::take_until(rest, ';'));
    if (entry.empty()) continue;
    const std::size_t equals = entry.find('=');
    if (equals == entry.npos) {
      fail(Code::InvalidArgument, "'", entry,
           "' is no job: a cluster is written as ps=host:port,host:port;worker=host:port");
    }
    std::string job(detail::without_spaces(entry.substr(0, equals)));
    auto tasks = detail::parse_job_tasks(job, entry.substr(equals + 1));
    if (!jobs.emplace(job, std::move(tasks)).second)
      fail(Code::InvalidArgument, "job ", job, " is there twice");
  }
  return ClusterSpec(jobs);
}

DGRAPH_DECL std::string ClusterSpec::to_string() const {
  std::string out;
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const TaskEntry& task = tasks_[i];
    const bool first = i == 0 || tasks_[i - 1].job != task.job;
    if (first) {
      out += errors::text(i == 0 ? "" : ";", task.job, '=');
      next = 0;
    } else {
      out += ',';
    }
    if (task.index != next) out += errors::text(task.index, '@');
    out += task.address;
    next = task.index + 1;
  }
  return out;
}

DGRAPH_DECL std::vector<std::string> ClusterSpec::jobs() const {
  std::vector<std::string> out;
  for (const TaskEntry& task : tasks_) {
    if (out.empty() || out.back() != task.job) out.push_back(task.job);
  }
  return out;
}

DGRAPH_DECL std::vector<std::int32_t> ClusterSpec::task_indices(std::string_view job) const {
  std::vector<std::int32_t> out;
  for (const TaskEntry& task : tasks_) {
    if (task.job == job) out.push_back(static_cast<std::int32_t>(task.index));
  }
  if (out.empty()) {
    fail(Code::NotFound, "there is no job '", job, "' in the cluster; its jobs are ",
         detail::listed(jobs()));
  }
  return out;
}

DGRAPH_DECL TaskList ClusterSpec::tasks(std::string_view scheme) const {
  TaskList out = tasks_;
  for (TaskEntry& task : out) task.address = full_address(scheme, task.address);
  return out;
}

DGRAPH_DECL std::optional<std::size_t> ClusterSpec::find(std::string_view job,
                                                         std::int32_t index) const noexcept {
  const auto wanted = std::make_pair(job, static_cast<std::int64_t>(index));
  const auto key = [](const TaskEntry& task) {
    return std::make_pair(std::string_view(task.job), static_cast<std::int64_t>(task.index));
  };
  const auto at =
      std::lower_bound(tasks_.begin(), tasks_.end(), wanted,
                       [&](const TaskEntry& task, const auto& w) { return key(task) < w; });
  if (at == tasks_.end() || key(*at) != wanted) return std::nullopt;
  return static_cast<std::size_t>(at - tasks_.begin());
}

DGRAPH_DECL std::size_t ClusterSpec::position(std::string_view job, std::int32_t index) const {
  if (const auto found = find(job, index)) return *found;
  const std::string indices = detail::listed(task_indices(job));
  fail(Code::NotFound, "there is no task ", index, " in job ", job, "; its tasks are ", indices);
}

DGRAPH_DECL std::size_t ClusterSpec::server_position(std::string_view job,
                                                     std::int32_t index) const {
  if (empty())
    fail(Code::InvalidArgument, "a server of job '", job, "' needs a cluster, and this is empty");
  try {
    return position(job, index);
  } catch (const Error& error) {
    throw Error(Status(Code::InvalidArgument, error.status().message()));
  }
}

DGRAPH_DECL const std::string& ClusterSpec::address(std::string_view job,
                                                    std::int32_t index) const {
  return tasks_[position(job, index)].address;
}

DGRAPH_DECL std::string ClusterSpec::task_name(std::size_t position) const {
  if (position >= tasks_.size())
    fail(Code::OutOfRange, "there is no task ", position, " in a cluster of ", tasks_.size(),
         " tasks");
  return tasks_[position].name();
}

DGRAPH_DECL std::vector<DeviceSpec> ClusterSpec::task_devices() const {
  std::vector<DeviceSpec> out;
  out.reserve(tasks_.size());
  for (const TaskEntry& task : tasks_) out.push_back(task.device());
  return out;
}

DGRAPH_DECL std::uint64_t ClusterSpec::fingerprint() const noexcept {
  if (tasks_.empty()) return 0;
  // FNV-1a, 64 bits (Fowler, Noll, Vo), over each task's fields with an end mark.
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&hash](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3u; };
  const auto mix_text = [&mix](const std::string& text) {
    for (const char c : text) mix(static_cast<unsigned char>(c));
    mix(0);
  };
  for (const TaskEntry& task : tasks_) {
    mix_text(task.job);
    for (int shift = 0; shift < 32; shift += 8)
      mix(static_cast<unsigned char>(task.index >> shift));
    mix_text(task.address);
  }
  return hash == 0 ? 1 : hash;
}

DGRAPH_DECL bool operator==(const ClusterSpec& a, const ClusterSpec& b) noexcept {
  return std::equal(a.tasks_.begin(), a.tasks_.end(), b.tasks_.begin(), b.tasks_.end(),
                    [](const TaskEntry& x, const TaskEntry& y) {
                      return x.job == y.job && x.index == y.index && x.address == y.address;
                    });
}

}  // namespace dgraph

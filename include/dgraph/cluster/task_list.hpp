#pragma once
// TaskList: the tasks of a cluster by position, as master and workers number them.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <dgraph/base/device.hpp>
#include <dgraph/base/error.hpp>

namespace dgraph {

/// One task: where it is and what it is called.
struct TaskEntry {
  std::string job;
  std::uint32_t index = 0;  ///< within the job
  std::string address;      ///< full: "tcp://127.0.0.1:2222"

  /// "/job:ps/replica:0/task:1"
  std::string name() const { return "/job:" + job + "/replica:0/task:" + std::to_string(index); }
  /// "/job:ps/replica:0/task:1 at tcp://127.0.0.1:2222", for errors.
  std::string describe() const { return address.empty() ? name() : name() + " at " + address; }
  DeviceSpec device() const {
    DeviceSpec spec;
    spec.job = job;
    spec.replica = 0;
    spec.task = static_cast<std::int32_t>(index);
    spec.type = "CPU";
    spec.index = 0;
    return spec;
  }
};

/// The same order on every server of a cluster: by job name, then by index.
using TaskList = std::vector<TaskEntry>;

}  // namespace dgraph

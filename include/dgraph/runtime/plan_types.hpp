#pragma once
// What planning a step takes (tasks, signature, options) and gives (partitions and where feeds,
// fetches and nodes went).

#include <cstdint>
#include <string>
#include <vector>

#include <dgraph/base/device.hpp>
#include <dgraph/graph/core.hpp>
#include <dgraph/kernels/kernel.hpp>
#include <dgraph/wire/messages.hpp>
#include <dgraph/wire/partition_def.hpp>

namespace dgraph {

/// A task that nodes can be placed on.
struct TaskDevices {
  DeviceSpec task;  ///< job, replica, task
  std::vector<DeviceSpec>
      devices;  ///< full: at least ".../device:CPU:0", the first being the default one
};

struct StepSignature {
  std::vector<Endpoint> feeds, fetches;
  std::vector<NodeId> targets;
};

struct PlanOptions {
  std::vector<TaskDevices> tasks;  ///< by position in the cluster's list of tasks
  std::uint32_t master = 0;        ///< the default for nodes that ask for nothing (D23)
  SessionConfig config;
  KernelLookup kernels = nullptr;  ///< for constant folding, and to know which ops have a kernel
  // On where the config leaves them on, too.
  bool fold_constants = true;
  bool merge_common = true;
  bool remove_identities = true;  ///< and dissolve NoOps into the control inputs of their consumers
  bool remove_dead_branches = true;
};

/// Where a feed or fetch lives: partition and its number there. One feed can go to many partitions,
/// or to none.
struct PlanPort {
  std::uint32_t partition = 0, number = 0;
  friend bool operator==(const PlanPort&, const PlanPort&) = default;
};

struct StepPlan {
  std::vector<PartitionDef>
      partitions;  ///< by task, only of tasks that have something to do; maybe none
  std::vector<std::vector<PlanPort>> feeds;  ///< for each feed of the signature
  struct Fetch {
    bool is_feed = false;  ///< the fetched value is fed: `feed` says which feed
    std::uint32_t feed = 0;
    PlanPort port;  ///< the same for fetches of one value
  };
  std::vector<Fetch> fetches;  ///< for each fetch of the signature
  std::uint32_t edges = 0;     ///< messages between tasks an iteration
  std::vector<Placement>
      placements;  ///< of every node that runs, or that another stands for, with its reason
};

}  // namespace dgraph

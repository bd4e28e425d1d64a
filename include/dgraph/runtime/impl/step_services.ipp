#pragma once
#include <dgraph/runtime/step_execution.hpp>

#include <algorithm>
#include <atomic>
#include <exception>

#include <dgraph/runtime/step_frames.hpp>

namespace dgraph {

DGRAPH_DECL std::string StepExecution::waiting() const {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> names;
  for (const Pending* pending : elsewhere_) {
    const ErrorPlace place = partition_->place(pending->node);
    names.push_back(place.node + " (" + place.op_type + ") on " + place.device);
  }
  for (const auto& [number, port] : partition_->recv_ports_)
    if (port.depth == 0 && !came_[port.position]) {
      const PartitionEdge* edge = partition_->recv_edge(number);
      const auto& name_of = environment_.name_of_task;
      const std::string sender = name_of ? name_of(edge->peer) : std::to_string(edge->peer);
      names.push_back(edge->name + ", which task " + sender + " has not sent");
    }
  for (const Ready& ready : unfed_)
    names.push_back(partition_->place(ready.node).node + ", which has not been fed");
  for (const auto& [key, block] : awaited_) {
    const ErrorPlace place = partition_->place(key.first);
    names.push_back(errors::text(place.node, " in iteration ", key.second.back(),
                                 " of a loop, which another task has not sent"));
  }
  if (names.empty()) return "";
  std::sort(names.begin(), names.end());
  std::string out = "; waiting: ";
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) out += (i ? ", " : "") + names[i];
  if (names.size() > kMost) out += ", and " + std::to_string(names.size() - kMost) + " more";
  return out;
}

DGRAPH_DECL void StepExecution::parallel(std::size_t shards, FunctionRef<void(std::size_t)> run) {
  struct Work {
    std::atomic<std::size_t> next{0}, done{0};
    std::size_t shards;
    FunctionRef<void(std::size_t)> run;
    std::mutex mutex;
    std::exception_ptr error;
    Work(std::size_t n, FunctionRef<void(std::size_t)> f) : shards(n), run(f) {}
    void help() {
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < shards;) {
        try {
          run(i);
        } catch (...) {
          std::lock_guard lock(mutex);
          error = std::current_exception();
        }
        if (done.fetch_add(1, std::memory_order_acq_rel) + 1 == shards) done.notify_all();
      }
    }
  };
  const auto work = std::make_shared<Work>(shards, run);
  const std::size_t helpers = std::min(threads(), shards) - 1;
  for (std::size_t i = 0; i < helpers; ++i) environment_.host->compute([work] { work->help(); });
  work->help();
  for (std::size_t done; (done = work->done.load(std::memory_order_acquire)) < shards;)
    work->done.wait(done);
  if (work->error) std::rethrow_exception(work->error);
}

DGRAPH_DECL void StepExecution::log(std::string_view line) {
  if (environment_.log) environment_.log(line);
}

DGRAPH_DECL std::uint64_t StepExecution::on_cancel(Task cancel) {
  {
    std::lock_guard lock(cancel_mutex_);
    if (!cancelled()) {
      cancels_.emplace(next_cancel_, std::pair(step_, std::move(cancel)));
      return next_cancel_++;
    }
  }
  cancel();
  return 0;
}

DGRAPH_DECL TaskServices& StepExecution::task() {
  return environment_.task ? *environment_.task : KernelServices::task();
}

DGRAPH_DECL bool StepExecution::forget_cancel(std::uint64_t id) {
  std::lock_guard lock(cancel_mutex_);
  return cancels_.erase(id) != 0;
}

DGRAPH_DECL void StepExecution::call_cancels(StepId step) {
  std::vector<Task> taken;
  {
    std::lock_guard lock(cancel_mutex_);
    for (auto at = cancels_.begin(); at != cancels_.end();) {
      // This object may be at another step by now.
      const bool mine = at->second.first == step;
      if (mine) taken.push_back(std::move(at->second.second));
      at = mine ? cancels_.erase(at) : std::next(at);
    }
  }
  for (Task& cancel : taken) cancel();
}

}  // namespace dgraph

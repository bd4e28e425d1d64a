#pragma once
// Outbox: how master and worker of a task send to tasks, their own among them, and to clients.

#include <cstdint>

#include <dgraph/base/link.hpp>
#include <dgraph/wire/messages.hpp>

namespace dgraph {

/// A message to the own task is a direct call, to any other a frame (D1). Never called under a lock.
class Outbox {
 public:
  virtual ~Outbox() = default;
  virtual std::uint32_t self() const = 0;

  // From masters to workers.
  virtual void post(std::uint32_t task, RegisterPartition message) = 0;
  virtual void post(std::uint32_t task, const Deregister& message) = 0;
  virtual void post(std::uint32_t task, StartStep message) = 0;
  virtual void post(std::uint32_t task, FeedStep message) = 0;
  virtual void post(std::uint32_t task, const AbortStep& message) = 0;
  virtual void post(std::uint32_t task, const StopRepeat& message) = 0;
  virtual void post(std::uint32_t task, const EndWorkerSession& message) = 0;
  // From workers to masters.
  virtual void post(std::uint32_t task, const Registered& message) = 0;
  virtual void post(std::uint32_t task, StepDone message) = 0;
  virtual void post(std::uint32_t task, StepFetched message) = 0;
  virtual void post(std::uint32_t task, const RepeatProgress& message) = 0;
  // Between workers; never to the own task.
  virtual void post(std::uint32_t task, const Data& message) = 0;
  virtual void post(std::uint32_t task, const Refused& message) = 0;
  virtual void post(std::uint32_t task, const EdgeAck& message) = 0;
  virtual void post(std::uint32_t task, const Announce& message) = 0;
  virtual void post(std::uint32_t task, const RequestBody& message) = 0;
};

}  // namespace dgraph

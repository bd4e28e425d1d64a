#pragma once
// Router: brings messages between a task's master and worker, its peers and itself; decodes what comes.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <dgraph/cluster/log.hpp>
#include <dgraph/cluster/master.hpp>
#include <dgraph/cluster/outbox.hpp>
#include <dgraph/cluster/peers.hpp>
#include <dgraph/cluster/worker.hpp>

namespace dgraph {

/// A message to the own task is a direct call (D1); one that arrives malformed closes the peer's channel with a log line.
class Router final : public Outbox, public PeerListener {
 public:
  Router(std::uint32_t self, OpLookup ops, Logger logger) : self_(self), ops_(ops), logger_(std::move(logger)) {}
  /// Before any message; the router does not own them.
  void attach(const std::shared_ptr<Peers>& peers, const std::shared_ptr<Master>& master,
              const std::shared_ptr<Worker>& worker);

  std::uint32_t self() const override { return self_; }
  DGRAPH_DECL void post(std::uint32_t task, RegisterPartition message) override;
  DGRAPH_DECL void post(std::uint32_t task, const Deregister& message) override;
  DGRAPH_DECL void post(std::uint32_t task, StartStep message) override;
  DGRAPH_DECL void post(std::uint32_t task, FeedStep message) override;
  DGRAPH_DECL void post(std::uint32_t task, const AbortStep& message) override;
  DGRAPH_DECL void post(std::uint32_t task, const StopRepeat& message) override;
  DGRAPH_DECL void post(std::uint32_t task, const EndWorkerSession& message) override;
  DGRAPH_DECL void post(std::uint32_t task, const Registered& message) override;
  DGRAPH_DECL void post(std::uint32_t task, StepDone message) override;
  DGRAPH_DECL void post(std::uint32_t task, StepFetched message) override;
  DGRAPH_DECL void post(std::uint32_t task, const RepeatProgress& message) override;
  DGRAPH_DECL void post(std::uint32_t task, const Data& message) override;
  DGRAPH_DECL void post(std::uint32_t task, const Refused& message) override;
  DGRAPH_DECL void post(std::uint32_t task, const EdgeAck& message) override;
  DGRAPH_DECL void post(std::uint32_t task, const Announce& message) override;
  DGRAPH_DECL void post(std::uint32_t task, const RequestBody& message) override;

  DGRAPH_DECL void on_peer_message(std::uint32_t task, MessageType type, Frame frame) override;
  DGRAPH_DECL Body peer_body(std::uint32_t task, MessageType type, std::span<const std::byte> head, std::size_t index,
                 std::uint64_t bytes) override;
  DGRAPH_DECL void on_peer_lost(std::uint32_t task, std::uint64_t incarnation, const Status& why) override;

 private:
  template <class Message>
  void send(std::uint32_t task, const Message& message);
  Status dispatch(std::uint32_t task, MessageType type, Frame frame);

  const std::uint32_t self_;
  const OpLookup ops_;
  const Logger logger_;
  std::weak_ptr<Peers> peers_;
  std::weak_ptr<Master> master_;
  std::weak_ptr<Worker> worker_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/router.ipp>
#endif

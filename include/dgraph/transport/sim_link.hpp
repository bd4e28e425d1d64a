#pragma once
// SimLink, SimListening, SimConnector: the ends of links in a simulated world, and how they come to be.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <dgraph/base/config.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/transport/sim_world.hpp>

namespace dgraph::detail {

/// One end. Its fields belong to the world's lock.
class SimLink final : public Link, public std::enable_shared_from_this<SimLink> {
 public:
  using TaskId = SimWorld::TaskId;
  using Time = dgraph::Time;

  SimLink(std::shared_ptr<SimWorld> world, std::uint64_t number, TaskId owner, std::string owner_name, TaskId other_owner,
          std::string other_name, std::string peer);

  void start(std::shared_ptr<LinkHandler> handler);

  DGRAPH_DECL void send(Frame frame) override;
  DGRAPH_DECL void close(Status why) override;
  DGRAPH_DECL void set_limits(const FrameLimits& limits) override;
  DGRAPH_DECL std::size_t queued_bytes() const override;
  std::string peer() const override { return peer_; }

 private:
  friend class SimConnector;
  friend class SimWorld;

  /// The other end's frame, or its end, is here.
  void arrive(std::optional<Frame> frame);
  void resume();
  void deliver(std::optional<Frame> frame);
  void finish();

  // With the lock held:
  Time arrival_of(std::size_t bytes);
  void end_with(Status why, Time at);
  void tell_other();

  const std::shared_ptr<SimWorld> world_;
  const std::uint64_t number_;
  const TaskId owner_;
  const std::string owner_name_;
  const TaskId other_owner_;
  const std::string other_name_;
  const std::string peer_;

  std::weak_ptr<SimLink> other_;
  std::shared_ptr<LinkHandler> handler_;
  FrameLimits limits_;
  Status why_;
  bool closed_ = false;
  bool reset_ = false;       ///< the other side's new incarnation does not know this link
  Time small_arrival_{};     ///< when the last thing that this end sent arrives
  Time large_arrival_{};
  std::size_t queued_ = 0;   ///< bytes of this end's frames that have not arrived
  std::deque<std::optional<Frame>> stalled_;  ///< what arrived while the way was cut
};

/// Somebody who listens.
class SimListening {
 public:
  SimListening(SimWorld::TaskId by, std::string by_name, OnLink call)
      : owner(by), owner_name(std::move(by_name)), on_link(std::make_shared<OnLink>(std::move(call))) {}

  const SimWorld::TaskId owner;
  const std::string owner_name;
  std::shared_ptr<OnLink> on_link;  ///< null once it has stopped
};

/// One call of `connect`.
class SimConnector final : public std::enable_shared_from_this<SimConnector> {
 public:
  SimConnector(std::shared_ptr<SimWorld> world, SimWorld::TaskId owner, std::string owner_name, Time began, Time deadline,
               OnConnect on_connect);

  /// Runs on the owner.
  void start(const std::string& address);
  void look();

  const SimWorld::TaskId owner;

 private:
  void expire();
  void give_up(const Status& why);

  const std::shared_ptr<SimWorld> world_;
  const std::string owner_name_;
  const Time began_;
  const Time deadline_;
  OnConnect on_connect_;
  std::string name_;
  SimWorld::Key expiry_;
  bool done_ = false;
};

class SimListener final : public Listener {
 public:
  SimListener(std::shared_ptr<SimWorld> world, std::shared_ptr<SimListening> listening, std::string name)
      : world_(std::move(world)), listening_(std::move(listening)), name_(std::move(name)) {}
  DGRAPH_DECL ~SimListener() override;
  std::string address() const override { return "sim://" + name_; }

 private:
  const std::shared_ptr<SimWorld> world_;
  const std::shared_ptr<SimListening> listening_;
  const std::string name_;
};

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/transport/impl/sim_link.ipp>
#include <dgraph/transport/impl/sim_world.ipp>
#endif

#pragma once
// Pulse: one timer for the heartbeats of all channels of a server; none runs while no channel needs
// any (D19).

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>

namespace dgraph {

/// Give the same one to many channels by ChannelOptions. Every call is safe from any thread.
class Pulse : public std::enable_shared_from_this<Pulse> {
 public:
  class Member {
   public:
    virtual ~Member() = default;
    /// Called on the driver at least once an interval; returns when it wants to be called at the
    /// latest. `late`: this side itself stood still for a while, so the silence of others says
    /// nothing.
    virtual Time beat(Time now, bool late) = 0;
  };

  explicit Pulse(std::shared_ptr<Host> host, Duration interval = std::chrono::milliseconds(500))
      : host_(std::move(host)), interval_(interval) {}
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  Duration interval() const noexcept { return interval_; }
  void add(std::shared_ptr<Member> member);
  void remove(const Member* member);
  std::size_t members() const;

 private:
  void schedule(Host& host, Time now, Time at);
  void tick(std::uint64_t round);

  const std::weak_ptr<Host> host_;  // a channel must not keep its host
  const Duration interval_;
  mutable std::mutex mutex_;
  std::unordered_map<const Member*, std::weak_ptr<Member>> members_;
  TimerId timer_ = 0;
  std::uint64_t round_ = 0;  // of the timer that counts
  Time due_{};
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/pulse.ipp>
#endif

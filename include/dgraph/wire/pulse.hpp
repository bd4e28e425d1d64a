#pragma once
// Pulse: one timer that keeps the heartbeats of all channels of a server; none runs while no channel needs any.

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>

namespace dgraph {

class Channel;

/// Give the same one to many channels by ChannelOptions. Every call is safe from any thread.
class Pulse : public std::enable_shared_from_this<Pulse> {
 public:
  explicit Pulse(std::shared_ptr<Host> host) : host_(std::move(host)) {}
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  void add(std::weak_ptr<Channel> channel, const Channel* key);
  void remove(const Channel* key);

 private:
  struct Member {
    const Channel* key;
    std::weak_ptr<Channel> channel;
  };
  void schedule(Time at);
  void tick();

  const std::shared_ptr<Host> host_;
  std::mutex mutex_;
  std::vector<Member> members_;
  TimerId timer_ = 0;
  Time due_{};
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/pulse.ipp>
#endif

#pragma once
#include <dgraph/wire/pulse.hpp>

#include <algorithm>
#include <vector>

namespace dgraph {

DGRAPH_DECL void Pulse::add(std::shared_ptr<Member> member) {
  const std::shared_ptr<Host> host = host_.lock();
  if (!host) return;
  const Member* key = member.get();
  std::lock_guard lock(mutex_);
  members_[key] = std::move(member);
  if (timer_ != 0) return;
  const Time now = host->now();
  schedule(*host, now, now + interval_);
}

DGRAPH_DECL void Pulse::remove(const Member* member) {
  const std::shared_ptr<Host> host = host_.lock();
  std::lock_guard lock(mutex_);
  members_.erase(member);
  if (!members_.empty() || timer_ == 0) return;
  if (host) host->cancel(timer_);
  timer_ = 0;
  ++round_;
}

DGRAPH_DECL std::size_t Pulse::members() const {
  std::lock_guard lock(mutex_);
  return members_.size();
}

DGRAPH_DECL void Pulse::schedule(Host& host, Time now, Time at) {
  due_ = at;
  timer_ =
      host.after(std::max(at - now, Duration::zero()), [weak = weak_from_this(), round = ++round_] {
        if (const auto self = weak.lock()) self->tick(round);
      });
}

DGRAPH_DECL void Pulse::tick(std::uint64_t round) {
  const std::shared_ptr<Host> host = host_.lock();
  if (!host) return;
  std::vector<std::shared_ptr<Member>> members;
  const Time now = host->now();
  bool late = false;
  {
    std::lock_guard lock(mutex_);
    if (round != round_) return;
    late = now - due_ > interval_;
    for (const auto& [key, weak] : members_)
      if (auto member = weak.lock()) members.push_back(std::move(member));
  }
  Time next = now + interval_;
  for (const auto& member : members) next = std::min(next, member->beat(now, late));
  // A wish that lies in the past must not make it spin.
  next = std::max(next, now + interval_ / 64);
  std::lock_guard lock(mutex_);
  if (round == round_) schedule(*host, now, next);
}

}  // namespace dgraph

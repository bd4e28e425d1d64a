#pragma once
#include <dgraph/wire/acceptor.hpp>

namespace dgraph {

DGRAPH_DECL Acceptor::Acceptor(std::shared_ptr<Host> host, ChannelOptions options,
                               Channel::OnAccept on_accept, OnRefused on_refused)
    : host_(std::move(host)),
      options_(std::move(options)),
      on_accept_(std::move(on_accept)),
      on_refused_(std::move(on_refused)) {}

DGRAPH_DECL std::shared_ptr<LinkHandler> Acceptor::accept(std::shared_ptr<Link> link) {
  std::shared_ptr<Host> host = host_.lock();
  if (!host || !on_accept_) return nullptr;
  if (unknown_ >= kMostUnknown) {
    if (on_refused_)
      on_refused_(link->peer(), errors::ResourceExhausted(
                                    kMostUnknown, " connections have not said who they are"));
    return nullptr;
  }
  ++unknown_;
  return Channel::accept(
      std::move(host), std::move(link), options_,
      [weak = weak_from_this()](const std::shared_ptr<Channel>& channel,
                                const PeerIdentity& peer) -> std::shared_ptr<ChannelHandler> {
        const auto self = weak.lock();
        return self && self->on_accept_ ? self->on_accept_(channel, peer) : nullptr;
      },
      [weak = weak_from_this()](const Channel& channel, const Status& how) {
        const auto self = weak.lock();
        if (!self) return;
        --self->unknown_;
        if (!how.ok() && self->on_refused_) self->on_refused_(channel.describe(), how);
      });
}

DGRAPH_DECL void Acceptor::stop() {
  on_accept_ = nullptr;
  on_refused_ = nullptr;
}

}  // namespace dgraph

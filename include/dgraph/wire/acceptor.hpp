#pragma once
// Acceptor: turns the links that others open to a listener into channels; bounds those whose handshake is not done (D18).

#include <cstddef>
#include <memory>

#include <dgraph/wire/channel.hpp>

namespace dgraph {

/// To be called on the driver only, as listeners do: `transport.listen(address, [a](auto link) { return a->accept(link); })`.
class Acceptor : public std::enable_shared_from_this<Acceptor> {
 public:
  static constexpr std::size_t kMostUnknown = 64;  ///< connections whose handshake is not done

  /// `on_accept` is asked for the handler of each channel whose handshake is done.
  Acceptor(std::shared_ptr<Host> host, ChannelOptions options, Channel::OnAccept on_accept);

  /// Null, which closes the link, where too many handshakes are open or after `stop`.
  std::shared_ptr<LinkHandler> accept(std::shared_ptr<Link> link);
  std::size_t unknown() const noexcept { return unknown_; }
  /// Accepts no more and lets go of `on_accept`. Established channels stay.
  void stop();

 private:
  const std::shared_ptr<Host> host_;
  const ChannelOptions options_;
  Channel::OnAccept on_accept_;
  std::size_t unknown_ = 0;
  bool stopped_ = false;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/acceptor.ipp>
#endif

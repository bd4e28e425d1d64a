#pragma once
// Acceptor: makes channels of the links that others open, and bounds those whose handshake is not
// done (D18).

#include <cstddef>
#include <memory>
#include <string>

#include <dgraph/wire/channel.hpp>

namespace dgraph {

/// To be used on the driver only, as listeners do: `transport.listen(address, [a](auto link) {
/// return a->accept(link); })`.
class Acceptor : public std::enable_shared_from_this<Acceptor> {
 public:
  static constexpr std::size_t kMostUnknown = 64;  ///< connections whose handshake is not done

  /// Told of a connection that was refused or did not finish its handshake, with its address; for
  /// the log.
  using OnRefused = Function<void(const std::string& address, const Status& why)>;

  /// `on_accept` is asked for the handler of each channel whose peer has said who it is.
  Acceptor(std::shared_ptr<Host> host, ChannelOptions options, Channel::OnAccept on_accept,
           OnRefused on_refused = {});

  /// Null, which closes the link, where too many handshakes are open or after `stop`.
  std::shared_ptr<LinkHandler> accept(std::shared_ptr<Link> link);
  std::size_t unknown() const noexcept { return unknown_; }
  /// Accepts no more and lets go of the callbacks. Established channels stay.
  void stop();

 private:
  const std::weak_ptr<Host> host_;
  const ChannelOptions options_;
  Channel::OnAccept on_accept_;
  OnRefused on_refused_;
  std::size_t unknown_ = 0;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/acceptor.ipp>
#endif

#pragma once
// Asking a server to empty containers, without a session on it.

#include <string>

#include <dgraph/base/config.hpp>
#include <dgraph/base/function.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/wire/channel.hpp>
#include <dgraph/wire/messages.hpp>

namespace dgraph {

/// Sends `message` as a client would, over a short connection of its own; the answer comes once, on the driver.
void send_reset(AnyTransport& transport, const std::string& address, Time deadline,
                ChannelOptions options, Reset message, Function<void(const Status&)> finished);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/reset.ipp>
#endif

#pragma once
// The Reactor over Asio, of which only the making is seen here.

#include <memory>

#include <dgraph/base/config.hpp>
#include <dgraph/transport/host_core.hpp>
#include <dgraph/transport/reactor.hpp>

namespace dgraph::detail {

/// For `HostCore::reactor`.
std::unique_ptr<Reactor> make_asio_reactor(HostCore& core);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/transport/impl/asio_reactor.ipp>
#endif

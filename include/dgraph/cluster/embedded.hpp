#pragma once
// Embedded sessions: a master and a worker inside the session, without sockets; needs the kernels of the op set.

#include <memory>
#include <utility>

#include <dgraph/base/config.hpp>
#include <dgraph/cluster/session_core.hpp>
#include <dgraph/kernels/standard_table.hpp>

namespace dgraph::detail {

/// A session over a server that does not listen: the one task "/job:localhost/replica:0/task:0".
std::shared_ptr<SessionCore> make_embedded_session(std::shared_ptr<GraphCore> graph, SessionOptions options,
                                                   KernelLookup kernels, OpLookup ops);

template <class Ops>
struct Embedded {
  static std::shared_ptr<SessionCore> make_session(std::shared_ptr<GraphCore> graph, SessionOptions options) {
    return make_embedded_session(std::move(graph), std::move(options), OpTables<Ops>::kernels, OpTables<Ops>::ops);
  }
};

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/embedded.ipp>
#endif

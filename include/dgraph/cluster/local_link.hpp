#pragma once
// A client's way to a master in its own process: no channel, and one graph that both share.

#include <memory>

#include <dgraph/base/config.hpp>
#include <dgraph/cluster/master_link.hpp>

namespace dgraph {

class ServerCore;

/// To the master of a server of this process, over a graph that grows there as it grows here.
std::shared_ptr<MasterLink> make_local_link(std::shared_ptr<ServerCore> server, std::shared_ptr<GraphCore> graph,
                                            SessionConfig config);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/local_link.ipp>
#endif

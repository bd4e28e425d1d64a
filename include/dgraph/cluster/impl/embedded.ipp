#pragma once
#include <dgraph/cluster/embedded.hpp>

#include <dgraph/cluster/local_link.hpp>
#include <dgraph/cluster/server_core.hpp>
#include <dgraph/transport/local.hpp>

namespace dgraph::detail {

DGRAPH_DECL std::shared_ptr<SessionCore> make_embedded_session(std::shared_ptr<GraphCore> graph, SessionOptions options,
                                                               KernelLookup kernels, OpLookup ops) {
  TaskEntry self;
  self.job = "localhost";
  transport::Local::Options own;
  own.compute_threads = options.threads;
  std::shared_ptr<Host> host = transport::Local(own).host();
  auto server = ServerCore::make(nullptr, host, {self}, 0, 0, {kernels, ops}, ServerOptions{});
  auto link = make_local_link(std::move(server), graph, options.config);
  return std::make_shared<SessionCore>(std::move(graph), std::move(host), std::move(link), std::move(options));
}

}  // namespace dgraph::detail

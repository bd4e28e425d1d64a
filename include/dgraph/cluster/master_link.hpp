#pragma once
// MasterLink: a client's way to its master, and the one over a channel; local_link.hpp has the one inside a process.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/graph/core.hpp>
#include <dgraph/wire/messages.hpp>

namespace dgraph {

/// Calls are safe from any thread; answers come from the driver or inside the call. Every call is answered exactly once, with
/// Unavailable where the master is lost.
class MasterLink {
 public:
  using OnDone = Function<void(RunDone)>;
  using OnPartial = Function<void(RunDone, SessionId)>;
  using OnStatus = Function<void(const Status&)>;
  using OnDevices = Function<void(const Status&, std::vector<std::string>)>;

  virtual ~MasterLink() = default;
  /// Opens the session; the graph so far goes along. Unavailable by `deadline`, naming the address.
  virtual void open(Time deadline, OnStatus done) = 0;
  /// Runs a definition after telling the master what it does not know yet: new nodes, the definition. A session that was lost
  /// is opened anew first.
  virtual void run(const DefineStep& definition, RunStep request, OnDone done) = 0;
  /// Begins a step in parts, likewise; `done` gets its number, and the session that it belongs to.
  virtual void start_partial(const DefineStep& definition, StartPartial request, OnPartial done) = 0;
  /// A part of it. Aborted where its session has been lost.
  virtual void continue_partial(ContinuePartial request, OnDone done) = 0;
  virtual void cancel(std::uint64_t request) = 0;
  /// Ends a repeated run early and cleanly.
  virtual void stop_repeat(std::uint64_t request) = 0;
  virtual void list_devices(OnDevices done) = 0;
  virtual void reset(std::vector<std::string> containers, OnStatus done) = 0;
  virtual void close(OnStatus done) = 0;
};

/// To the master that listens at `target`.
std::shared_ptr<MasterLink> make_remote_link(std::shared_ptr<AnyTransport> transport, std::string target,
                                             std::shared_ptr<GraphCore> graph, SessionConfig config);

/// Empties these containers, or all, on all tasks of the cluster of the server at `target`, and waits until that is done. Throws
/// Unavailable, with the address, where nobody is there within `limit`.
void reset_server(const std::shared_ptr<AnyTransport>& transport, const std::string& target,
                  std::vector<std::string> containers, Duration limit);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/remote_link.ipp>
#include <dgraph/cluster/reset.hpp>
#endif

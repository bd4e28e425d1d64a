#pragma once
#include <dgraph/cluster/local_link.hpp>

#include <mutex>
#include <unordered_set>

#include <dgraph/cluster/server_core.hpp>

namespace dgraph {
namespace detail {

// The graph is shared with the master: it grows there as it grows here.
class EmbeddedMasterLink final : public MasterLink {
 public:
  EmbeddedMasterLink(std::shared_ptr<ServerCore> server, std::shared_ptr<GraphCore> graph, SessionConfig config)
      : server_(std::move(server)), graph_(std::move(graph)), config_(std::move(config)) {}

  void open(Time, OnStatus done) override {
    Status status;
    try {
      session_ = server_->master().create_session(config_, graph_);
    } catch (...) {
      status = current_exception_status();
    }
    done(status);
  }

  void run(const DefineStep& definition, RunStep request, OnDone done) override {
    define(definition);
    server_->master().run(session_, std::move(request), std::move(done));
  }

  void start_partial(const DefineStep& definition, StartPartial request, OnPartial done) override {
    define(definition);
    server_->master().start_partial(session_, request, [done = std::move(done)](RunDone answer) mutable {
      done(std::move(answer), 0);
    });
  }
  void continue_partial(ContinuePartial request, OnDone done) override {
    server_->master().continue_partial(session_, std::move(request), std::move(done));
  }

  void cancel(std::uint64_t request) override { server_->master().cancel(*session_, request); }
  void stop_repeat(std::uint64_t request) override { server_->master().stop_repeat(*session_, request); }
  void list_devices(OnDevices done) override { done(Status(), server_->devices()); }
  void reset(std::vector<std::string> containers, OnStatus done) override {
    server_->reset(std::move(containers), true, {Master::id_of(*session_)}, std::move(done));
  }
  void close(OnStatus done) override {
    if (session_) server_->master().close_session(Master::id_of(*session_));
    done(Status());
  }

 private:
  void define(const DefineStep& definition) {
    std::lock_guard lock(mutex_);
    if (defined_.insert(definition.definition).second) server_->master().define(*session_, definition);
  }

  const std::shared_ptr<ServerCore> server_;
  const std::shared_ptr<GraphCore> graph_;
  const SessionConfig config_;
  std::shared_ptr<Master::Session> session_;
  std::mutex mutex_;
  std::unordered_set<std::uint64_t> defined_;
};

}  // namespace detail

DGRAPH_DECL std::shared_ptr<MasterLink> make_local_link(std::shared_ptr<ServerCore> server,
                                                        std::shared_ptr<GraphCore> graph, SessionConfig config) {
  return std::make_shared<detail::EmbeddedMasterLink>(std::move(server), std::move(graph), std::move(config));
}

}  // namespace dgraph

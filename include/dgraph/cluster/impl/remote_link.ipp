#pragma once
#include <dgraph/cluster/master_link.hpp>

#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <dgraph/wire/channel.hpp>
#include <dgraph/wire/graph_codec.hpp>

namespace dgraph {
namespace detail {

// One channel, one session at the master; both are opened anew by the next run after they were lost (D20).
class RemoteLink final : public MasterLink, public std::enable_shared_from_this<RemoteLink> {
 public:
  RemoteLink(std::shared_ptr<AnyTransport> transport, std::string target, std::shared_ptr<GraphCore> graph,
             SessionConfig config)
      : transport_(std::move(transport)),
        host_(transport_->host()),
        target_(std::move(target)),
        graph_(std::move(graph)),
        config_(std::move(config)) {
    options_.self.role = PeerRole::Client;
    options_.self.incarnation = host_->random_id();
  }
  ~RemoteLink() override {
    if (channel_) channel_->close(errors::Cancelled("the session is gone"));
  }

  void open(Time deadline, OnStatus done) override {
    std::unique_lock lock(mutex_);
    opening_.push_back(std::move(done));
    begin_open(deadline, lock);
  }

  void run(const DefineStep& definition, RunStep request, OnDone done) override {
    begin(definition, std::move(request), std::move(done));
  }

  void start_partial(const DefineStep& definition, StartPartial request, OnPartial done) override {
    begin(definition, std::move(request), [self = shared_from_this(), done = std::move(done)](RunDone answer) mutable {
      std::unique_lock lock(self->mutex_);
      const SessionId session = self->session_;
      lock.unlock();
      done(std::move(answer), session);
    });
  }

  void continue_partial(ContinuePartial request, OnDone done) override {
    std::unique_lock lock(mutex_);
    if (session_ != 0 && request.session == session_) {
      runs_.emplace(request.request, std::move(done));
      channel_->send(request);
      return;
    }
    lock.unlock();
    RunDone answer;
    answer.request = request.request;
    answer.status = errors::Aborted("the session of the partial run was lost");
    done(std::move(answer));
  }

  void cancel(std::uint64_t request) override { send_cancel(request, false); }
  void stop_repeat(std::uint64_t request) override { send_cancel(request, true); }

  void list_devices(OnDevices done) override {
    std::unique_lock lock(mutex_);
    if (!channel_ || session_ == 0) {
      lock.unlock();
      return done(lost(), {});
    }
    const std::uint64_t request = next_request_++;
    devices_.emplace(request, std::move(done));
    channel_->send(ListDevices{request});
  }

  void reset(std::vector<std::string> containers, OnStatus done) override {
    std::unique_lock lock(mutex_);
    if (!channel_ || session_ == 0) {
      lock.unlock();
      return done(lost());
    }
    const std::uint64_t request = next_request_++;
    statuses_.emplace(request, std::move(done));
    channel_->send(Reset{request, true, std::move(containers)});
  }

  void close(OnStatus done) override {
    std::unique_lock lock(mutex_);
    closed_ = true;
    if (!channel_ || session_ == 0) {
      lock.unlock();
      return done(Status());
    }
    const std::uint64_t request = next_request_++;
    // The channel ends with the session.
    statuses_.emplace(request, [channel = channel_, finish = std::move(done)](const Status& status) mutable {
      channel->close(errors::Cancelled("the session is closed"));
      finish(status.code() == Code::Unavailable ? Status() : status);
    });
    channel_->send(CloseSession{request, std::exchange(session_, 0)});
  }

 private:
  class Handler final : public ChannelHandler {
   public:
    explicit Handler(std::weak_ptr<RemoteLink> link) : link_(std::move(link)) {}
    void on_open(const PeerIdentity&) override {
      if (const auto link = link_.lock()) link->opened();
    }
    void on_message(MessageType type, Frame frame) override {
      if (const auto link = link_.lock()) link->on_message(type, std::move(frame));
    }
    void on_closed(const Status& why) override {
      if (const auto link = link_.lock()) link->closed(this, why);
    }

   private:
    const std::weak_ptr<RemoteLink> link_;
  };

  static Duration time_of(const RunStep& request) { return request.deadline; }
  static Duration time_of(const StartPartial& request) { return request.lease; }

  // A run, or the begin of a partial one.
  template <class Request>
  void begin(const DefineStep& definition, Request request, OnDone done) {
    std::unique_lock lock(mutex_);
    if (session_ != 0) return send_run(definition, std::move(request), std::move(done), lock);
    // Copies wait until there is a session again.
    const Time limit = host_->now() + std::chrono::seconds(10);
    const Duration given = time_of(request);
    const Time deadline = given == kNoDeadline ? limit : std::min(limit, host_->now() + given);
    opening_.push_back([self = shared_from_this(), definition, request = std::move(request),
                        done = std::move(done)](const Status& status) mutable {
      std::unique_lock again(self->mutex_);
      if (status.ok() && self->session_ != 0)
        return self->send_run(definition, std::move(request), std::move(done), again);
      again.unlock();
      RunDone answer;
      answer.request = request.request;
      answer.status = status.ok() ? errors::Unavailable("the session was lost again") : status;
      done(std::move(answer));
    });
    begin_open(deadline, lock);
  }

  Status lost() const { return errors::Unavailable("no connection to the master at ", target_); }

  void begin_open(Time deadline, std::unique_lock<std::mutex>& lock) {
    if (channel_) {
      // A session that the master has forgotten, over a channel that lives.
      if (channel_->is_open() && !creating_) create();
      return;
    }
    auto handler = std::make_shared<Handler>(weak_from_this());
    handler_ = handler.get();
    try {
      channel_ = Channel::connect(*transport_, target_, deadline, options_, handler);
    } catch (...) {
      const Status status = current_exception_status();
      std::vector<OnStatus> waiting = std::exchange(opening_, {});
      lock.unlock();
      for (OnStatus& done : waiting) done(status);
    }
  }

  // Under the lock.
  void create() {
    CreateSession message;
    message.request = next_request_++;
    message.config = config_;
    version_ = graph_->size();
    message.graph = wire::encode_graph(*graph_, 0, version_);
    defined_.clear();
    creating_ = true;
    channel_->send(message);
  }

  void opened() {
    std::unique_lock lock(mutex_);
    keep_alive_ = channel_->keep_alive();
    const std::uint64_t life = channel_->peer().incarnation;
    restarted_ = restarted_ || (master_life_ != 0 && master_life_ != life);
    master_life_ = life;
    create();
  }

  template <class Request>
  void send_run(const DefineStep& definition, Request request, OnDone done, std::unique_lock<std::mutex>& lock) {
    request.session = session_;
    const std::uint64_t number = request.request;
    try {
      if (const std::size_t size = graph_->size(); size > version_) {
        ExtendSession message{session_, wire::encode_graph(*graph_, version_, size)};
        channel_->send(message);
        version_ = size;
      }
      if (defined_.insert(definition.definition).second) {
        DefineStep message = definition;
        message.session = session_;
        channel_->send(message);
      }
      Frame frame = wire::encode(request);
      runs_.emplace(number, std::move(done));
      channel_->send(std::move(frame));
    } catch (...) {
      RunDone answer;
      answer.request = number;
      answer.status = current_exception_status();
      lock.unlock();
      done(std::move(answer));
    }
  }

  void send_cancel(std::uint64_t request, bool clean) {
    std::unique_lock lock(mutex_);
    if (channel_ && session_ != 0) channel_->send(CancelRun{session_, request, clean});
  }

  void on_message(MessageType type, Frame frame) {
    Status status;
    if (type == MessageType::RunDone) {
      RunDone answer;
      status = wire::decode(std::move(frame), answer);
      if (status.ok()) return run_done(std::move(answer));
    } else if (type == MessageType::SessionCreated) {
      SessionCreated answer;
      status = wire::decode(std::move(frame), answer);
      if (status.ok()) return created(answer);
    } else if (type == MessageType::DeviceList) {
      DeviceList answer;
      status = wire::decode(std::move(frame), answer);
      if (status.ok()) return answered(devices_, answer.request, answer.status, std::move(answer.devices));
    } else if (type == MessageType::ResetDone) {
      ResetDone answer;
      status = wire::decode(std::move(frame), answer);
      if (status.ok()) return answered(statuses_, answer.request, answer.status);
    } else if (type == MessageType::SessionClosed) {
      SessionClosed answer;
      status = wire::decode(std::move(frame), answer);
      if (status.ok()) return answered(statuses_, answer.request, answer.status);
    } else {
      status = errors::InvalidArgument("unexpected message ", wire::message_name(type), " from the master");
    }
    std::unique_lock lock(mutex_);
    if (channel_) channel_->close(status);
  }

  template <class Map, class... Rest>
  void answered(Map& map, std::uint64_t request, const Status& status, Rest&&... rest) {
    typename Map::mapped_type done;
    {
      std::unique_lock lock(mutex_);
      const auto at = map.find(request);
      if (at == map.end()) return;
      done = std::move(at->second);
      map.erase(at);
    }
    done(status, std::forward<Rest>(rest)...);
  }

  void run_done(RunDone answer) {
    OnDone done;
    {
      std::unique_lock lock(mutex_);
      const auto at = runs_.find(answer.request);
      if (at == runs_.end()) return;
      done = std::move(at->second);
      runs_.erase(at);
      // A step that never began was refused for its session: the next run opens another one.
      if (answer.status.code() == Code::Aborted && answer.step == 0 && !closed_) session_ = 0;
    }
    done(std::move(answer));
  }

  void created(const SessionCreated& answer) {
    std::vector<OnStatus> waiting;
    Status status = answer.status;
    {
      std::unique_lock lock(mutex_);
      creating_ = false;
      if (status.ok()) session_ = answer.session;
      // Said once: the next run goes on.
      if (status.ok() && std::exchange(restarted_, false))
        status = errors::Aborted("the master at ", target_, " was restarted; the session is open again: run again");
      waiting.swap(opening_);
    }
    for (OnStatus& done : waiting) done(status);
  }

  void closed(const Handler* handler, const Status& why) {
    std::unordered_map<std::uint64_t, OnDone> runs;
    std::unordered_map<std::uint64_t, OnStatus> statuses;
    std::unordered_map<std::uint64_t, OnDevices> devices;
    std::vector<OnStatus> waiting;
    std::shared_ptr<void> keep_alive;
    std::shared_ptr<Channel> channel;
    {
      std::unique_lock lock(mutex_);
      if (handler != handler_) return;
      channel.swap(channel_);
      keep_alive.swap(keep_alive_);
      session_ = 0;
      creating_ = false;
      runs.swap(runs_);
      statuses.swap(statuses_);
      devices.swap(devices_);
      waiting.swap(opening_);
    }
    const Status status(why.code() == Code::Cancelled ? Code::Unavailable : why.code(),
                        errors::text("the master at ", target_, ": ", why.message()));
    for (auto& [request, done] : runs) {
      RunDone answer;
      answer.request = request;
      answer.status = status;
      done(std::move(answer));
    }
    for (auto& [request, done] : statuses) done(status);
    for (auto& [request, done] : devices) done(status, {});
    for (OnStatus& done : waiting) done(status);
  }

  const std::shared_ptr<AnyTransport> transport_;
  const std::shared_ptr<Host> host_;
  const std::string target_;
  const std::shared_ptr<GraphCore> graph_;
  const SessionConfig config_;
  ChannelOptions options_;

  std::mutex mutex_;
  bool closed_ = false, creating_ = false, restarted_ = false;
  std::uint64_t master_life_ = 0;
  const Handler* handler_ = nullptr;
  std::shared_ptr<Channel> channel_;
  std::shared_ptr<void> keep_alive_;
  SessionId session_ = 0;
  std::uint64_t version_ = 0;
  std::uint64_t next_request_ = 1;
  std::unordered_set<std::uint64_t> defined_;
  std::vector<OnStatus> opening_;
  std::unordered_map<std::uint64_t, OnDone> runs_;
  std::unordered_map<std::uint64_t, OnStatus> statuses_;
  std::unordered_map<std::uint64_t, OnDevices> devices_;
};

}  // namespace detail

DGRAPH_DECL std::shared_ptr<MasterLink> make_remote_link(std::shared_ptr<AnyTransport> transport, std::string target,
                                                         std::shared_ptr<GraphCore> graph, SessionConfig config) {
  return std::make_shared<detail::RemoteLink>(std::move(transport), std::move(target), std::move(graph),
                                              std::move(config));
}

}  // namespace dgraph

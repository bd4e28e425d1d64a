#pragma once
#include <dgraph/cluster/server_core.hpp>

#include <algorithm>

#include <dgraph/cluster/address.hpp>
#include <dgraph/cluster/reset.hpp>
#include <dgraph/wire/message_codec.hpp>

namespace dgraph {

// A connected client: its sessions end with its channel.
class ServerCore::Client final : public ChannelHandler {
 public:
  Client(std::weak_ptr<ServerCore> server, std::shared_ptr<Channel> channel)
      : server_(std::move(server)), channel_(std::move(channel)) {}

  void on_open(const PeerIdentity&) override {}
  void on_message(MessageType type, Frame frame) override {
    const auto server = server_.lock();
    if (!server) return;
    const Status status = dispatch(*server, type, std::move(frame));
    if (status.ok()) return;
    server->logger().warn("closing a client's channel: ", status);
    channel_->close(status);
  }
  void on_closed(const Status&) override {
    keep_alive_.reset();
    channel_.reset();
    if (const auto server = server_.lock())
      for (const auto& [id, session] : sessions_) server->master().close_session(id);
    sessions_.clear();
  }

 private:
  Status dispatch(ServerCore& server, MessageType type, Frame frame) {
    const auto take = [&](auto message, auto use) {
      Status status = wire::decode(std::move(frame), message);
      if (status.ok()) use(message);
      return status;
    };
    switch (type) {
      case MessageType::RunStep: return take(RunStep{}, [&](RunStep& m) {
        run_in(m.session, m.request, [&](const auto& session, auto done) {
          server.master().run(session, std::move(m), std::move(done));
        });
      });
      case MessageType::DefineStep:
        return take(DefineStep{}, [&](DefineStep& m) {
          if (const auto session = find(m.session)) server.master().define(*session, std::move(m));
        });
      case MessageType::ExtendSession:
        return take(ExtendSession{}, [&](ExtendSession& m) {
          if (const auto session = find(m.session)) server.master().extend(*session, m.graph);
        });
      case MessageType::StartPartial:
        return take(StartPartial{}, [&](StartPartial& m) {
          run_in(m.session, m.request, [&](const auto& session, auto done) {
            server.master().start_partial(session, m, std::move(done));
          });
        });
      case MessageType::ContinuePartial:
        return take(ContinuePartial{}, [&](ContinuePartial& m) {
          run_in(m.session, m.request, [&](const auto& session, auto done) {
            server.master().continue_partial(session, std::move(m), std::move(done));
          });
        });
      case MessageType::CancelRun:
        return take(CancelRun{}, [&](CancelRun& m) {
          const auto session = find(m.session);
          if (!session) return;
          if (m.clean)
            server.master().stop_repeat(*session, m.request);
          else
            server.master().cancel(*session, m.request);
        });
      case MessageType::CreateSession: return take(CreateSession{}, [&](CreateSession& m) { create(server, m); });
      case MessageType::CloseSession:
        return take(CloseSession{}, [&](CloseSession& m) {
          if (sessions_.erase(m.session)) server.master().close_session(m.session);
          if (sessions_.empty()) keep_alive_.reset();
          channel_->send(SessionClosed{m.request, Status()});
        });
      case MessageType::Reset:
        return take(Reset{}, [&](Reset& m) {
          std::vector<SessionId> mine;
          for (const auto& [id, session] : sessions_) mine.push_back(id);
          server.reset(std::move(m.containers), m.forward, mine,
                       [channel = channel_, request = m.request](const Status& status) {
                         channel->send(ResetDone{request, status});
                       });
        });
      case MessageType::ListDevices:
        return take(ListDevices{}, [&](ListDevices& m) {
          channel_->send(DeviceList{m.request, Status(), server.devices()});
        });
      default: return errors::InvalidArgument("unexpected message ", wire::message_name(type), " from a client");
    }
  }

  std::shared_ptr<Master::Session> find(SessionId id) const {
    const auto at = sessions_.find(id);
    return at == sessions_.end() ? nullptr : at->second;
  }

  void create(ServerCore& server, CreateSession& message) {
    SessionCreated answer{message.request, 0, Status()};
    try {
      const auto session = server.master().create_session(std::move(message.config), message.graph);
      answer.session = Master::id_of(*session);
      sessions_.emplace(answer.session, session);
      if (!keep_alive_) keep_alive_ = channel_->keep_alive();
    } catch (...) {
      answer.status = current_exception_status();
    }
    channel_->send(answer);
  }

  // Runs something in a session of this client, with a way to answer.
  template <class F>
  void run_in(SessionId id, std::uint64_t request, F run) {
    const auto session = find(id);
    if (!session) {
      RunDone answer;
      answer.request = request;
      answer.status = errors::Aborted("the master does not know the session; it was closed, or the server restarted");
      channel_->send(answer);
      return;
    }
    run(session, Master::OnRunDone([channel = channel_](RunDone answer) { channel->send(answer); }));
  }

  const std::weak_ptr<ServerCore> server_;
  std::shared_ptr<Channel> channel_;  // until it closes
  std::shared_ptr<void> keep_alive_;
  std::map<SessionId, std::shared_ptr<Master::Session>> sessions_;
};

DGRAPH_DECL std::shared_ptr<ServerCore> ServerCore::make(std::shared_ptr<AnyTransport> transport,
                                                         std::shared_ptr<Host> host, TaskList tasks, std::uint32_t self,
                                                         std::uint64_t cluster, Kind kind, ServerOptions options) {
  return std::shared_ptr<ServerCore>(new ServerCore(std::move(transport), std::move(host), std::move(tasks), self, cluster,
                                                    kind, std::move(options)));
}

DGRAPH_DECL ServerCore::ServerCore(std::shared_ptr<AnyTransport> transport, std::shared_ptr<Host> host, TaskList tasks,
                                   std::uint32_t self, std::uint64_t cluster, Kind kind, ServerOptions options)
    : transport_(std::move(transport)),
      host_(std::move(host)),
      tasks_(std::move(tasks)),
      self_(self),
      options_(std::move(options)),
      logger_(tasks_[self].name(), options_.log_level, options_.log_sink) {
  channel_options_.self.role = PeerRole::Server;
  channel_options_.self.job = tasks_[self].job;
  channel_options_.self.task = tasks_[self].index;
  channel_options_.self.incarnation = host_->random_id();
  channel_options_.self.cluster = cluster;
  channel_options_.heartbeat = options_.heartbeat;
  channel_options_.dead_after = options_.dead_after;
  channel_options_.window = options_.window;
  channel_options_.pulse = std::make_shared<Pulse>(host_);

  router_ = std::make_shared<Router>(self, kind.ops, logger_);
  peers_ = std::make_shared<Peers>(transport_, tasks_, self, channel_options_, *router_);
  TaskEnvironment environment;
  environment.task_name = tasks_[self].name();
  environment.default_container = tasks_[self].job;
  environment.ops = kind.ops;
  environment.name_of_task = [tasks = tasks_](std::uint32_t task) { return tasks[task].name(); };
  environment.log = [logger = logger_](std::string_view line) { logger.error(line); };
  WorkerOptions worker_options;
  worker_options.heartbeat = options_.dead_after;
  worker_options.body_memory = options_.body_memory;
  worker_ = std::make_shared<Worker>(host_, peers_, std::move(environment), kind.kernels, router_, worker_options);
  MasterOptions master_options;
  master_options.heartbeat = options_.dead_after;
  master_options.connect = options_.connect;
  master_options.log = [logger = logger_](std::string_view line) { logger.error(line); };
  master_ = std::make_shared<Master>(host_, peers_, kind.kernels, kind.ops, router_, std::move(master_options));
  router_->attach(peers_, master_, worker_);
}

DGRAPH_DECL ServerCore::~ServerCore() { stop(); }

DGRAPH_DECL void ServerCore::listen() {
  const std::string address = options_.bind.empty() ? tasks_[self_].address : options_.bind;
  if (!options_.allow_open && !is_loopback_address(address))
    fail(Code::PermissionDenied, address, " can be reached from other machines, and the server has neither TLS nor a "
         "secret: say that it is to be open, or bind a loopback address");
  acceptor_ = std::make_shared<Acceptor>(
      host_, channel_options_,
      [weak = weak_from_this()](const std::shared_ptr<Channel>& channel, const PeerIdentity& peer) {
        const auto self = weak.lock();
        return self ? self->accept(channel, peer) : nullptr;
      });
  auto listener = transport_->listen(
      address, [acceptor = acceptor_](std::shared_ptr<Link> link) { return acceptor->accept(std::move(link)); });
  std::lock_guard lock(mutex_);
  target_ = options_.advertise.empty() ? listener->address() : options_.advertise;
  listener_ = std::move(listener);
  driver_ = host_->hold_driver();
}

DGRAPH_DECL std::shared_ptr<ChannelHandler> ServerCore::accept(const std::shared_ptr<Channel>& channel,
                                                               const PeerIdentity& peer) {
  if (peer.role == PeerRole::Server) return peers_->adopt(channel, peer);
  std::lock_guard lock(mutex_);
  if (stopped_) return nullptr;
  std::erase_if(clients_, [](const auto& client) { return client.expired(); });
  clients_.push_back(channel);
  return std::make_shared<Client>(weak_from_this(), channel);
}

DGRAPH_DECL std::string ServerCore::target() const {
  std::lock_guard lock(mutex_);
  return target_;
}

DGRAPH_DECL void ServerCore::join() {
  std::unique_lock lock(mutex_);
  stopped_signal_.wait(lock, [this] { return stop_done_; });
}

DGRAPH_DECL void ServerCore::stop() {
  std::unique_ptr<Listener> listener;
  std::vector<std::weak_ptr<Channel>> clients;
  std::shared_ptr<void> driver;
  {
    std::lock_guard lock(mutex_);
    if (stopped_) return;
    stopped_ = true;
    listener = std::move(listener_);
    clients.swap(clients_);
    driver = std::move(driver_);
  }
  listener.reset();
  master_->stop();
  worker_->stop();
  for (const auto& weak : clients)
    if (const auto client = weak.lock()) client->close(errors::Unavailable("the server is stopping"));
  peers_->stop();
  // The acceptor is the driver's.
  if (acceptor_) host_->post([acceptor = acceptor_] { acceptor->stop(); });
  {
    std::lock_guard lock(mutex_);
    stop_done_ = true;
  }
  stopped_signal_.notify_all();
}

DGRAPH_DECL std::vector<std::string> ServerCore::devices() const {
  std::vector<std::string> out;
  for (const TaskEntry& task : tasks_) out.push_back(task.device().to_string());
  return out;
}

DGRAPH_DECL void ServerCore::reset(std::vector<std::string> containers, bool forward, const std::vector<SessionId>& keep,
                                   OnStatus done) {
  if (containers.empty()) {
    master_->reset_sessions(keep);
    worker_->resources().clear_all();
  }
  for (const std::string& container : containers) worker_->resources().clear(container);
  struct Waiting {
    std::mutex mutex;
    std::size_t left = 1;
    Status status;
    OnStatus done;
  };
  const auto waiting = std::make_shared<Waiting>();
  waiting->done = std::move(done);
  const auto one = [waiting](const Status& status) {
    {
      std::lock_guard lock(waiting->mutex);
      if (waiting->status.ok()) waiting->status = status;
      if (--waiting->left) return;
    }
    waiting->done(waiting->status);
  };
  if (forward && transport_) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t task = 0; task < tasks_.size(); ++task)
      if (task != self_) others.push_back(task);
    waiting->left += others.size();
    host_->post([self = shared_from_this(), others, containers, one] {
      for (const std::uint32_t task : others) {
        ChannelOptions options = self->channel_options_;
        options.wanted = WantedTask{self->tasks_[task].job, self->tasks_[task].index};
        send_reset(*self->transport_, self->tasks_[task].address, self->host_->now() + self->options_.connect,
                   std::move(options), Reset{1, false, containers},
                   [one, name = self->tasks_[task].describe()](const Status& status) {
                     one(status.ok() ? status : Status(status.code(), errors::text("task ", name, ": ", status.message())));
                   });
      }
    });
  }
  one(Status());
}

}  // namespace dgraph

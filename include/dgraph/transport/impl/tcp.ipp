#pragma once
#include <dgraph/transport/tcp.hpp>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include <dgraph/transport/asio_reactor.hpp>
#include <dgraph/transport/host_core.hpp>
#include <dgraph/transport/name_address.hpp>
#include <dgraph/transport/stream_address.hpp>
#include <dgraph/transport/stream_link.hpp>

namespace dgraph::detail {

DGRAPH_DECL const sockaddr* as_sockaddr(const SocketAddress& address) noexcept {
  return reinterpret_cast<const sockaddr*>(address.data());
}

/// A non-blocking stream socket for an address; -1 with errno.
DGRAPH_DECL int open_stream_socket(const SocketAddress& address) noexcept {
  return ::socket(as_sockaddr(address)->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

DGRAPH_DECL void set_socket_flag(int descriptor, int level, int name) noexcept {
  const int on = 1;
  ::setsockopt(descriptor, level, name, &on, sizeof on);
}

template <int (*Get)(int, sockaddr*, socklen_t*)>
SocketAddress socket_name(int descriptor) {
  sockaddr_storage storage{};
  socklen_t bytes = sizeof storage;
  if (Get(descriptor, reinterpret_cast<sockaddr*>(&storage), &bytes) != 0) return {};
  SocketAddress address(bytes);
  std::memcpy(address.data(), &storage, bytes);
  return address;
}

/// Accepts, until its listener is destroyed.
class TcpAcceptor final : public WatchHandler {
 public:
  TcpAcceptor(std::shared_ptr<HostCore> core, std::shared_ptr<StreamScratch> scratch, OnLink on_link)
      : core_(std::move(core)), scratch_(std::move(scratch)), on_link_(std::move(on_link)) {}
  DGRAPH_DECL ~TcpAcceptor() override;

  /// Throws Error Unavailable, or InvalidArgument for an address of the wrong kind.
  static std::shared_ptr<TcpAcceptor> open(const std::string& text, const transport::TcpOptions& options,
                                           std::shared_ptr<HostCore> core, std::shared_ptr<StreamScratch> scratch,
                                           OnLink on_link);
  void stop();
  const std::string& address() const noexcept { return text_; }

 private:
  DGRAPH_DECL bool on_readable() override;
  void on_abandoned() override { stop(); }
  /// -1 where nobody waits.
  int accept();
  int bind_to(const SocketAddress& address, const StreamAddress& parsed, const transport::TcpOptions& options);
  void remember_file(const std::string& path);

  const std::shared_ptr<HostCore> core_;
  const std::shared_ptr<StreamScratch> scratch_;
  OnLink on_link_;
  std::string text_;
  bool unix_ = false;

  std::mutex mutex_;
  std::shared_ptr<Watch> watch_;
  int descriptor_ = -1;
  int spare_ = -1;
  bool stopped_ = false;
  std::string file_;
  dev_t file_device_ = 0;
  ino_t file_number_ = 0;
};

DGRAPH_DECL TcpAcceptor::~TcpAcceptor() { stop(); }

DGRAPH_DECL std::shared_ptr<TcpAcceptor> TcpAcceptor::open(const std::string& text, const transport::TcpOptions& options,
                                                           std::shared_ptr<HostCore> core,
                                                           std::shared_ptr<StreamScratch> scratch, OnLink on_link) {
  StreamAddress parsed;
  parse_stream_address(text, parsed).throw_if_error();
  std::vector<SocketAddress> addresses;
  if (Status status = resolve_socket_addresses(parsed, addresses); !status.ok()) {
    fail(Code::Unavailable, "cannot listen at ", parsed.to_string(), ": ", status.message());
  }
  auto acceptor = std::make_shared<TcpAcceptor>(core, std::move(scratch), std::move(on_link));
  acceptor->unix_ = parsed.is_unix();
  int error = 0;
  for (const SocketAddress& address : addresses) {
    error = acceptor->bind_to(address, parsed, options);
    if (error == 0) break;
  }
  if (error != 0) {
    fail(Code::Unavailable, "cannot listen at ", parsed.to_string(), ": ", system_message(error),
         error == EADDRINUSE ? " (another process, or this one, listens there)" : "");
  }
  acceptor->text_ = socket_address_text(socket_name<::getsockname>(acceptor->descriptor_));
  acceptor->spare_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  Reactor& reactor = core->reactor(&make_asio_reactor);
  std::shared_ptr<Watch> watch = reactor.watch(acceptor->descriptor_, false, acceptor);
  const std::lock_guard lock(acceptor->mutex_);
  acceptor->watch_ = std::move(watch);
  return acceptor;
}

DGRAPH_DECL int TcpAcceptor::bind_to(const SocketAddress& address, const StreamAddress& parsed,
                                     const transport::TcpOptions& options) {
  const int descriptor = open_stream_socket(address);
  if (descriptor < 0) return errno;
  int error = 0;
  if (parsed.is_unix()) {
    // The mode of the socket becomes the mode of its file, so nobody else can come in between.
    ::fchmod(descriptor, static_cast<mode_t>(options.unix_mode));
  } else {
    set_socket_flag(descriptor, SOL_SOCKET, SO_REUSEADDR);
    if (as_sockaddr(address)->sa_family == AF_INET6) set_socket_flag(descriptor, IPPROTO_IPV6, IPV6_V6ONLY);
  }
  const auto bytes = static_cast<socklen_t>(address.size());
  if (::bind(descriptor, as_sockaddr(address), bytes) != 0) error = errno;
  if (error == EADDRINUSE && parsed.is_unix()) {
    // The file of a server that died: nobody answers there.
    const int probe = open_stream_socket(address);
    const bool dead = probe >= 0 && ::connect(probe, as_sockaddr(address), bytes) != 0 && errno == ECONNREFUSED;
    if (probe >= 0) ::close(probe);
    struct stat file;
    if (dead && ::lstat(parsed.path.c_str(), &file) == 0 && S_ISSOCK(file.st_mode)) {
      ::unlink(parsed.path.c_str());
      error = ::bind(descriptor, as_sockaddr(address), bytes) != 0 ? errno : 0;
    }
  }
  if (error == 0 && parsed.is_unix()) remember_file(parsed.path);
  if (error == 0 && ::listen(descriptor, options.backlog) != 0) error = errno;
  if (error != 0) {
    ::close(descriptor);
  } else {
    descriptor_ = descriptor;
  }
  return error;
}

DGRAPH_DECL void TcpAcceptor::remember_file(const std::string& path) {
  struct stat file;
  if (::stat(path.c_str(), &file) != 0) return;
  file_ = path;
  file_device_ = file.st_dev;
  file_number_ = file.st_ino;
}

DGRAPH_DECL void TcpAcceptor::stop() {
  std::shared_ptr<Watch> watch;
  const std::lock_guard lock(mutex_);
  if (std::exchange(stopped_, true)) return;
  watch = std::move(watch_);
  // Only our own file: another server may have replaced it.
  struct stat file;
  if (!file_.empty() && ::stat(file_.c_str(), &file) == 0 && file.st_dev == file_device_ && file.st_ino == file_number_) {
    ::unlink(file_.c_str());
  }
  if (watch) {
    watch->close();
  } else if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
  if (spare_ >= 0) ::close(spare_);
}

DGRAPH_DECL int TcpAcceptor::accept() {
  const std::lock_guard lock(mutex_);
  if (stopped_) return -1;
  for (;;) {
    const int accepted = ::accept4(descriptor_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted >= 0) return accepted;
    switch (errno) {
      case EINTR:
      case ECONNABORTED:
      case EPROTO: continue;
      case EMFILE:
      case ENFILE: {
        // Out of descriptors: the spare one lets us take the connection and drop it, or it would keep us busy for ever.
        if (spare_ < 0) return -1;
        ::close(spare_);
        const int dropped = ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
        if (dropped >= 0) ::close(dropped);
        spare_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (dropped < 0) return -1;
        continue;
      }
      default: return -1;
    }
  }
}

DGRAPH_DECL bool TcpAcceptor::on_readable() {
  bool any = false;
  for (int i = 0; i < 16; ++i) {
    const int accepted = accept();
    if (accepted < 0) return any;
    any = true;
    if (!unix_) set_socket_flag(accepted, IPPROTO_TCP, TCP_NODELAY);
    const std::string peer = unix_ ? text_ : socket_address_text(socket_name<::getpeername>(accepted));
    auto link = std::make_shared<StreamLink>(core_, scratch_, accepted, peer);
    try {
      std::shared_ptr<LinkHandler> handler = on_link_(link);
      link->start(core_->reactor(&make_asio_reactor), std::move(handler));
    } catch (...) {
      link->close(current_exception_status());
    }
  }
  return any;
}

class TcpListener final : public Listener {
 public:
  explicit TcpListener(std::shared_ptr<TcpAcceptor> acceptor) : acceptor_(std::move(acceptor)) {}
  ~TcpListener() override { acceptor_->stop(); }
  std::string address() const override { return acceptor_->address(); }

 private:
  std::shared_ptr<TcpAcceptor> acceptor_;
};

/// One call of `connect`, until it has a link or gives up. Lives on the driver.
class TcpConnector final : public WatchHandler, public std::enable_shared_from_this<TcpConnector> {
 public:
  TcpConnector(std::shared_ptr<HostCore> core, std::shared_ptr<StreamScratch> scratch, std::string text, Time deadline,
               OnConnect on_connect)
      : core_(std::move(core)),
        scratch_(std::move(scratch)),
        text_(std::move(text)),
        began_(core_->now()),
        deadline_(deadline),
        on_connect_(std::move(on_connect)) {}

  void start();

 private:
  bool on_readable() override { return false; }
  DGRAPH_DECL void on_writable() override;

  void begin_round();
  void try_next();
  void attempt_failed(int error);
  void round_failed(const std::string& why);
  void connected(int descriptor);
  void give_up(Status why);
  void end_attempt();
  Reactor& reactor() { return core_->reactor(&make_asio_reactor); }
  TimerId after(Duration delay, void (TcpConnector::*step)()) {
    return core_->after(delay, [self = shared_from_this(), step] { ((*self).*step)(); });
  }
  void attempt_timed_out() { attempt_failed(ETIMEDOUT); }

  static constexpr Duration kFirstPause = std::chrono::milliseconds(5);
  static constexpr Duration kLongestPause = std::chrono::milliseconds(250);
  static constexpr Duration kLongestAttempt = std::chrono::seconds(30);

  const std::shared_ptr<HostCore> core_;
  const std::shared_ptr<StreamScratch> scratch_;
  const std::string text_;
  const Time began_;
  const Time deadline_;
  OnConnect on_connect_;
  StreamAddress address_;
  std::vector<SocketAddress> candidates_;
  std::size_t next_ = 0;
  std::shared_ptr<Watch> watch_;
  int descriptor_ = -1;
  TimerId attempt_timer_ = 0;
  Duration pause_ = kFirstPause;
  std::string last_error_ = "no answer";
};

DGRAPH_DECL void TcpConnector::start() {
  if (Status status = parse_stream_address(text_, address_); !status.ok()) return give_up(std::move(status));
  if (!address_.is_unix() && address_.port == 0) {
    return give_up(errors::InvalidArgument("'", text_, "' is no address to connect to: its port is 0"));
  }
  begin_round();
}

DGRAPH_DECL void TcpConnector::begin_round() {
  next_ = 0;
  candidates_ = known_socket_addresses(address_);
  if (!candidates_.empty()) return try_next();
  attempt_timer_ = after(deadline_ == kNever ? kLongestAttempt : deadline_ - core_->now(), &TcpConnector::attempt_timed_out);
  reactor().resolve(address_.host, address_.port,
                    [self = shared_from_this()](const Status& status, std::vector<SocketAddress> found) {
                      // Nothing to do where the time ran out meanwhile.
                      if (self->attempt_timer_ == 0) return;
                      self->end_attempt();
                      if (!status.ok()) return self->round_failed("no such host: " + status.message());
                      self->candidates_ = std::move(found);
                      self->try_next();
                    });
}

DGRAPH_DECL void TcpConnector::try_next() {
  if (next_ == candidates_.size()) return round_failed(last_error_);
  const SocketAddress& candidate = candidates_[next_++];
  const int descriptor = open_stream_socket(candidate);
  if (descriptor < 0) return attempt_failed(errno);
  if (::connect(descriptor, as_sockaddr(candidate), static_cast<socklen_t>(candidate.size())) == 0) {
    return connected(descriptor);
  }
  if (errno != EINPROGRESS) {
    const int error = errno;
    ::close(descriptor);
    return attempt_failed(error);
  }
  descriptor_ = descriptor;
  watch_ = reactor().watch(descriptor, false, shared_from_this());
  // An address that swallows everything must leave time for those behind it.
  const Duration left = deadline_ == kNever ? kLongestAttempt : deadline_ - core_->now();
  const auto share = static_cast<std::int64_t>(candidates_.size() - next_ + 1);
  attempt_timer_ = after(left / share, &TcpConnector::attempt_timed_out);
  watch_->want_write();
}

DGRAPH_DECL void TcpConnector::end_attempt() {
  core_->cancel(std::exchange(attempt_timer_, 0));
  if (const auto watch = std::move(watch_)) watch->close();
}

DGRAPH_DECL void TcpConnector::on_writable() {
  if (!watch_) return;
  int error = 0;
  socklen_t bytes = sizeof error;
  if (::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &bytes) != 0) error = errno;
  if (error != 0) return attempt_failed(error);
  const int descriptor = watch_->release();
  end_attempt();
  connected(descriptor);
}

DGRAPH_DECL void TcpConnector::connected(int descriptor) {
  const SocketAddress peer = socket_name<::getpeername>(descriptor);
  if (!address_.is_unix()) {
    // A port of the ephemeral range can connect to itself when nobody listens there.
    if (peer.empty() || peer == socket_name<::getsockname>(descriptor)) {
      ::close(descriptor);
      return attempt_failed(peer.empty() ? ENOTCONN : ECONNREFUSED);
    }
    set_socket_flag(descriptor, IPPROTO_TCP, TCP_NODELAY);
  }
  auto link = std::make_shared<StreamLink>(core_, scratch_, descriptor,
                                           address_.is_unix() ? address_.to_string() : socket_address_text(peer));
  try {
    std::shared_ptr<LinkHandler> handler = on_connect_(link, Status());
    link->start(reactor(), std::move(handler));
  } catch (...) {
    link->close(current_exception_status());
  }
}

DGRAPH_DECL void TcpConnector::attempt_failed(int error) {
  end_attempt();
  last_error_ = system_message(error);
  switch (error) {
    case ECONNREFUSED:
    case ECONNRESET:
    case ECONNABORTED:
    case ETIMEDOUT:
    case EHOSTUNREACH:
    case ENETUNREACH:
    case EADDRNOTAVAIL:
    case ENOTCONN:
    case ENOENT:
    case EAGAIN:
    case EAFNOSUPPORT: return try_next();
    default: return give_up(errors::Unavailable("cannot connect to ", address_.to_string(), ": ", last_error_));
  }
}

DGRAPH_DECL void TcpConnector::round_failed(const std::string& why) {
  const Time now = core_->now();
  if (now < deadline_) {
    const Duration pause = std::min(pause_, deadline_ - now);
    pause_ = std::min(2 * pause_, kLongestPause);
    last_error_ = why;
    after(pause, &TcpConnector::begin_round);
    return;
  }
  give_up(nobody_there(address_.to_string(), deadline_ - began_, why));
}

DGRAPH_DECL void TcpConnector::give_up(Status why) {
  if (OnConnect on_connect = std::move(on_connect_)) on_connect(nullptr, why);
}

}  // namespace dgraph::detail

namespace dgraph::transport {

DGRAPH_DECL Tcp::Tcp(TcpOptions options) : Tcp(std::make_shared<RealHost>(options.host), options) {}

DGRAPH_DECL Tcp::Tcp(std::shared_ptr<RealHost> host, TcpOptions options)
    : options_(options), host_(std::move(host)), scratch_(std::make_shared<detail::StreamScratch>()) {}

DGRAPH_DECL std::unique_ptr<Listener> Tcp::listen(const std::string& address, OnLink on_link) {
  return std::make_unique<detail::TcpListener>(
      detail::TcpAcceptor::open(address, options_, host_->core(), scratch_, std::move(on_link)));
}

DGRAPH_DECL void Tcp::connect(const std::string& address, Time deadline, OnConnect on_connect) {
  auto connector = std::make_shared<detail::TcpConnector>(host_->core(), scratch_, address, deadline, std::move(on_connect));
  host_->post([connector] { connector->start(); });
}

}  // namespace dgraph::transport

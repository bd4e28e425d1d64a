#include <dgraph/transport/tcp.hpp>

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "link_suite.hpp"

using namespace dgraph;
using namespace dgraph::test;
using transport::Tcp;

namespace {

struct TcpRig {
  using Type = Tcp;
  static constexpr bool kAsks = true;
  static constexpr bool kThreads = true;
  virtual ~TcpRig() = default;

  virtual std::string address() { return "127.0.0.1:0"; }
  virtual std::string nobody() { return "tcp://127.0.0.1:1"; }

  Tcp server, client;
  std::shared_ptr<void> hold = server.host()->hold_driver();
};

struct Folder {
  Folder() {
    char name[] = "/tmp/dgraph-test-XXXXXX";
    path = ::mkdtemp(name);
  }
  ~Folder() {
    for (int i = 0; i <= files; ++i) ::unlink((path + "/" + std::to_string(i)).c_str());
    ::rmdir(path.c_str());
  }
  std::string next() { return path + "/" + std::to_string(++files); }
  std::string path;
  int files = 0;
};

struct UnixRig : TcpRig {
  std::string address() override { return "unix://" + folder.next(); }
  std::string nobody() override { return "unix://" + folder.path + "/nobody"; }
  Folder folder;
};

std::size_t count_entries(const char* folder) {
  DIR* const entries = ::opendir(folder);
  std::size_t count = 0;
  while (::readdir(entries) != nullptr) ++count;
  ::closedir(entries);
  return count;
}

int raw_connect(const std::string& address) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  REQUIRE(::connect(descriptor, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
  return descriptor;
}

}  // namespace

TEST_CASE("Tcp: frames") { check_frames<TcpRig>(); }
TEST_CASE("Tcp: closing") { check_closing<TcpRig>(); }
TEST_CASE("Tcp: connecting") { check_connecting<TcpRig>(); }
TEST_CASE("Unix sockets: frames") { check_frames<UnixRig>(); }
TEST_CASE("Unix sockets: closing") { check_closing<UnixRig>(); }
TEST_CASE("Unix sockets: connecting") { check_connecting<UnixRig>(); }

TEST_CASE("Tcp: addresses") {
  Tcp tcp;
  const auto refuse = [](std::shared_ptr<Link>) { return nullptr; };
  const auto code_of = [&](const std::string& address) {
    try {
      tcp.listen(address, refuse);
    } catch (const Error& error) {
      CHECK_THAT(error.what(), contains(address.substr(address.find("//") + 1)));
      return error.code();
    }
    return Code::Ok;
  };
  CHECK(code_of("127.0.0.1") == Code::InvalidArgument);
  CHECK(code_of("127.0.0.1:") == Code::InvalidArgument);
  CHECK(code_of(":2222") == Code::InvalidArgument);
  CHECK(code_of("127.0.0.1:70000") == Code::InvalidArgument);
  CHECK(code_of("http://127.0.0.1:80") == Code::InvalidArgument);
  CHECK(code_of("unix://relative") == Code::InvalidArgument);
  CHECK(code_of("203.0.113.7:0") == Code::Unavailable);
  CHECK(code_of("unix:///no/such/folder/x") == Code::Unavailable);
  CHECK(code_of("localhost:0") == Code::Ok);

  const auto four = tcp.listen("tcp://127.0.0.1:0", refuse);
  CHECK_THAT(four->address(), contains("tcp://127.0.0.1:"));
  CHECK(four->address() != "tcp://127.0.0.1:0");
  std::atomic<bool> called{false};
  Status status;
  tcp.connect("127.0.0.1:0", kNever, [&](std::shared_ptr<Link>, const Status& why) {
    status = why;
    called = true;
    return nullptr;
  });
  CHECK(tcp.host()->drive([&] { return called.load(); }, tcp.host()->now() + 5s));
  CHECK(status.code() == Code::InvalidArgument);
}

TEST_CASE("Tcp: names are resolved, and those that are none reported") {
  Tcp tcp;
  const auto listener = tcp.listen("127.0.0.1:0", [](std::shared_ptr<Link>) { return nullptr; });
  const std::string port = listener->address().substr(listener->address().rfind(':'));
  std::atomic<int> called{0};
  Status found, status;
  tcp.connect("localhost" + port, tcp.host()->now() + 10s, [&](std::shared_ptr<Link>, const Status& why) {
    found = why;
    ++called;
    return nullptr;
  });
  tcp.connect("no-such-name.invalid:1", tcp.host()->now() + 100ms, [&](std::shared_ptr<Link>, const Status& why) {
    status = why;
    ++called;
    return nullptr;
  });
  REQUIRE(tcp.host()->drive([&] { return called == 2; }, tcp.host()->now() + 20s));
  CHECK(found.ok());
  CHECK(status.code() == Code::Unavailable);
  CHECK_THAT(status.message(), contains("no-such-name.invalid:1"));
}

TEST_CASE("Unix sockets: the file of a dead server is replaced, its own removed, others left alone") {
  Folder folder;
  const std::string path = folder.next();
  const std::string address = "unix://" + path;
  const auto refuse = [](std::shared_ptr<Link>) { return nullptr; };
  Tcp tcp;
  {
    const auto listener = tcp.listen(address, refuse);
    struct stat file;
    REQUIRE(::stat(path.c_str(), &file) == 0);
    CHECK((file.st_mode & 0777) == 0600);
  }
  CHECK(::access(path.c_str(), F_OK) != 0);
  {
    // A socket that was bound and never unlinked.
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
    struct {
      sa_family_t family = AF_UNIX;
      char path[100] = {};
    } at;
    path.copy(at.path, sizeof at.path);
    REQUIRE(::bind(descriptor, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
    ::close(descriptor);
    CHECK(tcp.listen(address, refuse)->address() == address);
  }
  {
    std::ofstream(path) << "not a socket";
    CHECK_THROWS_AS(tcp.listen(address, refuse), Error);
    CHECK(::access(path.c_str(), F_OK) == 0);
  }
}

TEST_CASE("Tcp: what is no record closes the connection and nothing else") {
  TcpRig rig;
  Pair pair(rig);
  std::vector<std::shared_ptr<Recorder>> ends;
  std::mutex mutex;
  const auto listener = rig.server.listen("127.0.0.1:0", [&](std::shared_ptr<Link> link) {
    link->set_limits(wide_limits());
    const std::lock_guard lock(mutex);
    ends.push_back(std::make_shared<Recorder>());
    ends.back()->set_link(link);
    return ends.back();
  });
  const auto send_raw = [&](const std::string& bytes) {
    const int descriptor = raw_connect(listener->address());
    REQUIRE(::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
    ::shutdown(descriptor, SHUT_WR);
    char answer[16];
    CHECK(::recv(descriptor, answer, sizeof answer, 0) <= 0);
    ::close(descriptor);
    const std::lock_guard lock(mutex);
    CHECK(ends.back()->count == 0);
    return ends.back();
  };
  const auto wait_code = [&](const std::shared_ptr<Recorder>& end) {
    CHECK(pair.wait([&] { return end->closed == 1; }));
    return end->why().code();
  };
  CHECK(wait_code(send_raw("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")) == Code::DataLoss);
  CHECK(wait_code(send_raw(std::string(100000, '\xff'))) == Code::DataLoss);
  CHECK(wait_code(send_raw("DG")) == Code::Unavailable);
  CHECK(wait_code(send_raw("")) == Code::Unavailable);
  // A body of 2^63 bytes: refused before memory is taken.
  std::string huge("DG\x01\x01\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32);
  huge += std::string("\0\0\0\0\0\0\0\x80", 8);
  CHECK(wait_code(send_raw(huge)) == Code::InvalidArgument);
  send_on(*pair.client->link(), frame_of(5));
  CHECK(pair.wait([&] { return pair.server->count == 1; }));
}

TEST_CASE("Tcp: a receiver that does not read makes its sender queue, not wait") {
  TcpRig rig;
  const auto server = rig.server.listen("127.0.0.1:0", [](std::shared_ptr<Link>) { return nullptr; });
  // A bare listener that accepts and never reads.
  const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t bytes = sizeof at;
  REQUIRE(::bind(listening, reinterpret_cast<const sockaddr*>(&at), bytes) == 0);
  REQUIRE(::listen(listening, 1) == 0);
  ::getsockname(listening, reinterpret_cast<sockaddr*>(&at), &bytes);
  const auto client = std::make_shared<Recorder>();
  rig.client.connect("127.0.0.1:" + std::to_string(ntohs(at.sin_port)), kNever,
                     [&](std::shared_ptr<Link> link, const Status&) {
                       client->set_link(link);
                       return client;
                     });
  Host& host = *rig.client.host();
  REQUIRE(host.drive([&] { return client->linked.load(); }, host.now() + 10s));
  const std::size_t size = std::size_t{64} << 20;
  send_on(*client->link(), {head_of(1), {body_of(size, 1)}});
  for (int i = 0; i < 1000; ++i) send_on(*client->link(), frame_of(2, 1000));
  host.drive([] { return false; }, host.now() + 50ms);
  const std::size_t queued = client->link()->queued_bytes();
  CHECK(queued > size / 2);
  CHECK(queued <= size + 1000 * 1100);
  SECTION("and closing it does not wait either") {
    const auto link = client->link();
    link->close(errors::Cancelled("enough"));
    REQUIRE(host.drive([&] { return client->closed == 1; }, host.now() + 10s));
    CHECK(link->queued_bytes() == 0);
    CHECK(client->why().code() == Code::Cancelled);
  }
  SECTION("and it notices when the other side is gone") {
    const int accepted = ::accept(listening, nullptr, nullptr);
    ::close(accepted);
    REQUIRE(host.drive([&] { return client->closed == 1; }, host.now() + 10s));
    CHECK(client->why().code() == Code::Unavailable);
  }
  ::close(listening);
}

TEST_CASE("Tcp: destroyed while busy, it leaves no thread and no descriptor") {
  const std::size_t descriptors = count_entries("/proc/self/fd");
  const std::size_t threads = count_entries("/proc/self/task");
  for (int round = 0; round < 5; ++round) {
    auto server = std::make_unique<Tcp>();
    auto client = std::make_unique<Tcp>();
    auto hold = server->host()->hold_driver();
    auto far = std::make_shared<Recorder>();
    auto near = std::make_shared<Recorder>();
    far->on_each = [](Recorder& self, Frame& frame) { self.link()->send(frame); };
    const auto listener = server->listen("127.0.0.1:0", [&](std::shared_ptr<Link> link) {
      link->set_limits(wide_limits());
      far->set_link(link);
      return far;
    });
    client->connect(listener->address(), kNever, [&](std::shared_ptr<Link> link, const Status&) {
      link->set_limits(wide_limits());
      near->set_link(link);
      return near;
    });
    REQUIRE(client->host()->drive([&] { return near->linked.load(); }, client->host()->now() + 10s));
    // Others that are in the middle of their attempts.
    client->connect("tcp://127.0.0.1:1", kNever, [](std::shared_ptr<Link>, const Status&) { return nullptr; });
    std::atomic<bool> over{false};
    std::thread sender([&, link = near->link()] {
      while (!over) link->send({head_of(1), {body_of(300000, 1)}});
    });
    client->host()->compute([] { std::this_thread::sleep_for(2ms); });
    client->host()->after(1h, [] {});
    client->host()->drive([&] { return near->count > 20; }, client->host()->now() + 10s);
    client.reset();
    if (round % 2 == 0) {
      // The other side hears of it.
      for (int i = 0; i < 2000 && far->closed == 0; ++i) std::this_thread::sleep_for(5ms);
      CHECK(far->closed == 1);
    }
    hold.reset();
    server.reset();
    over = true;
    sender.join();
    far->set_link(nullptr);
    near->set_link(nullptr);
  }
  CHECK(count_entries("/proc/self/task") == threads);
  CHECK(count_entries("/proc/self/fd") == descriptors);
}

TEST_CASE("Tcp: the last handle may go inside a task of its own driver") {
  auto tcp = std::make_unique<Tcp>();
  std::weak_ptr<Host> host = tcp->host();
  const auto listener = tcp->listen("127.0.0.1:0", [](std::shared_ptr<Link>) { return nullptr; });
  SECTION("driven by its own thread") {
    auto hold = tcp->host()->hold_driver();
    tcp->host()->post([moved = std::move(tcp)]() mutable { moved.reset(); });
    for (int i = 0; i < 2000 && !host.expired(); ++i) std::this_thread::sleep_for(5ms);
  }
  SECTION("driven by a caller") {
    Host* const driven = tcp->host().get();
    driven->post([moved = std::move(tcp)]() mutable { moved.reset(); });
    CHECK_FALSE(driven->drive([] { return false; }, kNever));
  }
  CHECK(host.expired());
}

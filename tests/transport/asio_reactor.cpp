#include <dgraph/transport/asio_reactor.hpp>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>

#include "support/catch.hpp"

using namespace dgraph;
using namespace std::chrono_literals;
using detail::HostCore;
using detail::Reactor;
using detail::Watch;
using detail::WatchHandler;

namespace {

/// Two connected, non-blocking sockets.
struct Sockets {
  Sockets() { REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0); }
  ~Sockets() { ::close(ends[1]); }
  void write(const std::string& text) const {
    REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  int ends[2];
};

struct Reader : WatchHandler {
  explicit Reader(int from) : descriptor(from) {}
  bool on_readable() override {
    char bytes[100];
    const ssize_t got = ::read(descriptor, bytes, sizeof bytes);
    if (got < 0) return false;
    if (got == 0) {
      ended = true;
      if (const auto at = watch.lock()) at->close();
      return true;
    }
    text.append(bytes, static_cast<std::size_t>(got));
    count = text.size();
    return true;
  }
  void on_writable() override { ++writable; }
  void on_abandoned() override { ++abandoned; }

  const int descriptor;
  std::string text;
  std::atomic<std::size_t> count{0};
  std::atomic<int> writable{0}, abandoned{0};
  std::atomic<bool> ended{false};
  std::weak_ptr<Watch> watch;
};

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) >= 0; }

struct Core {
  ~Core() { core->shutdown(); }
  template <class Until>
  bool wait(Until until) {
    return core->drive(until, core->now() + 20s);
  }
  std::shared_ptr<HostCore> core = std::make_shared<HostCore>(transport::HostOptions());
  Reactor& reactor = core->reactor(&detail::make_asio_reactor);
};

}  // namespace

TEST_CASE("reactor: readable again and again, while polled and after a sleep") {
  Core core;
  Sockets sockets;
  for (const bool busy : {false, true}) {
    Sockets pair;
    const auto reader = std::make_shared<Reader>(pair.ends[0]);
    const auto watch = core.reactor.watch(pair.ends[0], busy, reader);
    for (std::size_t i = 1; i <= 20; ++i) {
      // Now and then long enough for the driver to go to sleep.
      const Duration pause = i % 5 == 0 ? 3ms : 0ms;
      core.core->after(pause, [&] { pair.write("x"); });
      REQUIRE(core.wait([&] { return reader->count == i; }));
    }
    CHECK(core.reactor.busy() == 1);
    watch->close();
    CHECK(core.reactor.busy() == 0);
    CHECK_FALSE(is_open(pair.ends[0]));
    watch->close();
  }
  ::close(sockets.ends[0]);
}

TEST_CASE("reactor: more descriptors than are polled directly all get theirs") {
  Core core;
  constexpr std::size_t kMany = 50;
  std::vector<std::unique_ptr<Sockets>> pairs;
  std::vector<std::shared_ptr<Reader>> readers;
  for (std::size_t i = 0; i < kMany; ++i) {
    pairs.push_back(std::make_unique<Sockets>());
    readers.push_back(std::make_shared<Reader>(pairs[i]->ends[0]));
    readers[i]->watch = core.reactor.watch(pairs[i]->ends[0], true, readers[i]);
  }
  for (std::size_t round = 1; round <= 5; ++round) {
    for (std::size_t i = 0; i < kMany; ++i) pairs[(i * 7) % kMany]->write("ab");
    REQUIRE(core.wait([&] {
      return std::all_of(readers.begin(), readers.end(), [&](const auto& reader) { return reader->count == 2 * round; });
    }));
  }
  pairs.clear();
  REQUIRE(core.wait(
      [&] { return std::all_of(readers.begin(), readers.end(), [](const auto& reader) { return reader->ended.load(); }); }));
  CHECK(core.reactor.busy() == 0);
}

TEST_CASE("reactor: writable is told once for each time it is wanted") {
  Core core;
  Sockets pair;
  const auto reader = std::make_shared<Reader>(pair.ends[0]);
  const auto watch = core.reactor.watch(pair.ends[0], true, reader);
  const std::string block(4096, 'x');
  while (::write(pair.ends[0], block.data(), block.size()) > 0) {
  }
  watch->want_write();
  watch->want_write();
  core.core->drive([] { return false; }, core.core->now() + 3ms);
  CHECK(reader->writable == 0);
  std::vector<char> sink(1 << 20);
  while (::read(pair.ends[1], sink.data(), sink.size()) > 0) {
  }
  REQUIRE(core.wait([&] { return reader->writable > 0; }));
  core.core->drive([] { return false; }, core.core->now() + 3ms);
  CHECK(reader->writable == 1);
  watch->close();
}

TEST_CASE("reactor: a descriptor can be given back open") {
  Core core;
  Sockets pair;
  const auto reader = std::make_shared<Reader>(pair.ends[0]);
  const auto watch = core.reactor.watch(pair.ends[0], true, reader);
  pair.write("a");
  REQUIRE(core.wait([&] { return reader->count == 1; }));
  CHECK(watch->release() == pair.ends[0]);
  CHECK(watch->release() == -1);
  CHECK(reader.use_count() == 1);
  pair.write("b");
  core.core->drive([] { return false; }, core.core->now() + 3ms);
  CHECK(reader->count == 1);
  CHECK(is_open(pair.ends[0]));
  // And watched anew.
  const auto again = core.reactor.watch(pair.ends[0], true, reader);
  REQUIRE(core.wait([&] { return reader->count == 2; }));
  again->close();
}

TEST_CASE("reactor: what is left when it goes is told so, closed and released") {
  const auto core = std::make_shared<HostCore>(transport::HostOptions());
  Reactor& reactor = core->reactor(&detail::make_asio_reactor);
  Sockets pair;
  const auto reader = std::make_shared<Reader>(pair.ends[0]);
  const auto watch = reactor.watch(pair.ends[0], true, reader);
  reactor.resolve("localhost", 1, [reader](const Status&, std::vector<detail::SocketAddress>) {});
  core->shutdown();
  CHECK(reader->abandoned == 1);
  CHECK_FALSE(is_open(pair.ends[0]));
  CHECK(reader.use_count() == 1);
  watch->want_write();
  watch->close();
  CHECK(watch->release() == -1);
}

TEST_CASE("reactor: names are resolved without blocking") {
  Core core;
  std::atomic<int> done{0};
  Status good, bad;
  std::size_t found = 0;
  core.reactor.resolve("localhost", 4711, [&](const Status& status, std::vector<detail::SocketAddress> addresses) {
    good = status;
    found = addresses.size();
    ++done;
  });
  core.reactor.resolve("no-such-name.invalid", 1, [&](const Status& status, std::vector<detail::SocketAddress>) {
    bad = status;
    ++done;
  });
  REQUIRE(core.wait([&] { return done == 2; }));
  CHECK(good.ok());
  CHECK(found >= 1);
  CHECK(bad.code() == Code::Unavailable);
  CHECK(core.reactor.busy() == 0);
}

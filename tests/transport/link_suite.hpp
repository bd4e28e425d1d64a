#pragma once
// What every transport must do, asked of each in turn. A Rig makes two transports of the type that can reach each other:
//
//   struct Rig {
//     using Type = ...;                    // the transport
//     static constexpr bool kAsks;         // whether body_buffer is asked
//     static constexpr bool kThreads;      // whether other threads may send meanwhile
//     Type server, client;
//     std::string address();               // where the server may listen
//     std::string nobody();                // where nobody listens
//   };

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <dgraph/base/link.hpp>

#include "support/catch.hpp"

namespace dgraph::test {

using namespace std::chrono_literals;

inline bool& sending() {
  static thread_local bool flag = false;
  return flag;
}

/// Sends with a mark on this thread, so that a handler can tell whether it is called from inside.
inline void send_on(Link& link, Frame frame) {
  sending() = true;
  link.send(std::move(frame));
  sending() = false;
}

inline std::vector<std::byte> head_of(std::uint64_t value, std::size_t bytes = 8) {
  std::vector<std::byte> head(bytes);
  if (bytes > 0) std::memcpy(head.data(), &value, std::min<std::size_t>(bytes, 8));
  return head;
}
inline std::uint64_t value_of(const std::vector<std::byte>& head) {
  std::uint64_t value = 0;
  if (!head.empty()) std::memcpy(&value, head.data(), std::min<std::size_t>(head.size(), 8));
  return value;
}
inline Frame frame_of(std::uint64_t value, std::size_t bytes = 8) { return {head_of(value, bytes), {}}; }

inline Body body_of(std::size_t bytes, std::uint64_t seed) {
  Ref<Buffer> buffer = allocate_buffer(bytes);
  std::uint64_t x = seed * 0x9e3779b97f4a7c15u + 1;
  std::byte* data = buffer->data();
  for (std::size_t i = 0; i < bytes; i += 8, x = x * 6364136223846793005u + 1442695040888963407u) {
    std::memcpy(data + i, &x, std::min<std::size_t>(8, bytes - i));
  }
  return {buffer, data, bytes};
}
inline bool is_body_of(const Body& body, std::size_t bytes, std::uint64_t seed) {
  const Body expected = body_of(bytes, seed);
  return body.size == bytes && (bytes == 0 || std::memcmp(body.data, expected.data, bytes) == 0);
}

inline FrameLimits wide_limits() { return {std::size_t{1} << 20, 4096, std::uint64_t{1} << 40}; }

/// Keeps what it is told; does what it is asked for each frame.
class Recorder : public LinkHandler {
 public:
  Function<void(Recorder&, Frame&)> on_each;
  bool skip_odd = false;

  Body body_buffer(std::span<const std::byte>, std::size_t index, std::uint64_t bytes) override {
    inside();
    if (skip_odd && index % 2 == 1) return {};
    Ref<Buffer> buffer = allocate_buffer(bytes);
    return {buffer, buffer->data(), buffer->size()};
  }
  void on_frame(Frame frame) override {
    inside();
    if (on_each) on_each(*this, frame);
    const std::lock_guard lock(mutex_);
    frames_.push_back(std::move(frame));
    ++count;
  }
  void on_bytes() override { ++signs; }
  void on_closed(const Status& why) override {
    inside();
    std::shared_ptr<Link> gone;
    const std::lock_guard lock(mutex_);
    why_ = why;
    gone = std::move(link_);
    ++closed;
  }

  void set_link(std::shared_ptr<Link> link) {
    const std::lock_guard lock(mutex_);
    link_ = std::move(link);
    linked = true;
  }
  std::shared_ptr<Link> link() {
    const std::lock_guard lock(mutex_);
    return link_;
  }
  Status why() {
    const std::lock_guard lock(mutex_);
    return why_;
  }
  std::vector<Frame> frames() {
    const std::lock_guard lock(mutex_);
    return frames_;
  }

  std::atomic<std::size_t> count{0};
  std::atomic<std::size_t> signs{0};
  std::atomic<int> closed{0};
  std::atomic<bool> linked{false};
  std::atomic<int> misplaced{0};  ///< calls from inside a send, or two at a time

 private:
  void inside() {
    if (sending()) ++misplaced;
  }

  std::mutex mutex_;
  std::vector<Frame> frames_;
  Status why_;
  std::shared_ptr<Link> link_;
};

/// Drives until `until` holds, also where another host's driver makes it true.
template <class Until>
bool drive_until(Host& host, Until until) {
  const Time deadline = host.now() + 20s;
  while (!host.drive(until, std::min(deadline, host.now() + 1ms))) {
    if (host.now() >= deadline) return false;
  }
  return true;
}

/// The two ends of one link.
template <class Rig>
struct Pair {
  explicit Pair(Rig& of, FrameLimits limits = wide_limits()) : rig(of) {
    listener = rig.server.listen(rig.address(), [this, limits](std::shared_ptr<Link> link) {
      link->set_limits(limits);
      server->set_link(link);
      return server;
    });
    rig.client.connect(listener->address(), rig.client.host()->now() + 10s,
                       [this, limits](std::shared_ptr<Link> link, const Status&) -> std::shared_ptr<LinkHandler> {
                         if (!link) return nullptr;
                         link->set_limits(limits);
                         client->set_link(link);
                         return client;
                       });
    REQUIRE(wait([&] { return server->linked && client->linked; }));
  }
  ~Pair() {
    CHECK(server->misplaced == 0);
    CHECK(client->misplaced == 0);
    // A handler and its link hold each other until the link closes.
    for (const auto& end : {server, client}) {
      if (const auto link = end->link()) link->close(errors::Cancelled("the test is over"));
    }
    CHECK(wait([&] { return server->closed == 1 && client->closed == 1; }));
  }

  template <class Until>
  bool wait(Until until) {
    return drive_until(*rig.client.host(), until);
  }

  Rig& rig;
  std::shared_ptr<Recorder> server = std::make_shared<Recorder>();
  std::shared_ptr<Recorder> client = std::make_shared<Recorder>();
  std::unique_ptr<Listener> listener;
};

template <class Rig>
void check_frames() {
  Rig rig;
  SECTION("heads arrive whole and in order") {
    Pair pair(rig);
    for (std::uint64_t i = 0; i < 2000; ++i) send_on(*pair.client->link(), frame_of(i, i % 50));
    REQUIRE(pair.wait([&] { return pair.server->count == 2000; }));
    const std::vector<Frame> frames = pair.server->frames();
    bool right = true;
    for (std::uint64_t i = 0; i < 2000; ++i) right = right && frames[i].head == head_of(i, i % 50) && frames[i].bodies.empty();
    CHECK(right);
    CHECK(pair.server->signs > 0);
  }
  SECTION("an answer from inside the handler") {
    Pair pair(rig);
    const auto answer = [](Recorder& self, Frame& frame) {
      const std::uint64_t left = value_of(frame.head);
      if (left > 0) send_on(*self.link(), frame_of(left - 1));
    };
    pair.server->on_each = answer;
    pair.client->on_each = answer;
    send_on(*pair.client->link(), frame_of(999));
    REQUIRE(pair.wait([&] { return pair.server->count + pair.client->count == 1000; }));
    CHECK(pair.server->count == 500);
  }
  SECTION("bodies of many sizes") {
    Pair pair(rig);
    const std::size_t sizes[] = {0,       1,       7,       31,      4095,        4096,        4097,
                                 65535,   65536,   65537,   1000000, Link::kChunk - 1, Link::kChunk, Link::kChunk + 1,
                                 3000007, 5 << 20};
    for (std::size_t size : sizes) send_on(*pair.client->link(), {head_of(size), {body_of(size, size)}});
    REQUIRE(pair.wait([&] { return pair.server->count == std::size(sizes); }));
    std::size_t right = 0, total = 0;
    for (const Frame& frame : pair.server->frames()) {
      const auto size = static_cast<std::size_t>(value_of(frame.head));
      total += size;
      if (frame.bodies.size() == 1 && is_body_of(frame.bodies[0], size, size)) ++right;
    }
    CHECK(right == std::size(sizes));
    CHECK(total == std::accumulate(std::begin(sizes), std::end(sizes), std::size_t{0}));
    CHECK(pair.client->link()->queued_bytes() == 0);
  }
  SECTION("many bodies in one frame") {
    Pair pair(rig);
    Frame frame{head_of(1, 3000), {}};
    for (std::size_t i = 0; i < 300; ++i) frame.bodies.push_back(body_of(i % 7 == 0 ? 0 : i * 37, i));
    Frame large{head_of(2), {}};
    for (std::size_t i = 0; i < 5; ++i) large.bodies.push_back(body_of(i == 2 ? 0 : 700001, i));
    send_on(*pair.client->link(), frame);
    send_on(*pair.client->link(), large);
    REQUIRE(pair.wait([&] { return pair.server->count == 2; }));
    const std::vector<Frame> frames = pair.server->frames();
    REQUIRE(frames[0].bodies.size() == 300);
    REQUIRE(frames[1].bodies.size() == 5);
    std::size_t right = 0;
    for (std::size_t i = 0; i < 300; ++i) right += is_body_of(frames[0].bodies[i], i % 7 == 0 ? 0 : i * 37, i);
    for (std::size_t i = 0; i < 5; ++i) right += is_body_of(frames[1].bodies[i], i == 2 ? 0 : 700001, i);
    CHECK(right == 305);
    CHECK(frames[0].head.size() == 3000);
  }
  SECTION("a body of 70 MiB, and small frames that need not wait for it") {
    Pair pair(rig);
    const std::size_t size = std::size_t{70} << 20;
    send_on(*pair.client->link(), {head_of(1000000), {body_of(size, 3)}});
    for (std::uint64_t i = 0; i < 100; ++i) send_on(*pair.client->link(), frame_of(i));
    send_on(*pair.client->link(), {head_of(1000001), {body_of(Link::kChunk + 5, 4)}});
    REQUIRE(pair.wait([&] { return pair.server->count == 102; }));
    std::uint64_t next = 0;
    int large = 0;
    for (const Frame& frame : pair.server->frames()) {
      const std::uint64_t value = value_of(frame.head);
      if (value < 1000000) {
        CHECK(value == next++);
      } else if (value == 1000000) {
        ++large;
        CHECK(is_body_of(frame.bodies.at(0), size, 3));
      } else {
        ++large;
        CHECK(is_body_of(frame.bodies.at(0), Link::kChunk + 5, 4));
      }
    }
    CHECK(next == 100);
    CHECK(large == 2);
  }
  SECTION("bodies that nobody wants") {
    Pair pair(rig);
    pair.server->skip_odd = true;
    for (std::size_t size : {std::size_t{100}, std::size_t{100000}, std::size_t{3} << 20}) {
      send_on(*pair.client->link(), {head_of(size), {body_of(size, 0), body_of(size, 1), body_of(size, 2)}});
    }
    REQUIRE(pair.wait([&] { return pair.server->count == 3; }));
    for (const Frame& frame : pair.server->frames()) {
      const auto size = static_cast<std::size_t>(value_of(frame.head));
      REQUIRE(frame.bodies.size() == 3);
      CHECK(is_body_of(frame.bodies[0], size, 0));
      CHECK(is_body_of(frame.bodies[2], size, 2));
      if (Rig::kAsks) {
        CHECK_FALSE(frame.bodies[1].owner);
        CHECK(frame.bodies[1].size == 0);
      } else {
        CHECK(is_body_of(frame.bodies[1], size, 1));
      }
    }
  }
  SECTION("from many threads at once") {
    if (!Rig::kThreads) return;
    Pair pair(rig);
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const auto link = pair.client->link();
        for (std::uint64_t i = 0; i < 500; ++i) {
          send_on(*link, {head_of(t << 32 | i), {body_of(i % 10 == 0 ? 30000 : 10, i)}});
        }
      });
    }
    const bool all = pair.wait([&] { return pair.server->count == 2000; });
    for (std::thread& thread : threads) thread.join();
    REQUIRE(all);
    std::uint64_t next[4] = {};
    bool right = true;
    for (const Frame& frame : pair.server->frames()) {
      const std::uint64_t i = value_of(frame.head) & 0xffffffffu;
      right = right && next[value_of(frame.head) >> 32]++ == i && is_body_of(frame.bodies.at(0), i % 10 == 0 ? 30000 : 10, i);
    }
    CHECK(right);
  }
}

template <class Rig>
void check_closing() {
  Rig rig;
  SECTION("each side hears why, once, after what was sent before") {
    Pair pair(rig);
    for (std::uint64_t i = 0; i < 100; ++i) send_on(*pair.client->link(), frame_of(i));
    const auto link = pair.client->link();
    link->close(errors::Aborted("had enough"));
    link->close(errors::Internal("again"));
    send_on(*link, frame_of(1));
    REQUIRE(pair.wait([&] { return pair.client->closed == 1 && pair.server->closed == 1; }));
    CHECK(pair.client->why().code() == Code::Aborted);
    CHECK(pair.client->why().message() == "had enough");
    CHECK(pair.server->why().code() == Code::Unavailable);
    CHECK(pair.server->count == 100);
    CHECK(link->queued_bytes() == 0);
  }
  SECTION("from inside the handler, and nothing follows") {
    Pair pair(rig);
    pair.server->on_each = [](Recorder& self, Frame& frame) {
      if (value_of(frame.head) == 2) self.link()->close(errors::FailedPrecondition("two is too much"));
    };
    for (std::uint64_t i = 0; i < 100; ++i) send_on(*pair.client->link(), frame_of(i));
    REQUIRE(pair.wait([&] { return pair.client->closed == 1 && pair.server->closed == 1; }));
    CHECK(pair.server->count == 3);
    CHECK(pair.server->why().code() == Code::FailedPrecondition);
    CHECK(pair.client->why().code() == Code::Unavailable);
  }
  SECTION("a handler that throws closes its link only") {
    Pair pair(rig);
    pair.server->on_each = [](Recorder&, Frame&) { fail(Code::OutOfRange, "not this one"); };
    send_on(*pair.client->link(), frame_of(1));
    REQUIRE(pair.wait([&] { return pair.client->closed == 1 && pair.server->closed == 1; }));
    CHECK(pair.server->why().code() == Code::OutOfRange);
    CHECK_THAT(pair.server->why().message(), contains("not this one"));
  }
  SECTION("a listener without a handler refuses") {
    const auto listener = rig.server.listen(rig.address(), [](std::shared_ptr<Link>) { return nullptr; });
    const auto client = std::make_shared<Recorder>();
    rig.client.connect(listener->address(), rig.client.host()->now() + 10s,
                       [&](std::shared_ptr<Link> link, const Status&) {
                         client->set_link(link);
                         return client;
                       });
    REQUIRE(rig.client.host()->drive([&] { return client->closed == 1; }, rig.client.host()->now() + 10s));
    CHECK(client->why().code() == Code::Unavailable);
  }
  SECTION("the limits before they are raised, and after") {
    Pair pair(rig, FrameLimits());
    pair.server->on_each = [](Recorder& self, Frame& frame) {
      if (value_of(frame.head) == 7) self.link()->set_limits({5000, 1, 100});
    };
    send_on(*pair.client->link(), frame_of(1, 4096));
    send_on(*pair.client->link(), frame_of(7));
    send_on(*pair.client->link(), {head_of(2, 5000), {body_of(100, 1)}});
    REQUIRE(pair.wait([&] { return pair.server->count == 3; }));
    SECTION("head") { send_on(*pair.client->link(), frame_of(3, 5001)); }
    SECTION("body") { send_on(*pair.client->link(), {head_of(3), {body_of(101, 1)}}); }
    SECTION("bodies") { send_on(*pair.client->link(), {head_of(3), {body_of(1, 1), body_of(1, 1)}}); }
    SECTION("large body") { send_on(*pair.client->link(), {head_of(3), {body_of(Link::kChunk * 2, 1)}}); }
    REQUIRE(pair.wait([&] { return pair.client->closed == 1 && pair.server->closed == 1; }));
    CHECK(pair.server->count == 3);
    CHECK(pair.server->why().code() == Code::InvalidArgument);
    CHECK_THAT(pair.server->why().message(), contains("limit"));
    CHECK(pair.client->why().code() == Code::Unavailable);
  }
  SECTION("no body at all at first") {
    Pair pair(rig, FrameLimits());
    send_on(*pair.client->link(), {head_of(3), {body_of(1, 1)}});
    REQUIRE(pair.wait([&] { return pair.client->closed == 1 && pair.server->closed == 1; }));
    CHECK(pair.server->why().code() == Code::InvalidArgument);
    CHECK(pair.server->count == 0);
  }
}

template <class Rig>
void check_connecting() {
  Rig rig;
  Host& host = *rig.client.host();
  const auto try_connect = [&](const std::string& address, Duration patience) {
    struct Outcome {
      std::atomic<bool> called{false};
      bool linked = false;
      Status status;
    };
    auto outcome = std::make_shared<Outcome>();
    rig.client.connect(address, host.now() + patience, [outcome](std::shared_ptr<Link> link, const Status& status) {
      outcome->linked = link != nullptr;
      outcome->status = status;
      outcome->called = true;
      return std::shared_ptr<LinkHandler>();
    });
    REQUIRE(host.drive([&] { return outcome->called.load(); }, host.now() + 10s));
    return std::pair(outcome->linked, outcome->status);
  };
  SECTION("nobody is there") {
    const Time began = host.now();
    const auto [linked, status] = try_connect(rig.nobody(), 60ms);
    CHECK_FALSE(linked);
    CHECK(status.code() == Code::Unavailable);
    CHECK_THAT(status.message(), contains("nobody at " + rig.nobody() + " within 0.06 s"));
    CHECK(host.now() - began >= 60ms);
  }
  SECTION("an address that is none") {
    const Status status = try_connect("nonsense://x", 5s).second;
    CHECK(status.code() == Code::InvalidArgument);
    CHECK_THAT(status.message(), contains("nonsense://x"));
    CHECK_THROWS_AS(rig.server.listen("nonsense://x", [](std::shared_ptr<Link>) { return nullptr; }), Error);
  }
  SECTION("a peer that is not up yet is waited for") {
    auto listener = rig.server.listen(rig.address(), [](std::shared_ptr<Link>) { return nullptr; });
    const std::string address = listener->address();
    listener.reset();
    std::atomic<bool> called{false};
    Status status;
    rig.client.connect(address, host.now() + 10s, [&](std::shared_ptr<Link> link, const Status& why) {
      status = link ? Status() : why;
      called = true;
      return std::shared_ptr<LinkHandler>();
    });
    host.drive([&] { return called.load(); }, host.now() + 20ms);
    REQUIRE_FALSE(called);
    listener = rig.server.listen(address, [](std::shared_ptr<Link>) { return nullptr; });
    REQUIRE(host.drive([&] { return called.load(); }, host.now() + 10s));
    CHECK(status.ok());
  }
  SECTION("an address in use") {
    const auto listener = rig.server.listen(rig.address(), [](std::shared_ptr<Link>) { return nullptr; });
    try {
      rig.server.listen(listener->address(), [](std::shared_ptr<Link>) { return nullptr; });
      FAIL("two listeners at one address");
    } catch (const Error& error) {
      CHECK(error.code() == Code::Unavailable);
      CHECK_THAT(error.what(), contains(listener->address()));
    }
  }
  SECTION("a listener that is gone frees its address; its links stay") {
    Pair pair(rig);
    const std::string address = pair.listener->address();
    pair.listener.reset();
    CHECK(try_connect(address, 30ms).second.code() == Code::Unavailable);
    const auto again = rig.server.listen(address, [](std::shared_ptr<Link>) { return nullptr; });
    CHECK(again->address() == address);
    send_on(*pair.client->link(), frame_of(5));
    CHECK(pair.wait([&] { return pair.server->count == 1; }));
  }
  SECTION("many links") {
    constexpr std::size_t kLinks = 100;
    std::vector<std::shared_ptr<Recorder>> ends;
    std::mutex mutex;
    const auto listener = rig.server.listen(rig.address(), [&](std::shared_ptr<Link> link) {
      auto end = std::make_shared<Recorder>();
      end->set_link(link);
      end->on_each = [](Recorder& self, Frame& frame) { send_on(*self.link(), frame_of(value_of(frame.head) + 1)); };
      const std::lock_guard lock(mutex);
      ends.push_back(end);
      return end;
    });
    std::vector<std::shared_ptr<Recorder>> clients(kLinks);
    for (auto& client : clients) client = std::make_shared<Recorder>();
    for (std::size_t i = 0; i < kLinks; ++i) {
      rig.client.connect(listener->address(), host.now() + 10s, [&, i](std::shared_ptr<Link> link, const Status&) {
        clients[i]->set_link(link);
        for (std::uint64_t k = 0; k < 10; ++k) send_on(*link, frame_of(1000 * i + k));
        return clients[i];
      });
    }
    const auto all = [&](auto what) {
      return drive_until(host, [&] { return std::all_of(clients.begin(), clients.end(), what); });
    };
    REQUIRE(all([](const auto& client) { return client->count == 10; }));
    for (std::size_t i = 0; i < kLinks; ++i) CHECK(value_of(clients[i]->frames()[9].head) == 1000 * i + 10);
    for (const auto& client : clients) client->link()->close(errors::Cancelled("over"));
    CHECK(all([](const auto& client) { return client->closed == 1; }));
    const auto gone = [&] {
      const std::lock_guard lock(mutex);
      return std::all_of(ends.begin(), ends.end(), [](const auto& end) { return end->closed == 1; });
    };
    CHECK(drive_until(host, gone));
  }
}

}  // namespace dgraph::test

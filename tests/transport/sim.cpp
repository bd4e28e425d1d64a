#include <dgraph/transport/sim.hpp>

#include <set>

#include "link_suite.hpp"

using namespace dgraph;
using namespace dgraph::test;
using transport::Sim;
using transport::SimOptions;

namespace {

struct SimRig {
  using Type = Sim;
  static constexpr bool kAsks = false;
  static constexpr bool kThreads = false;

  std::string address() { return "sim://name" + std::to_string(++names); }
  std::string nobody() { return "sim://nobody"; }

  std::shared_ptr<Sim::Network> network = Sim::make_network(7);
  Sim server{network, "server"}, client{network, "client"};
  int names = 0;
};

/// Two tasks with a link, each with a recorder; the client's handler is on `near`.
struct Two {
  explicit Two(std::uint64_t seed, SimOptions options = {}) : network(Sim::make_network(seed, options)) {
    server = std::make_unique<Sim>(network, "server");
    client = std::make_unique<Sim>(network, "client");
    listen();
    connect();
  }
  void listen() {
    listener = server->listen("", [this](std::shared_ptr<Link> link) {
      link->set_limits(wide_limits());
      far->set_link(link);
      return far;
    });
  }
  void connect() {
    client->connect("server", kNever, [this](std::shared_ptr<Link> link, const Status&) {
      link->set_limits(wide_limits());
      near->set_link(link);
      return near;
    });
    network->run();
    REQUIRE(near->linked);
    REQUIRE(far->linked);
  }
  ~Two() {
    near->set_link(nullptr);
    far->set_link(nullptr);
  }

  std::shared_ptr<Sim::Network> network;
  std::unique_ptr<Sim> server, client;
  std::unique_ptr<Listener> listener;
  std::shared_ptr<Recorder> near = std::make_shared<Recorder>(), far = std::make_shared<Recorder>();
};

/// A little world with everything in it; returns the hash of its history.
std::uint64_t history(std::uint64_t seed) {
  Two two(seed);
  std::uint64_t sum = 0;
  two.far->on_each = [&](Recorder& self, Frame& frame) {
    sum = sum * 31 + value_of(frame.head);
    const std::uint64_t value = value_of(frame.head);
    two.server->host()->compute([&, value] { sum += value; });
    if (value > 0) self.link()->send(frame_of(value - 1));
  };
  two.near->on_each = [&](Recorder& self, Frame& frame) {
    sum = sum * 37 + value_of(frame.head);
    self.link()->send(frame);
  };
  const std::shared_ptr<Host> host = two.client->host();
  const auto link = two.near->link();
  for (std::uint64_t i = 0; i < 5; ++i) {
    host->after(i * 10us, [&, i] { link->send({head_of(i), {body_of(i * 100000, i)}}); });
  }
  two.network->after(300us, [&] { two.network->cut("client", "server"); });
  two.network->after(900us, [&] { two.network->heal("client", "server"); });
  const TimerId never = host->after(1h, [&] { sum = 0; });
  host->post([&] { host->cancel(never); });
  sum ^= host->random_id();
  two.network->run();
  return two.network->trace_hash() ^ sum;
}

}  // namespace

TEST_CASE("Sim: frames") { check_frames<SimRig>(); }
TEST_CASE("Sim: closing") { check_closing<SimRig>(); }
TEST_CASE("Sim: connecting") { check_connecting<SimRig>(); }

TEST_CASE("Sim: the same seed gives the same history, another one another") {
  std::set<std::uint64_t> histories;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::uint64_t hash = history(seed);
    CHECK(history(seed) == hash);
    histories.insert(hash);
  }
  CHECK(histories.size() == 50);
}

TEST_CASE("Sim: time is virtual, jumps, and is every host's own") {
  const auto network = Sim::make_network(1);
  Sim a(network, "a"), b(network, "b");
  CHECK(a.host()->now() != b.host()->now());
  const Time began = a.host()->now();
  Time rang{};
  a.host()->after(1000h, [&] { rang = a.host()->now(); });
  CHECK(b.host()->drive([&] { return rang != Time(); }, kNever));
  CHECK(rang - began >= 1000h);
  CHECK(rang - began < 1000h + 1ms);
  // Nothing left: to the deadline, or an error where the real thing would hang.
  const Time now = a.host()->now();
  CHECK_FALSE(a.host()->drive([] { return false; }, now + 5s));
  CHECK(a.host()->now() == now + 5s);
  try {
    a.host()->drive([] { return false; }, kNever);
    FAIL("it came back");
  } catch (const Error& error) {
    CHECK(error.code() == Code::Internal);
  }
}

TEST_CASE("Sim: posted tasks keep their order, those of the pool do not, and both run in drive") {
  const auto network = Sim::make_network(3);
  Sim sim(network, "a"), other(network, "b");
  const std::shared_ptr<Host> host = sim.host();
  std::vector<int> posted, computed;
  int misplaced = 0;
  CHECK_FALSE(host->on_driver());
  for (int i = 0; i < 50; ++i) {
    host->post([&, i] {
      posted.push_back(i);
      misplaced += !host->on_driver() || other.host()->on_driver();
    });
    host->compute([&, i] {
      computed.push_back(i);
      misplaced += host->on_driver();
    });
  }
  CHECK(posted.empty());
  CHECK(host->drive([&] { return posted.size() + computed.size() == 100; }, kNever));
  CHECK(misplaced == 0);
  CHECK(std::is_sorted(posted.begin(), posted.end()));
  CHECK_FALSE(std::is_sorted(computed.begin(), computed.end()));
  CHECK(host->compute_threads() == 2);
}

TEST_CASE("Sim: driving from inside an event is an error, and so are endless events") {
  SimOptions options;
  options.max_events = 1000;
  const auto network = Sim::make_network(1, options);
  Sim sim(network, "a");
  Code inside = Code::Ok;
  sim.host()->post([&] {
    try {
      sim.host()->drive([] { return true; }, kNever);
    } catch (const Error& error) {
      inside = error.code();
    }
  });
  network->run();
  CHECK(inside == Code::FailedPrecondition);
  struct Again {
    Host* host;
    void operator()() { host->post(Again{host}); }
  };
  sim.host()->post(Again{sim.host().get()});
  try {
    sim.host()->drive([] { return false; }, sim.host()->now() + 1h);
    FAIL("it ended");
  } catch (const Error& error) {
    CHECK(error.code() == Code::ResourceExhausted);
    CHECK_THAT(error.what(), contains("1000 events"));
  }
}

TEST_CASE("Sim: frames wait while the way is cut, and arrive in order once it is healed") {
  Two two(5);
  two.near->link()->send(frame_of(0));
  two.network->cut("server", "client");
  for (std::uint64_t i = 1; i < 50; ++i) two.near->link()->send(frame_of(i));
  two.network->run_for(10s);
  CHECK(two.far->count <= 1);
  CHECK(two.near->link()->queued_bytes() > 0);
  bool connected = false;
  two.client->connect("server", two.client->host()->now() + 1s, [&](std::shared_ptr<Link> link, const Status& status) {
    connected = link != nullptr;
    CHECK(status.code() == Code::Unavailable);
    return nullptr;
  });
  two.network->run_for(2s);
  CHECK_FALSE(connected);
  two.network->heal("client", "server");
  for (std::uint64_t i = 50; i < 100; ++i) two.near->link()->send(frame_of(i));
  two.network->run();
  REQUIRE(two.far->count == 100);
  for (std::uint64_t i = 0; i < 100; ++i) CHECK(value_of(two.far->frames()[i].head) == i);
  CHECK(two.near->link()->queued_bytes() == 0);
  CHECK(two.network->pending() == 0);
}

TEST_CASE("Sim: broken links are lost on both sides") {
  Two two(6);
  two.near->link()->send(frame_of(1));
  two.network->break_links("client", "server");
  two.network->run();
  CHECK(two.far->count == 0);
  CHECK(two.near->closed == 1);
  CHECK(two.far->closed == 1);
  CHECK(two.near->why().code() == Code::Unavailable);
  CHECK_THAT(two.near->why().message(), contains("sim://server"));
}

TEST_CASE("Sim: a killed task does nothing more, and others notice") {
  Two two(8);
  int ran = 0;
  const std::shared_ptr<Host> dead = two.server->host();
  dead->post([&] { ++ran; });
  dead->after(1ms, [&] { ++ran; });
  dead->compute([&] { ++ran; });
  const std::weak_ptr<Recorder> handler = two.far;
  two.network->kill("server");
  CHECK_FALSE(two.network->alive("server"));
  CHECK_THROWS_AS(two.network->kill("server"), Error);
  dead->post([&] { ++ran; });
  CHECK(dead->after(1ms, [&] { ++ran; }) == 0);
  CHECK_FALSE(dead->drive([] { return false; }, kNever));
  CHECK_THROWS_AS(two.server->listen("", [](std::shared_ptr<Link>) { return nullptr; }), Error);
  two.far->link()->send(frame_of(1));
  two.far->link()->close(errors::Cancelled("late"));
  two.network->run();
  CHECK(ran == 0);
  CHECK(two.near->count == 0);
  CHECK(two.near->closed == 1);
  CHECK(two.near->why().code() == Code::Unavailable);
  // Its handlers are released without a call.
  CHECK(two.far->closed == 0);
  two.far->set_link(nullptr);
  two.far = std::make_shared<Recorder>();
  CHECK(handler.expired());

  // A new incarnation takes the name, while the old one's objects still exist.
  const auto old = std::move(two.server);
  const auto old_listener = std::move(two.listener);
  two.server = std::make_unique<Sim>(two.network, "server");
  CHECK_THROWS_AS(Sim(two.network, "server"), Error);
  two.listen();
  two.near = std::make_shared<Recorder>();
  two.connect();
  two.near->link()->send(frame_of(2));
  two.network->run();
  CHECK(two.far->count == 1);
}

TEST_CASE("Sim: a machine that vanished is silent until it is up again") {
  Two two(9);
  two.network->kill("server", transport::SimDeath::Silent);
  two.near->link()->send(frame_of(1));
  two.network->run_for(100s);
  CHECK(two.near->closed == 0);
  const auto old = std::move(two.server);
  two.server = std::make_unique<Sim>(two.network, "server");
  two.network->run_for(100s);
  CHECK(two.near->closed == 0);
  two.near->link()->send(frame_of(2));
  two.network->run();
  CHECK(two.near->closed == 1);
  CHECK(two.near->why().code() == Code::Unavailable);
}

TEST_CASE("Sim: a task ends with its last handle") {
  Two two(10);
  std::shared_ptr<Host> host = two.server->host();
  two.listener.reset();
  two.server.reset();
  CHECK(two.network->alive("server"));
  host.reset();
  CHECK_FALSE(two.network->alive("server"));
  two.network->run();
  CHECK(two.near->closed == 1);
}

TEST_CASE("Sim: delays reorder what comes over different links, never one link's") {
  const auto network = Sim::make_network(11);
  Sim server(network, "server"), client(network, "client");
  std::vector<std::uint64_t> arrived;
  const auto listener = server.listen("", [&](std::shared_ptr<Link>) {
    auto end = std::make_shared<Recorder>();
    end->on_each = [&](Recorder&, Frame& frame) { arrived.push_back(value_of(frame.head)); };
    return end;
  });
  std::vector<std::shared_ptr<Recorder>> ends;
  for (int i = 0; i < 4; ++i) {
    client.connect("server", kNever, [&](std::shared_ptr<Link> link, const Status&) {
      ends.push_back(std::make_shared<Recorder>());
      ends.back()->set_link(link);
      return ends.back();
    });
  }
  network->run();
  for (std::uint64_t i = 0; i < 40; ++i) ends[i % 4]->link()->send(frame_of(i));
  network->run();
  REQUIRE(arrived.size() == 40);
  CHECK_FALSE(std::is_sorted(arrived.begin(), arrived.end()));
  std::uint64_t last[4] = {};
  for (const std::uint64_t i : arrived) {
    CHECK(i >= last[i % 4]);
    last[i % 4] = i;
  }
  for (const auto& end : ends) end->link()->close(errors::Cancelled("over"));
  network->run();
}

TEST_CASE("Sim: what an event throws comes out of drive, and the world goes on") {
  const auto network = Sim::make_network(12);
  Sim sim(network, "a");
  int ran = 0;
  sim.host()->post([] { throw std::runtime_error("this"); });
  sim.host()->post([&] { ++ran; });
  CHECK_THROWS_WITH(sim.host()->drive([&] { return ran > 0; }, kNever), contains("this"));
  CHECK(sim.host()->drive([&] { return ran > 0; }, kNever));
}

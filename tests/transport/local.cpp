#include <dgraph/transport/local.hpp>

#include <dirent.h>

#include "link_suite.hpp"

using namespace dgraph;
using namespace dgraph::test;
using transport::Local;

namespace {

struct LocalRig {
  using Type = Local;
  static constexpr bool kAsks = false;
  static constexpr bool kThreads = true;

  std::string address() { return "local://name" + std::to_string(++names); }
  std::string nobody() { return "local://nobody"; }

  std::shared_ptr<Local::Network> network = Local::make_network();
  Local server{network}, client{network};
  std::shared_ptr<void> hold = server.host()->hold_driver();
  int names = 0;
};

/// Both ends on one host, driven by whoever waits.
struct OneHostRig {
  using Type = Local;
  static constexpr bool kAsks = false;
  static constexpr bool kThreads = true;

  std::string address() { return "same" + std::to_string(++names); }
  std::string nobody() { return "local://nobody"; }

  Local server, client{server};
  int names = 0;
};

std::size_t count_entries(const char* folder) {
  DIR* const entries = ::opendir(folder);
  std::size_t count = 0;
  while (::readdir(entries) != nullptr) ++count;
  ::closedir(entries);
  return count;
}

}  // namespace

TEST_CASE("Local: frames") { check_frames<LocalRig>(); }
TEST_CASE("Local: closing") { check_closing<LocalRig>(); }
TEST_CASE("Local: connecting") { check_connecting<LocalRig>(); }
TEST_CASE("Local on one host: frames") { check_frames<OneHostRig>(); }
TEST_CASE("Local on one host: closing") { check_closing<OneHostRig>(); }
TEST_CASE("Local on one host: connecting") { check_connecting<OneHostRig>(); }

TEST_CASE("Local: nothing is made before it is needed") {
  const std::size_t descriptors = count_entries("/proc/self/fd");
  const std::size_t threads = count_entries("/proc/self/task");
  Local local;
  const auto listener = local.listen("local://here", [](std::shared_ptr<Link>) { return nullptr; });
  CHECK(local.real_host()->counters().threads == 0);
  CHECK(count_entries("/proc/self/fd") == descriptors);
  CHECK(count_entries("/proc/self/task") == threads);
}

TEST_CASE("Local: names belong to a network") {
  const auto refuse = [](std::shared_ptr<Link>) { return nullptr; };
  Local one, other;
  const auto here = one.listen("local://name", refuse);
  const auto there = other.listen("local://name", refuse);
  CHECK(here->address() == there->address());
  const auto chosen = one.listen("", refuse);
  const auto chosen_too = one.listen("local://", refuse);
  CHECK(chosen->address() != chosen_too->address());
  CHECK_THROWS_AS(one.listen("local://a/b", refuse), Error);
}

TEST_CASE("Local: bodies are handed over, not copied") {
  OneHostRig rig;
  Pair pair(rig);
  const Body body = body_of(1000, 1);
  send_on(*pair.client->link(), {head_of(1), {body}});
  REQUIRE(pair.wait([&] { return pair.server->count == 1; }));
  CHECK(pair.server->frames()[0].bodies[0].data == body.data);
}

TEST_CASE("Local: a host that goes closes its links") {
  const auto network = Local::make_network();
  Local server(network);
  auto client = std::make_unique<Local>(network);
  const auto far = std::make_shared<Recorder>();
  auto near = std::make_shared<Recorder>();
  const std::weak_ptr<Recorder> watched = near;
  const auto listener = server.listen("here", [&](std::shared_ptr<Link> link) {
    far->set_link(link);
    return far;
  });
  client->connect("here", kNever, [&](std::shared_ptr<Link> link, const Status&) {
    near->set_link(link);
    return near;
  });
  client->connect("nobody", kNever, [](std::shared_ptr<Link>, const Status&) { return nullptr; });
  REQUIRE(client->host()->drive([&] { return near->linked.load(); }, client->host()->now() + 10s));
  REQUIRE(server.host()->drive([&] { return far->linked.load(); }, server.host()->now() + 10s));
  near->set_link(nullptr);
  near.reset();
  CHECK_FALSE(watched.expired());
  client.reset();
  CHECK(watched.expired());
  REQUIRE(server.host()->drive([&] { return far->closed == 1; }, server.host()->now() + 10s));
  CHECK(far->why().code() == Code::Unavailable);
}

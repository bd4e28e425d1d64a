#include <dgraph/wire/acceptor.hpp>

#include "support/catch.hpp"

#include <cstring>

#include "wire/fake_link.hpp"

using namespace dgraph;
using namespace std::chrono_literals;
using dgraph::test::contains;

TEST_CASE("64 connections may leave open who they are, no more") {
  const auto host = std::make_shared<test::FakeHost>();
  std::vector<std::string> refusals;
  ChannelOptions options;
  options.self = {PeerRole::Server, "ps", 0, 1, 1, wire::kLibraryVersion};
  struct Nothing final : ChannelHandler {
    void on_open(const PeerIdentity&) override {}
    void on_message(MessageType, Frame) override {}
    void on_closed(const Status&) override {}
  };
  int accepted = 0;
  const auto acceptor = std::make_shared<Acceptor>(
      host, options,
      [&](const std::shared_ptr<Channel>&, const PeerIdentity&) {
        ++accepted;
        return std::make_shared<Nothing>();
      },
      [&](const std::string&, const Status& why) { refusals.push_back(why.to_string()); });

  std::vector<std::shared_ptr<test::FakeLink>> near, far;
  const auto knock = [&] {
    auto [a, b] = test::FakeLink::pair(host, "fake://ps0");
    near.push_back(a);
    far.push_back(b);
    b->handler = acceptor->accept(b);
    return b->handler != nullptr;
  };
  for (std::size_t i = 0; i < Acceptor::kMostUnknown; ++i) REQUIRE(knock());
  CHECK(acceptor->unknown() == 64);
  CHECK_FALSE(knock());
  REQUIRE(refusals.size() == 1);
  CHECK_THAT(refusals[0], contains("ResourceExhausted") && contains("64 connections"));

  // One says who it is, one goes: there is room for two.
  near[0]->send(wire::encode(Hello()));
  near[1]->close(Status());
  host->settle();
  CHECK(accepted == 1);
  CHECK(acceptor->unknown() == 62);
  CHECK(knock());
  CHECK(knock());
  CHECK_FALSE(knock());

  host->pass(6s);
  CHECK(acceptor->unknown() == 0);
  CHECK(host->timers() == 0);
  CHECK(knock());

  acceptor->stop();
  CHECK_FALSE(knock());
  near.back()->close(Status());
  host->pass(6s);
  CHECK(acceptor->unknown() == 0);
}

TEST_CASE("a handshake that outlives its acceptor is refused") {
  const auto host = std::make_shared<test::FakeHost>();
  auto acceptor = std::make_shared<Acceptor>(host, ChannelOptions(), [](const auto&, const auto&) {
    return std::shared_ptr<ChannelHandler>();
  });
  auto [near, far] = test::FakeLink::pair(host, "fake://ps0");
  far->handler = acceptor->accept(far);
  acceptor.reset();
  near->send(wire::encode(Hello()));
  host->settle();
  REQUIRE(far->sent.size() == 1);
  Welcome welcome;
  REQUIRE(wire::decode(far->sent[0], welcome).ok());
  CHECK(welcome.status.code() == Code::Unavailable);
}

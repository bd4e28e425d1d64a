#include <dgraph/wire/channel.hpp>

#include "support/catch.hpp"

#include <cstring>

#include <dgraph/wire/acceptor.hpp>

#include "wire/fake_link.hpp"

using namespace dgraph;
using namespace std::chrono_literals;
using dgraph::test::contains;

namespace {

struct Recorder final : ChannelHandler {
  void on_open(const PeerIdentity& who) override {
    ++opened;
    peer = who;
  }
  void on_message(MessageType type, Frame frame) override {
    types.push_back(type);
    frames.push_back(std::move(frame));
  }
  Body body_buffer(MessageType type, std::span<const std::byte> head, std::size_t index,
                   std::uint64_t bytes) override {
    if (type != MessageType::Data) return ChannelHandler::body_buffer(type, head, index, bytes);
    if (refuse) return {};
    Ref<Buffer> buffer = allocate_buffer(bytes);
    std::byte* const data = buffer->data();
    return {std::move(buffer), data, bytes};
  }
  void on_closed(const Status& why) override {
    ++closed;
    status = why;
  }
  int opened = 0, closed = 0;
  bool refuse = false;
  PeerIdentity peer;
  std::vector<MessageType> types;
  std::vector<Frame> frames;
  Status status;
};

PeerIdentity task(const std::string& job, std::uint32_t index, std::uint64_t cluster = 77) {
  return {PeerRole::Server, job, index, 1000 + index, cluster, wire::kLibraryVersion};
}

ChannelOptions with(PeerIdentity self, std::optional<WantedTask> wanted = {}) {
  ChannelOptions out;
  out.self = std::move(self);
  out.wanted = std::move(wanted);
  return out;
}

/// A server that accepts at "fake://ps0" and a client's channel to it.
struct Pair {
  std::shared_ptr<test::FakeHost> host = std::make_shared<test::FakeHost>();
  test::FakeTransport transport{host};
  std::shared_ptr<Recorder> client = std::make_shared<Recorder>(),
                            server = std::make_shared<Recorder>();
  std::shared_ptr<Channel> near, far;
  std::shared_ptr<Acceptor> acceptor;
  std::vector<std::string> refusals;

  explicit Pair(ChannelOptions server_options = with(task("ps", 0))) {
    acceptor = std::make_shared<Acceptor>(
        host, std::move(server_options),
        [this](const std::shared_ptr<Channel>& channel,
               const PeerIdentity&) -> std::shared_ptr<ChannelHandler> {
          far = channel;
          return server;
        },
        [this](const std::string& address, const Status& why) {
          refusals.push_back(address + " " + why.to_string());
        });
    transport.listen("fake://ps0", [this](std::shared_ptr<Link> link) {
      return acceptor->accept(std::move(link));
    });
  }
  void connect(ChannelOptions options = with(PeerIdentity())) {
    near = Channel::connect(transport, "fake://ps0", host->now() + 10s, std::move(options), client);
    host->settle();
  }
};

Frame data_of(std::int64_t bytes) {
  Data data;
  data.entries.resize(1);
  data.entries[0].value = Tensor::zeros(DType::UInt8, Shape{bytes});
  return wire::encode(data);
}

}  // namespace

TEST_CASE("both sides learn who the other is") {
  Pair pair;
  pair.connect(with(task("worker", 3), WantedTask{"ps", 0}));
  REQUIRE(pair.client->opened == 1);
  REQUIRE(pair.server->opened == 1);
  CHECK(pair.client->peer == task("ps", 0));
  CHECK(pair.server->peer == task("worker", 3));
  CHECK(pair.near->is_open());
  CHECK(pair.near->peer() == task("ps", 0));
  CHECK(pair.near->describe() == "/job:ps/replica:0/task:0 at fake://ps0");
  CHECK(pair.far->describe() == "/job:worker/replica:0/task:3 at fake://caller");
  CHECK(pair.acceptor->unknown() == 0);
  CHECK(pair.host->timers() == 0);
}

TEST_CASE("limits are raised by the handshake") {
  Pair pair;
  pair.connect();
  CHECK(pair.transport.near_ends[0]->limits.head == ChannelOptions().limits.head);
  CHECK(pair.transport.far_ends[0]->limits.bodies == ChannelOptions().limits.bodies);
}

TEST_CASE("messages given before the handshake is done follow it in order") {
  Pair pair;
  pair.near =
      Channel::connect(pair.transport, "fake://ps0", 10s, with(PeerIdentity()), pair.client);
  for (std::uint64_t i = 0; i < 5; ++i) pair.near->send(CloseSession{i, 0});
  CHECK(pair.server->frames.empty());
  pair.host->settle();
  REQUIRE(pair.server->frames.size() == 5);
  for (std::uint64_t i = 0; i < 5; ++i) {
    CloseSession message;
    REQUIRE(wire::decode(pair.server->frames[i], message).ok());
    CHECK(message.request == i);
  }
  pair.far->send(SessionClosed());
  pair.host->settle();
  CHECK(pair.client->types == std::vector{MessageType::SessionClosed});
}

TEST_CASE("nobody there") {
  Pair pair;
  pair.near = Channel::connect(pair.transport, "fake://elsewhere", 10s,
                               with(PeerIdentity(), WantedTask{"ps", 7}), pair.client);
  pair.host->settle();
  CHECK(pair.client->opened == 0);
  REQUIRE(pair.client->closed == 1);
  CHECK(pair.client->status.code() == Code::Unavailable);
  CHECK(pair.client->status.message() ==
        "/job:ps/replica:0/task:7 at fake://elsewhere: nobody listens");
  CHECK(pair.near->is_closed());
}

TEST_CASE("another task, another cluster and a server that refuses are told on both sides") {
  const auto fails = [](ChannelOptions options, Code code, const std::string& text) {
    Pair pair;
    pair.connect(std::move(options));
    CHECK(pair.client->opened == 0);
    CHECK(pair.server->opened == 0);
    REQUIRE(pair.client->closed == 1);
    CHECK(pair.client->status.code() == code);
    CHECK_THAT(pair.client->status.message(), contains(text));
    REQUIRE(pair.refusals.size() == 1);
    CHECK_THAT(pair.refusals[0], contains(text));
    CHECK(pair.acceptor->unknown() == 0);
    CHECK(pair.host->timers() == 0);
  };
  fails(with(PeerIdentity(), WantedTask{"ps", 1}), Code::FailedPrecondition,
        "task /job:ps/replica:0/task:1 was expected, but this is /job:ps/replica:0/task:0");
  fails(with(PeerIdentity(), WantedTask{"worker", 0}), Code::FailedPrecondition, "was expected");
  fails(with(task("worker", 0, 78)), Code::FailedPrecondition,
        "another list of the cluster's tasks");
}

TEST_CASE("a server may take no new connections") {
  const auto host = std::make_shared<test::FakeHost>();
  test::FakeTransport transport(host);
  const auto acceptor = std::make_shared<Acceptor>(
      host, with(task("ps", 0)), [](const std::shared_ptr<Channel>&, const PeerIdentity&) {
        return std::shared_ptr<ChannelHandler>();
      });
  transport.listen("fake://ps0",
                   [&](std::shared_ptr<Link> link) { return acceptor->accept(std::move(link)); });
  const auto client = std::make_shared<Recorder>();
  const auto channel = Channel::connect(transport, "fake://ps0", 10s, ChannelOptions(), client);
  host->settle();
  CHECK(client->status.code() == Code::Unavailable);
  CHECK_THAT(client->status.message(), contains("takes no new connections"));
}

TEST_CASE(
    "another protocol version and an unknown authentication are refused with a Welcome that "
    "tells") {
  for (const bool version : {true, false}) {
    Pair pair;
    auto [near, far] = test::FakeLink::pair(pair.host, "fake://ps0");
    far->handler = pair.acceptor->accept(far);
    Hello hello;
    if (version)
      hello.version = wire::kProtocolVersion + 1;
    else
      hello.flags = 1;
    near->send(wire::encode(hello));
    pair.host->settle();
    REQUIRE(far->sent.size() == 1);
    Welcome welcome;
    REQUIRE(wire::decode(far->sent[0], welcome).ok());
    CHECK(welcome.status.code() == (version ? Code::FailedPrecondition : Code::Unauthenticated));
    CHECK_THAT(welcome.status.message(),
               contains(version ? "protocol version 2 there, 1 here" : "authentication"));
    REQUIRE(pair.refusals.size() == 1);
    CHECK_THAT(pair.refusals[0], contains("fake://caller"));
  }
}

TEST_CASE("an initiator checks the Welcome") {
  const auto answer = [](auto change) {
    const auto host = std::make_shared<test::FakeHost>();
    test::FakeTransport transport(host);
    std::shared_ptr<Link> server;
    struct Silent final : LinkHandler {
      Body body_buffer(std::span<const std::byte>, std::size_t, std::uint64_t) override {
        return {};
      }
      void on_frame(Frame frame) override {
        static_cast<void>(wire::decode(std::move(frame), hello));
      }
      void on_closed(const Status&) override {}
      Hello hello;
    };
    const auto silent = std::make_shared<Silent>();
    transport.listen("fake://ps0", [&](std::shared_ptr<Link> link) {
      server = std::move(link);
      return silent;
    });
    const auto client = std::make_shared<Recorder>();
    const auto channel = Channel::connect(transport, "fake://ps0", 10s,
                                          with(task("worker", 0), WantedTask{"ps", 0}), client);
    host->settle();
    Welcome welcome;
    welcome.nonce = silent->hello.nonce;
    welcome.self = task("ps", 0);
    change(welcome);
    server->send(wire::encode(welcome));
    host->settle();
    CHECK(client->opened + client->closed == 1);
    return client->status;
  };
  CHECK(answer([](Welcome&) {}).ok());
  CHECK(answer([](Welcome& w) { w.version = 2; }).code() == Code::FailedPrecondition);
  CHECK(answer([](Welcome& w) { w.flags = 4; }).code() == Code::Unauthenticated);
  CHECK(answer([](Welcome& w) { w.nonce = 1; }).code() == Code::DataLoss);
  CHECK(answer([](Welcome& w) { w.self.task = 1; }).code() == Code::FailedPrecondition);
  CHECK(answer([](Welcome& w) { w.self.cluster = 1; }).code() == Code::FailedPrecondition);
}

TEST_CASE("who does not say who he is has 5 s") {
  Pair pair;
  auto [near, far] = test::FakeLink::pair(pair.host, "fake://ps0");
  far->handler = pair.acceptor->accept(far);
  CHECK(pair.acceptor->unknown() == 1);
  CHECK(far->limits.head == 4096);
  CHECK(far->limits.bodies == 0);
  pair.host->pass(4900ms);
  CHECK(pair.refusals.empty());
  pair.host->pass(200ms);
  REQUIRE(pair.refusals.size() == 1);
  CHECK_THAT(pair.refusals[0], contains("fake://caller") && contains("no handshake within 5.0 s"));
  CHECK(pair.acceptor->unknown() == 0);
}

TEST_CASE("a server that accepts and says nothing is given up at the deadline") {
  const auto host = std::make_shared<test::FakeHost>();
  test::FakeTransport transport(host);
  transport.listen("fake://ps0", [](std::shared_ptr<Link>) {
    struct Mute final : LinkHandler {
      Body body_buffer(std::span<const std::byte>, std::size_t, std::uint64_t) override {
        return {};
      }
      void on_frame(Frame) override {}
      void on_closed(const Status&) override {}
    };
    return std::make_shared<Mute>();
  });
  const auto client = std::make_shared<Recorder>();
  const auto channel = Channel::connect(transport, "fake://ps0", 2s, ChannelOptions(), client);
  host->pass(1900ms);
  CHECK(client->closed == 0);
  host->pass(200ms);
  CHECK(client->status.code() == Code::Unavailable);
  CHECK_THAT(client->status.message(),
             contains("fake://ps0") && contains("no handshake within 2.0 s"));
}

TEST_CASE("what is no Hello closes the connection") {
  for (const Frame& frame : {Frame{std::vector<std::byte>(10, std::byte{0x47}), {}}, Frame{},
                             wire::encode(RunStep()), wire::encode(Welcome())}) {
    Pair pair;
    auto [near, far] = test::FakeLink::pair(pair.host, "fake://ps0");
    far->handler = pair.acceptor->accept(far);
    near->send(frame);
    pair.host->settle();
    CHECK(far->sent.empty());
    REQUIRE(pair.refusals.size() == 1);
    CHECK_THAT(pair.refusals[0], contains("no peer of dgraph"));
    CHECK(pair.acceptor->unknown() == 0);
  }
}

TEST_CASE("a message of no known type closes an open channel") {
  for (const int type : {0, 1, 2, 9, 12, 200}) {
    Pair pair;
    pair.connect();
    Frame frame;
    frame.head.resize(8);
    frame.head[0] = static_cast<std::byte>(type);
    pair.transport.near_ends[0]->send(frame);
    pair.host->settle();
    CHECK(pair.server->closed == 1);
    CHECK(pair.server->status.code() == Code::DataLoss);
    CHECK(pair.client->closed == 1);
    CHECK(pair.server->frames.empty());
  }
}

TEST_CASE("without sessions there is no timer, with one both sides send signs of life") {
  Pair pair;
  pair.connect();
  pair.host->pass(60s);
  const std::size_t quiet = pair.host->fired();
  CHECK(pair.host->timers() == 0);
  auto token = pair.near->keep_alive();
  auto second = pair.near->keep_alive();
  pair.host->pass(10s);
  CHECK(pair.host->fired() - quiet == 20);
  CHECK(pair.client->closed == 0);
  second.reset();
  CHECK(pair.host->timers() == 1);
  token.reset();
  CHECK(pair.host->timers() == 0);
  pair.host->pass(60s);
  CHECK(pair.near->is_open());
}

TEST_CASE("a silent peer is given up 2 s after its last byte, by name") {
  Pair pair;
  pair.connect(with(PeerIdentity(), WantedTask{"ps", 0}));
  const auto token = pair.near->keep_alive();
  pair.host->pass(700ms);
  pair.transport.far_ends[0]->mute = true;
  // The last byte was the answer to the heartbeat at 500 ms.
  pair.host->pass(1750ms);
  CHECK(pair.client->closed == 0);
  pair.host->pass(100ms);
  REQUIRE(pair.client->closed == 1);
  CHECK(pair.client->status.code() == Code::Unavailable);
  CHECK(pair.client->status.message() ==
        "/job:ps/replica:0/task:0 at fake://ps0: nothing was heard for 2.0 s");
  CHECK(pair.host->timers() == 0);
}

TEST_CASE("heartbeats of both sides live beside each other") {
  Pair pair;
  pair.connect();
  const auto near = pair.near->keep_alive();
  const auto far = pair.far->keep_alive();
  pair.host->pass(30s);
  CHECK(pair.near->is_open());
  CHECK(pair.far->is_open());
  // One each 500 ms and side, and no answers to them.
  CHECK(pair.transport.near_ends[0]->sent.size() < 65);
  CHECK(pair.transport.far_ends[0]->sent.size() < 65);
}

TEST_CASE("who sends all the time and hears nothing asks for a sign of life") {
  Pair pair;
  pair.connect();
  const auto token = pair.near->keep_alive();
  for (int i = 0; i < 100; ++i) {
    pair.near->send(CancelRun());
    pair.host->pass(100ms);
  }
  CHECK(pair.near->is_open());
  CHECK(pair.server->frames.size() == 100);
}

TEST_CASE("a process that stood still does not call the others dead") {
  Pair pair;
  pair.connect();
  const auto token = pair.near->keep_alive();
  pair.host->pass(1s);
  pair.host->stall(10s);
  pair.host->pass(5s);
  CHECK(pair.near->is_open());
}

TEST_CASE("many channels share one timer") {
  Pair pair;
  ChannelOptions options = with(PeerIdentity());
  options.pulse = std::make_shared<Pulse>(pair.host);
  std::vector<std::shared_ptr<Channel>> channels;
  std::vector<std::shared_ptr<void>> tokens;
  for (int i = 0; i < 30; ++i) {
    pair.connect(options);
    channels.push_back(pair.near);
    tokens.push_back(pair.near->keep_alive());
  }
  CHECK(pair.host->timers() == 1);
  CHECK(options.pulse->members() == 30);
  pair.host->pass(5s);
  CHECK(pair.host->fired() == 10);
  channels[3]->close(errors::Cancelled("done"));
  CHECK(options.pulse->members() == 29);
  tokens.clear();
  CHECK(pair.host->timers() == 0);
}

TEST_CASE("bodies of Data use the window, and are given back when consumed") {
  ChannelOptions options = with(task("ps", 0));
  Pair pair(options);
  options = with(PeerIdentity());
  options.window = 10000;
  pair.connect(options);
  CHECK(pair.near->fits(10000));
  CHECK_FALSE(pair.near->fits(10001));
  pair.near->send(data_of(64));  // in the head
  CHECK(pair.near->in_flight() == 0);
  pair.near->send(data_of(6000));
  CHECK(pair.near->in_flight() == 6000);
  CHECK(pair.near->fits(4000));
  CHECK_FALSE(pair.near->fits(4001));
  CHECK(pair.near->is_open());
  pair.host->settle();
  CHECK(pair.far->unconsumed() == 6000);

  // A small sum rides on the next message.
  pair.far->consumed(6000);
  pair.host->settle();
  CHECK(pair.far->unconsumed() == 0);
  CHECK(pair.near->in_flight() == 6000);
  pair.far->send(SessionClosed());
  pair.host->settle();
  CHECK(pair.near->in_flight() == 0);
  CHECK(pair.client->types == std::vector{MessageType::SessionClosed});
  pair.far->send(SessionClosed());
  pair.host->settle();
  CHECK(pair.near->fits(10000));
}

TEST_CASE("much consumed is told at once, though nothing else is sent") {
  Pair pair;
  pair.connect();
  constexpr std::int64_t kMiB = 1 << 20;
  pair.near->send(data_of(2 * kMiB));
  pair.host->settle();
  pair.far->consumed(kMiB);
  pair.host->settle();
  CHECK(pair.near->in_flight() == 2 * kMiB);
  pair.far->consumed(kMiB);
  pair.host->settle();
  CHECK(pair.near->in_flight() == 0);
  CHECK(pair.client->types.empty());  // the credit was the channel's own affair

  for (int i = 0; i < 20; ++i) pair.near->send(data_of(kMiB));
  pair.host->settle();
  pair.far->consumed(15 * kMiB);
  pair.host->settle();
  CHECK(pair.near->in_flight() == 20 * kMiB);
  pair.far->consumed(kMiB);
  pair.host->settle();
  CHECK(pair.near->in_flight() == 4 * kMiB);
}

TEST_CASE("the channel itself gives back what was refused") {
  Pair pair;
  pair.connect();
  pair.server->refuse = true;
  pair.near->send(data_of(2 << 20));
  pair.host->settle();
  REQUIRE(pair.server->frames.size() == 1);
  CHECK_FALSE(pair.server->frames[0].bodies[0].owner);
  CHECK(pair.far->unconsumed() == 0);
  CHECK(pair.near->in_flight() == 0);
}

TEST_CASE("other messages do not use the window, and a credit of nothing gives none") {
  Pair pair;
  pair.connect();
  StepDone done;
  done.fetches.push_back(Tensor::zeros(DType::UInt8, Shape{100000}));
  pair.near->send(done);
  CHECK(pair.near->in_flight() == 0);
  pair.host->settle();
  CHECK(pair.server->frames.size() == 1);
  CHECK(pair.far->unconsumed() == 0);
  Frame credit = wire::encode(wire::CreditMessage());
  wire::patch_credit(credit.head, 0xffffffff);
  pair.transport.far_ends[0]->send(credit);
  pair.host->settle();
  CHECK(pair.near->in_flight() == 0);
}

TEST_CASE("close tells both sides once, and nothing is sent after it") {
  Pair pair;
  pair.connect();
  pair.near->close(errors::Cancelled("enough"));
  pair.near->close(errors::Internal("again"));
  pair.near->send(CancelRun());
  CHECK(pair.client->closed == 0);
  pair.host->settle();
  CHECK(pair.client->closed == 1);
  CHECK(pair.client->status.code() == Code::Cancelled);
  CHECK_THAT(pair.client->status.message(), contains("enough"));
  CHECK(pair.server->closed == 1);
  CHECK(pair.server->status.code() == Code::Unavailable);
  CHECK_THAT(pair.server->status.message(), contains("client at fake://caller"));
  CHECK(pair.server->frames.empty());
}

TEST_CASE("a channel that is closed before it is connected reports so once") {
  Pair pair;
  pair.near =
      Channel::connect(pair.transport, "fake://ps0", 10s, with(PeerIdentity()), pair.client);
  pair.near->close(errors::Cancelled("never mind"));
  pair.host->settle();
  CHECK(pair.client->opened == 0);
  CHECK(pair.client->closed == 1);
  CHECK(pair.client->status.code() == Code::Cancelled);
  pair.host->pass(10s);
  CHECK(pair.server->opened == 0);
  CHECK(pair.host->timers() == 0);
}

TEST_CASE("handler and channel let go of each other when the host goes") {
  struct Holder final : ChannelHandler {
    void on_open(const PeerIdentity&) override {}
    void on_message(MessageType, Frame) override {}
    void on_closed(const Status&) override { ++closed; }
    std::shared_ptr<Channel> channel;
    std::shared_ptr<void> token;
    int closed = 0;
  };
  std::weak_ptr<Holder> weak;
  SECTION("while the channel is open") {
    Pair pair;
    const auto holder = std::make_shared<Holder>();
    weak = holder;
    holder->channel = Channel::connect(pair.transport, "fake://ps0", 10s, ChannelOptions(), holder);
    pair.host->settle();
    holder->token = holder->channel->keep_alive();
    for (auto* ends : {&pair.transport.near_ends, &pair.transport.far_ends})
      for (const auto& link : *ends) link->handler.reset();
    CHECK(holder->closed == 0);
  }
  SECTION("while it connects") {
    Pair pair;
    const auto holder = std::make_shared<Holder>();
    weak = holder;
    holder->channel = Channel::connect(pair.transport, "fake://ps0", 10s, ChannelOptions(), holder);
  }
  SECTION("while it waits to be closed") {
    Pair pair;
    const auto holder = std::make_shared<Holder>();
    weak = holder;
    holder->channel = Channel::connect(pair.transport, "fake://ps0", 10s, ChannelOptions(), holder);
    holder->channel->close(errors::Cancelled("never mind"));
  }
  CHECK(weak.expired());
}

#include <dgraph/wire/message_codec.hpp>

#include "support/catch.hpp"

#include "wire/fill.hpp"
#include "wire/hostile.hpp"
#include "wire/wire_ops.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::hex;

namespace {

// What decoding adds to a message, removed again.
template <class M>
void forget_arrival(M& message) {
  if constexpr (std::is_same_v<M, Data>)
    for (DataEntry& entry : message.entries) entry.body_bytes = 0;
}

template <class M>
M random_message(test::Random& random) {
  M out;
  test::fill(out, random);
  if constexpr (std::is_same_v<M, Data>) {
    for (DataEntry& entry : out.entries) {
      entry.refused = false;
      entry.body_bytes = 0;
      if (test::below(random, 4) == 0) entry.value = Tensor();
    }
  }
  if constexpr (std::is_same_v<M, Hello> || std::is_same_v<M, Welcome>)
    out.version = wire::kProtocolVersion;
  return out;
}

template <class M>
void check_round_trips(MessageType type) {
  INFO(wire::message_name(type));
  test::Random random(static_cast<std::uint64_t>(type));
  M back;  // reused, so that what the last one left behind would be seen
  for (int i = 0; i < 100; ++i) {
    const M message = random_message<M>(random);
    const Frame frame = wire::encode(message);
    REQUIRE(wire::peek_type(frame.head) == type);
    const Status status = wire::decode(test::arrived(frame), back);
    INFO(status.to_string());
    REQUIRE(status.ok());
    forget_arrival(back);
    REQUIRE(test::same(message, back));
  }
}

template <class M>
void check_mangled() {
  test::Random random(77);
  for (int i = 0; i < 4; ++i) {
    const Frame frame = wire::encode(random_message<M>(random));
    if (frame.head.size() > 1500) continue;
    test::mangle(frame.head, [&](const std::vector<std::byte>& head) {
      Frame changed = test::arrived(frame);
      changed.head = head;
      M out;
      Status status;
      const std::size_t largest =
          test::largest_allocation([&] { status = wire::decode(std::move(changed), out); });
      CHECK(largest < 65536);
      if (head.size() < frame.head.size()) CHECK(status.code() == Code::DataLoss);
    });
    Frame fewer = test::arrived(frame);
    if (!fewer.bodies.empty()) {
      fewer.bodies.pop_back();
      M out;
      CHECK(wire::decode(std::move(fewer), out).code() == Code::DataLoss);
    }
    Frame more = test::arrived(frame);
    more.bodies.emplace_back();
    M out;
    CHECK_FALSE(wire::decode(std::move(more), out).ok());
  }
}

}  // namespace

// clang-format off
#define DGRAPH_TEST_MESSAGES(X)                                                                   \
  X(Hello) X(Welcome) X(CreateSession) X(SessionCreated) X(ExtendSession) X(DefineStep)           \
  X(RunStep) X(RunDone) X(CancelRun) X(CloseSession) X(SessionClosed) X(Reset) X(ResetDone)       \
  X(ListDevices) X(DeviceList) X(Registered) X(Deregister) X(StartStep) X(StepDone) X(AbortStep)  \
  X(StopRepeat) X(RepeatProgress) X(EndWorkerSession) X(Data) X(Refused) X(EdgeAck) X(Announce)   \
  X(RequestBody) X(StartPartial) X(ContinuePartial) X(FeedStep) X(StepFetched)
// clang-format on

TEST_CASE("messages return as they were") {
#define X(type) check_round_trips<type>(MessageType::type);
  DGRAPH_TEST_MESSAGES(X)
#undef X
  wire::Heartbeat beat;
  CHECK(wire::decode(wire::encode(wire::Heartbeat{true}), beat).ok());
  CHECK(beat.answer);
  CHECK(wire::decode(wire::encode(wire::Heartbeat{false}), beat).ok());
  CHECK_FALSE(beat.answer);
  wire::CreditMessage credit;
  CHECK(wire::decode(wire::encode(credit), credit).ok());
}

TEST_CASE("mangled messages do no harm") {
#define X(type) check_mangled<type>();
  DGRAPH_TEST_MESSAGES(X)
#undef X
}

TEST_CASE("a frame of another type is no message of this one") {
  StartStep start;
  CHECK(wire::decode(wire::encode(EdgeAck()), start).code() == Code::DataLoss);
  Registered registered;
  CHECK(wire::decode(wire::encode(StartStep()), registered).code() == Code::DataLoss);
}

TEST_CASE("the bytes of a Hello and a Welcome") {
  Hello hello;
  hello.nonce = 0x1122334455667788;
  hello.self = {PeerRole::Server, "ps", 1, 0xa1a2a3a4a5a6a7a8, 0xc1c2c3c4c5c6c7c8, 100};
  hello.wanted = WantedTask{"worker", 2};
  CHECK(hex(wire::encode(hello).head) ==
        "0100000000000000 64676b6e01000000 8877665544332211 a8a7a6a5a4a3a2a1 c8c7c6c5c4c3c2c1 "
        "6400000001000000 0100000002000000 7073010200000006 000000776f726b65 72");

  Welcome welcome;
  welcome.nonce = 0x1122334455667788;
  welcome.status = errors::FailedPrecondition("no");
  welcome.self.library = 100;
  CHECK(hex(wire::encode(welcome).head) ==
        "0200000000000000 64676b6e01000000 8877665544332211 0900020000006e6f 0000000000000000 "
        "0000000000000000 0000000000000000 0000000000000000 0000000064000000 0000000000000000 "
        "00000000");
}

TEST_CASE("the bytes of a StartStep") {
  StartStep start;
  start.session = 1;
  start.handle = 2;
  start.step = 3;
  start.floor = 4;
  start.repeat = 5;
  start.deadline = std::chrono::nanoseconds(6);
  start.trace = 7;
  start.feeds.emplace_back(8, Tensor::scalar(1.0f));
  CHECK(hex(wire::encode(start).head) ==
        "2b00000000000000 0100000000000000 0200000000000000 0300000000000000 0400000000000000 "
        "0500000000000000 0600000000000000 0700000001000000 0800000001000000 0000803f");
}

TEST_CASE("the bytes of Data") {
  Data data;
  data.session = 1;
  data.handle = 2;
  data.entries.resize(2);
  data.entries[0].step = 3;
  data.entries[0].edge = 4;
  data.entries[0].dead = true;
  data.entries[0].iterations = {5};
  data.entries[1].step = 6;
  data.entries[1].edge = 7;
  data.entries[1].value = Tensor::zeros(DType::UInt8, Shape{256});
  CHECK(hex(wire::encode(data).head) ==
        "3c00000000000000 0100000000000000 0200000000000000 0200000001000000 "
        "0600000000000000 0001000000000000 0700000004000000 "
        "0300000000000000 0400000001000100 0500000000000000 "
        "0600000000000000 0700000002000000 0401010000010000 00000000");
}

TEST_CASE("of a greeting of another version only what all versions share is read") {
  Hello hello;
  hello.version = 9;
  hello.flags = 1;
  hello.nonce = 5;
  Frame frame = wire::encode(hello);
  frame.head.resize(24);
  Hello back;
  CHECK(wire::decode(frame, back).ok());
  CHECK(back.version == 9);
  CHECK(back.flags == 1);
  CHECK(back.nonce == 5);

  Welcome welcome;
  welcome.version = 9;
  welcome.status = errors::FailedPrecondition("too old");
  Welcome answer;
  CHECK(wire::decode(wire::encode(welcome), answer).ok());
  CHECK(answer.status.message() == "too old");

  frame.head[8] = {};
  CHECK(wire::decode(frame, back).code() == Code::DataLoss);
}

TEST_CASE("a Data head tells of its bodies before they come") {
  Data data;
  data.session = 11;
  data.handle = 12;
  data.entries.resize(3);
  data.entries[0].value = Tensor::scalar(1);
  data.entries[1] = {21, 22, {1, 2}, false, Tensor::zeros(DType::Float64, Shape{100}), 0, false};
  data.entries[2] = {31, 32, {}, false, Tensor::scalar(std::string(100, 'x')), 0, false};
  const Frame frame = wire::encode(data);
  const auto header = wire::peek_data(frame.head);
  REQUIRE(header.has_value());
  CHECK(header->session == 11);
  CHECK(header->handle == 12);
  CHECK(header->entries == 3);
  CHECK(header->bodies == 2);
  CHECK(wire::peek_session(frame.head) == SessionId{11});

  const auto first = wire::peek_data_body(frame.head, 0);
  REQUIRE(first.has_value());
  CHECK(first->step == 21);
  CHECK(first->edge == 22);
  CHECK(first->dtype == DType::Float64);
  CHECK(first->bytes == 800);
  const auto second = wire::peek_data_body(frame.head, 1);
  REQUIRE(second.has_value());
  CHECK(second->edge == 32);
  CHECK(second->bytes == frame.bodies[1].size);
  CHECK_FALSE(wire::peek_data_body(frame.head, 2).has_value());
  CHECK_FALSE(wire::peek_data_body(std::span(frame.head).first(50), 0).has_value());
  CHECK_FALSE(wire::peek_data(std::span(frame.head).first(20)).has_value());
  CHECK_FALSE(wire::peek_data(wire::encode(StartStep()).head).has_value());
  CHECK_FALSE(wire::peek_session(wire::encode(RunDone()).head).has_value());

  Data back;
  REQUIRE(wire::decode(test::arrived(frame), back).ok());
  CHECK(back.entries[0].body_bytes == 0);
  CHECK(back.entries[1].body_bytes == 800);
  CHECK(back.entries[2].body_bytes == 108);

  // What it says of a body must be true.
  for (std::size_t at : {32u, 40u, 48u, 52u}) {
    Frame lie = test::arrived(frame);
    lie.head[at] ^= std::byte{1};
    CHECK(wire::decode(std::move(lie), back).code() == Code::DataLoss);
  }
}

TEST_CASE("of Data with a refused body the rest is read") {
  Data data;
  data.entries.resize(2);
  data.entries[0].value = Tensor::zeros(DType::Float64, Shape{100});
  data.entries[1].value = Tensor::scalar(5);
  Frame frame = test::arrived(wire::encode(data));
  frame.bodies[0] = {};
  Data back;
  REQUIRE(wire::decode(std::move(frame), back).ok());
  CHECK(back.entries[0].refused);
  CHECK_FALSE(back.entries[0].value.has_value());
  CHECK(back.entries[0].body_bytes == 0);
  CHECK_FALSE(back.entries[1].refused);
  CHECK(back.entries[1].value.item<std::int32_t>() == 5);

  StepDone done;
  done.fetches.push_back(Tensor::zeros(DType::Float64, Shape{100}));
  frame = wire::encode(done);
  frame.bodies[0] = {};
  CHECK(wire::decode(std::move(frame), done).code() == Code::ResourceExhausted);
}

TEST_CASE("a long message becomes a body and returns") {
  RunDone done;
  for (int i = 0; i < 3000; ++i)
    done.metadata.placements.push_back({"node" + std::to_string(i), "Op", "/cpu:0", "why"});
  done.fetches.push_back(Tensor::zeros(DType::Float32, Shape{1000}));
  const Frame frame = wire::encode(done);
  CHECK(frame.head.size() == wire::kPrefixBytes);
  REQUIRE(frame.bodies.size() == 2);
  RunDone back;
  REQUIRE(wire::decode(test::arrived(frame), back).ok());
  CHECK(test::same(done, back));
}

TEST_CASE("values are pushed without a copy") {
  StartStep start;
  start.feeds.emplace_back(0, Tensor::zeros(DType::Float32, Shape{1000}));
  const Frame frame = wire::encode(start);
  CHECK(frame.bodies.at(0).data == start.feeds[0].second.raw());
  StartStep back;
  REQUIRE(wire::decode(frame, back).ok());
  CHECK(back.feeds[0].second.raw() == start.feeds[0].second.raw());
}

TEST_CASE("a partition to register comes with the definitions of its receiver") {
  RegisterPartition message;
  test::Random random(5);
  message.session = 1;
  message.handle = 2;
  test::fill(message.config, random);
  message.master = 3;
  message.peers = {{1, "tcp://a:1", 9}, {2, "tcp://b:2", 8}};
  const AttrList attrs{AttrValue(Tensor::zeros(DType::Float32, Shape{100})),
                       AttrValue(DType::Float32)};
  PartitionNode node;
  node.def = &signature<test::Const>();
  node.attrs = &attrs;
  node.name = "c";
  node.outputs = {{DType::Float32, false}};
  message.partition.nodes.push_back(node);
  const Frame frame = wire::encode(message);
  REQUIRE(frame.bodies.size() == 1);

  RegisterPartition back;
  REQUIRE(wire::decode(test::arrived(frame), back, &find_signature<test::WireOps>).ok());
  CHECK(back.session == 1);
  CHECK(back.handle == 2);
  CHECK(back.master == 3);
  CHECK(test::same(back.config, message.config));
  CHECK(test::same(back.peers, message.peers));
  REQUIRE(back.partition.nodes.size() == 1);
  CHECK(back.partition.nodes[0].def == find_signature<test::WireOps>("Const"));

  RegisterPartition other;
  const Status status = wire::decode(test::arrived(frame), other, &find_signature<test::FewerOps>);
  CHECK(status.code() == Code::InvalidArgument);
  CHECK_THAT(status.message(), contains("Const"));
  CHECK(other.session == 1);
  CHECK(other.handle == 2);

  test::mangle(frame.head, [&](const std::vector<std::byte>& head) {
    Frame changed = test::arrived(frame);
    changed.head = head;
    CHECK(test::largest_allocation([&] {
            RegisterPartition out;
            if (wire::decode(std::move(changed), out, &find_signature<test::WireOps>).ok()) return;
          }) < 65536);
  });
}

#include <dgraph/wire/tensor_codec.hpp>

#include <dgraph/graph/function_body.hpp>

#include "support/catch.hpp"

#include "wire/fill.hpp"
#include "wire/hostile.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::hex;
using wire::BodyReader;
using wire::ByteReader;
using wire::ByteWriter;

namespace {

Frame encoded(const Tensor& tensor) {
  Frame out;
  ByteWriter to(out.head);
  wire::write_tensor(to, out.bodies, tensor);
  to.finish();
  return out;
}

Tensor decoded(Frame& frame, bool* refused = nullptr) {
  ByteReader from(frame.head);
  BodyReader bodies(frame.bodies);
  Tensor out = wire::read_tensor(from, bodies, refused);
  from.expect_end();
  bodies.expect_end();
  return out;
}

Code code_of_decoding(Frame frame) {
  try {
    decoded(frame);
    return Code::Ok;
  } catch (const Error& error) {
    return error.code();
  }
}

template <class Write, class Read>
auto through(Write write, Read read) {
  std::vector<std::byte> bytes;
  ByteWriter to(bytes);
  write(to);
  to.finish();
  ByteReader from(bytes);
  auto out = read(from);
  from.expect_end();
  return out;
}

}  // namespace

TEST_CASE("the bytes of a tensor") {
  CHECK(hex(encoded(Tensor::scalar(1.0f)).head) == "010000000000803f");
  CHECK(hex(encoded(Tensor::vector<std::int64_t>({1, -1})).head) ==
        "0900010002000000 0000000001000000 00000000ffffffff ffffffff");
  CHECK(hex(encoded(Tensor::scalar<std::string>("hi")).head) == "0700000002000000 000000006869");
  CHECK(hex(encoded(Tensor()).head) == "00000000");
  const Frame large = encoded(Tensor::zeros(DType::UInt8, Shape{65}));
  CHECK(hex(large.head) == "0401010041000000 00000000");
  REQUIRE(large.bodies.size() == 1);
  CHECK(large.bodies[0].size == 65);
}

TEST_CASE("tensors return as they were") {
  test::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Tensor tensor = test::random_tensor(random);
    const Frame sent = encoded(tensor);
    std::size_t bodies = 0;
    for (const Body& body : sent.bodies) bodies += body.size;
    CHECK(bodies == wire::tensor_body_bytes(tensor));
    Frame frame = test::arrived(sent);
    REQUIRE(test::same(decoded(frame), tensor));
  }
}

TEST_CASE("a large tensor is never copied") {
  const Tensor tensor = Tensor::zeros(DType::Float32, Shape{17});
  Frame frame = encoded(tensor);
  CHECK(frame.bodies[0].data == tensor.raw());
  CHECK_FALSE(tensor.unique());
  Frame other = test::arrived(frame);
  const std::byte* const data = other.bodies[0].data;
  const Tensor back = decoded(other);
  CHECK(back.raw() == data);
  other.bodies.clear();
  CHECK(back.unique());
}

TEST_CASE("a body may begin within its owner") {
  Ref<Buffer> owner = allocate_buffer(100);
  std::memset(owner->data(), 3, 100);
  Frame frame = encoded(Tensor::zeros(DType::UInt8, Shape{80}));
  frame.bodies[0] = {owner, owner->data() + 7, 80};
  CHECK(decoded(frame).raw() == owner->data() + 7);
}

TEST_CASE("64 bytes lie in the head, 65 in a body") {
  CHECK(encoded(Tensor::zeros(DType::UInt8, Shape{64})).bodies.empty());
  CHECK(encoded(Tensor::zeros(DType::UInt8, Shape{65})).bodies.size() == 1);
  CHECK(encoded(Tensor::scalar(std::string(56, 'x'))).bodies.empty());
  CHECK(encoded(Tensor::scalar(std::string(57, 'x'))).bodies.size() == 1);
}

TEST_CASE("handles do not leave their task") {
  std::vector<std::byte> bytes;
  std::vector<Body> bodies;
  ByteWriter to(bytes);
  const Tensor handle(DType::Resource, Shape());
  REQUIRE_THROWS_WITH(wire::write_tensor(to, bodies, handle), contains("cannot leave its task"));
}

TEST_CASE("a refused body is told or thrown") {
  Frame frame = encoded(Tensor::zeros(DType::Float32, Shape{100}));
  frame.bodies[0] = {};
  CHECK(code_of_decoding(frame) == Code::ResourceExhausted);
  bool refused = false;
  CHECK_FALSE(decoded(frame, &refused).has_value());
  CHECK(refused);
}

TEST_CASE("what a tensor claims is checked before memory is taken") {
  const auto head = [](DType dtype, std::uint8_t place, std::vector<std::int64_t> dims) {
    Frame out;
    ByteWriter to(out.head);
    to.put(dtype);
    to.put(place);
    to.put(static_cast<std::uint16_t>(dims.size()));
    for (std::int64_t d : dims) to.put(d);
    to.finish();
    return out;
  };
  const auto small_body = [](Frame frame) {
    Ref<Buffer> buffer = allocate_buffer(100);
    std::memset(buffer->data(), 0xff, 100);
    frame.bodies.push_back({buffer, buffer->data(), 100});
    return frame;
  };
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  std::vector<Frame> frames;
  for (DType dtype : {DType::Float32, DType::String, DType::Bool, DType::Complex128}) {
    for (std::uint8_t place : {0, 1, 2}) {
      for (const std::vector<std::int64_t>& dims : {std::vector<std::int64_t>{kHuge},
                                                    {kHuge, kHuge},
                                                    {kHuge, 4, 0},
                                                    {-1},
                                                    {1000000000},
                                                    {1 << 20},
                                                    {7}}) {
        frames.push_back(head(dtype, place, dims));
        frames.push_back(small_body(head(dtype, place, dims)));
      }
    }
  }
  frames.push_back(head(DType::Resource, 0, {}));
  frames.push_back(head(DType::Variant, 0, {}));
  frames.push_back(head(static_cast<DType>(200), 0, {}));
  frames.push_back(head(static_cast<DType>(11), 0, {}));
  frames.push_back(head(DType::Invalid, 1, {}));
  frames.push_back(head(DType::Invalid, 0, {1}));
  frames.push_back(small_body(head(DType::Float32, 1, {0})));
  frames.push_back(small_body(head(DType::Bool, 1, {100})));  // neither true nor false
  frames.push_back(head(DType::UInt8, 0, std::vector<std::int64_t>(300, 1)));
  for (Frame& frame : frames) {
    INFO(hex(frame.head) << ", bodies " << frame.bodies.size());
    const std::size_t largest = test::largest_allocation(
        [&] { CHECK(code_of_decoding(std::move(frame)) == Code::DataLoss); });
    CHECK(largest < 4096);
  }
}

TEST_CASE("mangled tensors do no harm") {
  test::Random random(2);
  for (int i = 0; i < 60; ++i) {
    const Frame frame = encoded(test::random_tensor(random));
    test::mangle(frame.head, [&](const std::vector<std::byte>& head) {
      Frame changed = test::arrived(frame);
      changed.head = head;
      code_of_decoding(std::move(changed));
    });
    for (const Body& body : frame.bodies) {
      if (body.size > 300) continue;
      const std::vector<std::byte> bytes(body.data, body.data + body.size);
      test::mangle(bytes, [&](const std::vector<std::byte>& other) {
        Frame changed;
        changed.head = frame.head;
        Frame sent;
        Ref<Buffer> buffer = allocate_buffer(other.size());
        if (!other.empty()) std::memcpy(buffer->data(), other.data(), other.size());
        changed.bodies.push_back({buffer, buffer->data(), other.size()});
        code_of_decoding(std::move(changed));
      });
    }
  }
}

TEST_CASE("shapes, statuses and attributes return as they were") {
  for (const PartialShape& shape : {PartialShape(), PartialShape{}, PartialShape{2, -1, 3},
                                    PartialShape::of_rank(200), PartialShape{0}})
    CHECK(through([&](ByteWriter& to) { wire::write_partial_shape(to, shape); },
                  [](ByteReader& from) { return wire::read_partial_shape(from); }) == shape);
  for (const Shape& shape : {Shape(), Shape{1, 2, 3, 4, 5, 6, 7}, Shape{0, 5}})
    CHECK(through([&](ByteWriter& to) { wire::write_shape(to, shape); },
                  [](ByteReader& from) { return wire::read_shape(from); }) == shape);

  test::Random random(3);
  for (int i = 0; i < 50; ++i) {
    Status status;
    test::fill(status, random);
    CHECK(test::same(through([&](ByteWriter& to) { wire::write_status(to, status); },
                             [](ByteReader& from) { return wire::read_status(from); }),
                     status));
  }

  const std::vector<AttrValue> all{
      AttrValue(),
      AttrValue(-7),
      AttrValue(0.25f),
      AttrValue(true),
      AttrValue("text"),
      AttrValue(DType::String),
      AttrValue(PartialShape{2, -1}),
      AttrValue(Tensor::scalar(3)),
      AttrValue(std::vector<std::int64_t>{1, -2}),
      AttrValue(std::vector<float>{1.5f}),
      AttrValue(std::vector<bool>{true, false, true}),
      AttrValue(std::vector<std::string>{"", "b"}),
      AttrValue(std::vector<DType>{DType::Int32}),
      AttrValue(std::vector<PartialShape>{PartialShape(), PartialShape{1}})};
  for (const AttrValue& value : all) {
    std::vector<Body> bodies;
    CHECK(through([&](ByteWriter& to) { wire::write_attr(to, bodies, value); },
                  [&](ByteReader& from) {
                    BodyReader reader(bodies);
                    return wire::read_attr(from, reader);
                  }) == value);
    CHECK(bodies.empty());
  }
}

TEST_CASE("a function travels as its encoded graph, and again as it came") {
  auto body = std::make_shared<FunctionBody>();
  body->name = "f";
  body->arguments = {{0, 0}};
  body->results = {{2, 1}, {0, 0}};
  body->effects = {3};
  body->nodes = 4;
  body->encoded.assign(5, std::byte{7});
  const Ref<Buffer> large = allocate_buffer(100);
  body->bodies.push_back({large, large->data(), 100});
  std::vector<std::byte> bytes, again;
  std::vector<Body> bodies, more;
  {
    ByteWriter to(bytes);
    wire::write_attr(to, bodies, function_value(body));
    to.finish();
  }
  CHECK(bytes.size() == 4 + 5 + (4 + 8) + (4 + 16) + (4 + 4) + 8 + (4 + 5) + 4);
  CHECK(bytes[0] == std::byte{14});
  REQUIRE(bodies.size() == 1);
  CHECK(bodies[0].data == large->data());
  ByteReader from(bytes);
  BodyReader reader(bodies);
  const AttrValue value = wire::read_attr(from, reader);
  CHECK(from.left() == 0);
  {
    ByteWriter to(again);
    wire::write_attr(to, more, value);
    to.finish();
  }
  CHECK(again == bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteReader cut(std::span<const std::byte>(bytes.data(), size));
    BodyReader none;
    CHECK_THROWS_AS(wire::read_attr(cut, none), Error);
  }
  body->produce = [] { return FunctionBody::Produce(); };
  ByteWriter to(again);
  CHECK_THROWS_WITH(wire::write_attr(to, more, function_value(body)), contains("function of this process"));
}

TEST_CASE("the text of an error is cut, not refused") {
  const Status status(Code::Internal, std::string(wire::kLongestMessage + 1000, 'x'));
  const Status back = through([&](ByteWriter& to) { wire::write_status(to, status); },
                              [](ByteReader& from) { return wire::read_status(from); });
  CHECK(back.code() == Code::Internal);
  CHECK(back.message().size() <= wire::kLongestMessage);
  CHECK_THAT(back.message(), contains("characters of this message were cut"));
}

TEST_CASE("mangled attributes and statuses do no harm") {
  std::vector<std::byte> bytes;
  std::vector<Body> bodies;
  ByteWriter to(bytes);
  wire::write_attr(to, bodies, std::vector<PartialShape>{PartialShape(), PartialShape{1, 2}});
  wire::write_attr(to, bodies, std::vector<std::string>{"one", "two"});
  wire::write_attr(to, bodies, std::vector<bool>{true, true});
  wire::write_attr(to, bodies, Tensor::vector<std::string>({"a", "b"}));
  wire::write_status(to, Status(Code::Aborted, "why", {"node", "Op", "", "", ""}));
  to.finish();
  test::mangle(bytes, [&](const std::vector<std::byte>& changed) {
    const std::size_t largest = test::largest_allocation([&] {
      try {
        ByteReader from(changed);
        BodyReader none;
        for (int i = 0; i < 4; ++i) static_cast<void>(wire::read_attr(from, none));
        static_cast<void>(wire::read_status(from));
      } catch (const Error& error) {
        CHECK(error.code() == Code::DataLoss);
      }
    });
    CHECK(largest < 16384);
  });
}

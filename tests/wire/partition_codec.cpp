#include <dgraph/wire/partition_codec.hpp>

#include "support/catch.hpp"

#include <functional>

#include "wire/fill.hpp"
#include "wire/hostile.hpp"
#include "wire/wire_ops.hpp"

using namespace dgraph;
using dgraph::test::contains;

namespace {

struct Example {
  AttrList constant{AttrValue(Tensor::zeros(DType::Float32, Shape{100})),
                    AttrValue(DType::Float32)};
  AttrList store{AttrValue(DType::Float32), AttrValue(PartialShape{100}), AttrValue("")};
  AttrList two{AttrValue(2), AttrValue(DType::Float32)};
  PartitionDef partition;

  Example() {
    partition.task = 5;
    partition.num_feeds = 1;
    partition.num_fetches = 1;
    partition.sends = {{7, 1, DType::Float32, true, "sum:0"}};
    partition.recvs = {{8, 2, DType::Float32, false, "other:1"},
                       {9, 2, DType::Invalid, false, "control"}};
    add(PartitionNodeKind::Op, &signature<test::Const>(), &constant, "c", {},
        {{DType::Float32, false}});
    add(PartitionNodeKind::Op, &signature<test::Store>(), &store, "v", {},
        {{DType::Float32, true}});
    add(PartitionNodeKind::Read, nullptr, nullptr, "v/read", {{1, 0}}, {{DType::Float32, false}});
    add(PartitionNodeKind::Feed, nullptr, nullptr, "x", {}, {{DType::Float32, false}});
    add(PartitionNodeKind::Recv, nullptr, nullptr, "other", {}, {{DType::Float32, false}}, 8);
    add(PartitionNodeKind::Recv, nullptr, nullptr, "control", {}, {}, 9);
    add(PartitionNodeKind::Op, &signature<test::AddN>(), &two, "sum", {{0, 0}, {4, 0}},
        {{DType::Float32, false}});
    partition.nodes.back().controls = {3, 5};
    add(PartitionNodeKind::Op, &signature<test::Split>(), &two, "split", {{6, 0}},
        {{DType::Float32, false}, {DType::Float32, false}});
    add(PartitionNodeKind::Fetch, nullptr, nullptr, "sum", {{7, 1}}, {});
    add(PartitionNodeKind::Send, nullptr, nullptr, "sum", {{6, 0}}, {}, 7);
    add(PartitionNodeKind::Op, &signature<test::Merge>(), &two, "merge", {{0, 0}, {11, 0}},
        {{DType::Float32, false}, {DType::Int32, false}});
    add(PartitionNodeKind::Op, &signature<test::NextIteration>(), &one, "next", {{10, 0}},
        {{DType::Float32, false}});
  }
  AttrList one{AttrValue(DType::Float32)};

  void add(PartitionNodeKind kind, const OpDef* def, const AttrList* attrs, std::string name,
           std::vector<Endpoint> inputs, std::vector<PartitionOutput> outputs,
           std::uint32_t number = 0) {
    PartitionNode& node = partition.nodes.emplace_back();
    node.kind = kind;
    node.number = number;
    node.def = def;
    node.attrs = attrs;
    node.name = std::move(name);
    node.device = "/job:ps/replica:0/task:1/device:CPU:0";
    node.inputs = std::move(inputs);
    node.outputs = std::move(outputs);
  }
};

Frame encoded(const PartitionDef& partition) {
  Frame out;
  wire::ByteWriter to(out.head);
  wire::write_partition(to, out.bodies, partition);
  to.finish();
  return out;
}

PartitionDef decoded(Frame frame, OpLookup ops = &find_signature<test::WireOps>) {
  wire::ByteReader from(frame.head);
  wire::BodyReader bodies(frame.bodies);
  PartitionDef out = wire::read_partition(from, bodies, ops);
  from.expect_end();
  bodies.expect_end();
  return out;
}

}  // namespace

TEST_CASE("a partition arrives as it was made") {
  const Example example;
  const PartitionDef& sent = example.partition;
  const PartitionDef back = decoded(test::arrived(encoded(sent)));
  CHECK(back.task == 5);
  CHECK(back.num_feeds == 1);
  CHECK(back.num_fetches == 1);
  CHECK_FALSE(back.graph);
  CHECK(test::same(back.sends, sent.sends));
  CHECK(test::same(back.recvs, sent.recvs));
  REQUIRE(back.nodes.size() == sent.nodes.size());
  for (std::size_t i = 0; i < sent.nodes.size(); ++i) {
    const PartitionNode &x = sent.nodes[i], &y = back.nodes[i];
    INFO(x.name);
    CHECK(x.kind == y.kind);
    CHECK(x.number == y.number);
    CHECK(x.name == y.name);
    CHECK(x.device == y.device);
    CHECK(x.inputs == y.inputs);
    CHECK(x.controls == y.controls);
    CHECK(test::same(x.outputs, y.outputs));
    CHECK((y.def ? y.def->name : "") == (x.def ? x.def->name : ""));
    if (x.def) CHECK(y.def == find_signature<test::WireOps>(x.def->name));
    REQUIRE((x.attrs == nullptr) == (y.attrs == nullptr));
  }
  CHECK(back.owned_attrs.size() == 4);
  CHECK(back.nodes[6].attrs == back.nodes[7].attrs);
  CHECK(*back.nodes[6].attrs == example.two);
  CHECK(test::same(back.nodes[0].attrs->at(0).get<Tensor>(), example.constant[0].get<Tensor>()));
}

TEST_CASE("large constants of a partition are shared") {
  const Example example;
  const Frame frame = encoded(example.partition);
  REQUIRE(frame.bodies.size() == 1);
  CHECK(frame.bodies[0].data == example.constant[0].get<Tensor>().raw());
}

TEST_CASE("op types that a worker lacks or knows otherwise are listed") {
  const Example example;
  try {
    decoded(test::arrived(encoded(example.partition)), &find_signature<test::FewerOps>);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == Code::InvalidArgument);
    CHECK_THAT(error.what(), contains("lacks the op types Const"));
    CHECK_THAT(error.what(), contains("another signature: AddN"));
  }
}

TEST_CASE("a partition that contradicts itself is refused") {
  const auto refused = [](const std::function<void(Example&)>& change) {
    Example example;
    change(example);
    try {
      decoded(test::arrived(encoded(example.partition)));
      return false;
    } catch (const Error& error) {
      return error.code() == Code::InvalidArgument || error.code() == Code::DataLoss;
    }
  };
  const auto node = [](Example& e, std::size_t i) -> PartitionNode& {
    return e.partition.nodes[i];
  };
  CHECK_FALSE(refused([](Example&) {}));
  CHECK(refused([&](Example& e) { node(e, 6).inputs[1].node = 99; }));
  CHECK(refused([&](Example& e) { node(e, 6).inputs[1].index = 1; }));
  CHECK(refused([&](Example& e) { node(e, 6).inputs[1].node = 7; }));  // ahead, and no Merge
  CHECK(refused([&](Example& e) { node(e, 6).controls[0] = 99; }));
  CHECK(refused([&](Example& e) { node(e, 6).inputs.pop_back(); }));
  CHECK(refused([&](Example& e) { node(e, 7).outputs.pop_back(); }));
  CHECK(refused([&](Example& e) { node(e, 6).def = nullptr; }));
  CHECK(refused([&](Example& e) { node(e, 6).attrs = nullptr; }));
  CHECK(refused([&](Example& e) { node(e, 6).attrs = &e.one; }));
  CHECK(refused([&](Example& e) { node(e, 0).attrs = &e.two; }));  // attributes of other kinds
  CHECK(refused([&](Example& e) { node(e, 2).def = &signature<test::NoOp>(); }));
  CHECK(refused([&](Example& e) { node(e, 2).inputs.clear(); }));
  CHECK(refused([&](Example& e) { node(e, 3).number = 1; }));
  CHECK(refused([&](Example& e) { node(e, 4).number = 7; }));
  CHECK(refused([&](Example& e) { node(e, 8).number = 1; }));
  CHECK(refused([&](Example& e) { node(e, 9).number = 8; }));
  CHECK(refused([&](Example& e) { node(e, 3).kind = static_cast<PartitionNodeKind>(6); }));
  CHECK(refused([&](Example& e) { e.two[0] = AttrValue(std::int64_t{1} << 62); }));
  CHECK(refused([&](Example& e) { e.two[0] = AttrValue(0); }));
}

TEST_CASE("mangled partitions do no harm") {
  const Example example;
  const Frame frame = encoded(example.partition);
  test::mangle(frame.head, [&](const std::vector<std::byte>& head) {
    Frame changed = test::arrived(frame);
    changed.head = head;
    const std::size_t largest = test::largest_allocation([&] {
      try {
        decoded(std::move(changed));
      } catch (const Error& error) {
        CHECK((error.code() == Code::DataLoss || error.code() == Code::InvalidArgument));
      }
    });
    CHECK(largest < 65536);
  });
}

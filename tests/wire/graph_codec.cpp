#include <dgraph/wire/graph_codec.hpp>

#include <dgraph/wire/bytes.hpp>

#include "support/catch.hpp"

#include "wire/hostile.hpp"
#include "wire/wire_ops.hpp"

using namespace dgraph;
using dgraph::test::contains;

namespace {

NodeId add(GraphCore& graph, const OpDef& def, std::vector<Endpoint> inputs,
           std::vector<AttrArg> attrs = {}, AddOptions options = {}) {
  if (!options.scope && build_context()) options.scope = &build_context()->scope;
  return graph.add(def, inputs, attrs, options);
}

NodeId constant(GraphCore& graph, Tensor value) {
  const DType dtype = value.dtype();
  return add(graph, definition<test::Const>(), {}, {{"value", std::move(value)}, {"dtype", dtype}});
}

void build_example(GraphCore& graph) {
  const DefaultGraph building(graph);
  NodeId a, b;
  {
    const auto on = device("/job:ps/task:1");
    const auto in = name_scope("layer");
    a = constant(graph, Tensor::vector<float>({1, 2, 3}));
    b = constant(graph, Tensor::zeros(DType::Float32, Shape{3, 100}));
    const auto kept = container("box");
    add(graph, definition<test::Store>(), {},
        {{"dtype", DType::Float32}, {"shape", PartialShape{2, -1}}});
  }
  const NodeId sum = add(graph, definition<test::AddN>(), {{a, 0}, {a, 0}, {b, 0}});
  const auto after = control_dependencies({Output(&graph, sum, 0)});
  const auto with = colocate_with(Output(&graph, a, 0));
  const NodeId split = add(graph, definition<test::Split>(), {{sum, 0}}, {{"num", 3}});
  add(graph, definition<test::AddN>(), {{split, 2}, {split, 0}});
  add(graph, definition<test::Many>(), {});
  add(graph, definition<test::NoOp>(), {});
}

/// Merge, whose second input is what NextIteration gives once there is one.
NodeId build_loop(GraphCore& graph) {
  const NodeId start = constant(graph, Tensor::scalar(1));
  const NodeId merge = add(graph, definition<test::Merge>(), {{start, 0}, {start, 0}});
  const NodeId next = add(graph, definition<test::NextIteration>(), {{merge, 0}});
  graph.set_back_edge(merge, 1, {next, 0});
  return merge;
}

bool same_tensor(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

void check_same(const GraphCore& a, const GraphCore& b) {
  REQUIRE(a.size() == b.size());
  for (NodeId id = 0; id < a.size(); ++id) {
    const Node& x = a.node(id);
    const Node& y = b.node(id);
    INFO(x.name);
    CHECK(x.name == y.name);
    CHECK(x.def->name == y.def->name);
    CHECK(x.device->text == y.device->text);
    CHECK((x.colocation ? *x.colocation : std::vector<std::string>()) ==
          (y.colocation ? *y.colocation : std::vector<std::string>()));
    CHECK(std::ranges::equal(x.input_span(), y.input_span()));
    CHECK(std::ranges::equal(x.control_span(), y.control_span()));
    REQUIRE(x.num_outputs == y.num_outputs);
    for (std::size_t i = 0; i < x.num_outputs; ++i) {
      CHECK(x.outputs[i].dtype == y.outputs[i].dtype);
      CHECK(x.outputs[i].ref == y.outputs[i].ref);
      CHECK(*x.outputs[i].shape == *y.outputs[i].shape);
    }
    REQUIRE(x.attrs->size() == y.attrs->size());
    for (std::size_t i = 0; i < x.attrs->size(); ++i) {
      const AttrValue &p = (*x.attrs)[i], &q = (*y.attrs)[i];
      if (p.holds<Tensor>())
        CHECK(same_tensor(p.get<Tensor>(), q.get<Tensor>()));
      else
        CHECK(p == q);
    }
  }
}

GraphDelta arrived(const GraphDelta& delta) {
  GraphDelta out = delta;
  Frame frame;
  frame.bodies = delta.bodies;
  out.bodies = test::arrived(frame).bodies;
  return out;
}

void decode(GraphCore& into, const GraphDelta& delta) {
  wire::decode_graph(into, delta, &find_signature<test::WireOps>);
}

}  // namespace

TEST_CASE("a graph arrives as it was built") {
  GraphCore graph, copy;
  build_example(graph);
  const GraphDelta delta = wire::encode_graph(graph, 0, graph.size());
  CHECK(delta.from == 0);
  CHECK(delta.to == graph.size());
  REQUIRE(delta.bodies.size() == 1);
  CHECK(delta.bodies[0].data == graph.node(1).attr<Tensor>("value").raw());
  decode(copy, arrived(delta));
  check_same(graph, copy);
  CHECK(copy.node(0).def == find_signature<test::WireOps>("Const"));
  CHECK(copy.node(2).attr<std::string>("container") == "box");
  CHECK(copy.find("layer/Const_1") == 1);
}

TEST_CASE("a graph arrives in parts") {
  GraphCore graph, copy;
  build_example(graph);
  for (std::uint64_t from = 0; from < graph.size(); from += 3)
    decode(copy, arrived(wire::encode_graph(graph, from,
                                            std::min<std::uint64_t>(graph.size(), from + 3))));
  check_same(graph, copy);
  decode(copy, wire::encode_graph(graph, graph.size(), graph.size()));
  REQUIRE_THROWS_WITH(decode(copy, wire::encode_graph(graph, 0, 3)),
                      contains("cannot follow a graph of"));
  REQUIRE_THROWS_WITH(wire::encode_graph(graph, 0, graph.size() + 1), contains("has none from"));
}

TEST_CASE("loops arrive with their back edges") {
  GraphCore graph, copy;
  const NodeId merge = build_loop(graph);
  decode(copy, wire::encode_graph(graph, 0, graph.size()));
  check_same(graph, copy);
  CHECK(copy.node(merge).inputs[1] == Endpoint{merge + 1, 0});
}

TEST_CASE("a back edge may arrive after its Merge") {
  GraphCore graph, copy;
  const NodeId merge = build_loop(graph);
  decode(copy, wire::encode_graph(graph, 0, merge + 1));
  CHECK(copy.node(merge).inputs[1] == Endpoint{0, 0});
  decode(copy, wire::encode_graph(graph, merge + 1, graph.size()));
  check_same(graph, copy);
}

TEST_CASE("op types that a server lacks or knows otherwise are listed, and nothing is added") {
  GraphCore graph, copy;
  build_example(graph);
  try {
    wire::decode_graph(copy, wire::encode_graph(graph, 0, graph.size()),
                       &find_signature<test::FewerOps>);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == Code::InvalidArgument);
    CHECK_THAT(error.what(), contains("lacks the op types Const, Many"));
    CHECK_THAT(error.what(), contains("another signature: AddN"));
  }
  CHECK(copy.size() == 0);
}

TEST_CASE("what nodes share is sent once") {
  GraphCore graph;
  NodeId last = constant(graph, Tensor::scalar(1.f));
  for (int i = 0; i < 1000; ++i)
    last = add(graph, definition<test::AddN>(), {{last, 0}, {last, 0}});
  const GraphDelta delta = wire::encode_graph(graph, 0, graph.size());
  // 32 bytes of numbers, 16 of inputs, 4 of shape, and a name.
  CHECK(delta.bytes.size() < 1000 * (32 + 16 + 4 + 8) + 400);
}

TEST_CASE("a claimed number of nodes takes no memory") {
  GraphCore graph;
  constant(graph, Tensor::scalar(1.f));
  GraphDelta delta = wire::encode_graph(graph, 0, 1);
  // The count of nodes precedes the only row, which is followed by its shape, its name and the
  // count of back edges.
  const std::size_t at = delta.bytes.size() - 4 - 5 - 4 - 32 - 4;
  REQUIRE(wire::load<std::uint32_t>(delta.bytes.data() + at) == 1);
  wire::store(delta.bytes.data() + at, std::uint32_t{1000000000});
  delta.to = 1000000000;
  GraphCore copy;
  const std::size_t largest = test::largest_allocation([&] {
    try {
      decode(copy, delta);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.code() == Code::DataLoss);
    }
  });
  CHECK(largest < 65536);
  CHECK(copy.size() == 0);
}

TEST_CASE("mangled graphs do no harm") {
  GraphCore graph;
  build_example(graph);
  build_loop(graph);
  const GraphDelta delta = wire::encode_graph(graph, 0, graph.size());
  test::mangle(delta.bytes, [&](const std::vector<std::byte>& bytes) {
    GraphDelta changed = delta;
    changed.bytes = bytes;
    GraphCore copy;
    const std::size_t largest = test::largest_allocation([&] {
      try {
        decode(copy, changed);
      } catch (const Error& error) {
        CHECK(error.code() != Code::Internal);
      }
    });
    CHECK(largest < (std::size_t{1} << 20));
  });
}

TEST_CASE("a constant whose body was refused fails") {
  GraphCore graph, copy;
  constant(graph, Tensor::zeros(DType::Float32, Shape{100}));
  GraphDelta delta = wire::encode_graph(graph, 0, 1);
  delta.bodies[0] = {};
  REQUIRE_THROWS_WITH(decode(copy, delta), contains("no memory was given"));
  delta.bodies.clear();
  REQUIRE_THROWS_WITH(decode(copy, delta), contains("body 0 is missing"));
  delta.bodies.resize(2);
  CHECK_THROWS_AS(decode(copy, delta), Error);
}

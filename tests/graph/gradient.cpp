#include <dgraph/graph/gradient.hpp>

#include "graph/mini_ops.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {

// The walk's few ops, recognisable in the graph.
Output ones(const Output& like) { return feed("ones", like.shape(), like.dtype()); }
Output zeros(const Output& like) { return feed("zeros", like.shape(), like.dtype()); }
Output sum(const std::vector<Output>& parts) { return add_op<AddN>("total", parts); }
Output dense(const IndexedSlices& slices) { return add_op<Identity>("dense", slices.values); }
IndexedSlices joined(const std::vector<IndexedSlices>& parts) {
  std::vector<Output> values;
  for (const auto& part : parts) values.push_back(part.values);
  return {add_op<AddN>("joined", values), parts[0].indices, parts[0].dense_shape};
}
constexpr GradientOps kOps{&ones, &zeros, &sum, &dense, &joined};

std::vector<Gradient> walk(const std::vector<Output>& ys, const std::vector<Output>& xs, const GradientOptions& options = {}) {
  return walk_gradients(ys, xs, options, kOps);
}

// "Mul(a, b)" down to what has no inputs.
std::string text(const Output& x) {
  const Node& node = x.node();
  if (node.num_inputs == 0) return std::string(node.name.substr(node.name.rfind('/') + 1));
  std::string out = node.def->name + "(";
  for (const Endpoint& in : node.input_span()) out += (out.back() == '(' ? "" : ", ") + text(Output(x.core(), in.node, in.index));
  return out + ")";
}

}  // namespace

TEST_CASE("the chain rule along one path, needed inputs only") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output a = feed("a"), b = feed("b"), c = feed("c");
  const Output y = add_op<Mul>({}, add_op<Mul>({}, a, b), c);
  const std::size_t before = graph.size();
  const auto found = walk({y}, {a});
  REQUIRE(found.size() == 1);
  CHECK(text(found[0].values()) == "Mul(Mul(ones, c), b)");
  CHECK(graph.size() == before + 3);
}

TEST_CASE("paths that meet are added once") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output a = feed("a");
  const Output y = add_op<Mul>({}, a, a);
  CHECK(text(walk({y}, {a})[0].values()) == "AddN(Mul(ones, a), Mul(a, ones))");
  const Output deep = add_op<Mul>({}, y, a);
  const std::string both = text(walk({deep}, {a})[0].values());
  CHECK(both.find("AddN(") == 0);
}

TEST_CASE("several ys add up, and each has its own gradient") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output a = feed("a"), b = feed("b"), g = feed("g");
  const Output y1 = add_op<Mul>({}, a, b), y2 = add_op<Identity>({}, a);
  GradientOptions options;
  options.grad_ys = {Output(), g};
  CHECK(text(walk({y1, y2}, {a}, options)[0].values()) == "AddN(g, Mul(ones, b))");
}

TEST_CASE("dy/dy is one, also where y does not depend on any other x") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output a = feed("a");
  CHECK(text(walk({a}, {a})[0].values()) == "ones");
}

TEST_CASE("an x off every path has no gradient, or zeros where asked") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output a = feed("a"), b = feed("b", {3});
  const Output y = add_op<Identity>({}, a);
  CHECK_FALSE(static_cast<bool>(walk({y}, {b})[0]));
  GradientOptions options;
  options.unconnected_gradients = UnconnectedGradients::Zero;
  const Gradient zero = walk({y}, {b}, options)[0];
  CHECK(text(zero.values()) == "zeros");
  CHECK(zero.values().shape() == PartialShape{3});
}

TEST_CASE("nothing flows through integers or through what is stopped") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output a = feed("a"), b = feed("b");
  const Output rows = add_op<Rows>({}, b, add_op<Count>({}, a));
  CHECK_FALSE(static_cast<bool>(walk({rows}, {a})[0]));
  const Output middle = add_op<Identity>("middle", a);
  const Output y = add_op<Mul>({}, middle, a);
  GradientOptions options;
  options.stop_gradients = {middle};
  CHECK(text(walk({y}, {a}, options)[0].values()) == "Mul(Identity(a), ones)");
}

TEST_CASE("an output that no gradient reaches counts as zeros") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output a = feed("a", {2});
  const Output parts = add_op<Split>({}, a, "num", 2);
  CHECK(text(walk({parts}, {a})[0].values()) == "zeros");
  CHECK(text(walk({nth(parts, 1)}, {a})[0].values()) == "ones");
}

TEST_CASE("rows stay rows until something dense joins them") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output table = feed("table"), i = feed("i", {}, DType::Int32);
  const Output r1 = add_op<Rows>({}, table, i), r2 = add_op<Rows>({}, table, i);
  const Gradient one = walk({r1}, {table})[0];
  REQUIRE(one.is_sparse());
  CHECK(one.slices().indices == i);
  const Gradient two = walk({r1, r2}, {table})[0];
  REQUIRE(two.is_sparse());
  CHECK(text(two.values()) == "AddN(ones_1, ones)");
  const Gradient mixed = walk({r1, add_op<Identity>({}, table)}, {table})[0];
  CHECK_FALSE(mixed.is_sparse());
  CHECK(text(mixed.values()).find("Identity(ones") != std::string::npos);
}

TEST_CASE("a variable's handle collects the gradients of its reads") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output v = add_op<Store>("v", "dtype", DType::Float32, "shape", PartialShape{2});
  const Output read1 = add_op<Identity>({}, v), read2 = add_op<Identity>({}, v);
  CHECK(text(walk({add_op<Mul>({}, read1, read2)}, {v})[0].values()).find("AddN(") == 0);
}

TEST_CASE("what has no gradient is named, but only where one is needed") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output a = feed("a"), b = feed("b");
  const Output rounded = add_op<Round>("rounded", a);
  REQUIRE_THROWS_WITH(walk({rounded}, {a}), contains("op type Round has no gradient") && contains("rounded"));
  CHECK_NOTHROW(walk({add_op<Mul>({}, rounded, b)}, {b}));
  CHECK(code_of([&] { walk({add_op<Count>({}, a)}, {a}); }) == Code::InvalidArgument);
  CHECK(code_of([&] { walk({}, {a}); }) == Code::InvalidArgument);
  CHECK(code_of([&] { walk({Output()}, {a}); }) == Code::InvalidArgument);
  GradientOptions options;
  options.grad_ys = {feed("wide", {}, DType::Float64)};
  CHECK(code_of([&] { walk({a}, {a}, options); }) == Code::InvalidArgument);
  options.grad_ys = {feed("long", {3})};
  CHECK(code_of([&] { walk({feed("short", {2})}, {a}, options); }) == Code::InvalidArgument);
}

TEST_CASE("gradient nodes are named and placed, beside their node where asked") {
  MiniGraph graph;
  const auto building = graph.as_default();
  Output a, y;
  {
    const auto on = device("/job:ps");
    a = feed("a");
    y = add_op<Mul>("product", a, feed("b"));
  }
  const auto on = device("/job:worker");
  const Output plain = walk({y}, {a})[0].values();
  CHECK(plain.name() == "gradients/product_grad/Mul");
  CHECK(plain.node().device->text == "/job:worker");
  GradientOptions options;
  options.colocate_gradients_with_ops = true;
  const Output beside = walk({y}, {a}, options)[0].values();
  CHECK(beside.name() == "gradients_1/product_grad/Mul");
  CHECK(beside.node().device->text == "/job:ps");
  CHECK(plain.node().location.line == y.node().location.line);
}

TEST_CASE("no default graph is needed") {
  MiniGraph graph;
  Output a;
  {
    const auto building = graph.as_default();
    a = feed("a");
  }
  const auto f = add_op<Identity>({}, a);
  CHECK(static_cast<bool>(walk({f}, {a})[0]));
}

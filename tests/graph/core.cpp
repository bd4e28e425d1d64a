#include <dgraph/graph/core.hpp>

#include <thread>

#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "graph/mini_ops.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

Status status_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.status();
  }
  return {};
}

}  // namespace

TEST_CASE("names are made unique, exact names are not") {
  MiniGraph graph;
  const auto building = graph.as_default();
  CHECK(feed("x").name() == "x");
  CHECK(feed("x").name() == "x_1");
  CHECK(feed("x_1").name() == "x_1_1");
  CHECK(feed("x").name() == "x_2");
  CHECK(feed({}).name() == "Feed");
  CHECK(feed({}).name() == "Feed_1");
  CHECK(graph.core().unique_name("x") == "x_3");
  AddOptions options;
  options.name = "x";
  options.exact_name = true;
  CHECK(code_of([&] { graph.core().add(definition<Join>(), {}, {}, options); }) == Code::AlreadyExists);
  options.name = "y";
  CHECK(graph.core().node(graph.core().add(definition<Join>(), {}, {}, options)).name == "y");
}

TEST_CASE("names that would not survive a GraphDef are refused") {
  MiniGraph graph;
  const auto building = graph.as_default();
  for (const char* name : {"a:0", "^a", "a b", "-a", "/a", "_a", "\xc3\xa4"}) CHECK(code_of([&] { feed(name); }) == Code::InvalidArgument);
  for (const char* name : {"a/b", "a/_b", "a.b-c>d", "0"}) CHECK(feed(name).name() == name);
}

TEST_CASE("type and count attributes come from the inputs, others from their defaults") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output x = feed("x", {2}, DType::Float64), i = feed("i", {}, DType::Int32);
  CHECK(add_op<Mul>({}, x, x).node().attr<DType>("T") == DType::Float64);
  const Output sum = add_op<AddN>({}, std::vector<Output>{x, x, x});
  CHECK(sum.node().attr<std::int64_t>("N") == 3);
  CHECK(sum.dtype() == DType::Float64);
  const Output mixed = add_op<Mixed>({}, i, std::vector<Output>{x, i}, "scale", 2);
  CHECK(mixed.node().attr<std::vector<DType>>("Tlist") == std::vector<DType>{DType::Float64, DType::Int32});
  CHECK(mixed.node().num_outputs == 2);
  CHECK(nth(mixed, 1).dtype() == DType::Int32);
  CHECK(mixed.node().attr<std::string>("mode") == "fast");
  CHECK(mixed.node().attr<float>("scale") == 2.f);
  CHECK(add_op<Mixed>({}, i, std::vector<Output>{}).node().num_outputs == 0);
  CHECK_THROWS_AS(mixed.node().attr("none"), Error);
}

TEST_CASE("an error at building names node, op type, device and the user's line") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const auto on = device("/job:ps/task:1");
  const auto scope = name_scope("layer");
  const Output x = feed("x"), i = feed("i", {}, DType::Int32);
  const int line = __LINE__ + 1;
  const Status status = status_of([&] { add_op<Mul>("product", x, i); });
  CHECK(status.code() == Code::InvalidArgument);
  CHECK(status.place().node == "layer/product");
  CHECK(status.place().op_type == "Mul");
  CHECK(status.place().device == "/job:ps/task:1");
  CHECK(status.place().location == std::string(__FILE__) + ":" + std::to_string(line));
  CHECK(status.message().find("float32") != std::string::npos);
  CHECK(status.message().find("layer/i is of int32") != std::string::npos);
}

TEST_CASE("what does not fit the signature is refused and leaves the graph as it was") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output x = feed("x"), text = feed("t", {}, DType::String);
  const std::size_t before = graph.size();
  const auto message = [&](auto f) { return status_of(f).message(); };
  CHECK(message([&] { add_op<Mul>({}, x); }).find("takes 2 inputs, not 1") != std::string::npos);
  CHECK(message([&] { add_op<Mul>({}, text, text); }).find("dtype string is not among") != std::string::npos);
  CHECK(message([&] { add_op<Mul>({}, x, x, "wild", 1); }).find("no attribute wild") != std::string::npos);
  CHECK(message([&] { add_op<Mul>({}, x, x, "T", DType::Float64); }).find("must be of float64") != std::string::npos);
  CHECK(message([&] { add_op<Feed>({}, "shape", PartialShape{}); }).find("dtype") != std::string::npos);
  CHECK(message([&] { add_op<Split>({}, x, "num", 0); }).find("0 is below 1") != std::string::npos);
  CHECK(message([&] { add_op<Split>({}, x, "num", "two"); }).find("another kind") != std::string::npos);
  CHECK(message([&] { add_op<Mixed>({}, x, std::vector<Output>{}, "mode", "idle"); }).find("fast, slow") != std::string::npos);
  CHECK(message([&] { add_op<Mixed>({}, x, std::vector<Output>{}, "axes", std::vector<std::int64_t>{}); })
            .find("at least 1") != std::string::npos);
  CHECK(message([&] { add_op<AddN>({}, std::vector<Output>{}); }).find("1") != std::string::npos);
  CHECK(message([&] { add_op<Put>({}, x, x); }).find("must be a variable") != std::string::npos);
  CHECK(message([&] { add_op<Mul>({}, feed("a", {2}), feed("b", {3})); }).find("[2] vs. [3]") != std::string::npos);
  CHECK(graph.size() == before + 2);
  CHECK(add_op<Mul>({}, x, x).name() == "Mul");
}

TEST_CASE("inputs of another graph and empty handles are refused") {
  MiniGraph graph, other;
  Output foreign;
  {
    const auto building = other.as_default();
    foreign = feed("theirs");
  }
  const auto building = graph.as_default();
  const Output x = feed("x");
  const Status status = status_of([&] { add_op<Mul>({}, x, foreign); });
  CHECK(status.code() == Code::InvalidArgument);
  CHECK(status.message().find("theirs (Feed), belongs to another graph") != std::string::npos);
  CHECK(status_of([&] { add_op<Mul>({}, x, Output()); }).message().find("input 1 is an empty handle") != std::string::npos);
  CHECK(code_of([&] { graph.core().check_mine(foreign); }) == Code::InvalidArgument);
  const Endpoint nowhere[] = {{99, 0}, {99, 0}};
  CHECK(code_of([&] { graph.core().add(definition<Mul>(), nowhere, {}, {}); }) == Code::InvalidArgument);
}

TEST_CASE("control inputs that a data input implies are dropped, doubles too") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output x = feed("x"), y = feed("y");
  const auto after = control_dependencies({x, y, y});
  const Output z = add_op<Identity>({}, x);
  REQUIRE(z.node().num_controls == 1);
  CHECK(z.node().controls[0] == y.node_id());
}

TEST_CASE("a device function sees each node and what scopes within it ask, and scopes outside fill what it leaves open") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const auto on = device("/job:worker");
  const auto by_type = device([](const NodeDraft& draft, const DeviceSpec& asked) {
    CHECK(asked.to_string() == "/device:CPU:0");
    return draft.def->name == "Store" ? DeviceSpec::parse("/job:ps") : asked;
  });
  const auto inner = device("/cpu:0");
  CHECK(feed("x").node().device->text == "/job:worker/device:CPU:0");
  CHECK(add_op<Store>("v", "dtype", DType::Float32, "shape", PartialShape{}).node().device->text == "/job:ps");
}

TEST_CASE("attributes and shapes that are equal are kept once") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output a = feed("a", {2, 3}), b = feed("b", {2, 3}), c = feed("c", {2, 4});
  CHECK(a.node().attrs == b.node().attrs);
  CHECK(a.node().attrs != c.node().attrs);
  CHECK(&a.shape() == &b.shape());
}

TEST_CASE("only a Merge takes a back edge, of its own dtype") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output x = feed("x"), i = feed("i", {}, DType::Int32);
  const Output merge = add_op<Merge>({}, std::vector<Output>{x, x});
  const Output next = add_op<NextIteration>({}, merge);
  graph.core().set_back_edge(merge.node_id(), 1, next.endpoint());
  CHECK(merge.node().inputs[1] == next.endpoint());
  CHECK(code_of([&] { graph.core().set_back_edge(next.node_id(), 0, x.endpoint()); }) == Code::InvalidArgument);
  CHECK(code_of([&] { graph.core().set_back_edge(merge.node_id(), 2, x.endpoint()); }) == Code::InvalidArgument);
  CHECK(code_of([&] { graph.core().set_back_edge(merge.node_id(), 0, i.endpoint()); }) == Code::InvalidArgument);
}

TEST_CASE("reads are remembered by variable and controls, collections in order") {
  MiniGraph graph;
  const auto building = graph.as_default();
  GraphCore& core = graph.core();
  const Output v = feed("v"), a = feed("a"), read = feed("r");
  const NodeId none[] = {a.node_id()};
  CHECK(core.cached_read(v.node_id(), {}) == kNoNode);
  core.cache_read(v.node_id(), {}, nullptr, read.node_id());
  CHECK(core.cached_read(v.node_id(), {}) == read.node_id());
  CHECK(core.cached_read(v.node_id(), none) == kNoNode);
  CHECK(core.cached_read(a.node_id(), {}) == kNoNode);
  core.add_to_collection("variables", v.endpoint());
  core.add_to_collection("variables", a.endpoint());
  CHECK(core.collection("variables") == std::vector<Endpoint>{v.endpoint(), a.endpoint()});
  CHECK(core.collection("none").empty());
}

TEST_CASE("threads build one graph together while another reads it") {
  MiniGraph graph;
  GraphCore& core = graph.core();
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&graph] {
      const auto building = graph.as_default();
      Output x = feed("x", {1});
      for (int i = 0; i < 500; ++i) x = add_op<Mul>("m", x, x);
    });
  bool right = true;
  for (int looks = 0; looks < 200; ++looks)
    for (NodeId id = 0; id < core.size(); ++id)
      for (const Endpoint& in : core.node(id).input_span()) right = right && in.node < id;
  for (auto& thread : threads) thread.join();
  CHECK(right);
  REQUIRE(core.size() == 3 * 501);
  std::set<std::string_view> names;
  for (NodeId id = 0; id < core.size(); ++id) names.insert(core.node(id).name);
  CHECK(names.size() == core.size());
}

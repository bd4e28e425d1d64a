#include <dgraph/graph/graph_def.hpp>

#include <string>
#include <vector>

#include "graph/mini_ops.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {

GraphDef of(std::vector<NodeDef> nodes) { return GraphDef{std::move(nodes)}; }
NodeDef feed_def(const std::string& name) { return {name, "Feed", "", {}, {{"dtype", DType::Float32}}}; }

// The message of what importing throws.
std::string refused(const GraphDef& def, const ImportOptions& options = {}) {
  MiniGraph graph;
  try {
    import_graph_def(graph, def, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("what is exported comes back the same") {
  MiniGraph graph;
  {
    const auto building = graph.as_default();
    const Output x = feed("x", {2, -1});
    const auto on = device("/job:ps/task:1");
    const Output v = add_op<Store>("v", "dtype", DType::Float32, "shape", PartialShape{3});
    const auto with = colocate_with(v);
    const auto after = control_dependencies({x});
    const Output s = add_op<Split>("s", v, "num", 3);
    add_op<AddN>("sum", std::vector<Output>{nth(s, 0), nth(s, 2)});
    constant("c", Tensor::vector<float>({1, 2}));
  }
  const GraphDef def = export_graph_def(graph);
  REQUIRE(def.nodes.size() == 5);
  CHECK(def.nodes[3].inputs == std::vector<std::string>{"s", "s:2", "^x"});
  CHECK(def.nodes[2].attrs.at("_class") == AttrValue(std::vector<std::string>{"loc:@v"}));
  CHECK(def.nodes[1].device == "/job:ps/task:1");
  CHECK(def.nodes[3].attrs.at("N") == AttrValue(2));

  MiniGraph copy;
  import_graph_def(copy, def);
  CHECK(export_graph_def(copy) == def);
  CHECK(copy.output("x").shape() == PartialShape{2, -1});
}

TEST_CASE("nodes come in any order") {
  MiniGraph graph;
  import_graph_def(graph, of({{"z", "Mul", "", {"x", "y", "^x"}, {}}, feed_def("y"), feed_def("x")}));
  CHECK(graph.output("z").node().inputs[0] == graph.output("x").endpoint());
  CHECK(graph.output("z").node().num_controls == 0);
}

TEST_CASE("a prefix goes before every name and is made unique") {
  MiniGraph graph;
  const GraphDef def = of({feed_def("x"), {"y", "Identity", "", {"x"}, {{"_class", std::vector<std::string>{"loc:@x"}}}}});
  ImportOptions options;
  options.prefix = "import";
  options.return_elements = {"y", "x:0"};
  const auto first = import_graph_def(graph, def, options);
  const auto second = import_graph_def(graph, def, options);
  REQUIRE(first.size() == 2);
  CHECK(first[0].name() == "import/y");
  CHECK(first[1].name() == "import/x");
  CHECK(second[0].name() == "import_1/y");
  CHECK(*second[0].node().colocation == std::vector<std::string>{"import_1/x"});
}

TEST_CASE("inputs are replaced by outputs of the graph") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output mine = feed("mine", {4});
  const GraphDef def = of({feed_def("x"), {"y", "Mul", "", {"x", "x:0"}, {}}, {"z", "Identity", "", {"s:1", "^c"}, {}},
                           feed_def("c"), {"s", "Split", "", {"x"}, {{"num", 2}}}});
  ImportOptions options;
  options.prefix = "i";
  options.input_map = {{"x", mine}, {"s:1", mine}, {"^c", mine}};
  import_graph_def(graph, def, options);
  CHECK(graph.output("i/y").node().inputs[0] == mine.endpoint());
  CHECK(graph.output("i/y").node().inputs[1] == mine.endpoint());
  CHECK(graph.output("i/y").shape() == PartialShape{4});
  CHECK(graph.output("i/z").node().inputs[0] == mine.endpoint());
  options.input_map = {{"unasked", mine}};
  REQUIRE_THROWS_WITH(import_graph_def(graph, def, options), contains("unasked"));
}

TEST_CASE("loops come back with their back edges") {
  MiniGraph graph;
  {
    const auto building = graph.as_default();
    const Output x = add_op<Enter>("x", feed("outside", {2}), "frame_name", "loop");
    const Output merge = add_op<Merge>("merge", std::vector<Output>{x, x});
    const Output body = add_op<Mul>("body", merge, merge);
    const Output next = add_op<NextIteration>("next", body);
    graph.core().set_back_edge(merge.node_id(), 1, next.endpoint());
  }
  const GraphDef def = export_graph_def(graph);
  CHECK(def.nodes[2].inputs == std::vector<std::string>{"x", "next"});
  MiniGraph copy;
  import_graph_def(copy, def);
  CHECK(export_graph_def(copy) == def);
  CHECK(copy.output("merge").node().inputs[1] == copy.output("next").endpoint());
  // What goes around may change its shape.
  CHECK_FALSE(copy.output("merge").shape().has_rank());
}

TEST_CASE("the current device scope fills what a node leaves open") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const auto on = device("/job:worker/task:2");
  GraphDef def = of({feed_def("x"), feed_def("y")});
  def.nodes[1].device = "/job:ps";
  import_graph_def(graph, def);
  CHECK(graph.output("x").node().device->text == "/job:worker/task:2");
  CHECK(graph.output("y").node().device->text == "/job:ps/task:2");
}

TEST_CASE("attributes that begin with an underscore are passed over") {
  MiniGraph graph;
  GraphDef def = of({feed_def("x")});
  def.nodes[0].attrs["_output_shapes"] = std::vector<PartialShape>{PartialShape{1}};
  CHECK_NOTHROW(import_graph_def(graph, def));
}

TEST_CASE("what cannot be imported is refused with the node's name") {
  CHECK(refused(of({feed_def("x"), feed_def("x")})).find("two nodes named \"x\"") != std::string::npos);
  CHECK(refused(of({{"n", "Wild", "", {}, {}}})).find("NotFound: there is no op type Wild") == 0);
  CHECK(refused(of({{"n", "Identity", "", {"gone"}, {}}})).find("no node \"gone\"") != std::string::npos);
  CHECK(refused(of({{"n", "Identity", "", {"gone"}, {}}})).find("[node n (Identity)]") != std::string::npos);
  CHECK(refused(of({feed_def("x"), {"n", "Identity", "", {"x:1"}, {}}})).find("node x has 1 outputs") != std::string::npos);
  CHECK(refused(of({feed_def("x"), {"n", "Identity", "", {"^x", "x"}, {}}})).find("after a control input") != std::string::npos);
  for (const char* input : {"", "^", ":0", "x:", "x:a", "x:99999999"})
    CHECK(refused(of({feed_def("x"), {"n", "Identity", "", {input}, {}}})).find("malformed input") != std::string::npos);
  CHECK(refused(of({{"a b", "Join", "", {}, {}}})).find("\"a b\" is no name") != std::string::npos);
  CHECK(refused(of({{"n", "Join", "job", {}, {}}})).find("malformed device name") != std::string::npos);
  CHECK(refused(of({{"n", "Join", "", {}, {{"wild", 1}}}})).find("no attribute wild") != std::string::npos);
  CHECK(refused(of({{"n", "Feed", "", {}, {{"dtype", 1}}}})).find("attribute dtype of Feed") != std::string::npos);
  CHECK(refused(of({{"n", "Join", "", {}, {{"_class", 1}}}})).find("_class") != std::string::npos);
  CHECK(refused(of({{"n", "Join", "", {}, {{"_class", std::vector<std::string>{"loc:@gone"}}}}})).find("gone") != std::string::npos);
  ImportOptions options;
  options.return_elements = {"gone"};
  CHECK(refused(of({feed_def("x")}), options).find("gone") != std::string::npos);
}

TEST_CASE("a cycle names a node on it") {
  const GraphDef def = of({{"behind", "Identity", "", {"b"}, {}},
                           {"a", "Identity", "", {"b"}, {}},
                           {"b", "Identity", "", {"c"}, {}},
                           {"c", "Identity", "", {"a"}, {}}});
  const std::string message = refused(def);
  CHECK(message.find("circle: ") != std::string::npos);
  CHECK(message.find("behind") == std::string::npos);
  CHECK(refused(of({{"m", "Merge", "", {"n"}, {}}, {"n", "NextIteration", "", {"m"}, {}}})).find("no Enter") !=
        std::string::npos);
}

TEST_CASE("nothing is added where names do not fit") {
  MiniGraph graph;
  {
    const auto building = graph.as_default();
    feed("x");
  }
  CHECK(code_of([&] { import_graph_def(graph, of({feed_def("y"), {"n", "Identity", "", {"gone"}, {}}})); }) ==
        Code::InvalidArgument);
  CHECK(graph.size() == 1);
  CHECK(code_of([&] { import_graph_def(graph, of({feed_def("x")})); }) == Code::AlreadyExists);
}

TEST_CASE("ops are added by name") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output inputs[] = {feed("x", {2}), feed("y", {2})};
  const Output z = add_op_by_name(&MiniGraph::find_op, "Mul", inputs, {}, "z");
  CHECK(z.name() == "z");
  CHECK(z.shape() == PartialShape{2});
  const std::pair<std::string, AttrValue> attrs[] = {{"num", 2}};
  CHECK(add_op_by_name(&MiniGraph::find_op, "Split", std::span(inputs, 1), attrs).node().num_outputs == 2);
  CHECK(code_of([&] { add_op_by_name(&MiniGraph::find_op, "Wild", inputs, {}); }) == Code::NotFound);
}

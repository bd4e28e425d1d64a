// Behaviours of TensorFlow's graphs that dgraph keeps or betters: imports, names, gradients at their edges.
#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

using Attrs = std::map<std::string, AttrValue>;

NodeDef node(std::string name, std::string op, std::vector<std::string> inputs, Attrs attrs = {}) {
  return {std::move(name), std::move(op), "", std::move(inputs), std::move(attrs)};
}
NodeDef x_node() {
  return node("x", "Const", {}, {{"dtype", DType::Float32}, {"value", Tensor::scalar(2.0f)}});
}
NodeDef same(std::string name, std::vector<std::string> inputs) {
  return node(std::move(name), "Identity", std::move(inputs), {{"T", DType::Float32}});
}
Status import_status(std::vector<NodeDef> nodes) {
  Graph graph;
  return status_of([&] { import_graph_def(graph, GraphDef{std::move(nodes)}); });
}

}  // namespace

TEST_CASE("behaviour 76: circles in an imported graph are refused with their nodes") {
  check_status(import_status({same("a", {"b"}), same("b", {"a"})}), Code::InvalidArgument,
               {"a", "b", "circle"});
  check_status(import_status({same("a", {"a"})}), Code::InvalidArgument, {"a", "circle"});
  check_status(import_status({x_node(), same("a", {"x", "^b"}), same("b", {"x", "^a"})}),
               Code::InvalidArgument, {"a", "b", "circle"});
  check_status(import_status({x_node(), same("fine", {"x"}), same("a", {"b"}), same("b", {"a"})}),
               Code::InvalidArgument, {"circle"});
  // Without an Enter a loop would run for ever.
  check_status(
      import_status({x_node(), node("m", "Merge", {"x", "n"}, {{"T", DType::Float32}, {"N", 2}}),
                     node("n", "NextIteration", {"m"}, {{"T", DType::Float32}})}),
      Code::InvalidArgument, {"m", "Enter"});
  Graph graph;
  import_graph_def(graph, GraphDef{{same("a", {"x"}), x_node()}});
  CHECK(Session<>(graph).run(graph.output("a")).flat<float>()[0] == 2.0f);
}

TEST_CASE("behaviour 77: imported graphs that are wrong are refused with the node's name") {
  check_status(import_status({node("a", "NoSuchOp", {})}), Code::NotFound, {"a", "NoSuchOp"});
  const auto bad = [](std::vector<NodeDef> nodes, std::initializer_list<std::string> parts) {
    nodes.insert(nodes.begin(), x_node());
    check_status(import_status(std::move(nodes)), Code::InvalidArgument, parts);
  };
  bad({node("a", "Identity", {"x"}, {{"T", 1}})}, {"a", "T"});
  bad({node("a", "Neg", {"s"}, {{"T", DType::String}}),
       node("s", "Const", {},
            {{"dtype", DType::String}, {"value", Tensor::scalar<std::string>("s")}})},
      {"a", "string"});
  bad({node("a", "Identity", {"x"}, {{"T", DType::Int32}})}, {"a", "int32", "x"});
  bad({same("a", {"nope"})}, {"a", "nope"});
  bad({same("a", {"x", "^nope"})}, {"a", "nope"});
  bad({same("a", {"x:3"})}, {"a", "x:3", "1 outputs"});
  bad({node("a", "Add", {"x"}, {{"T", DType::Float32}})}, {"a", "2 inputs"});
  bad({same("a", {"x", "x"})}, {"a", "1 inputs"});
  bad({same("a", {"^x", "x"})}, {"a", "control input"});
  bad({same("a", {"x"}), same("a", {"x"})}, {"a", "two nodes"});
  bad({node("a", "", {"x"})}, {"a"});
  bad({node("c", "Const", {},
            {{"dtype", DType::Float32}, {"value", to_tensor<float>(std::vector<float>{1, 2})}}),
       node("a", "MatMul", {"c", "c"}, {{"T", DType::Float32}})},
      {"a", "rank"});
  bad({node("", "NoOp", {})}, {"name"});
}

TEST_CASE("behaviour 78: node names accepted and refused, alike when built and when imported") {
  for (const char* name : {"a", "A", "a1", "1a", "1", "a_b", "a.b", ".a", "a-b", "a/b", "a//b",
                           "a/_b", "a/.b", "a/-b", "a>b", ".", "..", "./a"}) {
    INFO(name);
    Graph graph;
    const auto building = graph.as_default();
    CHECK(constant(1, name).name() == name);
    Graph other;
    import_graph_def(other, {{node(name, "NoOp", {})}});
    CHECK(other.output(name).name() == name);
  }
  for (const char* name :
       {"_a",   "__",   "-a",   "/a",  "a b", " a",  "a:0", "a:b", "^a",      "a^b",
        "a\\b", "\\a",  ">a",   "a<b", "a+b", "a*b", "a@b", "a#b", "a'b",     "a,b",
        "a(b)", "a[b]", "a{b}", "a=b", "a~b", "a%b", "a&b", "a$b", "\xc3\xa9"}) {
    INFO(name);
    Graph graph;
    const auto building = graph.as_default();
    check_status(status_of([&] { constant(1, name); }), Code::InvalidArgument, {"name"});
    check_status(import_status({node(name, "NoOp", {})}), Code::InvalidArgument, {"name"});
  }
  Graph graph;
  const auto building = graph.as_default();
  CHECK(constant(1, "a/").name() == "a");
  const std::string long_name(5000, 'a');
  CHECK(constant(1, long_name).name() == long_name);
}

TEST_CASE("behaviour 79: names are made unique") {
  const auto name = [](const char* wanted) { return constant(1, wanted).name(); };
  const auto fresh = [](auto check) {
    Graph graph;
    const auto building = graph.as_default();
    check();
  };
  fresh([&] {
    CHECK(name("a") == "a");
    CHECK(name("a") == "a_1");
    CHECK(name("a") == "a_2");
    CHECK(name("a_1") == "a_1_1");
    CHECK(name("a") == "a_3");
  });
  fresh([&] {
    CHECK(name("Case") == "Case");
    CHECK(name("case") == "case_1");
    CHECK(name("CASE") == "CASE_2");
  });
  fresh([&] {
    {
      const auto s = name_scope("s");
      CHECK(name("x") == "s/x");
      CHECK(name("x") == "s/x_1");
    }
    {
      const auto s = name_scope("s");
      CHECK(name("x") == "s_1/x");
    }
    const auto s = name_scope("s/");
    CHECK(name("x") == "s/x_2");
  });
  fresh([&] {
    CHECK(name("s2") == "s2");
    {
      const auto s = name_scope("s2");
      CHECK(name("x") == "s2_1/x");
    }
    {
      const auto s = name_scope("s3");
      CHECK(name("x") == "s3/x");
    }
    CHECK(name("s3") == "s3_1");
    const auto number = name_scope("1");
    CHECK(name("x") == "1/x");
  });
  fresh([&] {
    const auto p = name_scope("p");
    {
      const auto q = name_scope("q");
      CHECK(name("x") == "p/q/x");
    }
    {
      const auto q = name_scope("q");
      CHECK(name("x") == "p/q_1/x");
    }
    {
      const auto q = name_scope("p/q/");
      CHECK(name("x") == "p/q/x_1");
    }
    const auto root = name_scope("");
    CHECK(name("x") == "x");
  });
  fresh([&] {
    CHECK(name("u/v") == "u/v");
    const auto u = name_scope("u");
    CHECK(name("v") == "u/v_1");
  });
  fresh([&] {
    CHECK(name("w/") == "w");
    check_status(status_of([&] { name("w/"); }), Code::AlreadyExists, {"\"w\""});
    CHECK(constant(1).name() == "Const");
    CHECK(constant(1).name() == "Const_1");
    CHECK(identity(constant(1)).name() == "Identity");
    check_status(status_of([] { (void)name_scope("_s"); }), Code::InvalidArgument, {"_s"});
    check_status(status_of([] { (void)name_scope("a b"); }), Code::InvalidArgument, {"a b"});
    const auto t = name_scope("t");
    const auto s = name_scope("_s");
    CHECK(name("x") == "t/_s/x");
  });
}

TEST_CASE("behaviour 80: gradients at the edges") {
  Graph graph;
  const auto building = graph.as_default();
  Session<> session;
  const auto x = placeholder_with_default(3.0f, PartialShape::scalar());
  const auto z = placeholder_with_default(4.0f, PartialShape::scalar());
  const auto whole = placeholder_with_default(3, PartialShape::scalar());
  const auto d = [&](const std::vector<Output>& ys, const std::vector<Output>& xs,
                     GradientOptions options = {}) {
    std::vector<float> out;
    for (const Output& g : gradients(ys, xs, options))
      out.push_back(g ? session.run(g).flat<float>()[0] : std::nanf(""));
    return out;
  };
  const auto none = [&](const Output& y, const Output& by) { return std::isnan(d({y}, {by})[0]); };
  GradientOptions zero;
  zero.unconnected_gradients = UnconnectedGradients::Zero;
  CHECK(none(z * 2.0f, x));
  CHECK(d({z * 2.0f}, {x}, zero) == std::vector<float>{0});
  CHECK(d({stop_gradient(x) * x}, {x}) == std::vector<float>{3});
  CHECK(none(stop_gradient(x), x));
  CHECK(d({x * x + x * 5.0f}, {x}) == std::vector<float>{11});
  CHECK(d({cast<float>(cast<std::int32_t>(x)) * x}, {x}) == std::vector<float>{3});
  CHECK(none(cast<float>(cast<std::int32_t>(x)), x));
  CHECK(none(x * 2.0f, whole));
  CHECK(d({x}, {x}) == std::vector<float>{1});
  CHECK(d({x * 2.0f, x * z}, {x, z}) == std::vector<float>{6, 3});
  CHECK(d({x * x}, {x, x}) == std::vector<float>{6, 6});
  const auto x2 = x * 1.0f;
  CHECK(d({x2 * z + 0.0f}, {x, x2}) == std::vector<float>{4, 4});
  GradientOptions stopped;
  stopped.stop_gradients = {x2};
  CHECK(d({x2 * x}, {x}, stopped) == std::vector<float>{3});
  GradientOptions tenfold;
  tenfold.grad_ys = {constant(10.0f)};
  CHECK(d({x * 2.0f}, {x}, tenfold) == std::vector<float>{20});
  tenfold.grad_ys = {constant(std::vector<float>{1, 2})};
  check_status(status_of([&] { gradients({x * 2.0f}, {x}, tenfold); }), Code::InvalidArgument,
               {"[2]"});
  CHECK(d({stack<float>({x, x * 6.0f})}, {x}) == std::vector<float>{7});
  CHECK(none(cast<float>(argmax(stack<float>({x, z}), 0)), x));
}

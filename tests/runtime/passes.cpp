#include <dgraph/runtime/passes.hpp>

#include "runtime/plan_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

Output fed(const char* name) {
  return add_op<ops::Placeholder>(name, "dtype", DType::Float32, "shape", PartialShape{2, 3});
}

std::vector<std::string> kept(const PlanGraph& graph, const StepSignature& asked,
                              PlanOptions options = cluster({{"t", 1}})) {
  std::vector<std::string> out;
  const StepPlan made = plan(graph, asked, options);
  for (const PartitionDef& part : made.partitions)
    for (const PartitionNode& node : part.nodes)
      if (node.kind == PartitionNodeKind::Op) out.push_back(node.name);
  return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("Identities go, but not where they tell which branch is taken or have control inputs") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = fed("x");
  const Output same = add_op<ops::Identity>("same", add_op<ops::Identity>("inner", x));
  const Output y = add_op<ops::Neg>("y", same);
  CHECK(kept(graph, signature({y}, {}, {x})) == Names{"y"});
  PlanOptions off = cluster({{"t", 1}});
  off.remove_identities = false;
  CHECK(kept(graph, signature({y}, {}, {x}), off) == Names{"inner", "same", "y"});
  // A fetched or wanted one is its input.
  CHECK(kept(graph, signature({add_op<ops::Identity>("last", y)}, {}, {x})) == Names{"y"});
  CHECK(kept(graph, signature({}, {add_op<ops::Identity>("last", y)}, {x})) == Names{"y"});

  const Output flag =
      add_op<ops::Placeholder>("flag", "dtype", DType::Bool, "shape", PartialShape{});
  const Output ways = add_op<ops::Switch>("ways", x, flag);
  const Output pivot = add_op<ops::Identity>("pivot", ways);
  const auto scope = control_dependencies({pivot});
  const Output late = add_op<ops::Identity>("late", x);
  CHECK(kept(graph, signature({late}, {}, {x, flag})) == Names{"ways", "pivot", "late"});
}

TEST_CASE("Equal expressions are merged, not reads, not what has effects, not over devices") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = fed("x"), z = fed("z");
  const Output a = add_op<ops::AddV2>("a", x, z), b = add_op<ops::AddV2>("b", z, x),
               c = add_op<ops::Sub>("c", x, z), d = add_op<ops::Sub>("d", z, x);
  const StepSignature asked = signature({a, b, c, d}, {}, {x, z});
  CHECK(kept(graph, asked) == Names{"a", "c", "d"});
  CHECK(placement_of(plan(graph, asked, cluster({{"t", 1}})), "b") ==
        "/job:t/replica:0/task:0/device:CPU:0 (computed as a)");
  PlanOptions off = cluster({{"t", 1}});
  off.merge_common = false;
  CHECK(kept(graph, asked, off) == Names{"a", "b", "c", "d"});
  CHECK(plan(graph, asked, cluster({{"t", 1}})).fetches[0].port ==
        plan(graph, asked, cluster({{"t", 1}})).fetches[1].port);

  const Output shape = constant({2}, "shape");
  const Output r = add_op<ops::RandomUniform>("r", shape, "dtype", DType::Float32),
               s = add_op<ops::RandomUniform>("s", shape, "dtype", DType::Float32);
  CHECK(kept(graph, signature({r, s})) == Names{"shape", "r", "s"});

  Output e, f;
  {
    const auto on = device("/task:0");
    e = add_op<ops::Exp>("e", x);
  }
  {
    const auto on = device("/task:1");
    f = add_op<ops::Exp>("f", x);
  }
  CHECK(kept(graph, signature({e, f}, {}, {x}), cluster({{"t", 2}})) == Names{"e", "f"});
  const auto scope = control_dependencies({r});
  const Output g = add_op<ops::AddV2>("g", x, z);
  CHECK(kept(graph, signature({a, g}, {}, {x, z})) == Names{"a", "shape", "r", "g"});
  const Output p = add_op<ops::Placeholder>("p", "dtype", DType::Float32),
               q = add_op<ops::Placeholder>("q", "dtype", DType::Float32);
  CHECK(kept(graph, signature({p, q})) == Names{"shape", "r", "p", "q"});
}

TEST_CASE("Constants fold, and what they folded of is gone") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = fed("x");
  const Output sum = add_op<ops::AddV2>("sum", scalar(1, "one"), scalar(2, "two"));
  const Output y = add_op<ops::Mul>("y", x, add_op<ops::Neg>("minus", sum));
  CHECK(kept(graph, signature({y}, {}, {x})) == Names{"minus", "y"});
  PlanOptions off = cluster({{"t", 1}});
  off.fold_constants = false;
  CHECK(kept(graph, signature({y}, {}, {x}), off).size() == 5);
  off = cluster({{"t", 1}});
  off.config.optimizer_level = 0;
  CHECK(kept(graph, signature({y}, {}, {x}), off).size() == 5);
  // A fed constant is no constant.
  const StepPlan fed_two =
      plan(graph, signature({y}, {}, {x, sum.core()->output("two")}), cluster({{"t", 1}}));
  CHECK(node_named(fed_two, "sum").def->name == "AddV2");
}

TEST_CASE("Static shapes fold, also across tasks") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = fed("x");
  Output far;
  {
    const auto on = device("/task:1");
    far = add_op<ops::Neg>("far", x);
  }
  const auto on = device("/task:0");
  const Output shape = add_op<ops::Shape>("shape", far), size = add_op<ops::Size>("size", far),
               rank = add_op<ops::Rank>("rank", far);
  const StepPlan out = plan(graph, signature({shape, size, rank}, {}, {x}), cluster({{"t", 2}}));
  CHECK(out.edges == 0);
  REQUIRE(out.partitions.size() == 1);
  const auto value = [&](const char* name) {
    const PartitionNode& node = node_named(out, name);
    REQUIRE(node.def->name == "Const");
    return (*node.attrs)[static_cast<std::size_t>(node.def->attr_index("value"))].get<Tensor>();
  };
  CHECK(value("shape").flat<std::int32_t>()[0] == 2);
  CHECK(value("shape").flat<std::int32_t>()[1] == 3);
  CHECK(value("size").item<std::int32_t>() == 6);
  CHECK(value("rank").item<std::int32_t>() == 2);
}

TEST_CASE("BroadcastGradientArgs of static shapes is two constants") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = fed("x");
  const Output bias =
      add_op<ops::Placeholder>("bias", "dtype", DType::Float32, "shape", PartialShape{3});
  const Output axes = add_op<ops::BroadcastGradientArgs>("axes", add_op<ops::Shape>("s0", x),
                                                         add_op<ops::Shape>("s1", bias));
  const Output second(axes.core(), axes.node_id(), 1);
  const Output y = add_op<ops::Sum>("y", x, second), w = add_op<ops::Sum>("w", x, axes);
  const StepPlan out = plan(graph, signature({y, w}, {}, {x, bias}), cluster({{"t", 1}}));
  const PartitionDef& part = out.partitions[0];
  const auto axes_of = [&](const char* name) {
    const PartitionNode& node = part.nodes[node_named(out, name).inputs[1].node];
    REQUIRE(node.def->name == "Const");
    CHECK(node.name == "axes");
    return (*node.attrs)[static_cast<std::size_t>(node.def->attr_index("value"))].get<Tensor>();
  };
  REQUIRE(axes_of("y").elements() == 1);
  CHECK(axes_of("y").flat<std::int32_t>()[0] == 0);
  CHECK(axes_of("w").elements() == 0);
}

TEST_CASE("A shape that a fed value may contradict is not folded") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = fed("x"), dims = constant({3, 2}, "dims");
  const Output y = add_op<ops::Reshape>("y", x, dims);
  const Output shape = add_op<ops::Shape>("shape", y);
  CHECK(kept(graph, signature({shape}, {}, {x})) == Names{"shape"});
  CHECK(kept(graph, signature({shape}, {}, {x, dims})) == Names{"y", "shape"});
}

TEST_CASE("Effects behind a folded shape still happen before what waits for it") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const auto v = variable("v", constant(1.f, Shape{2}));
  const Output write = v.assign(constant(2.f, Shape{2}), "write");
  const Output shape = add_op<ops::Shape>("shape", write);
  const Output late = [&] {
    const auto scope = control_dependencies({shape});
    return add_op<ops::Neg>("late", fed("x"));
  }();
  const StepPlan out =
      plan(graph, signature({late}, {}, {late.core()->output("x")}), cluster({{"t", 1}}));
  const PartitionDef& part = out.partitions[0];
  const PartitionNode& node = node_named(out, "shape");
  CHECK(node.def->name == "Const");
  REQUIRE(node.controls.size() == 1);
  REQUIRE(node_named(out, "late").controls.size() == 1);
  CHECK(part.nodes[node_named(out, "late").controls[0]].name == "shape");
  // But a variable's own shape needs no read of it.
  const Output plain = add_op<ops::Shape>("plain", v.read());
  CHECK(kept(graph, signature({plain})) == Names{"plain"});
}

TEST_CASE("Control inputs of constants go to their consumers") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = fed("x"), first = add_op<ops::RandomUniform>("first", constant({2}, "shape"),
                                                                "dtype", DType::Float32);
  Output k;
  {
    const auto scope = control_dependencies({first});
    k = scalar(1, "k");
  }
  const Output y = add_op<ops::AddV2>("y", x, k);
  const StepPlan out = plan(graph, signature({y}, {}, {x}), cluster({{"t", 1}}));
  CHECK(node_named(out, "k").controls.empty());
  CHECK(node_named(out, "y").controls.size() == 1);
  CHECK(kept(graph, signature({k})) == Names{"shape", "first", "k"});
  // In a branch they say whether it is taken.
  const Output flag =
      add_op<ops::Placeholder>("flag", "dtype", DType::Bool, "shape", PartialShape{});
  const Output pivot = add_op<ops::Identity>("pivot", add_op<ops::Switch>("ways", x, flag));
  const auto scope = control_dependencies({pivot});
  const Output in_branch = scalar(1, "in_branch");
  const Output z = add_op<ops::AddV2>("z", x, in_branch);
  CHECK(node_named(plan(graph, signature({z}, {}, {x, flag}), cluster({{"t", 1}})), "in_branch")
            .controls.size() == 1);
}

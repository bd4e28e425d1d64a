#include <dgraph/runtime/step_plan.hpp>

#include <cmath>
#include <random>

#include <dgraph/ops/gradients.hpp>

#include "runtime/plan_interpreter.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

std::string text(const StepPlan& plan) {
  std::string out;
  for (const PartitionDef& part : plan.partitions) {
    out += "task " + std::to_string(part.task) + "\n";
    for (const PartitionNode& node : part.nodes) {
      out += kind_name(node.kind) + (" " + node.name) + " " + std::to_string(node.number) + " " +
             node.device + ":";
      for (Endpoint in : node.inputs)
        out += " " + std::to_string(in.node) + ":" + std::to_string(in.index);
      for (std::uint32_t control : node.controls) out += " ^" + std::to_string(control);
      out += "\n";
    }
  }
  for (const Placement& placement : plan.placements)
    out += placement.node + placement.reason + "\n";
  return out;
}

// y = W x + b with W and b on two ps tasks, the loss on a worker, the optimizer on another.
struct Regression {
  PlanGraph graph;
  Output train, init, loss;
  Variable<float> W, b;

  Regression() {
    const auto building = graph.as_default();
    const xt::xarray<float> x = xt::arange<float>(0.f, 1.f, 0.01f), y = x * 0.1f + 0.3f;
    {
      const auto on = device("/job:ps/task:0");
      W = variable("W", constant(0.5f, Shape{1}));
    }
    {
      const auto on = device("/job:ps/task:1");
      b = variable("b", constant(0.f, Shape{1}));
    }
    {
      const auto on = device("/job:worker/task:0");
      loss = reduce_mean(square(W * x + b - y), {}, false, "loss");
    }
    {
      const auto on = device("/job:worker/task:1");
      const std::vector<Output> gradient = gradients({loss}, {W.ref(), b.ref()});
      const Output rate = scalar(0.5f, "rate");
      std::vector<Output> updates;
      for (std::size_t i = 0; i < 2; ++i)
        updates.push_back(
            add_op<ops::ApplyGradientDescent>("update", i ? b.ref() : W.ref(), rate, gradient[i]));
      const auto scope = control_dependencies(updates);
      train = add_op<ops::NoOp>("train");
    }
    const auto scope = control_dependencies({W.initializer(), b.initializer()});
    init = add_op<ops::NoOp>("init");
  }
};

// Random graphs of int32 scalars and vectors over some tasks, whose state is touched in one order
// only.
class RandomGraph {
 public:
  RandomGraph(unsigned seed, int tasks) : random_(seed), tasks_(tasks) {
    const auto building = graph.as_default();
    const int feeds = pick(3) + 1;
    for (int i = 0; i < feeds; ++i) {
      values_.push_back(add_op<ops::Placeholder>("x", "dtype", DType::Int32, "shape",
                                                 i % 2 ? PartialShape{3} : PartialShape{}));
      fed.push_back(values_.back());
    }
    flag_ = add_op<ops::Placeholder>("flag", "dtype", DType::Bool, "shape", PartialShape{});
    fed.push_back(flag_);
    for (int i = pick(3); i >= 0; --i) add_variable();
    for (int i = 5 + pick(40); i > 0; --i) add_node();
    for (int i = pick(4); i >= 0; --i)
      fetched.push_back(values_[static_cast<std::size_t>(pick(static_cast<int>(values_.size())))]);
    for (int i = pick(3); i > 0; --i) targets.push_back(any_node());
  }

  std::vector<Tensor> feeds() {
    std::vector<Tensor> out;
    for (const Output& x : fed) {
      if (x.dtype() == DType::Bool)
        out.push_back(Tensor::scalar(pick(2) == 1));
      else if (x.shape().rank() == 1)
        out.push_back(Tensor::vector<std::int32_t>({pick(9), pick(9), pick(9)}));
      else
        out.push_back(Tensor::scalar<std::int32_t>(pick(9)));
    }
    return out;
  }

  PlanGraph graph;
  std::vector<Output> fed, fetched, targets, initializers;

 private:
  struct State {
    Output ref;
    Output last;  // whoever touches the variable next runs after this
  };

  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  Output any_value() {
    return values_[static_cast<std::size_t>(pick(static_cast<int>(values_.size())))];
  }
  Output any_node() {
    return nodes_.empty() ? values_[0]
                          : nodes_[static_cast<std::size_t>(pick(static_cast<int>(nodes_.size())))];
  }
  std::string place() {
    switch (pick(4)) {
      case 0:
        return "";
      case 1:
        return "/job:t";
      default:
        return "/job:t/task:" + std::to_string(pick(tasks_));
    }
  }

  void add_variable() {
    const auto on = device(place());
    const Output ref = add_op<ops::VariableV2>("v", "shape", PartialShape{}, "dtype", DType::Int32);
    initializers.push_back(add_op<ops::Assign>("init", ref, constant(pick(9))));
    states_.push_back({ref, {}});
  }

  Output keep(const Output& made) {
    nodes_.push_back(made);
    return made;
  }
  void keep_value(const Output& made) { values_.push_back(keep(made)); }

  void add_node() {
    const auto on = device(place());
    const auto scope = control_dependencies(pick(4) == 0 ? std::vector<Output>{any_node()}
                                                         : std::vector<Output>{});
    switch (pick(14)) {
      case 0:
        keep_value(add_op<ops::AddV2>("add", any_value(), any_value()));
        break;
      case 1:
        keep_value(add_op<ops::Mul>("mul", any_value(), any_value()));
        break;
      case 2:
        keep_value(add_op<ops::Maximum>("max", any_value(), constant(pick(5))));
        break;
      case 3:
        keep_value(add_op<ops::Neg>("neg", any_value()));
        break;
      case 4:
        keep_value(add_op<ops::Identity>("same", any_value()));
        break;
      case 5:
        keep_value(constant(pick(5)));
        break;
      case 6:
        keep_value(add_op<ops::Sub>("fold", constant(pick(3)), constant({pick(3), 1, 2})));
        break;
      case 7:
        keep_value(add_op<ops::Size>("size", any_value()));
        break;
      case 8: {
        const auto after = control_dependencies({any_node(), any_node()});
        keep(add_op<ops::NoOp>("group"));
        break;
      }
      case 9:
        add_branches();
        break;
      default:
        touch_state();
        break;
    }
  }

  // Reads by a plain edge, by Identity, or writes; in an order.
  void touch_state() {
    State& state = states_[static_cast<std::size_t>(pick(static_cast<int>(states_.size())))];
    const auto after =
        control_dependencies(state.last ? std::vector<Output>{state.last} : std::vector<Output>{});
    switch (pick(3)) {
      case 0:
        state.last = add_op<ops::Neg>("use", state.ref);
        break;
      case 1:
        state.last = add_op<ops::Identity>("read", state.ref);
        break;
      default: {
        Output value = any_value();
        if (!value.shape().has_rank()) value = values_[0];
        const Output axes = value.shape().rank() == 1
                                ? constant({0})
                                : constant_output(Tensor(DType::Int32, Shape{0}));
        const Output write =
            add_op<ops::AssignAdd>("write", state.ref, add_op<ops::Sum>("sum", value, axes));
        state.last = keep(add_op<ops::Identity>("written", write));
        break;
      }
    }
    keep_value(state.last);
  }

  void add_branches() {
    const Output data = any_value();
    const Output ways = add_op<ops::Switch>("switch", data, flag_);
    const Output no(ways.core(), ways.node_id(), 0), yes(ways.core(), ways.node_id(), 1);
    const auto on = device(place());
    const Output pivot = add_op<ops::Identity>("pivot", yes);
    const Output left = add_op<ops::Neg>("left", no);
    Output right;
    {
      const auto scope = control_dependencies({pivot});
      switch (pick(3)) {
        case 0:
          right = add_op<ops::Mul>("right", constant(pick(4)), data);
          break;
        case 1:
          right = add_op<ops::Identity>("right", yes);
          break;
        default:
          right = add_op<ops::Identity>("right", data);
          break;
      }
    }
    keep_value(add_op<ops::Merge>(
        "merge", pick(2) ? std::vector<Output>{left, right} : std::vector<Output>{right, left}));
    // Runs whichever way the value went.
    const auto scope = control_dependencies({ways});
    keep_value(add_op<ops::Neg>("past", data));
  }

  std::mt19937 random_;
  int tasks_;
  Output flag_;
  std::vector<Output> values_, nodes_;
  std::vector<State> states_;
};

}  // namespace

TEST_CASE(
    "The regression over four servers needs three remote partitions and five edges: 13 messages") {
  const Regression regression;
  const PlanOptions options = cluster({{"ps", 2}, {"worker", 2}});
  const StepPlan out = plan(regression.graph, signature({}, {regression.train}), options);
  REQUIRE(out.partitions.size() == 4);
  CHECK(out.edges == 5);
  const std::size_t remote = out.partitions.size() - 1;
  CHECK(2 + 2 * remote + out.edges == 13);
  std::vector<std::string> edges;
  for (const PartitionDef& part : out.partitions)
    for (const PartitionEdge& edge : part.sends) {
      edges.push_back(std::to_string(part.task) + ">" + std::to_string(edge.peer) + " " +
                      edge.name);
      CHECK_FALSE(edge.paced);
      CHECK(edge.dtype == DType::Float32);
    }
  REQUIRE(edges.size() == 5);
  CHECK(edges[0] == "0>2 W/read:0");
  CHECK(edges[1] == "1>2 b/read:0");
  CHECK(edges[2].substr(0, 3) == "2>3");
  CHECK(edges[3].substr(0, 3) == "3>1");
  CHECK(edges[4].substr(0, 3) == "3>0");
  // Neither the loss nor the target itself runs.
  for (std::uint32_t task = 0; task < 4; ++task)
    for (const std::string& name : nodes_on(out, task)) CHECK((name != "loss" && name != "train"));
  CHECK(node_named(out, "update").device == "/job:ps/replica:0/task:0/device:CPU:0");
}

TEST_CASE("The regression trains, with passes and without") {
  const Regression regression;
  for (bool passes : {true, false}) {
    PlanOptions options = cluster({{"ps", 2}, {"worker", 2}});
    if (!passes) options.config.optimizer_level = 0;
    const StepPlan init = plan(regression.graph, signature({}, {regression.init}), options),
                   train = plan(regression.graph, signature({}, {regression.train}), options),
                   read = plan(regression.graph,
                               signature({regression.W.ref(), regression.b.ref()}), options);
    std::vector<Site> tasks(4);
    run_plan(init, {}, tasks);
    for (int step = 0; step < 300; ++step) run_plan(train, {}, tasks);
    const std::vector<Value> values = run_plan(read, {}, tasks);
    CHECK(std::abs(values[0]->item<float>() - 0.1f) < 1e-3f);
    CHECK(std::abs(values[1]->item<float>() - 0.3f) < 1e-3f);
  }
}

TEST_CASE(
    "Random graphs give the same over tasks, with and without each pass, as evaluated in place") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    const int count = 1 + static_cast<int>(seed % 4);
    RandomGraph random(seed, count);
    PlanOptions options = cluster({{"t", count}}, seed % static_cast<unsigned>(count));
    StepSignature asked = signature(random.fetched, random.targets, random.fed);
    const StepSignature init = signature({}, random.initializers);
    // Intermediate values may be fed, too.
    if (seed % 3 == 0 && random.fetched[0].dtype() == DType::Int32 && !random.fetched[0].is_ref() &&
        random.fetched[0].op_type() != "Placeholder")
      asked.feeds.push_back(random.fetched[0].endpoint());
    std::vector<std::vector<Tensor>> feeds;
    for (int step = 0; step < 3; ++step) {
      feeds.push_back(random.feeds());
      if (asked.feeds.size() > feeds.back().size()) {
        const PartialShape& shape = random.fetched[0].shape();
        feeds.back().push_back(
            Tensor::zeros(DType::Int32, shape.fully_known() ? shape.to_shape() : Shape()));
      }
    }
    Site alone;
    run_graph(random.graph.core(), init, {}, alone);
    std::vector<std::vector<Value>> wanted;
    for (const auto& step : feeds)
      wanted.push_back(run_graph(random.graph.core(), asked, step, alone));
    for (int off = 0; off < 5; ++off) {
      INFO("passes " << off);
      PlanOptions some = options;
      some.fold_constants = off != 1 && off != 4;
      some.merge_common = off != 2 && off != 4;
      some.remove_identities = off != 3 && off != 4;
      const StepPlan first = plan(random.graph, init, some), step = plan(random.graph, asked, some);
      CHECK(text(step) == text(plan(random.graph, asked, some)));
      std::vector<Site> tasks(static_cast<std::size_t>(count));
      run_plan(first, {}, tasks);
      for (std::size_t k = 0; k < feeds.size(); ++k) {
        const std::vector<Value> got = run_plan(step, feeds[k], tasks);
        REQUIRE(got.size() == wanted[k].size());
        for (std::size_t i = 0; i < got.size(); ++i)
          if (!same(got[i], wanted[k][i]))
            FAIL("fetch " << i << " (" << random.fetched[i].name() << ") of step " << k << ": "
                          << (got[i] ? got[i]->to_string() : "dead") << " and not "
                          << (wanted[k][i] ? wanted[k][i]->to_string() : "dead"));
      }
    }
  }
}

TEST_CASE("A step that has nothing to do has no partitions") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = add_op<ops::Placeholder>("x", "dtype", DType::Float32);
  const Output group = add_op<ops::NoOp>("group");
  const StepPlan out = plan(graph, signature({x}, {group}, {x}), cluster({{"worker", 1}}));
  CHECK(out.partitions.empty());
  REQUIRE(out.fetches.size() == 1);
  CHECK(out.fetches[0].is_feed);
  CHECK(out.feeds == std::vector<std::vector<PlanPort>>{{}});
}

TEST_CASE("Nodes past the version are not seen") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output a = scalar(1, "a");
  const std::size_t version = graph.size();
  const Output b = scalar(2, "b");
  CHECK(plan_step(graph.shared_core(), version, signature({a}), cluster({{"worker", 1}}))
            .partitions.size() == 1);
  CHECK_THROWS_AS(plan_step(graph.shared_core(), version, signature({b}), cluster({{"worker", 1}})),
                  Error);
}

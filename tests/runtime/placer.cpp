#include <dgraph/runtime/placer.hpp>

#include "runtime/plan_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

struct Both {
  static constexpr auto signature = "Both(a: Ref(float32), b: Ref(float32)) -> (); stateful";
  static void compute(KernelContext&) {}
};

PlanOptions two_and_two() { return cluster({{"ps", 2}, {"worker", 2}}, 2); }

// Where a node of that device runs, or the error's message. Not a constant, which would be copied.
std::string placed(const std::string& name, const PlanOptions& options) {
  PlanGraph graph;
  const auto building = graph.as_default();
  const auto on = device(name);
  const Output op = add_op<ops::RandomUniform>("op", constant({1}), "dtype", DType::Float32);
  const Status status = plan_error(graph, signature({}, {op}), options);
  if (!status.ok()) return status.message();
  const StepPlan out = plan(graph, signature({}, {op}), options);
  return node_named(out, "op").device;
}

Output random(const char* name) {
  return add_op<ops::RandomUniform>(name, constant({1}), "dtype", DType::Float32);
}

}  // namespace

TEST_CASE(
    "behaviour 55: partial names: the master's own task where it matches, else the first by name") {
  const std::string w0 = "/job:worker/replica:0/task:0/device:CPU:0",
                    w1 = "/job:worker/replica:0/task:1/device:CPU:0",
                    p0 = "/job:ps/replica:0/task:0/device:CPU:0",
                    p1 = "/job:ps/replica:0/task:1/device:CPU:0";
  const PlanOptions options = two_and_two();
  CHECK(placed("", options) == w0);
  CHECK(placed("/cpu:0", options) == w0);
  CHECK(placed("/job:worker", options) == w0);
  CHECK(placed("/job:worker/task:1", options) == w1);
  CHECK(placed("/task:1", options) == p1);
  CHECK(placed("/replica:0", options) == w0);
  CHECK(placed("/job:ps", options) == p0);
  CHECK(placed("/job:*/task:1", options) == p1);
  PlanOptions shuffled = options;
  std::swap(shuffled.tasks[0], shuffled.tasks[3]);
  CHECK(placed("/job:ps", shuffled) == p0);
  shuffled.master = 0;
  CHECK(placed("/job:worker", shuffled) == w1);
  CHECK(placed("", shuffled) == w1);
}

TEST_CASE("behaviour 57: a device that no task has, with those that there are") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output shape = constant({1});
  for (const char* bad :
       {"/job:nobody", "/job:worker/task:9", "/replica:1", "/job:ps/gpu:0", "/cpu:1"}) {
    const auto on = device(bad);
    const Output op = add_op<ops::RandomUniform>("op", shape, "dtype", DType::Float32);
    const Status status = plan_error(graph, signature({op}), two_and_two());
    CHECK(status.code() == Code::InvalidArgument);
    CHECK(status.place().node == op.node().name);
    CHECK(status.place().op_type == "RandomUniform");
    CHECK_THAT(status.message(), contains("Cannot assign a device for operation op"));
    CHECK_THAT(
        status.message(),
        contains(
            "Available devices: [/job:ps/replica:0/task:0/device:CPU:0, "
            "/job:ps/replica:0/task:1/device:CPU:0, /job:worker/replica:0/task:0/device:CPU:0, "
            "/job:worker/replica:0/task:1/device:CPU:0]"));
  }
  CHECK(plan_error(graph, signature({random("good")}), two_and_two()).ok());
}

TEST_CASE("A device that no task has is an error also where the node would vanish") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const auto on = device("/job:nobody");
  const Output group = add_op<ops::NoOp>("group");
  CHECK(plan_error(graph, signature({}, {group}), two_and_two()).place().node == "group");
}

TEST_CASE("behaviour 59: soft placement gives up device type and number, never the task") {
  PlanOptions soft = two_and_two();
  soft.config.allow_soft_placement = true;
  CHECK(placed("/gpu:0", soft) == "/job:worker/replica:0/task:0/device:CPU:0");
  CHECK(placed("/job:worker/task:1/gpu:0", soft) == "/job:worker/replica:0/task:1/device:CPU:0");
  CHECK(placed("/cpu:7", soft) == "/job:worker/replica:0/task:0/device:CPU:0");
  CHECK_THAT(placed("/job:worker/task:9", soft), contains("Cannot assign a device"));
  CHECK_THAT(placed("/job:nobody", soft), contains("Cannot assign a device"));
}

TEST_CASE("behaviour 60: device filters hide tasks, never the master's own") {
  PlanOptions options = two_and_two();
  options.config.device_filters = {"/job:ps"};
  CHECK(placed("/job:ps/task:1", options) == "/job:ps/replica:0/task:1/device:CPU:0");
  CHECK(placed("/job:worker/task:0", options) == "/job:worker/replica:0/task:0/device:CPU:0");
  CHECK_THAT(placed("/job:worker/task:1", options),
             contains("Available devices: [/job:ps/replica:0/task:0/device:CPU:0, "
                      "/job:ps/replica:0/task:1/device:CPU:0, "
                      "/job:worker/replica:0/task:0/device:CPU:0]"));
  options.config.device_filters = {"/job:nobody"};
  CHECK(placed("", options) == "/job:worker/replica:0/task:0/device:CPU:0");
  options.config.device_filters = {"nonsense"};
  CHECK_THAT(placed("", options), contains("nonsense"));
}

TEST_CASE("behaviour 58: a colocation group takes the merge of its members' devices") {
  PlanGraph graph;
  const auto building = graph.as_default();
  Scope scope;
  const auto node = [&](const char* name, const char* where, std::vector<std::string> with) {
    scope.device = DeviceSpec::parse(where);
    scope.colocation = std::move(with);
    const Endpoint shape = constant({1}).endpoint();
    AttrArg dtype{"dtype", DType::Float32};
    AddOptions options;
    options.name = name;
    options.scope = &scope;
    return Output(&graph.core(),
                  graph.core().add(definition<ops::RandomUniform>(), std::span(&shape, 1),
                                   std::span(&dtype, 1), options),
                  0);
  };
  const Output a = node("a", "/job:worker", {}), b = node("b", "/task:1", {"a"}),
               c = node("c", "", {"b"});
  const StepPlan out = plan(graph, signature({a, b, c}), two_and_two());
  CHECK(placement_of(out, "c") == "/job:worker/replica:0/task:1/device:CPU:0 (colocated with a)");
  CHECK(node_named(out, "a").device == "/job:worker/replica:0/task:1/device:CPU:0");
  // A member that the step does not run has its say.
  CHECK(node_named(plan(graph, signature({a, c}), two_and_two()), "c").device ==
        "/job:worker/replica:0/task:1/device:CPU:0");

  const Output d = node("d", "/job:worker/task:0", {"loc:@b"});
  for (bool soft : {false, true}) {
    PlanOptions options = two_and_two();
    options.config.allow_soft_placement = soft;
    const Status status = plan_error(graph, signature({d, b}), options);
    CHECK(status.code() == Code::InvalidArgument);
    CHECK_THAT(
        status.message(),
        contains("Cannot colocate nodes b and d: b is for /task:1, d for /job:worker/task:0"));
  }
  // A group named after no node.
  const Output e = node("e", "/job:ps/task:1", {"nowhere"}), f = node("f", "", {"nowhere"});
  CHECK(node_named(plan(graph, signature({e, f}), two_and_two()), "f").device ==
        "/job:ps/replica:0/task:1/device:CPU:0");
  // Soft placement relaxes what is no task.
  const Output g = node("g", "/job:ps/task:0/gpu:0", {}), h = node("h", "/cpu:0", {"g"});
  PlanOptions options = two_and_two();
  CHECK(plan_error(graph, signature({g, h}), options).code() == Code::InvalidArgument);
  options.config.allow_soft_placement = true;
  CHECK(node_named(plan(graph, signature({g, h}), options), "h").device ==
        "/job:ps/replica:0/task:0/device:CPU:0");
}

TEST_CASE("behaviour 58: an op on a variable goes to the variable, with that reason") {
  PlanGraph graph;
  const auto building = graph.as_default();
  Output v;
  {
    const auto on = device("/job:ps/task:1");
    v = add_op<ops::VariableV2>("v", "shape", PartialShape{}, "dtype", DType::Float32);
  }
  const auto on = device("/job:worker/task:1");
  const Output write = add_op<ops::Assign>("write", v, random("value"));
  const StepPlan out = plan(graph, signature({write}), two_and_two());
  CHECK(placement_of(out, "write") ==
        "/job:ps/replica:0/task:1/device:CPU:0 (works on v, though asked for /job:worker/task:1)");
  CHECK(node_named(out, "value").device == "/job:worker/replica:0/task:1/device:CPU:0");
  CHECK(out.edges == 1);
}

TEST_CASE("State is in one place whatever a step runs") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output v = add_op<ops::VariableV2>("v", "shape", PartialShape{}, "dtype", DType::Float32);
  Output write, moved;
  {
    const auto on = device("/job:worker/task:1");
    write = add_op<ops::Assign>("write", v, scalar(1));
  }
  const std::string master = "/job:worker/replica:0/task:0/device:CPU:0",
                    ps = "/job:ps/replica:0/task:1/device:CPU:0";
  CHECK(node_named(plan(graph, signature({v}), two_and_two()), "v").device == master);
  CHECK(node_named(plan(graph, signature({write}), two_and_two()), "v").device == master);
  // Once something with a device is colocated with it, it is there in every step.
  Scope scope;
  scope.device = DeviceSpec::parse("/job:ps/task:1");
  scope.colocation = {"v"};
  AddOptions options;
  options.scope = &scope;
  (void)graph.core().add(definition<ops::NoOp>(), {}, {}, options);
  CHECK(placement_of(plan(graph, signature({v}), two_and_two()), "v") ==
        ps + " (colocated with NoOp)");
  CHECK(node_named(plan(graph, signature({write}), two_and_two()), "write").device == ps);
}

TEST_CASE("An op on variables of two tasks is refused") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const auto make = [](const char* name, const char* where) {
    const auto on = device(where);
    return add_op<ops::VariableV2>(name, "shape", PartialShape{}, "dtype", DType::Float32);
  };
  const Output a = make("a", "/job:ps/task:0"), b = make("b", "/job:ps/task:1"),
               c = make("c", "/job:ps/task:0");
  const Output bad = add_op<Both>("bad", a, b), good = add_op<Both>("good", a, c);
  PlanOptions options = two_and_two();
  options.kernels = &find_kernel<OpSet<PlanOps, Both>>;
  const Status status = plan_error(graph, signature({}, {bad}), options);
  CHECK(status.code() == Code::InvalidArgument);
  CHECK(status.place().node == "bad");
  CHECK_THAT(status.message(), contains("a is on /job:ps/replica:0/task:0"));
  CHECK_THAT(status.message(), contains("b on /job:ps/replica:0/task:1"));
  CHECK(plan_error(graph, signature({}, {good}), options).ok());
}

TEST_CASE("behaviour 56: colocate_with wins over device scopes") {
  PlanGraph graph;
  const auto building = graph.as_default();
  Output anchor;
  {
    const auto on = device("/job:ps/task:1");
    anchor = random("anchor");
  }
  Output outer, inner;
  {
    const auto on = device("/job:worker/task:1");
    const auto with = colocate_with(anchor);
    outer = random("outer");
  }
  {
    const auto with = colocate_with(anchor);
    const auto on = device("/job:worker/task:1");
    inner = random("inner");
  }
  const StepPlan out = plan(graph, signature({outer, inner}), two_and_two());
  CHECK(node_named(out, "outer").device == "/job:ps/replica:0/task:1/device:CPU:0");
  CHECK(node_named(out, "inner").device == "/job:ps/replica:0/task:1/device:CPU:0");
}

TEST_CASE(
    "Nodes that ask for nothing: constants and NoOps follow, shapes stay with their input, the "
    "rest is the master's") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = add_op<ops::Placeholder>("x", "dtype", DType::Float32);
  Output value, a, b;
  {
    const auto on = device("/job:ps/task:0");
    value = random("value");
  }
  const Output shape = add_op<ops::Shape>("shape", value);
  const Output free = add_op<ops::Neg>("free", value);
  Output late;
  {
    const auto scope = control_dependencies({free});
    late = scalar(1, "late");
  }
  {
    const auto on = device("/job:worker/task:1");
    a = add_op<ops::AddV2>("a", late, x);
    b = add_op<ops::Cast>("b", shape, "DstT", DType::Float32);
  }
  const StepPlan out = plan(graph, signature({a, b}, {}, {x}), without_passes(two_and_two()));
  CHECK(placement_of(out, "late") ==
        "/job:worker/replica:0/task:1/device:CPU:0 (nothing asked: where its consumer a is)");
  CHECK(placement_of(out, "shape") ==
        "/job:ps/replica:0/task:0/device:CPU:0 (nothing asked: where its input value is)");
  CHECK(placement_of(out, "free") ==
        "/job:worker/replica:0/task:0/device:CPU:0 (nothing asked: the master's task)");
  CHECK(placement_of(out, "value") ==
        "/job:ps/replica:0/task:0/device:CPU:0 (asked for /job:ps/task:0)");
}

TEST_CASE("Several devices of a task") {
  PlanOptions options = cluster({{"worker", 2}});
  for (TaskDevices& task : options.tasks)
    task.devices.push_back(DeviceSpec::parse(task.task.to_string() + "/device:CPU:1"));
  CHECK(placed("/job:worker/task:1", options) == "/job:worker/replica:0/task:1/device:CPU:0");
  CHECK(placed("/cpu:1", options) == "/job:worker/replica:0/task:0/device:CPU:1");
  CHECK(placed("/task:1/cpu:1", options) == "/job:worker/replica:0/task:1/device:CPU:1");
}

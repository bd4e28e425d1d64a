// Behaviours of TensorFlow's placement that dgraph keeps or betters: device names, scopes, colocation, filters.
#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

// What an op asks for inside scopes made by those calls, outer first.
template <class... Scopes>
std::string asked_in(Scopes... scopes) {
  std::vector<ScopeGuard> guards;
  (guards.push_back(device(scopes)), ...);
  const std::string text = constant(0).node().device->text;
  while (!guards.empty()) guards.pop_back();
  return text;
}

// Where a step puts that op, and why.
Placement placement(Session<Tcp>& session, const Output& op) {
  RunMetadata metadata;
  session.run({.metadata = &metadata}, op);
  for (const Placement& p : metadata.placements)
    if (p.node == op.node().name) return p;
  FAIL("no placement of " << op.node().name);
  return {};
}

}  // namespace

TEST_CASE(
    "behaviour 54: nested device scopes merge; an empty one changes nothing, a null one forgets") {
  Graph graph;
  const auto building = graph.as_default();
  CHECK(asked_in("/job:ps", "/task:1") == "/job:ps/task:1");
  CHECK(asked_in("/job:ps/task:1", "/cpu:0") == "/job:ps/task:1/device:CPU:0");
  CHECK(asked_in("/job:ps/task:1", "/job:worker") == "/job:worker/task:1");
  CHECK(asked_in("/job:ps/task:1/cpu:0", "/job:worker/task:0") ==
        "/job:worker/task:0/device:CPU:0");
  CHECK(asked_in("/job:ps/task:1", "/task:0/device:GPU:1") == "/job:ps/task:0/device:GPU:1");
  CHECK(asked_in("/job:ps/task:1/cpu:0", "/gpu:1") == "/job:ps/task:1/device:GPU:1");
  CHECK(asked_in("/job:ps/task:1", "") == "/job:ps/task:1");
  CHECK(asked_in("/job:ps/task:1", nullptr) == "");
  CHECK(asked_in("/job:ps", nullptr, "/task:1") == "/task:1");
  CHECK(asked_in("/device:CPU:1", "/device:GPU:*") == "/device:GPU:1");
  const auto giving = [](const char* name) {
    return DeviceFunction(
        [name](const NodeDraft&, const DeviceSpec&) { return DeviceSpec::parse(name); });
  };
  CHECK(asked_in("/job:ps/task:1", giving("/cpu:0")) == "/job:ps/task:1/device:CPU:0");
  CHECK(asked_in(giving("/job:worker/task:7"), "/cpu:0") == "/job:worker/task:7");
  std::string seen = "nothing";
  const DeviceFunction looking = [&](const NodeDraft&, const DeviceSpec& asked) {
    seen = asked.to_string();
    return asked;
  };
  CHECK(asked_in("/job:ps", looking, "/cpu:0") == "/job:ps/device:CPU:0");
  CHECK(seen == "/device:CPU:0");
}

TEST_CASE("behaviour 55: device names accepted and refused, and where they lead") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 2}, {"worker", 2}});
  Graph graph;
  const auto building = graph.as_default();
  Session<Tcp> session(servers.target(servers.position("worker", 0)));
  const std::string own = "/job:worker/replica:0/task:0/device:CPU:0",
                    other = "/job:worker/replica:0/task:1/device:CPU:0",
                    ps0 = "/job:ps/replica:0/task:0/device:CPU:0",
                    ps1 = "/job:ps/replica:0/task:1/device:CPU:0";
  const std::vector<std::pair<const char*, std::string>> placed = {
      {"", own},
      {"/", own},
      {"/cpu:0", own},
      {"/CPU:0", own},
      {"cpu:0", own},
      {"/device:CPU:0", own},
      {"/device:cpu:0", own},
      {"device:CPU:0", own},
      {"/cpu", own},
      {"/device:CPU", own},
      {"/cpu:*", own},
      {"/device:CPU:*", own},
      {"/device:*", own},
      {"/cpu:00", own},
      {"/job:worker", own},
      {"job:worker", own},
      {"/job:worker/task:1", other},
      {"/job:worker/task:1/cpu:0", other},
      {"/job:worker/task:1/device:CPU:0", other},
      {"/job:worker/replica:0/task:1/device:CPU:0", other},
      {"/task:1/job:worker", other},
      {"/device:CPU:0/task:1/job:worker", other},
      {"/task:1", ps1},
      {"/replica:0", own},
      {"/job:worker/task:01", other},
      {"/job:worker/task:*", own},
      {"/job:*", own},
      {"/job:*/task:1", ps1},
      {"/job:ps/task:1/", ps1},
      {"//job:ps", ps0},
      {"/job:ps/job:worker", own}};
  for (const auto& [name, where] : placed) {
    INFO(name);
    Output op;
    {
      const auto on = device(name);
      op = opaque_zero();
    }
    CHECK(placement(session, op).device == where);
  }
  for (const char* name : {"/device:Cpu:0", "/cpu:1", "/gpu:0", "/device:GPU:0", "/device:FOO:0",
                           "/replica:1", "/job:worker/task:2", "/job:nobody", "/job:Worker"}) {
    INFO(name);
    Op<std::int32_t> op;
    {
      const auto on = device(name);
      op = opaque_zero();
    }
    check_status(status_of([&] { session.run(op); }), Code::InvalidArgument,
                 {"Cannot assign a device", own, ps0});
  }
  for (const char* name :
       {"/cpu:-1", "/job:worker/task:-1", "/job:worker/task:one", "/job:worker/task",
        "/job:worker/task:", "/job:worker/task:99999999999", "/job:/task:0", " /job:ps", "/job:ps ",
        "/JOB:ps", "/job:work er", "/job:worker-1", "/job:1", "/foo:bar", "worker",
        "/job:worker/task:0/device:CPU:0/extra"}) {
    check_status(status_of([&] { (void)device(name); }), Code::InvalidArgument, {name});
    // Past the client.
    GraphDef def{{{"op", "NoOp", name, {}, {}}}};
    check_status(status_of([&] { import_graph_def(graph, def); }), Code::InvalidArgument, {name});
  }
}

TEST_CASE("behaviour 56: colocate_with wins over device scopes, and adds up") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 2}, {"worker", 2}});
  Graph graph;
  const auto building = graph.as_default();
  Session<Tcp> session(servers.target(servers.position("worker", 0)));
  Output anchor;
  {
    const auto on = device("/job:ps/task:1");
    anchor = constant(1, "anchor");
  }
  const Output free = constant(1, "free");
  const auto check = [&](const std::string& asks, const std::vector<std::string>& with,
                         const std::string& where, auto... scopes) {
    std::vector<ScopeGuard> guards;
    (guards.push_back(scopes()), ...);
    const Output op = opaque_zero();
    while (!guards.empty()) guards.pop_back();
    CHECK(op.node().device->text == asks);
    CHECK((op.node().colocation ? *op.node().colocation : std::vector<std::string>()) == with);
    CHECK(placement(session, op).device == where);
  };
  const auto by_anchor = [&] { return colocate_with(anchor); };
  const auto by_free = [&] { return colocate_with(free); };
  const auto on = [](const char* name) { return [name] { return device(name); }; };
  const std::string ps1 = "/job:ps/replica:0/task:1/device:CPU:0",
                    own = "/job:worker/replica:0/task:0/device:CPU:0";
  check("/job:ps/task:1", {"anchor"}, ps1, by_anchor);
  check("/job:ps/task:1", {"anchor"}, ps1, on("/job:worker/task:1"), by_anchor);
  check("/job:ps/task:1", {"anchor"}, ps1, by_anchor, on("/job:worker/task:1"));
  check("/job:ps/task:1", {"anchor"}, ps1, by_anchor, on("/cpu:0"));
  check("", {"free"}, own, on("/job:worker/task:1"), by_free);
  check("", {}, own, by_anchor, [] { return colocate_with(nullptr); });
  check("/job:ps/task:1", {"anchor", "free"}, ps1, by_anchor, by_free);
}

TEST_CASE(
    "behaviour 57: a device that no server has fails the steps that need it, with those there "
    "are") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 1}});
  for (const char* name :
       {"/job:nobody", "/job:worker/task:3", "/job:worker/task:0/device:TPU:0"}) {
    Graph graph;
    const auto building = graph.as_default();
    const auto good = constant(1);
    Op<std::int32_t> bad;
    {
      const auto on = device(name);
      bad = identity(good, "bad");
    }
    Session<Tcp> session(servers.target(1));
    check_status(status_of([&] { session.run(bad); }), Code::InvalidArgument,
                 {"bad", name, "/job:ps/replica:0/task:0/device:CPU:0",
                  "/job:worker/replica:0/task:0/device:CPU:0"});
    CHECK(session.run(good)() == 1);
  }
}

TEST_CASE(
    "behaviour 58: contradicting colocation is an error that names both nodes and devices, soft or "
    "not") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 2}});
  const std::string master = servers.target(servers.position("worker", 0));
  const auto node = [](const char* name, const char* where, std::vector<std::string> with) {
    NodeDef def{
        name, "PlaceholderWithDefault", where, {"one"}, {{"shape", PartialShape::scalar()}}};
    if (!with.empty()) def.attrs.emplace("_class", std::move(with));
    return def;
  };
  Graph graph;
  import_graph_def(graph, {{{"one",
                             "Const",
                             "",
                             {},
                             {{"value", Tensor::scalar<std::int32_t>(1)}, {"dtype", DType::Int32}}},
                            node("a", "/job:worker/task:0", {}),
                            node("b", "/job:worker/task:1", {"loc:@a"})}});
  for (const bool soft : {false, true}) {
    SessionOptions options;
    options.config.allow_soft_placement = soft;
    Session<Tcp> session(graph, master, options);
    check_status(
        status_of([&] { session.run(graph.output("a"), graph.output("b")); }),
        Code::InvalidArgument,
        {"Cannot colocate nodes", "a is for /job:worker/task:0", "b for /job:worker/task:1"});
  }
  Graph second;
  const auto building = second.as_default();
  Variable<std::int32_t> v;
  {
    const auto on = device("/job:ps/task:0");
    v = variable("v", 1);
  }
  Output assign;
  {
    const auto on = device("/job:worker/task:1");
    assign = add_op<ops::Assign>(OpName("assign"), v.ref(), constant(7));
  }
  Session<Tcp> session(master);
  CHECK(session.run(assign).flat<std::int32_t>()[0] == 7);
  const Placement where = placement(session, assign);
  CHECK(where.device == "/job:ps/replica:0/task:0/device:CPU:0");
  CHECK_THAT(where.reason, contains("v"));
}

TEST_CASE("behaviour 59: soft placement gives up device type and number, never the task") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 2}});
  SessionOptions soft;
  soft.config.allow_soft_placement = true;
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"/device:GPU:0", "/job:worker/replica:0/task:0/device:CPU:0"},
      {"/job:worker/task:1/device:GPU:0", "/job:worker/replica:0/task:1/device:CPU:0"},
      {"/device:CPU:7", "/job:worker/replica:0/task:0/device:CPU:0"},
      {"/job:worker/task:9", ""},
      {"/job:nobody", ""}};
  Graph graph;
  const auto building = graph.as_default();
  Session<Tcp> hard(servers.target(0)), softly(servers.target(0), soft);
  for (const auto& [name, where] : cases) {
    INFO(name);
    Op<std::int32_t> op;
    {
      const auto on = device(name);
      op = opaque_zero();
    }
    check_status(status_of([&] { hard.run(op); }), Code::InvalidArgument, {name});
    if (*where)
      CHECK(placement(softly, op).device == where);
    else
      check_status(status_of([&] { softly.run(op); }), Code::InvalidArgument, {name});
  }
}

TEST_CASE("behaviour 60: device filters hide tasks, never the master's own") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 2}});
  const auto run_on = [&](const char* where, const std::vector<std::string>& filters) {
    SessionOptions options;
    options.config.device_filters = filters;
    Graph graph;
    const auto building = graph.as_default();
    const auto on = device(where);
    const auto op = opaque_zero() + 1;
    return status_of([&] { Session<Tcp>(servers.target(1), options).run(op); });
  };
  const std::vector<std::string> without = {"/job:ps", "/job:worker/task:0"};
  check_status(run_on("/job:worker/task:1", without), Code::InvalidArgument,
               {"/job:worker/task:1", "/job:ps/replica:0/task:0/device:CPU:0"});
  check_status(run_on("/job:ps/task:0", without), Code::Ok);
  check_status(run_on("/job:ps/task:0", {"/job:ps"}), Code::Ok);
  check_status(run_on("/job:worker/task:0", {"/job:ps"}), Code::Ok);
  check_status(run_on("/job:worker/task:0", {"/job:nobody"}), Code::Ok);
}

TEST_CASE(
    "behaviour 60b: a device filter that is none is refused and quoted, and the server lives") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  const auto c = constant(1);
  SessionOptions options;
  options.config.device_filters = {"nonsense"};
  check_status(status_of([&] { Session<Tcp>(servers.target(0), options).run(c); }),
               Code::InvalidArgument, {"nonsense"});
  check_status(status_of([&] { Session<>(options).run(c); }), Code::InvalidArgument, {"nonsense"});
  CHECK(Session<Tcp>(servers.target(0)).run(c)() == 1);
}

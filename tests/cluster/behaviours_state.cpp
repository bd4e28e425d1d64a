// Behaviours of TensorFlow's sessions that dgraph keeps or betters: variables, where they live and how long.
#include <thread>

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

constexpr const char* kPs = "/job:ps/task:0";

// The same graph in every client: between-graph replication.
struct Shared {
  Graph graph;
  Variable<float> v;
  Op<float> more, scaled;
  explicit Shared(const std::vector<float>& initial = {5}, const std::string& v_on = "",
                  const std::string& scaled_on = "") {
    const auto building = graph.as_default();
    {
      const auto there = device(v_on);
      v = variable("v", initial);
    }
    more = v.assign_add(std::vector<float>(initial.size(), 1.0f));
    const auto there = device(scaled_on);
    scaled = v * 10.0f;
  }
};

}  // namespace

TEST_CASE("behaviour 1: a variable outlives its session on the same server") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}});
  Shared shared;
  {
    Session<Tcp> session(shared.graph, servers.target(0));
    session.run(shared.v.initializer());
    session.run(shared.more);
  }
  Session<Tcp> session(shared.graph, servers.target(0));
  CHECK(session.run(shared.v)(0) == 6.0f);
}

TEST_CASE("behaviour 2: many short sessions add to one variable") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}});
  Shared shared({1});
  Session<Tcp>(shared.graph, servers.target(0)).run(shared.v.initializer());
  for (int i = 0; i < 9; ++i)
    Session<Tcp>(shared.graph, servers.target(0)).run(Op<void>(shared.more));
  CHECK(Session<Tcp>(shared.graph, servers.target(0)).run(shared.v)(0) == 10.0f);
}

TEST_CASE("behaviour 3: live sessions share variables, isolated ones have their own") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}});
  Shared shared;
  SessionOptions isolation;
  isolation.config.isolate_state = true;
  Session<Tcp> first(shared.graph, servers.target(0)), second(shared.graph, servers.target(0));
  Session<Tcp> isolated(shared.graph, servers.target(0), isolation);
  first.run(shared.v.initializer());
  first.run(shared.more);
  CHECK(second.run(shared.v)(0) == 6.0f);
  check_status(status_of([&] { isolated.run(shared.v); }), Code::FailedPrecondition,
               {"uninitialized value v"});
  isolated.run(shared.v.initializer());
  CHECK(isolated.run(shared.v)(0) == 5.0f);
  CHECK(first.run(shared.v)(0) == 6.0f);
}

TEST_CASE(
    "behaviour 4: a variable on ps, initialised through one worker, is read through another") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 2}});
  Shared a({1, 2}, kPs, "/job:worker/task:0"), b({1, 2}, kPs, "/job:worker/task:1");
  Session<Tcp> on_a(a.graph, servers.target(1)), on_b(b.graph, servers.target(2));
  check_status(status_of([&] { on_b.run(b.v); }), Code::FailedPrecondition,
               {"uninitialized value v", "/job:ps/replica:0/task:0"});
  on_a.run(a.v.initializer());
  auto [v, scaled] = on_b.run(b.v, b.scaled);
  CHECK(flat(v) == std::vector<float>{1, 2});
  CHECK(flat(scaled) == std::vector<float>{10, 20});
}

TEST_CASE("behaviour 5: the same name and shape in a new graph is the same variable") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}});
  Shared before({1, 2}), after({7, 7});
  Session<Tcp>(before.graph, servers.target(0)).run(before.v.initializer());
  CHECK(flat(Session<Tcp>(after.graph, servers.target(0)).run(after.v)) ==
        std::vector<float>{1, 2});
}

TEST_CASE(
    "behaviour 6: the same name with another shape or dtype is an error that names both, at the "
    "first use") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}});
  const bool resource = GENERATE(false, true);
  const auto handle = [&](DType dtype, PartialShape shape) {
    return resource ? add_op<ops::VarHandleOp>(OpName("v"), "dtype", dtype, "shape", shape,
                                               "shared_name", "v")
                    : add_op<ops::VariableV2>(OpName("v"), "dtype", dtype, "shape", shape);
  };
  const auto assign = [&](const Output& v, const Output& value) {
    return Op<void>(resource ? add_op<ops::AssignVariableOp>({}, v, value)
                             : add_op<ops::Assign>({}, v, value));
  };
  const auto read = [&](const Output& v, DType dtype) {
    return resource ? add_op<ops::ReadVariableOp>({}, v, "dtype", dtype) : v;
  };
  {
    Graph graph;
    const auto building = graph.as_default();
    const auto v = handle(DType::Float32, PartialShape{2});
    Session<Tcp>(servers.target(0)).run(assign(v, constant(std::vector<float>{1, 2})));
  }
  {
    Graph graph;
    const auto building = graph.as_default();
    const auto v = handle(DType::Float32, PartialShape{3});
    const auto init = assign(v, constant(std::vector<float>{7, 7, 7}));
    const auto value = read(v, DType::Float32);
    Session<Tcp> session(servers.target(0));
    for (const Status& status :
         {status_of([&] { session.run(value); }), status_of([&] { session.run(init); }),
          status_of([&] { session.run(value); })})
      check_status(status, Code::InvalidArgument,
                   {"variable v", "float32[2]", "float32[3]", "reset"});
  }
  Graph graph;
  const auto building = graph.as_default();
  const auto v = handle(DType::Int32, PartialShape{2});
  const auto value = read(v, DType::Int32);
  Session<Tcp> session(servers.target(0));
  check_status(status_of([&] { session.run(value); }), Code::InvalidArgument,
               {"variable v", "float32[2]", "int32[2]"});
  // As the message says.
  Session<Tcp>::reset(servers.target(0));
  Session<Tcp> fresh(servers.target(0));
  fresh.run(assign(v, constant(std::vector<std::int32_t>{7, 8})));
  CHECK(fresh.run(value).flat<std::int32_t>()[1] == 8);
}

TEST_CASE(
    "behaviour 12: a read of an uninitialised variable names the variable and its task, whoever "
    "notices") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  const auto here = variable("here", 1.0f);
  const auto on_ps = device(kPs);
  const auto there = variable("there", 1.0f);
  const auto resource =
      add_op<ops::VarHandleOp>(OpName("resource"), "dtype", DType::Float32, "shape", PartialShape{},
                               "shared_name", "resource");
  const auto resource_read = add_op<ops::ReadVariableOp>({}, resource, "dtype", DType::Float32);
  const auto on_worker = device("/job:worker/task:0");
  const auto total = there + 1.0f;
  const auto far = resource_read;
  const auto total_resource = Op<float>(far) + 1.0f;
  const auto add = there.assign_add(1.0f);
  const auto report = report_uninitialized_variables({here.ref(), there.ref(), resource});
  Session<Tcp> session(servers.target(servers.position("worker", 0)));
  const std::string ps = "/job:ps/replica:0/task:0", worker = "/job:worker/replica:0/task:0";
  check_status(status_of([&] { session.run(here); }), Code::FailedPrecondition,
               {"uninitialized value here", worker});
  check_status(status_of([&] { session.run(there); }), Code::FailedPrecondition,
               {"uninitialized value there", ps});
  check_status(status_of([&] { session.run(total); }), Code::FailedPrecondition,
               {"uninitialized value there", ps});
  check_status(status_of([&] { session.run(add); }), Code::FailedPrecondition,
               {"uninitialized value there", ps});
  check_status(status_of([&] { session.run(total_resource); }), Code::FailedPrecondition,
               {"uninitialized value resource", ps});
  const auto missing = [&] { return session.run(as<std::vector<std::string>>(report)); };
  CHECK(missing() == std::vector<std::string>{"here", "there", "resource"});
  session.run(there.initializer());
  CHECK(missing() == std::vector<std::string>{"here", "resource"});
}

TEST_CASE("behaviour 13: a variable takes values of its own shape, unless told otherwise") {
  Graph graph;
  const auto building = graph.as_default();
  const auto v = variable("v", std::vector<float>{1, 2});
  const auto r =
      add_op<ops::VarHandleOp>(OpName("r"), "dtype", DType::Float32, "shape", PartialShape{2});
  const auto any = placeholder<float>(PartialShape());
  const auto checked = v.assign(any);
  const auto unchecked = Op<void>(add_op<ops::Assign>({}, v.ref(), any, "validate_shape", false));
  const auto init_r =
      Op<void>(add_op<ops::AssignVariableOp>({}, r, constant(std::vector<float>{1, 2})));
  const auto assign_r = Op<void>(add_op<ops::AssignVariableOp>({}, r, any));
  const auto read_r = add_op<ops::ReadVariableOp>({}, r, "dtype", DType::Float32);
  check_status(status_of([&] {
                 v.assign(std::vector<float>{1, 2, 3});
               }),
               Code::InvalidArgument, {"[2]", "[3]"});
  const xt::xarray<float> three = {1, 2, 3};
  embedded_and_served(graph, [&](auto& session) {
    session.run(v.initializer(), init_r);
    check_status(status_of([&] {
                   session.run({{any, three}}, checked);
                 }),
                 Code::InvalidArgument, {"shapes of both tensors to match", "[2]", "[3]"});
    CHECK(flat(session.run(v)) == std::vector<float>{1, 2});
    check_status(status_of([&] {
                   session.run({{any, three}}, assign_r);
                 }),
                 Code::InvalidArgument, {"[2]", "[3]"});
    CHECK(session.run(read_r).elements() == 2);
    session.run({{any, three}}, unchecked);
    CHECK(flat(session.run(v)) == std::vector<float>{1, 2, 3});
  });
}

TEST_CASE("behaviour 14: concurrent additions are all counted") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  const auto on_ps = device(kPs);
  const auto v = variable("v", xt::xarray<float>(xt::zeros<float>({1000})));
  std::vector<Output> adds;
  for (int i = 0; i < 20; ++i)
    adds.push_back(v.assign_add(xt::xarray<float>(xt::ones<float>({1000}))));
  const auto all = group(adds);
  const auto one = Op<void>(adds[0]);
  Session<Tcp> session(servers.target(1));
  const auto unique = [&] {
    const auto values = session.run(v);
    for (const float x : values) CHECK(x == values(0));
    return values(0);
  };
  session.run(v.initializer());
  session.run(all);
  CHECK(unique() == 20.0f);
  for (int i = 0; i < 50; ++i) session.run(all);
  CHECK(unique() == 1020.0f);
  session.run(v.initializer());
  std::vector<std::thread> threads;
  for (int i = 0; i < 20; ++i) threads.emplace_back([&] { session.run(one); });
  for (std::thread& thread : threads) thread.join();
  CHECK(unique() == 20.0f);
}

TEST_CASE(
    "behaviour 32: a read after a control dependency on a write sees the write, on any task") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 2}});
  Graph graph;
  const auto building = graph.as_default();
  Variable<std::int32_t> v;
  {
    const auto there = device(kPs);
    v = variable("v", std::int32_t{0});
  }
  const auto add = v.assign_add(1);
  Op<std::int32_t> read, hundred_and_two;
  {
    const auto there = device("/job:worker/task:1");
    const auto after = control_dependencies({add});
    read = v + 0;
  }
  {
    const auto set = v.assign(100);
    const auto there = device("/job:worker/task:0");
    const auto after = control_dependencies({set});
    hundred_and_two = v + 2;
  }
  Session<Tcp> session(servers.target(1));
  session.run(v.initializer());
  for (int step = 1; step <= 200; ++step) REQUIRE(session.run(read)() == step);
  CHECK(session.run(hundred_and_two)() == 102);
}

TEST_CASE("behaviour X1: a value that was read before a write stays what it was") {
  Graph graph;
  const auto building = graph.as_default();
  const auto v = variable("v", std::vector<float>{1, 1});
  const auto before = identity(v);
  Op<float> add, late;
  {
    const auto after = control_dependencies({before});
    add = v.assign_add(std::vector<float>{10, 10});
  }
  {
    const auto after = control_dependencies({add});
    late = before + 0.0f;
  }
  embedded_and_served(graph, [&](auto& session) {
    session.run(v.initializer());
    auto [first, then] = session.run(before, late);
    CHECK(flat(first) == std::vector<float>{1, 1});
    CHECK(flat(then) == std::vector<float>{1, 1});
    CHECK(flat(session.run(v)) == std::vector<float>{11, 11});
  });
}

namespace {

// Declared on ps, initialised, read, set from a feed, read again.
template <class T>
void round_trip(Session<Tcp>& session, const char* name, const std::vector<T>& initial,
                const std::vector<T>& later) {
  INFO(name);
  const auto there = device(kPs);
  const auto v = variable<T>(name, to_tensor<T>(initial));
  const auto value = placeholder<T>({2});
  const auto set = Op<void>(v.assign(value));
  const auto bits = [](const Tensor& t, const std::vector<T>& want) {
    const Tensor wanted = to_tensor<T>(want);
    if constexpr (std::is_same_v<T, std::string>)
      return std::equal(want.begin(), want.end(), t.flat<T>().begin());
    else
      return t.dtype() == wanted.dtype() && t.bytes() == wanted.bytes() &&
             std::memcmp(t.raw(), wanted.raw(), t.bytes()) == 0;
  };
  session.run(v.initializer());
  CHECK(bits(session.run(v.ref()), initial));
  session.run({{value, to_tensor<T>(later)}}, set);
  CHECK(bits(session.run(v.ref()), later));
}

}  // namespace

TEST_CASE("behaviour 75: variables of each dtype on a remote task keep every bit") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  Session<Tcp> session(servers.target(1));
  const auto integers = [&]<class T>(T, const char* name) {
    using Limits = std::numeric_limits<T>;
    round_trip<T>(session, name, {T(1), T(-2)}, {Limits::max(), Limits::min()});
  };
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  round_trip<half>(session, "f16", {half(1.5f), half(-2.f)}, {half(65504.f), half(5.96e-8f)});
  round_trip<bfloat16>(session, "bf16", {bfloat16(1.5f), bfloat16(-2.f)},
                       {bfloat16(3e38f), bfloat16(1e-30f)});
  round_trip<float>(session, "f32", {1.5f, -2.f}, {infinity, nan});
  round_trip<double>(session, "f64", {1.5, -2.0}, {1e300, -0.0});
  integers(std::int8_t{}, "i8");
  integers(std::int16_t{}, "i16");
  integers(std::int32_t{}, "i32");
  integers(std::int64_t{}, "i64");
  integers(std::uint8_t{}, "u8");
  integers(std::uint16_t{}, "u16");
  integers(std::uint32_t{}, "u32");
  integers(std::uint64_t{}, "u64");
  round_trip<std::complex<float>>(session, "c64", {{1, 2}, {-0.f, -1}}, {{0, 1e30f}, {0, 0}});
  round_trip<std::complex<double>>(session, "c128", {{1, 2}, {-0., -1}}, {{0, 1e300}, {0, 0}});
  round_trip<std::string>(session, "text", {"a", "bc"}, {"", std::string("x\0y", 3)});
  const auto there = device(kPs);
  const auto truth = variable("truth", xt::xarray<bool>{true, false});
  const auto set = truth.assign(xt::xarray<bool>{false, true});
  session.run(truth.initializer());
  CHECK(session.run(truth)(0));
  CHECK(session.run(set)(1));
}

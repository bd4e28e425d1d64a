// Behaviours of TensorFlow's sessions that dgraph keeps or betters: feeds and fetches.
#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

TEST_CASE("behaviour 15: an op that is run for its effect adds no value") {
  Graph graph;
  const auto building = graph.as_default();
  const auto a = constant(3);
  const auto op = no_op();
  embedded_and_served(graph, [&](auto& session) {
    static_assert(std::is_void_v<decltype(session.run(op))>);
    session.run(op);
    CHECK(session.run(a, op)() == 3);
    session.run(Op<void>(a));
  });
}

TEST_CASE("behaviour 17: a value may be fetched twice") {
  Graph graph;
  const auto building = graph.as_default();
  const auto a = constant(1), b = constant(2);
  embedded_and_served(graph, [&](auto& session) {
    auto [x, y, z] = session.run(a, b, a);
    CHECK(x() == 1);
    CHECK(y() == 2);
    CHECK(z() == 1);
  });
}

TEST_CASE("behaviour 20: nothing before a fed value runs") {
  Graph graph;
  const auto building = graph.as_default();
  const auto bad = divide_by_zero("");
  const auto one = constant(1);
  const auto y = bad + one;
  Op<std::int32_t> guarded;
  {
    const auto after = control_dependencies({divide_by_zero("")});
    guarded = constant(5) + 1;
  }
  embedded_and_served(graph, [&](auto& session) {
    check_status(status_of([&] { session.run(y); }), Code::InvalidArgument, {"ivision by zero"});
    CHECK(session.run({{bad, 41}}, y)() == 42);
    CHECK(session.run({{guarded, 8}}, guarded)() == 8);
    CHECK(session.run({{bad, 1}, {one, 100}}, y)() == 101);
  });
}

TEST_CASE("behaviour 21: a value that is fed and fetched is the feed") {
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<float>(PartialShape::scalar());
  const auto c = constant(1.0f);
  const auto v = variable("v", 2.0f);
  const auto y = x + c, read = v.read(), sum = v + 1.0f;
  const auto set = v.assign(1.0f);
  embedded_and_served(graph, [&](auto& session) {
    CHECK(session.run({{x, 5.0f}}, x)() == 5.0f);
    CHECK(session.run({{c, 5.0f}}, c)() == 5.0f);
    auto [y1, y2] = session.run({{y, 5.0f}}, y, y);
    CHECK(y1() == 5.0f);
    CHECK(y2() == 5.0f);
    CHECK(session.run({{read, 5.0f}}, read)() == 5.0f);
    CHECK(session.run({{v, 5.0f}}, v)() == 5.0f);
    CHECK(session.run({{v, 5.0f}}, sum)() == 6.0f);
    // What is fed is a value and no variable.
    check_status(status_of([&] {
                   session.run({{v, 5.0f}}, set);
                 }),
                 Code::InvalidArgument, {"fed value"});
  });
}

TEST_CASE("behaviour 22: a value that is fed twice is refused, by the client too") {
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<float>(PartialShape::scalar(), "x");
  const auto y = identity(x);
  embedded_and_served(graph, [&](auto& session) {
    check_status(status_of([&] {
                   session.run({{x, 1.0f}, {x, 2.0f}}, y);
                 }),
                 Code::InvalidArgument, {"\"x:0\" is fed more than once"});
    check_status(status_of([&] { session.make_callable(feed_list(x, x), y); }),
                 Code::InvalidArgument, {"\"x:0\" is fed more than once"});
  });
}

TEST_CASE("behaviour 23: a placeholder that is needed must be fed") {
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<float>({-1, 2}, "x");
  const auto y = placeholder<std::int32_t>(PartialShape(), "y");
  const auto scalar = placeholder<float>(PartialShape::scalar(), "scalar");
  const auto preset = placeholder_with_default(7, PartialShape::scalar());
  const auto x1 = x + 1.0f, scalar1 = scalar + 1.0f;
  const auto y1 = y + 1, free = constant(1);
  embedded_and_served(graph, [&](auto& session) {
    check_status(status_of([&] { session.run(x1); }), Code::InvalidArgument,
                 {"You must feed a value for placeholder tensor 'x' with dtype float", "[?,2]",
                  "behaviours_feeds.cpp:"});
    check_status(status_of([&] { session.run(y1); }), Code::InvalidArgument,
                 {"placeholder tensor 'y' with dtype int32"});
    check_status(status_of([&] { session.run(scalar1); }), Code::InvalidArgument,
                 {"placeholder tensor 'scalar'"});
    check_status(status_of([&] { session.run(scalar); }), Code::InvalidArgument,
                 {"placeholder tensor 'scalar'"});
    CHECK(session.run(preset)() == 7);
    CHECK(session.run(free)() == 1);
  });
}

TEST_CASE("behaviour 24: a feed must fit its placeholder") {
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<float>({-1, 2}, "x");
  const auto y = x * 2.0f;
  const auto free = placeholder<float>(PartialShape(), "free");
  const auto product = matmul(free, xt::xarray<float>(xt::ones<float>({3, 1})));
  embedded_and_served(graph, [&](auto& session) {
    const auto code = [&](auto... feed) {
      return status_of([&] { session.run({{x, feed...}}, y); });
    };
    check_status(code(xt::xarray<float>{1, 2, 3}), Code::InvalidArgument,
                 {"float32[3]", "x", "float32[?,2]"});
    check_status(code(xt::xarray<float>{{1, 2, 3}}), Code::InvalidArgument,
                 {"float32[1,3]", "float32[?,2]"});
    check_status(status_of([&] {
                   session.run({{x, std::vector<std::vector<float>>{{1, 2}, {3}}}}, y);
                 }),
                 Code::InvalidArgument, {"2 and 1"});
    // Past the types: the dtype of a tensor is checked as it is fed.
    check_status(status_of([&] {
                   session.run({{Output(x), to_tensor<double>(xt::xarray<double>{{1, 2}})}}, y);
                 }),
                 Code::InvalidArgument, {"float64", "float32"});
    check_status(status_of([&] {
                   session.run({{free, xt::xarray<float>{{1, 2}}}}, product);
                 }),
                 Code::InvalidArgument, {"[1,2]", "[3,1]"});
    CHECK(session.run({{x, std::vector<std::vector<float>>{{1, 2}}}}, y)(0, 1) == 4.0f);
  });
}

TEST_CASE("behaviour 26: tensors without elements cross tasks and reduce") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<float>(PartialShape());
  Op<float> there, sum, mean, most, product, back;
  {
    const auto on = device("/job:ps/task:0");
    there = identity(x);
    sum = reduce_sum(there);
    mean = reduce_mean(there);
    most = reduce_max(there);
    product = reduce_prod(there);
  }
  {
    const auto on = device("/job:worker/task:0");
    back = there * 2.0f;
  }
  Session<Tcp> session(servers.target(1));
  for (const std::vector<std::size_t>& shape : {std::vector<std::size_t>{0}, {0, 3}, {2, 0, 4}}) {
    const auto got = session.run({{x, xt::xarray<float>::from_shape(shape)}}, back);
    CHECK(std::vector<std::size_t>(got.shape().begin(), got.shape().end()) == shape);
  }
  auto [s, m, l, p] =
      session.run({{x, xt::xarray<float>::from_shape({0, 3})}}, sum, mean, most, product);
  CHECK(s() == 0.0f);
  CHECK(std::isnan(m()));
  CHECK(l() == -std::numeric_limits<float>::infinity());
  CHECK(p() == 1.0f);
}

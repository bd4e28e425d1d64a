// What a session takes as feeds and gives for fetches: types, names, containers, structs.
#include <array>
#include <map>

#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xtensor.hpp>
#endif

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

struct Model {
  Op<float> loss;
  Variable<float> weights;
  Op<void> train;
};
struct Outer {
  Model model;
  Op<std::int32_t> count;
};

}  // namespace

TEST_CASE("a value is fetched as a container, a view, a scalar or a string") {
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<float>(PartialShape());
  const auto text = constant("some text"s);
  const auto whole = constant(7);
  embedded_and_served(graph, [&](auto& session) {
    const xt::xarray<float> square = {{1, 2}, {3, 4}};
    CHECK((session.run({{x, square}}, x) == square));
    CHECK((session.run({{x, square}}, view(x))(1, 0) == 3.0f));
    CHECK((session.run({{x, xt::view(square, 1)}}, x) == xt::xarray<float>{3, 4}));
    CHECK((session.run({{x, square * 2.0f}}, as<xt::xtensor<float, 2>>(x)) ==
           xt::xtensor<float, 2>{{2, 4}, {6, 8}}));
    CHECK(session.run({{x, borrow(square)}}, view(x))(0, 1) == 2.0f);
    CHECK(session.run({{x, 2}}, as<float>(x)) == 2.0f);
    CHECK(session.run({{x, std::vector<float>{5, 6}}}, as<std::vector<float>>(x)) ==
          std::vector<float>{5, 6});
    CHECK(session.run(as<std::string>(text)) == "some text");
    CHECK(session.run(as<std::int32_t>(whole)) == 7);
    check_status(status_of([&] {
                   session.run({{x, square}}, as<float>(x));
                 }),
                 Code::InvalidArgument, {"[2,2]"});
    check_status(status_of([&] {
                   session.run({{x, square}}, as<std::vector<float>>(x));
                 }),
                 Code::InvalidArgument, {"rank 1"});
    check_status(status_of([&] {
                   session.run({{x, 1.0f}}, as<xt::xtensor<float, 2>>(x));
                 }),
                 Code::InvalidArgument, {"rank 2"});
  });
}

TEST_CASE(
    "a view of a fetched value is the memory that the step made, and a borrowed feed is not "
    "copied") {
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<float>({-1});
  Session<> session;
  std::vector<float> large(100'000, 1.0f);
  // Fed and fetched: the feed itself.
  const auto seen = session.run({{x, borrow(large)}}, view(x));
  CHECK(seen.data() == large.data());
}

TEST_CASE("vectors, arrays, maps and tuples of fetches give the same of their values") {
  Graph graph;
  const auto building = graph.as_default();
  const auto a = constant(1), b = constant(2);
  const auto text = constant("t"s);
  const auto op = no_op();
  embedded_and_served(graph, [&](auto& session) {
    const auto list = session.run(std::vector<Op<std::int32_t>>{a, b, a});
    REQUIRE(list.size() == 3);
    CHECK(list[1]() == 2);
    CHECK(list[2]() == 1);
    const auto untyped = session.run(std::vector<Output>{a, text, op});
    REQUIRE(untyped.size() == 3);
    CHECK(untyped[1].template flat<std::string>()[0] == "t");
    CHECK_FALSE(untyped[2].has_value());
    const auto pair = session.run(std::array{a, b});
    CHECK(pair[1]() == 2);
    const auto by_name = session.run(std::map<std::string, Op<std::int32_t>>{{"x", a}, {"y", b}});
    CHECK(by_name.at("y")() == 2);
    auto [one, strings] = session.run(std::tuple(a, op, text));
    CHECK(one() == 1);
    CHECK(strings() == "t");
    // Nested, with others beside.
    auto [lists, two] =
        session.run(std::map<std::string, std::vector<Op<std::int32_t>>>{{"all", {a, b}}}, b);
    CHECK(lists.at("all")[0]() == 1);
    CHECK(two() == 2);
    static_assert(std::is_void_v<decltype(session.run(std::vector<Op<void>>{op}))>);
    session.run(std::vector<Op<void>>{op, Op<void>(a)});
  });
}

TEST_CASE("a struct of graph values gives the tuple of their values") {
  Graph graph;
  const auto building = graph.as_default();
  Model model;
  model.weights = variable("w", std::vector<float>{1, 2});
  model.train = Op<void>(model.weights.assign_add(std::vector<float>{1, 1}));
  model.loss = constant(0.5f);
  const Outer outer{model, constant(3)};
  embedded_and_served(graph, [&](auto& session) {
    session.run(model.weights.initializer());
    auto [loss, weights] = session.run(model);
    CHECK(loss() == 0.5f);
    CHECK(weights.size() == 2);
    auto [inner, count] = session.run(outer);
    CHECK(std::get<0>(inner)() == 0.5f);
    CHECK(count() == 3);
    auto callable = session.make_callable(model);
    CHECK(std::get<0>(callable())() == 0.5f);
  });
}

TEST_CASE("feeds may be named, and come in vectors and maps") {
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<float>(PartialShape::scalar(), "x"),
             y = placeholder<float>(PartialShape::scalar(), "y");
  const auto sum = add(x, y, "sum");
  embedded_and_served(graph, [&](auto& session) {
    CHECK(session.run({{"x", 1.0f}, {"y:0", 2.0f}}, sum)() == 3.0f);
    CHECK(session.run({{x, 1}, {"y", 2.0f}}, "sum:0").template flat<float>()[0] == 3.0f);
    const std::vector<Feed> list = {{x, 3.0f}, {y, 4.0f}};
    CHECK(session.run(list, sum)() == 7.0f);
    CHECK(session.run({.deadline = 10s}, list, sum)() == 7.0f);
    const std::map<std::string, float> named = {{"x", 5.0f}, {"y", 6.0f}};
    CHECK(session.run(named, sum)() == 11.0f);
    const Feeds feeds = {{x, 1.0f}, {y, 1.0f}};
    CHECK(session.run(feeds, sum)() == 2.0f);
    auto step = session.make_callable(feed_list(x, y), "sum", sum);
    CHECK(std::get<1>(step(2.0f, 3.0f))() == 5.0f);
    check_status(status_of([&] {
                   session.run({{"x", 1.0}}, x);
                 }),
                 Code::InvalidArgument, {"float64", "float32"});
  });
}

TEST_CASE("behaviour 28: nothing to run") {
  Graph empty;
  embedded_and_served(empty, [&](auto& session) {
    check_status(status_of([&] { session.run(std::vector<Output>{}); }), Code::FailedPrecondition,
                 {"empty"});
  });
  Graph graph;
  const auto building = graph.as_default();
  constant(1, "c");
  embedded_and_served(graph, [&](auto& session) {
    CHECK(session.run(std::vector<Output>{}).empty());
    CHECK(session.run(std::map<std::string, Output>{}).empty());
    check_status(status_of([&] { session.run(); }), Code::InvalidArgument,
                 {"nothing is asked for"});
    check_status(status_of([&] { session.make_callable(); }), Code::InvalidArgument,
                 {"nothing is asked for"});
  });
}

TEST_CASE("behaviour 29: names that the graph does not have") {
  Graph graph;
  const auto building = graph.as_default();
  const auto a = constant(1, "a");
  Graph other;
  Output stranger;
  {
    const auto inside = other.as_default();
    stranger = constant(1, "a");
  }
  embedded_and_served(graph, [&](auto& session) {
    check_status(status_of([&] { session.run("nope:0"); }), Code::NotFound, {"nope"});
    check_status(status_of([&] { session.run("nope"); }), Code::NotFound, {"nope"});
    check_status(status_of([&] { session.run(std::string()); }), Code::NotFound);
    check_status(status_of([&] { session.run("a:1"); }), Code::InvalidArgument, {"a", "1 outputs"});
    check_status(status_of([&] { session.run("a:x"); }), Code::InvalidArgument, {"a:x"});
    check_status(status_of([&] { session.run(stranger); }), Code::InvalidArgument,
                 {"another graph"});
    check_status(status_of([&] { session.run({{"nope:0", 1}}, a); }), Code::NotFound, {"nope"});
    CHECK(session.run("a:0").template flat<std::int32_t>()[0] == 1);
  });
}

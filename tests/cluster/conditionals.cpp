// cond and case_ in embedded sessions: values, effects, gradients and gradients of gradients.
#include <cmath>

#include "flow_support.hpp"
#include "support/catch.hpp"

namespace dg = dgraph;
using dg::test::Approx;
using dg::test::bool_input;
using dg::test::contains;
using dg::test::scalar_input;

TEST_CASE("a conditional gives the branch that is taken, and so does its gradient") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto p = bool_input();
  const auto x = scalar_input();
  const auto y = dg::cond(p, [&] { return x * x; }, [&] { return x * 3.f + 1.f; });
  const auto dy = dg::gradients(y, x), ddy = dg::gradients(dy, x);
  dg::Session<> session;
  for (const bool taken : {true, false}) {
    auto [value, d, dd] = session.run({{p, taken}, {x, 5.f}}, y, dy, ddy);
    CHECK(value() == (taken ? 25.f : 16.f));
    CHECK(d() == (taken ? 10.f : 3.f));
    CHECK(dd() == (taken ? 2.f : 0.f));
  }
}

TEST_CASE("what only one branch uses has zeros for a gradient where the other is taken") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto p = bool_input();
  const auto x = dg::placeholder<float>({2}), z = dg::placeholder<float>();
  const auto y = dg::cond(p, [&] { return dg::reduce_sum(x * x); }, [&] { return dg::reduce_sum(dg::exp(z)); });
  const auto [dx, dz] = dg::gradients(y, std::tuple(x, z));
  dg::Session<> session;
  const xt::xarray<float> x_data{1, 2}, z_data{0, 1, 2};
  for (const bool taken : {true, false}) {
    auto [gx, gz] = session.run({{p, taken}, {x, x_data}, {z, z_data}}, dx, dz);
    CHECK(gx(1) == (taken ? 4.f : 0.f));
    REQUIRE(gz.size() == 3);
    CHECK(gz(2) == Approx(taken ? 0. : std::exp(2.)));
  }
}

TEST_CASE("conditionals in conditionals, with first and second derivatives") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto p = bool_input(), q = bool_input();
  const auto x = scalar_input();
  const auto y = dg::cond(p, [&] {
    const auto a = x * x;
    return dg::cond(q, [&] { return a * x; }, [&] { return a * a; }) + a;
  }, [&] { return x; });
  const auto d = dg::gradients(y, x), dd = dg::gradients(d, x);
  dg::Session<> session;
  const auto check = [&](bool outer, bool inner, float value, float first, float second) {
    auto [v, f, s] = session.run({{p, outer}, {q, inner}, {x, 3.f}}, y, d, dd);
    CHECK(v() == Approx(value));
    CHECK(f() == Approx(first));
    CHECK(s() == Approx(second));
  };
  check(true, true, 36, 33, 20);
  check(true, false, 90, 114, 110);
  check(false, true, 3, 1, 0);
}

TEST_CASE("only the branch that is taken has effects") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto v = dg::variable("v", 1.f), w = dg::variable("w", 2.f);
  const auto p = bool_input();
  const auto moved = dg::cond(p, [&] { return v.assign_add(w * 2.f); }, [&] { return v.assign_sub(1.f); });
  const auto reset = dg::cond(p, [&] { return dg::Op<void>(v.assign(100.f)); }, [&] { return dg::no_op(); });
  const auto init = dg::global_variables_initializer();
  dg::Session<> session;
  session.run(init);
  CHECK(session.run({{p, true}}, moved)() == 5.f);
  CHECK(session.run({{p, false}}, moved)() == 4.f);
  session.run({{p, false}}, reset);
  CHECK(session.run(v)() == 4.f);
  session.run({{p, true}}, reset);
  CHECK(session.run(v)() == 100.f);
}

TEST_CASE("a conditional waits for the control dependencies around it") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto v = dg::variable("v", 1.f);
  const auto p = bool_input();
  dg::Op<float> after;
  {
    const auto first = dg::control_dependencies({v.assign(10.f)});
    after = dg::cond(p, [&] { return v * 2.f; }, [&] { return v + 1.f; });
  }
  const auto init = dg::global_variables_initializer();
  dg::Session<> session;
  for (const bool taken : {true, false}) {
    session.run(init);
    CHECK(session.run({{p, taken}}, after)() == (taken ? 20.f : 11.f));
  }
}

TEST_CASE("the first true case is taken") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto x = scalar_input();
  const std::vector<std::pair<dg::Op<bool>, std::function<dg::Op<float>()>>> cases{
      {x < 1.f, [&] { return x * 10.f; }}, {x < 2.f, [&] { return x * 100.f; }}};
  const auto y = dg::case_<dg::Op<float>>(cases, [&] { return -x; });
  const auto strict = dg::case_<dg::Op<float>>(cases, [&] { return -x; }, {.exclusive = true});
  const auto complete = dg::case_<dg::Op<float>>(cases);
  const auto dy = dg::gradients(y, x);
  dg::Session<> session;
  const auto run = [&](float at, const auto& op) { return session.run({{x, at}}, op)(); };
  CHECK(run(0.5f, y) == 5.f);
  CHECK(run(1.5f, y) == 150.f);
  CHECK(run(2.5f, y) == -2.5f);
  CHECK(run(1.5f, dy) == 100.f);
  CHECK(run(1.5f, strict) == 150.f);
  CHECK_THROWS_WITH(run(0.5f, strict), contains("more than one predicate is true"));
  CHECK(run(1.5f, complete) == 150.f);
  CHECK_THROWS_WITH(run(2.5f, complete), contains("no predicate is true"));
}

TEST_CASE("gradients through single Switches and Merges") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto p = bool_input();
  const auto x = scalar_input();
  const dg::Output branch = dg::add_op<dg::ops::Switch>({}, x, p);
  const dg::Op<float> no(branch), yes(dg::Output(branch.core(), branch.node_id(), 1));
  const std::vector<dg::Output> sides{no * 2.f, yes * yes};
  const dg::Op<float> y(dg::add_op<dg::ops::Merge>({}, sides));
  const auto dy = dg::gradients(y, x);
  dg::Session<> session;
  CHECK(session.run({{p, true}, {x, 3.f}}, dy)() == 6.f);
  CHECK(session.run({{p, false}, {x, 3.f}}, dy)() == 2.f);
}

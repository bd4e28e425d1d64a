// dg::function in sessions: calls, gradients, captured values, a function that calls itself.
#include "flow_support.hpp"
#include "support/catch.hpp"

namespace dg = dgraph;
using dg::test::contains;
using dg::test::scalar_input;

TEST_CASE("a function is called several times, in scopes of its own, with gradients of both orders") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto x = scalar_input();
  const auto poly = dg::function<float, float>("poly", [](auto a, auto b) { return a * a * b + a; });
  const auto y = poly(poly(x, 2.f), x);
  CHECK(y.name().starts_with("poly_1/"));
  const auto d = dg::gradients(y, x), dd = dg::gradients(d, x);
  dg::Session<> session;
  auto [value, first, second] = session.run({{x, 1.f}}, y, d, dd);
  // p = 2x^2 + x; y = p^2 x + p = 4x^5 + 4x^4 + x^3 + 2x^2 + x
  CHECK(value() == 12.f);
  CHECK(first() == 44.f);
  CHECK(second() == 138.f);
}

TEST_CASE("a function returns several values and holds loops") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto power = dg::function<float, std::int32_t>("power", [](auto base, auto n) {
    auto [i, p] = dg::while_loop([&](auto k, auto) { return k < n; }, [&](auto k, auto q) { return std::tuple(k + 1, q * base); },
                                 std::tuple(0, 1.f));
    return std::tuple(p, i);
  });
  const auto x = scalar_input();
  const auto [p, n] = power(x, 5);
  const auto d = dg::gradients(p, x);
  dg::Session<> session;
  auto [value, count, slope] = session.run({{x, 2.f}}, p, n, d);
  CHECK(value() == 32.f);
  CHECK(count() == 5);
  CHECK(slope() == 80.f);
}

TEST_CASE("a function that calls itself is refused") {
  dg::Graph graph;
  auto building = graph.as_default();
  std::function<dg::Op<float>(dg::Op<float>)> again;
  const auto f = dg::function<float>("forever", [&](dg::Op<float> x) { return again(x); });
  again = [&](dg::Op<float> x) { return f(x); };
  CHECK_THROWS_WITH(f(1.f), contains("forever") && contains("calls itself"));
  CHECK_THROWS_WITH(dg::function<float>("no name", [](auto x) { return x; }), contains("no name"));
}

// while_loop in embedded sessions: values, effects, limits, gradients, nesting.
#include <cmath>
#include <fstream>
#include <thread>

#include "flow_support.hpp"
#include "support/catch.hpp"

namespace dg = dgraph;
using namespace std::chrono_literals;
using dg::test::Approx;
using dg::test::bool_input;
using dg::test::count_input;
using dg::test::scalar_input;
using dg::test::slope;

TEST_CASE("a loop's values and gradients by what it starts from and by what it takes from outside") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto n = count_input();
  const auto x = scalar_input(), w = scalar_input();
  const auto [steps, r] = dg::while_loop([&](auto i, auto) { return i < n; },
                                     [&](auto i, auto a) { return std::tuple(i + 1, a * x * w); }, std::tuple(0, x * 2.f));
  const auto [dx, dw] = dg::gradients(r, std::tuple(x, w));
  dg::Session<> session;
  for (const int k : {0, 1, 5}) {
    auto [count, value, gx, gw] = session.run({{n, k}, {x, 1.5f}, {w, 1.2f}}, steps, r, dx, dw);
    const double want = 2 * std::pow(1.5, k + 1) * std::pow(1.2, k);
    CHECK(count() == k);
    CHECK(value() == Approx(want));
    CHECK(gx() == Approx((k + 1) * want / 1.5));
    CHECK(gw() == Approx(k * want / 1.2));
  }
}

TEST_CASE("a conditional in a loop, and its gradient") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto n = count_input();
  const auto x = scalar_input(), w = scalar_input();
  const auto [steps, r] = dg::while_loop([&](auto i, auto) { return i < n; }, [&](auto i, auto r0) {
    const auto even = dg::equal(dg::floormod(i, 2), 0);
    return std::tuple(i + 1, dg::cond(even, [&] { return dg::tanh(r0) * w; }, [&] { return r0 * r0 + w * x; }));
  }, std::tuple(0, x));
  const auto [dx, dw] = dg::gradients(r, std::tuple(x, w));
  dg::Session<> session;
  const auto f = [](int k, double a, double b) {
    double value = a;
    for (int at = 0; at < k; ++at) value = at % 2 == 0 ? std::tanh(value) * b : value * value + b * a;
    return value;
  };
  for (const int k : {0, 1, 2, 5, 26}) {
    auto [value, gx, gw] = session.run({{n, k}, {x, 0.7f}, {w, 0.6f}}, r, dx, dw);
    CHECK(value() == Approx(f(k, .7, .6)).epsilon(1e-4));
    CHECK(gx() == Approx(slope([&](double a) { return f(k, a, .6); }, .7)).epsilon(1e-3).margin(1e-6));
    CHECK(gw() == Approx(slope([&](double b) { return f(k, .7, b); }, .6)).epsilon(1e-3).margin(1e-6));
  }
}

TEST_CASE("a loop in a loop in a conditional, and its gradient") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto p = bool_input();
  const auto n = count_input();
  const auto x = scalar_input(), w = scalar_input();
  const auto loops = [&] {
    const auto [steps, r] = dg::while_loop([&](auto i, auto) { return i < n; }, [&](auto i, auto b) {
      const auto [inner, q] = dg::while_loop([&](auto j, auto) { return j < i; }, [&](auto j, auto a) {
        return std::tuple(j + 1, dg::tanh(a * w) + b * 0.5f);
      }, std::tuple(0, b));
      return std::tuple(i + 1, q * x);
    }, std::tuple(0, x));
    return r;
  };
  const auto y = dg::cond(p, [&] { return loops() * x; }, [&] { return w; });
  const auto [dx, dw] = dg::gradients(y, std::tuple(x, w));
  dg::Session<> session;
  const auto f = [](int k, double a, double b) {
    double r = a;
    for (int i = 0; i < k; ++i) {
      double q = r;
      for (int j = 0; j < i; ++j) q = std::tanh(q * b) + r * .5;
      r = q * a;
    }
    return r * a;
  };
  for (const int k : {0, 1, 2, 5, 13}) {
    auto [value, gx, gw] = session.run({{p, true}, {n, k}, {x, .9f}, {w, 1.1f}}, y, dx, dw);
    CHECK(value() == Approx(f(k, .9, 1.1)).epsilon(1e-4));
    CHECK(gx() == Approx(slope([&](double a) { return f(k, a, 1.1); }, .9)).epsilon(1e-3));
    CHECK(gw() == Approx(slope([&](double b) { return f(k, .9, b); }, 1.1)).epsilon(1e-3).margin(1e-5));
  }
  auto [value, gx, gw] = session.run({{p, false}, {n, 3}, {x, .9f}, {w, 1.1f}}, y, dx, dw);
  CHECK(value() == 1.1f);
  CHECK(gx() == 0.f);
  CHECK(gw() == 1.f);
}

TEST_CASE("second and third derivatives through a loop with a conditional") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto n = count_input();
  const auto x = dg::placeholder<double>(dg::PartialShape(dg::Shape()));
  const auto [steps, r] = dg::while_loop([&](auto i, auto) { return i < n; }, [&](auto i, auto a) {
    const auto even = dg::equal(dg::floormod(i, 2), 0);
    return std::tuple(i + 1, dg::cond(even, [&] { return a * a * x; }, [&] { return a + x; }));
  }, std::tuple(0, x));
  const auto d = dg::gradients(r, x), dd = dg::gradients(d, x), ddd = dg::gradients(dd, x);
  dg::Session<> session;
  const auto check = [&](int k, double first, double second, double third) {
    auto [a, b, c] = session.run({{n, k}, {x, 2.}}, d, dd, ddd);
    CHECK(a() == Approx(first));
    CHECK(b() == Approx(second));
    CHECK(c() == Approx(third).margin(1e-9));
  };
  check(0, 1, 0, 0);
  check(1, 12, 12, 6);                     // x^3
  check(2, 13, 12, 6);                     // x^3 + x
  check(3, 7 * 64 + 10 * 16 + 12, 42 * 32 + 40 * 8 + 12, 210 * 16 + 120 * 4 + 6);  // x (x^3 + x)^2
}

TEST_CASE("gradients asked for inside a loop's body") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto w = scalar_input();
  // Newton's method for a zero of z^2 - w.
  const auto [steps, root] = dg::while_loop([](auto i, auto) { return i < 20; }, [&](auto i, auto z) {
    const auto f = z * z - w;
    return std::tuple(i + 1, z - f / dg::gradients(f, z));
  }, std::tuple(0, 1.f));
  const auto by_outer = dg::while_loop([](auto a) { return a < 10.f; }, [&](auto a) { return a + dg::gradients(a * w * w, w); },
                                       dg::constant(1.f));
  dg::Session<> session;
  CHECK(session.run({{w, 2.f}}, root)() == Approx(std::sqrt(2.)));
  CHECK(session.run({{w, 2.f}}, by_outer)() == 25.f);
}

TEST_CASE("writes in a loop, and gradients of variables through it") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto v = dg::variable("v", 1.f), w = dg::variable("w", 2.f);
  const auto steps = dg::while_loop([](auto i) { return i < 10; }, [&](auto i) {
    const auto after = dg::control_dependencies({v.assign_add(1.f)});
    return dg::identity(i) + 1;
  }, dg::constant(0));
  const auto loss = dg::while_loop([](auto a) { return a < 100.f; }, [&](auto a) { return a * w; }, dg::constant(1.f));
  const auto dw = dg::gradients(loss, w);
  const auto init = dg::global_variables_initializer();
  dg::Session<> session;
  session.run(init);
  CHECK(session.run(steps)() == 10);
  CHECK(session.run(v)() == 11.f);
  auto [l, d] = session.run(loss, dw);
  CHECK(l() == 128.f);
  CHECK(d() == 7.f * 64.f);
}

TEST_CASE("a write in a loop is seen by a read after it in the same iteration") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto v = dg::variable("v", 0.f);
  const auto [steps, total] = dg::while_loop([](auto i, auto) { return i < 5; }, [&](auto i, auto sum) {
    const auto after = dg::control_dependencies({v.assign_add(1.f)});
    return std::tuple(i + 1, sum + v);
  }, std::tuple(0, 0.f), {.parallel_iterations = 1});
  const auto init = dg::global_variables_initializer();
  dg::Session<> session;
  session.run(init);
  CHECK(session.run(total)() == 15.f);
}

TEST_CASE("iterations are limited in number, and in how many run at once") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto n = dg::placeholder<std::int64_t>(dg::PartialShape(dg::Shape()));
  const auto forever = [](auto) { return dg::constant(true); };
  const auto next = [](auto x) { return x * 2.f; };
  const auto three = dg::while_loop(forever, next, dg::constant(1.f), {.maximum_iterations = 3});
  const auto fed = dg::while_loop(forever, next, dg::constant(1.f), {.parallel_iterations = 1, .maximum_iterations = n});
  const auto x = scalar_input();
  const auto power = dg::while_loop(forever, [&](auto y) { return y * x; }, x, {.maximum_iterations = n});
  const auto slope_of_power = dg::gradients(power, x);
  dg::Session<> session;
  CHECK(session.run(three)() == 8.f);
  CHECK(session.run({{n, 0}}, fed)() == 1.f);
  CHECK(session.run({{n, 5}}, fed)() == 32.f);
  CHECK(session.run({{n, 3}, {x, 2.f}}, slope_of_power)() == 4.f * 8.f);
}

TEST_CASE("loop variables that change their shape") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto x = dg::placeholder<float>({1});
  const auto y = dg::while_loop([](auto a) { return dg::size(a) < 5; }, [&](auto a) { return dg::concat({a, a * x}, 0); }, x,
                                {.shape_invariants = {dg::PartialShape{-1}}});
  const auto dx = dg::gradients(dg::reduce_sum(y), x);
  dg::Session<> session;
  auto [value, d] = session.run({{x, xt::xarray<float>{2.f}}}, y, dx);
  CHECK(value.size() == 8);
  CHECK(xt::sum(value)() == 54.f);  // x (1 + x)^3
  CHECK(d(0) == 27.f + 2 * 3 * 9);
}

TEST_CASE("an endless loop obeys its deadline, and the session goes on") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto endless = dg::while_loop([](auto) { return dg::constant(true); }, [](auto x) { return x + 1; }, dg::constant(0));
  dg::Session<> session;
  try {
    session.run({.deadline = 200ms}, endless);
    FAIL("ended");
  } catch (const dg::Error& error) {
    CHECK(error.code() == dg::Code::DeadlineExceeded);
  }
  CHECK(session.run(dg::constant(1))() == 1);
}

TEST_CASE("closing the session ends a loop without end") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto endless = dg::while_loop([](auto) { return dg::constant(true); }, [](auto x) { return x + 1; }, dg::constant(0));
  dg::Session<> session;
  std::thread closer([&] {
    std::this_thread::sleep_for(100ms);
    session.close();
  });
  try {
    session.run(endless);
    FAIL("ended");
  } catch (const dg::Error& error) {
    CHECK(error.code() == dg::Code::Cancelled);
  }
  closer.join();
}

TEST_CASE("a million iterations take no more memory than a thousand") {
  const auto pages = [] {
    std::ifstream file("/proc/self/statm");
    long all = 0, resident = 0;
    file >> all >> resident;
    return resident;
  };
  dg::Graph graph;
  auto building = graph.as_default();
  const auto n = count_input();
  const auto w = scalar_input();
  const auto [steps, value] = dg::while_loop([&](auto i, auto) { return i < n; },
                                             [&](auto i, auto a) { return std::tuple(i + 1, a * w + 1.f); }, std::tuple(0, 0.f));
  dg::Session<> session;
  session.run({{n, 1000}, {w, .5f}}, value);
  const long before = pages();
  auto [count, last] = session.run({{n, 1'000'000}, {w, .5f}}, steps, value);
  CHECK(count() == 1'000'000);
  CHECK(last() == 2.f);
  CHECK(pages() - before < 256);
}

TEST_CASE("resource variables in loops and branches, and their gradients") {
  dg::Graph graph;
  auto building = graph.as_default();
  const dg::Output handle =
      dg::add_op<dg::ops::VarHandleOp>("w", "dtype", dg::DType::Float32, "shape", dg::PartialShape(dg::Shape()));
  const dg::Op<void> init(dg::add_op<dg::ops::AssignVariableOp>({}, handle, dg::constant(2.f)));
  const auto p = bool_input();
  const auto read = [&] {
    return dg::Op<float>(dg::add_op<dg::ops::ReadVariableOp>({}, handle, "dtype", dg::DType::Float32));
  };
  const auto y = dg::cond(p, [&] {
    return dg::while_loop([](auto a) { return a < 100.f; }, [&](auto a) { return a * read(); }, dg::constant(1.f));
  }, [&] { return dg::constant(1.f); });
  const dg::Op<float> dw(dg::gradients(std::vector<dg::Output>{y}, std::vector<dg::Output>{handle})[0]);
  dg::Session<> session;
  session.run(init);
  CHECK(session.run({{p, true}}, dw)() == 7.f * 64.f);
  CHECK(session.run({{p, false}}, dw)() == 0.f);
}

TEST_CASE("rows picked in a loop have a gradient that is summed over iterations") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto w = dg::variable("w", xt::xarray<float>{{1, 2}, {3, 4}, {5, 6}});
  const auto ids = dg::placeholder<int>({-1});
  const auto [steps, product] = dg::while_loop([&](auto i, auto) { return i < dg::size(ids); }, [&](auto i, auto a) {
    return std::tuple(i + 1, a * dg::gather(w, dg::gather(ids, i)));
  }, std::tuple(0, dg::ones<float>({2})));
  const auto dw = dg::gradients(product, w);
  const auto init = dg::global_variables_initializer();
  dg::Session<> session;
  session.run(init);
  CHECK(dg::test::same(session.run({{ids, xt::xarray<int>{0, 2, 0}}}, dw), xt::xarray<float>{{10, 24 * 1.f}, {0, 0}, {1, 4}}));
}

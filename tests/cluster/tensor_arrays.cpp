// TensorArray, map_fn, scan and folds in embedded sessions, with gradients.
#include <cmath>

#include "flow_support.hpp"
#include "support/catch.hpp"

namespace dg = dgraph;
using dg::test::Approx;
using dg::test::bool_input;
using dg::test::contains;
using dg::test::same;
using dg::test::scalar_input;
using dg::test::slope;

TEST_CASE("an array that is written and stacked, with first and second derivatives") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto x = dg::placeholder<float>({3}), y = dg::placeholder<float>({3});
  const auto array = dg::TensorArray<float>(2).write(0, x).write(1, y * x);
  const auto all = array.stack();
  CHECK(all.shape() == dg::PartialShape{2, 3});
  const auto [dx, dy] = dg::gradients(dg::reduce_sum(all * all), std::tuple(x, y));
  const auto ddx = dg::gradients(dx, x);
  dg::Session<> session;
  auto [value, gx, gy, ggx] =
      session.run({{x, xt::xarray<float>{1, 2, 3}}, {y, xt::xarray<float>{2, 3, 4}}}, all, dx, dy, ddx);
  CHECK(value(1, 2) == 12.f);
  CHECK(gx(1) == 2 * 2 + 2 * 6 * 3.f);
  CHECK(gy(1) == 2 * 6 * 2.f);
  CHECK(ggx(1) == 2 + 2 * 9.f);
}

TEST_CASE("elements by index, split and concatenated") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto x = dg::placeholder<float>({-1, 2});
  const auto split = dg::TensorArray<float>(3, {.clear_after_read = false, .infer_shape = false})
                         .split(x, dg::constant<int>({2, 0, 1}));
  const auto joined = split.concat();
  const auto first = split.read(0);
  const auto dx = dg::gradients(dg::reduce_sum(joined * joined) + dg::reduce_sum(first), x);
  const auto rows = dg::TensorArray<float>(3).scatter(dg::constant<int>({2, 0, 1}), x).gather(dg::constant<int>({1, 2}));
  const auto drows = dg::gradients(rows, x);
  dg::Session<> session;
  const xt::xarray<float> data{{1, 2}, {3, 4}, {5, 6}};
  auto [j, f, d, r, dr, n] = session.run({{x, data}}, joined, first, dx, rows, drows, split.size());
  CHECK(same(j, data));
  CHECK(f.shape(0) == 2);
  CHECK(same(d, xt::xarray<float>{{3, 5}, {7, 9}, {10, 12}}));
  CHECK(same(r, xt::xarray<float>{{5, 6}, {1, 2}}));
  CHECK(same(dr, xt::xarray<float>{{1, 1}, {0, 0}, {1, 1}}));
  CHECK(n() == 3);
}

TEST_CASE("what goes wrong with an array in a step") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto i = dg::test::count_input();
  const auto x = dg::constant(1.f);
  const auto array = [](dg::TensorArrayOptions options = {}) { return dg::TensorArray<float>(2, options); };
  const auto twice = array().write(0, x).write(i, x).size();
  const auto outside = array().write(i, x).size();
  const auto grown = array({.dynamic_size = true}).write(i, x).size();
  const auto once = array().write(0, x).write(1, x);
  const auto reread = once.stack() + once.read(i);
  const auto other = array({.element_shape = dg::PartialShape{-1}}).write(i, dg::placeholder_with_default(x, {})).size();
  const auto unwritten = array({.infer_shape = false}).read(i);
  const auto zeros = array({.element_shape = dg::PartialShape{3}}).read(i);
  const auto written = array().write(0, x);
  dg::Op<int> closed;
  {
    const auto after = dg::control_dependencies({written.close()});
    closed = written.size();
  }
  dg::Session<> session;
  const auto run = [&](int at, const auto& op) { return session.run({{i, at}}, op); };
  CHECK_THROWS_WITH(run(0, twice), contains("already been written"));
  CHECK_THROWS_WITH(run(2, outside), contains("Tried to write to index 2 but array is not resizeable and size is: 2"));
  CHECK_THROWS_WITH(run(-1, grown), contains("index -1"));
  CHECK(run(6, grown)() == 7);
  CHECK_THROWS_WITH(run(0, reread), contains("twice"));
  CHECK_THROWS_WITH(run(0, other), contains("incompatible"));
  CHECK_THROWS_WITH(run(0, unwritten), contains("not fully defined"));
  CHECK(same(run(0, zeros), xt::xarray<float>{0, 0, 0}));
  CHECK_THROWS_WITH(run(0, closed), contains("already been closed"));
}

TEST_CASE("a function of each element, and its gradient") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto x = dg::placeholder<float>({-1, 2});
  const auto w = scalar_input();
  const auto y = dg::map_fn([&](auto row) { return dg::reduce_sum(row * row) * w; }, x);
  const auto [u, v] = dg::map_fn([](auto a, auto b) { return std::tuple(a + b, dg::reduce_sum(b)); }, std::tuple(x, x * w));
  const auto [dx, dw] = dg::gradients(dg::reduce_sum(y) + dg::reduce_sum(v), std::tuple(x, w));
  dg::Session<> session;
  const xt::xarray<float> data{{1, 2}, {3, 4}, {5, 6}};
  auto [values, sums, gx, gw] = session.run({{x, data}, {w, 2.f}}, y, u, dx, dw);
  CHECK(same(values, xt::xarray<float>{10, 50, 122}));
  CHECK(same(sums, xt::xarray<float>(data * 3.f)));
  CHECK(same(gx, xt::xarray<float>(data * 4.f + 2.f)));
  CHECK(gw() == 91.f + 21.f);
}

TEST_CASE("scans and folds, and their gradients") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto x = dg::placeholder<float>({-1});
  const auto times = [](auto a, auto b) { return a * b; };
  const auto plus = [](auto a, auto b) { return a + b; };
  const auto horner = [](auto a, auto b) { return a * 2.f + b; };
  const auto products = dg::scan(times, x);
  const auto sums = dg::scan(plus, x, 10.f), sums_back = dg::scan(plus, x, 10.f, true);
  const auto left = dg::foldl(horner, x), right = dg::foldr(horner, x, 1.f);
  const auto [sum, product] = dg::foldl(
      [](auto a, auto b) { return std::tuple(std::get<0>(a) + b, std::get<1>(a) * b); }, x, std::tuple(0.f, 1.f));
  const auto dp = dg::gradients(products, x), dl = dg::gradients(left, x), dr = dg::gradients(right, x);
  dg::Session<> session;
  const xt::xarray<float> data{1, 2, 3, 4};
  auto [p, s, b, l, r, t, q] = session.run({{x, data}}, products, sums, sums_back, left, right, sum, product);
  CHECK(same(p, xt::xarray<float>{1, 2, 6, 24}));
  CHECK(same(s, xt::xarray<float>{11, 13, 16, 20}));
  CHECK(same(b, xt::xarray<float>{20, 19, 17, 14}));
  CHECK(l() == 26.f);
  CHECK(r() == 65.f);
  CHECK(t() == 10.f);
  CHECK(q() == 24.f);
  auto [gp, gl, gr] = session.run({{x, data}}, dp, dl, dr);
  CHECK(same(gp, xt::xarray<float>{33, 16, 10, 6}));
  CHECK(same(gl, xt::xarray<float>{8, 4, 2, 1}));
  CHECK(same(gr, xt::xarray<float>{1, 2, 4, 8}));
}

TEST_CASE("a recurrent layer over arrays learns what differences say") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto x = dg::placeholder<double>({-1, 2, 3});
  const auto w = dg::placeholder<double>({5, 2});
  const auto n = dg::gather(dg::shape(x), 0);
  const auto inputs = dg::TensorArray<double>(n).unstack(x);
  const auto [steps, state, outputs] = dg::while_loop([&](auto i, auto, auto) { return i < n; }, [&](auto i, auto h, auto out) {
    const auto next = dg::tanh(dg::matmul(dg::concat({inputs.read(i), h}, 1), w));
    return std::tuple(i + 1, next, out.write(i, next));
  }, std::tuple(0, dg::zeros<double>({2, 2}), dg::TensorArray<double>(n)));
  const auto loss = dg::reduce_sum(dg::square(outputs.stack()));
  const auto [dw, dx] = dg::gradients(loss, std::tuple(w, x));
  dg::Session<> session;
  xt::xarray<double> x_data = xt::linspace<double>(-1, 1, 24), w_data = xt::linspace<double>(-.5, .7, 10);
  x_data.reshape({4, 2, 3});
  w_data.reshape({5, 2});
  auto [gw, gx] = session.run({{x, x_data}, {w, w_data}}, dw, dx);
  const auto check = [&](xt::xarray<double>& moved, const xt::xarray<double>& gradient) {
    for (std::size_t k = 0; k < moved.size(); k += 3) {
      const double at = moved.data()[k];
      const double want = slope([&](double value) {
        moved.data()[k] = value;
        return session.run({{x, x_data}, {w, w_data}}, loss)();
      }, at);
      moved.data()[k] = at;
      CHECK(gradient.data()[k] == Approx(want).epsilon(1e-6).margin(1e-8));
    }
  };
  check(w_data, gw);
  check(x_data, gx);
}

TEST_CASE("arrays of loops in loops in a branch") {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto p = bool_input();
  const auto x = dg::placeholder<float>({-1});
  const auto cubes = [&](auto r) { return dg::foldl([](auto a, auto q) { return a * q; }, x * r); };
  const auto y = dg::cond(p, [&] { return dg::reduce_sum(dg::map_fn(cubes, x)); }, [&] { return dg::reduce_sum(x); });
  const auto dx = dg::gradients(y, x);
  dg::Session<> session;
  const auto f = [](double a, double b, double c) { return a * b * c * (a * a * a + b * b * b + c * c * c); };
  auto [value, d] = session.run({{p, true}, {x, xt::xarray<float>{1, 2, 3}}}, y, dx);
  CHECK(value() == Approx(f(1, 2, 3)));
  CHECK(d(0) == Approx(slope([&](double a) { return f(a, 2, 3); }, 1)));
  CHECK(d(2) == Approx(slope([&](double c) { return f(1, 2, c); }, 3)));
  auto [other, e] = session.run({{p, false}, {x, xt::xarray<float>{1, 2, 3}}}, y, dx);
  CHECK(other() == 6.f);
  CHECK(e(1) == 1.f);
}

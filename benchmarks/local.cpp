// One process: training throughput and single kernels.
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <dgraph/dgraph.hpp>

#include "bench.hpp"

namespace bench {

namespace dg = dgraph;

namespace {

xt::xarray<float> random_matrix(std::size_t rows, std::size_t columns) {
  return xt::random::randn<float>({rows, columns}) * std::sqrt(2.0f / static_cast<float>(rows));
}

}  // namespace

void training() {
  for (const auto& [name, batch] : {std::pair{"softmax", 100}}) {
    dg::Graph graph;
    auto building = graph.as_default();
    auto x = dg::placeholder<float>({batch, 784});
    auto y = dg::placeholder<std::int32_t>({batch});
    auto w = dg::variable("w", dg::zeros<float>({784, 10}));
    auto b = dg::variable("b", dg::zeros<float>({10}));
    auto loss = dg::reduce_mean(dg::sparse_softmax_cross_entropy_with_logits(y, dg::matmul(x, w) + b));
    auto train = dg::GradientDescentOptimizer(0.01f).minimize(loss);
    auto init = dg::global_variables_initializer();
    const auto n = static_cast<std::size_t>(batch);
    const xt::xarray<float> xs = xt::random::rand<float>({n, std::size_t{784}});
    const xt::xarray<std::int32_t> ys = xt::random::randint<std::int32_t>({n}, 0, 10);
    dg::Session<> session(graph);
    session.run(init);
    auto call = session.make_callable(dg::feed_list(x, y), loss, train);
    const Timing t = timed([&] { call(dg::borrow(xs), dg::borrow(ys)); }, 3.0, 5);
    Report(std::string("train ") + name).add("batch", batch).add("examples_per_s", batch * t.per_s).add(t);
  }
}

void kernels() {
  const xt::xarray<float> a = xt::random::rand<float>({std::size_t{1} << 20});
  const xt::xarray<float> m = random_matrix(1024, 1024);
  xt::xarray<std::int32_t> backwards = xt::arange<std::int32_t>(1023, -1, -1);
  using Build = std::function<dg::Op<float>(dg::Op<float>, dg::Op<float>)>;
  const std::vector<std::pair<const char*, Build>> all = {
      {"matmul 1024", [](auto, auto w) { return dg::matmul(w, w); }},
      {"sum 1M", [](auto v, auto) { return dg::reduce_sum(v); }},
      {"row sum 1024x1024", [](auto, auto w) { return dg::reduce_sum(w, {1}); }},
      {"column sum 1024x1024", [](auto, auto w) { return dg::reduce_sum(w, {0}); }},
      {"exp 1M", [](auto v, auto) { return dg::exp(v); }},
      {"tanh 1M", [](auto v, auto) { return dg::tanh(v); }},
      {"a*x+b 1M", [](auto v, auto) { return v * 2.0f + 1.0f; }},
      {"row broadcast add 1024x1024",
       [](auto, auto w) { return w + dg::reshape(dg::slice(w, {0, 0}, {1, 1024}), {1024}); }},
      {"softmax 1024x1024", [](auto, auto w) { return dg::softmax(w); }},
      {"transpose 1024x1024", [](auto, auto w) { return dg::transpose(w); }},
      {"gather 1024 rows", [&](auto, auto w) { return dg::gather(w, backwards); }},
  };
  for (const auto& [name, build] : all) {
    dg::Graph graph;
    auto building = graph.as_default();
    auto v = dg::variable("v", a);
    auto w = dg::variable("w", m);
    const dg::Op<float> out = build(v, w);
    const bool scalar = out.shape().rank() == 0;
    const dg::Op<float> probe = scalar ? out : dg::slice(dg::reshape(out, {-1}), {0}, {1});
    auto init = dg::global_variables_initializer();
    dg::Session<> session(graph);
    session.run(init);
    auto call = session.make_callable(probe);
    Report(std::string("kernel ") + name).add(timed([&] { call(); }, 1.0, 10));
  }
}

}  // namespace bench

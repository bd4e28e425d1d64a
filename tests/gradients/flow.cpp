#include "gradients/flow.hpp"

#include <cmath>
#include <functional>

#include <dgraph/dgraph.hpp>
#include <dgraph/embedded.hpp>

namespace gradient_suite {
namespace {

using namespace dgraph;

/// A function of three numbers, as a vector, that gives some numbers.
using Program = std::function<Op<double>(const Op<double>& x)>;

Op<double> chosen(const Op<double>& x) {
  return cond(
      reduce_sum(x) > 0.0, [&] { return x * x * x; }, [&] { return tanh(x); });
}

Op<double> repeated(const Op<double>& x) {
  const auto [count, last] =
      while_loop([](auto i, auto) { return i < 4; },
                 [&](auto i, auto a) { return std::tuple(i + 1, sin(a) * x + a); },
                 std::tuple(constant(0), x * 2.0));
  return last;
}

Op<double> written_and_read(const Op<double>& x) {
  const TensorArrayOptions options{.clear_after_read = false};
  const auto array = TensorArray<double>(2, options).write(0, exp(x)).write(1, x * x);
  return array.read(1) * array.read(0) + reduce_sum(square(array.stack()), 0);
}

Op<double> scattered_and_gathered(const Op<double>& x) {
  const auto array = TensorArray<double>(3).scatter(constant<int>({2, 0, 1}), x * x * x);
  return square(array.gather(constant<int>({1, 2})));
}

Op<double> split_and_joined(const Op<double>& x) {
  const TensorArrayOptions options{.infer_shape = false};
  return exp(TensorArray<double>(2, options).split(x * x, constant<int>({1, 2})).concat());
}

Op<double> written_in_a_loop(const Op<double>& x) {
  const auto [count, array, last] =
      while_loop([](auto i, auto, auto) { return i < 3; },
                 [&](auto i, auto into, auto a) {
                   return std::tuple(i + 1, into.write(i, a * x), a * x + 0.5);
                 },
                 std::tuple(constant(0), TensorArray<double>(3), x));
  return square(array.stack());
}

Op<double> through_an_array_of_gradients(const Op<double>& x) {
  const auto base = TensorArray<double>(1, {.element_shape = PartialShape{3}}).write(0, x * x);
  const Output none = constant_output(Tensor(DType::Int32, Shape{0}));
  const Output handle =
      add_op<ops::TensorArrayGradWithShape>({}, base.handle(), base.flow(), none, "source", "own");
  const Output flow(handle.core(), handle.node_id(), 1);
  const TensorArray<double> array(
      detail::ArrayState(DType::Float64, handle, flow, PartialShape{3}));
  return array.write(0, x * x * x).read(0);
}

Op<double> factored(const Op<double>& x) {
  const auto symmetric = reshape(gather(x, constant<int>({0, 1, 1, 2})), {2, 2});
  return cholesky(symmetric + constant<double>({{2, 0}, {0, 3}}));
}

struct Named {
  const char* name;
  Program build;
};
const Named kPrograms[] = {{"cond", &chosen},
                           {"while_loop", &repeated},
                           {"TensorArray write, read and stack", &written_and_read},
                           {"TensorArray scatter and gather", &scattered_and_gathered},
                           {"TensorArray split and concat", &split_and_joined},
                           {"TensorArray in a while_loop", &written_in_a_loop},
                           {"TensorArray of gradients", &through_an_array_of_gradients},
                           {"Cholesky of a symmetric matrix", &factored}};

/// Op types of the nodes that were added from `begin` on.
std::set<std::string> types_since(const GraphCore& core, std::size_t begin) {
  std::set<std::string> out;
  for (std::size_t id = begin; id < core.size(); ++id)
    out.insert(core.node(static_cast<NodeId>(id)).def->name);
  return out;
}

double sum_of(const xt::xarray<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

FlowOutcome check_program(const Named& named) {
  FlowOutcome out;
  out.program = named.name;
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<double>({3}, "x");
  const std::size_t begin = graph.core().size();
  const auto y = named.build(x);
  const auto first = gradients(y, x);
  out.ops = types_since(graph.core(), begin);
  const auto second = gradients(first, x);
  Session<> session;
  const auto at = [&](const xt::xarray<double>& point, const Op<double>& value) {
    return session.run({{x, point}}, value);
  };
  const xt::xarray<double> points[] = {{0.5, -0.3, 0.8}, {-0.7, 0.2, -0.4}};
  for (const auto& point : points) {
    const xt::xarray<double> slopes = at(point, first), curvatures = at(point, second);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto difference = [&](const Op<double>& value) {
        constexpr double kStep = 1e-5;
        xt::xarray<double> up = point, down = point;
        up(i) += kStep;
        down(i) -= kStep;
        return (sum_of(at(up, value)) - sum_of(at(down, value))) / (2 * kStep);
      };
      const auto compare = [&](double got, double want, const char* what) {
        if (!(std::abs(got - want) <= 1e-6 * std::max(1.0, std::abs(want))) && out.wrong.empty())
          out.wrong = errors::text(what, " by element ", i, ": ", got, " instead of ", want);
      };
      compare(slopes(i), difference(y), "derivative");
      compare(curvatures(i), difference(first), "second derivative");
      ++out.first;
      ++out.second;
    }
  }
  return out;
}

}  // namespace

std::vector<FlowOutcome> check_flow() {
  std::vector<FlowOutcome> out;
  for (const Named& named : kPrograms) {
    try {
      out.push_back(check_program(named));
    } catch (const Error& error) {
      out.push_back({named.name, {}, 0, 0, error.what()});
    }
  }
  return out;
}

}  // namespace gradient_suite

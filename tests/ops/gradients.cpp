#include <dgraph/ops/gradients.hpp>

#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/operators.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/variable.hpp>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ops/evaluate.hpp"
#include "ops/graph_text.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {
using Floats = std::vector<float>;
Op<float> input(const char* name, PartialShape shape) {
  return Op<float>(add_op<ops::Placeholder>(name, "dtype", DType::Float32, "shape", std::move(shape)));
}
}  // namespace

TEST_CASE("typed gradients by a value, by variables, by several") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto w = variable("w", xt::xarray<float>{2, 3});
  const auto b = variable("b", 1.0);
  const auto x = input("x", {2});
  STATIC_REQUIRE(std::is_same_v<decltype(gradients(x * 2, x)), Op<float>>);
  const auto y = w * x;
  CHECK(expression_of(gradients(y, w)) == "Mul([1,1], x)");
  auto [dw, dx] = gradients(y, std::tuple(w, x));
  STATIC_REQUIRE(std::is_same_v<decltype(dw), Op<float>>);
  CHECK(expression_of(dw) == "Mul([1,1], x)");
  CHECK(expression_of(dx) == "Mul(Identity(w), [1,1])");
  CHECK_FALSE(static_cast<bool>(gradients(y, b)));
  STATIC_REQUIRE(std::is_same_v<decltype(gradients(y, b)), Op<double>>);
}

TEST_CASE("untyped gradients in the order of xs") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<float>({1, 2}), b = constant<float>({3, 4});
  const auto found = gradients(std::vector<Output>{a * b, a}, std::vector<Output>{b, a});
  REQUIRE(found.size() == 2);
  CHECK(evaluate<float>(found[0]) == Floats{1, 2});
  CHECK(evaluate<float>(found[1]) == Floats{4, 5});
}

TEST_CASE("options: gradients of y, stops, zeros for what is not connected") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<float>({1, 2}), b = constant<float>({3, 4});
  GradientOptions options;
  options.grad_ys = {constant<float>({10, 20})};
  CHECK(evaluate<float>(gradients(a * b, a, options)) == Floats{30, 80});
  options = {};
  options.unconnected_gradients = UnconnectedGradients::Zero;
  CHECK(evaluate<float>(gradients(a, b, options)) == Floats{0, 0});
  const auto middle = a * 2;
  options.stop_gradients = {middle};
  CHECK(evaluate<float>(gradients(middle * a, a, options)) == Floats{2, 4});
}

TEST_CASE("gated gradients are there together") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<float>({1, 2}), b = constant<float>({3, 4}), c = constant(1.f);
  GradientOptions options;
  options.gate_gradients = true;
  auto [da, dc, db] = gradients(a * b, std::tuple(a, c, b), options);
  CHECK_FALSE(static_cast<bool>(dc));
  CHECK(da.op_type() == "IdentityN");
  CHECK(da.node_id() == db.node_id());
  CHECK(evaluate<float>(da) == Floats{3, 4});
  CHECK(evaluate<float>(db) == Floats{1, 2});
}

TEST_CASE("nothing flows back through stop_gradient") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({1, 2});
  CHECK(evaluate<float>(gradients(stop_gradient(x) * x, x)) == Floats{1, 2});
  CHECK_FALSE(static_cast<bool>(gradients(stop_gradient(x), x)));
}

TEST_CASE("ones and zeros depend on no value where the shape is known") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto small = input("s", {2}), large = input("l", {1000}), open = input("o", {-1});
  CHECK(expression_of(gradients(small, small)) == "[1,1]");
  CHECK(expression_of(gradients(large, large)) == "Fill([1000], 1)");
  CHECK(expression_of(gradients(open, open)) == "OnesLike(o)");
  const GradientOps& ops = detail::standard_gradient_ops();
  CHECK(expression_of(ops.zeros_like(large)) == "Fill([1000], 0)");
  CHECK(expression_of(ops.zeros_like(open)) == "ZerosLike(o)");
}

TEST_CASE("rows that were gathered are summed into place") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto table = constant<float>({{1, 2}, {3, 4}, {5, 6}});
  const Output first = add_op<ops::Gather>({}, table, constant<int>({2, 0, 2}));
  const Output second = add_op<ops::Gather>({}, table, constant<std::int64_t>({1}));
  const auto sparse = sparse_gradients({first}, {table});
  REQUIRE(sparse[0].is_sparse());
  CHECK(evaluate<float>(gradients(std::vector<Output>{first}, std::vector<Output>{table})[0]) == Floats{1, 1, 0, 0, 2, 2});
  const std::vector<Output> both{first, second};
  const auto joined = sparse_gradients(both, {table});
  REQUIRE(joined[0].is_sparse());
  CHECK(joined[0].slices().indices.dtype() == DType::Int64);
  CHECK(evaluate<float>(gradients(both, std::vector<Output>{table})[0]) == Floats{1, 1, 1, 1, 2, 2});
  const std::vector<Output> mixed{first, square(table)};
  CHECK(evaluate<float>(gradients(mixed, std::vector<Output>{table})[0]) == Floats{3, 5, 6, 8, 12, 14});
  GradientOptions gated;
  gated.gate_gradients = true;
  CHECK(evaluate<float>(gradients(mixed, std::vector<Output>{table, second}, gated)[0]).size() == 6);
}

// The four-server step: one value from each variable's task, one tensor to the optimizer's, one gradient back to each (D11).
TEST_CASE("the linear regression over four tasks is cut into five tensors") {
  GraphCore core;
  const DefaultGraph building(core);
  const xt::xarray<float> x_data = xt::xarray<float>::from_shape({100}), y_data = x_data;
  Variable<float> w, b;
  {
    const auto on = device("/job:ps/task:0");
    w = variable("W", xt::xarray<float>{0.5f});
  }
  {
    const auto on = device("/job:ps/task:1");
    b = variable("b", xt::xarray<float>{0.f});
  }
  Op<float> loss;
  {
    const auto on = device("/job:worker/task:0");
    loss = reduce_mean(square(w * x_data + b - y_data));
  }
  const auto on = device("/job:worker/task:1");
  const auto [dw, db] = gradients(loss, std::tuple(w, b));
  CHECK(dw.shape() == PartialShape{1});
  CHECK(db.shape() == PartialShape{1});
  // Edges between devices, constants left out: they are copied to where they are used.
  std::set<std::string> cut;
  for (NodeId id = 0; id < core.size(); ++id) {
    const Node& node = core.node(id);
    for (const Endpoint& in : node.input_span()) {
      const Node& from = core.node(in.node);
      if (from.device != node.device && !from.is("Const"))
        cut.insert(Output(&core, in.node, in.index).name() + " " + from.device->text + " > " + node.device->text);
    }
  }
  CHECK(cut == std::set<std::string>{"W/read /job:ps/task:0 > /job:worker/task:0", "b/read /job:ps/task:1 > /job:worker/task:0",
                                     "Sub /job:worker/task:0 > /job:worker/task:1"});
}

TEST_CASE("what has no gradient is refused") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({1, 2});
  const auto i = constant<int>({1, 2});
  try {
    gradients(std::vector<Output>{i}, std::vector<Output>{x});
    FAIL("built");
  } catch (const Error& error) {
    CHECK(error.code() == Code::InvalidArgument);
    CHECK(error.status().message().find("int32") != std::string::npos);
  }
}

TEST_CASE("jacobians and hessians") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({1, 2, 3}), other = constant(1.f);
  const auto y = slice(x * x, {0}, {2});
  const auto whole = jacobian(y, x);
  CHECK(whole.shape().to_string() == "[2,3]");
  CHECK(evaluate<float>(whole) == Floats{2, 0, 0, 0, 4, 0});
  CHECK_FALSE(static_cast<bool>(jacobian(y, other)));
  GradientOptions zeros;
  zeros.unconnected_gradients = UnconnectedGradients::Zero;
  CHECK(evaluate<float>(jacobian(y, other, zeros)) == Floats{0, 0});
  // x0 x1 x2: each pair leaves the third.
  CHECK(evaluate<float>(hessians(reduce_prod(x), x)) == Floats{0, 3, 2, 3, 0, 1, 2, 1, 0});
  CHECK(evaluate<float>(hessians(reduce_sum(x), x)) == Floats(9, 0));
  CHECK_THROWS_WITH(jacobian(input("open", {-1}), x), contains("needs the shape of y"));
}

TEST_CASE("an unconnected variable has zeros of its own shape") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto w = variable("w", xt::xarray<float>{2, 3});
  GradientOptions options;
  options.unconnected_gradients = UnconnectedGradients::Zero;
  const auto zeros = gradients(constant(1.f) * 2.f, w, options);
  CHECK(zeros.shape() == PartialShape{2});
  CHECK(evaluate<float>(zeros) == Floats{0, 0});
}

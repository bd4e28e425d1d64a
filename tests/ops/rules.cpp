#include <dgraph/ops/rules.hpp>

#include <dgraph/ops/math.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/shape.hpp>

#include <optional>
#include <string>
#include <vector>

#include "ops/graph_text.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

Output input(const char* name, PartialShape shape, DType dtype = DType::Float32) {
  return add_op<ops::Placeholder>(name, "dtype", dtype, "shape", std::move(shape));
}

// What a rule would see of a node, with one gradient at hand.
template <class F>
void in_rule(const Output& node, F&& f) {
  const Gradient dys[] = {Gradient(node)};
  const std::vector<bool> needs(node.node().num_inputs, true);
  std::vector<Gradient> dxs(node.node().num_inputs);
  const GradientOps ops;
  const std::string source = "gradients";
  GradientContext g(*node.core(), node.node(), dys, needs, dxs, ops, source);
  f(g);
}

std::string summed(PartialShape a, PartialShape b, std::size_t side) {
  GraphCore core;
  const DefaultGraph building(core);
  const Output z = add_op<ops::AddV2>("z", input("a", std::move(a)), input("b", std::move(b)));
  std::string out;
  in_rule(z, [&](GradientContext& g) {
    rules::Unbroadcast to(g);
    out = expression_of(to(side, input("g", z.shape())));
  });
  return out;
}

}  // namespace

TEST_CASE("only broadcast axes are summed") {
  CHECK(summed({2, 3}, {2, 3}, 0) == "g");
  CHECK(summed({2, 3}, {3}, 0) == "g");
  CHECK(summed({2, 3}, {3}, 1) == "Sum(g, [0])");
  CHECK(summed({2, 3}, {2, 1}, 1) == "Sum(g, [1])");
  CHECK(summed({4, 2, 3}, {1, 3}, 1) == "Sum(Sum(g, [0]), [0])");
  CHECK(summed({2, 3}, PartialShape::scalar(), 1) == "Sum(g, [0,1])");
  CHECK(summed({1, 3}, {1, 1}, 1) == "Sum(g, [1])");
  CHECK(summed({0, 3}, {1, 3}, 1) == "Sum(g, [0])");
}

TEST_CASE("open dimensions need shapes only where either side could be one") {
  CHECK(summed({-1, 3}, {3}, 1) == "Sum(g, [0])");
  CHECK(summed({-1, 3}, {3}, 0) == "g");
  CHECK(summed({-1, 3}, {1, 3}, 1) == "Sum(g, [0])");
  CHECK(summed({-1, 3}, {5, 3}, 1) == "g");
  CHECK(summed({-1, 3}, {5, 3}, 0) == "Reshape(Sum(g, BroadcastGradientArgs(Shape(a), [5,3])), Shape(a))");
  CHECK(summed(PartialShape(), {3}, 1) == "Reshape(Sum(g, BroadcastGradientArgs(Shape(a), [3]):1), [3])");
}

TEST_CASE("numbers have the dtype of their neighbour, conjugates cost nothing for reals") {
  GraphCore core;
  const DefaultGraph building(core);
  const Output x = input("x", {2}, DType::Float64);
  in_rule(add_op<ops::Square>({}, x), [&](GradientContext& g) {
    CHECK(rules::number(g, x, 0.5).dtype() == DType::Float64);
    CHECK(rules::conj(g, x) == x);
    CHECK(rules::conj(g, input("c", {2}, DType::Complex64)).op_type() == "Conj");
  });
}

TEST_CASE("reduced axes come back as ones") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto kept = [&](PartialShape shape, std::initializer_list<std::int32_t> axes, bool keep_dims) {
    const Output sum = add_op<ops::Sum>("s", input("x", std::move(shape)), constant_output(Tensor::vector<std::int32_t>(axes)),
                                        "keep_dims", keep_dims);
    std::string out;
    in_rule(sum, [&](GradientContext& g) {
      const Output v = rules::with_reduced_axes(g, input("v", sum.shape()));
      out = v.op_type() == "Placeholder" ? "v" : expression_of(v).substr(0, expression_of(v).find('(')) + v.shape().to_string();
    });
    return out;
  };
  CHECK(kept({2, 3}, {1}, true) == "v");
  CHECK(kept({2, 3}, {0, 1}, false) == "v");
  CHECK(kept({2, 3}, {-1}, false) == "Reshape[2,1]");
  CHECK(kept({-1, 3}, {1}, false) == "ExpandDims[?,1]");
  CHECK(kept({-1, 3, 4}, {2, 1}, false) == "ExpandDims[?,1,1]");
  CHECK(kept({-1, 3}, {0}, false) == "Reshape[1,3]");
}

TEST_CASE("how many elements went into each") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto count = [&](PartialShape shape, std::initializer_list<std::int32_t> axes) {
    std::optional<std::int64_t> out;
    in_rule(add_op<ops::Sum>("s", input("x", std::move(shape)), constant_output(Tensor::vector<std::int32_t>(axes))),
            [&](GradientContext& g) { out = rules::reduced_count(g); });
    return out;
  };
  CHECK(count({2, 3, 4}, {0, -1}) == 8);
  CHECK(count({-1, 3}, {1}) == 3);
  CHECK_FALSE(count({-1, 3}, {0}));
  CHECK_FALSE(count(PartialShape(), {0}));
  CHECK(count({2, 3}, {}) == 1);
}

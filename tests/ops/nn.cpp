#include <dgraph/ops/nn.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "graph_text.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::expression_of;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
};

std::string shape_of(const Output& x) { return x.shape().to_string(); }

}  // namespace

TEST_CASE("bias_add adds along the channels") {
  Building b;
  const auto x = placeholder<float>({-1, 4, 3}, "x");
  const auto bias = placeholder<float>({3}, "bias");
  const auto y = bias_add(x, bias);
  CHECK(shape_of(y) == "[?,4,3]");
  CHECK(shape_of(bias_add(x, placeholder<float>({4}), {}, "NCHW")) == "[?,4,3]");
  CHECK(shape_of(bias_add(placeholder<float>({2, -1}), bias)) == "[2,3]");
  CHECK_THROWS_WITH(bias_add(x, placeholder<float>({4})), contains("does not fit the 3 channels"));
  CHECK_THROWS_WITH(bias_add(placeholder<float>({3}), bias), contains("rank 2 or more"));
  CHECK_THROWS_WITH(bias_add(x, bias, {}, "NHCW"), contains("is not among NHWC, NCHW"));
  GradientOptions options;
  options.grad_ys = {placeholder<float>({-1, 4, 3}, "dy")};
  CHECK(expression_of(gradients(y, x, options)) == "dy");
  CHECK(expression_of(gradients(y, bias, options)) == "BiasAddGrad(dy)");
}

TEST_CASE("softmax is over the last dimension of a vector at least") {
  Building b;
  const auto x = placeholder<float>({2, 3}, "x");
  CHECK(shape_of(softmax(x)) == "[2,3]");
  CHECK_THROWS_WITH(softmax(constant(1.f)), contains("rank 1 or more"));
  GradientOptions options;
  options.grad_ys = {placeholder<float>({2, 3}, "dy")};
  CHECK(expression_of(gradients(softmax(x), x, options)) ==
        "Mul(Sub(dy, Sum(Mul(dy, Softmax(x)), [-1])), Softmax(x))");
  CHECK(expression_of(gradients(log_softmax(x), x, options)) ==
        "Sub(dy, Mul(Sum(dy, [-1]), Exp(LogSoftmax(x))))");
}

TEST_CASE("cross entropies give one loss for each row") {
  Building b;
  const auto logits = placeholder<float>({-1, 10}, "logits");
  const auto loss = sparse_softmax_cross_entropy_with_logits(placeholder<std::int64_t>({32}), logits);
  CHECK(shape_of(loss) == "[32]");
  CHECK(shape_of(Output(&b.core, loss.node_id(), 1)) == "[32,10]");
  CHECK(shape_of(softmax_cross_entropy_with_logits(placeholder<float>({32, 10}), logits)) == "[32]");
  CHECK_THROWS_WITH(sparse_softmax_cross_entropy_with_logits(placeholder<int>({2}), placeholder<float>({3, 10})),
                    contains("differ in the batch"));
  CHECK_THROWS_WITH(sparse_softmax_cross_entropy_with_logits(placeholder<int>({2}), placeholder<float>({2})),
                    contains("one dimension less"));
  CHECK_THROWS_WITH(softmax_cross_entropy_with_logits(placeholder<float>({2, 3}), placeholder<float>({2, 4})),
                    contains("[2,4]"));
  CHECK(shape_of(softmax_cross_entropy_with_logits(placeholder<float>({3}), placeholder<float>({3}))) == "[]");
}

TEST_CASE("the gradient of a sparse cross entropy is its own second output") {
  Building b;
  const auto logits = placeholder<float>({4, 10}, "logits");
  const auto loss = sparse_softmax_cross_entropy_with_logits(placeholder<int>({4}), logits, "loss");
  GradientOptions options;
  options.grad_ys = {placeholder<float>({4}, "dy")};
  const auto dx = gradients(loss, logits, options);
  CHECK_THAT(expression_of(dx), contains("Mul(ExpandDims(dy, -1), SparseSoftmaxCrossEntropyWithLogits(") && contains(":1"));
  // A second derivative goes through that output.
  CHECK_NOTHROW(gradients(dx, logits));
}

TEST_CASE("activations keep the shape and have second derivatives") {
  Building b;
  const auto x = placeholder<double>({2, 3}, "x");
  for (const auto& y : {elu(x), selu(x), softplus(x), leaky_relu(x), relu6(x)}) {
    CHECK(shape_of(y) == "[2,3]");
    const auto first = gradients(y, x);
    CHECK(first.op_type() == std::string(y.op_type()) + "Grad");
    CHECK(shape_of(gradients(first, x)) == "[2,3]");
  }
  CHECK(gradients(softsign(x), x).op_type() == "SoftsignGrad");
  CHECK(leaky_relu(x, 0.5f).node().attr<float>("alpha") == 0.5f);
  CHECK(shape_of(l2_loss(x)) == "[]");
  CHECK_THAT(expression_of(gradients(l2_loss(x), x)), contains("Mul(x, "));
}

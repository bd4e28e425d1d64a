#pragma once
#include <dgraph/ops/nn.hpp>

#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/rules.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL bool channels_first(const std::string& data_format) { return data_format == "NCHW"; }

// The sum along the last dimension, which stays as 1.
DGRAPH_DECL Output last_sum(const GradientContext& g, const Output& x) {
  return g.add<ops::Sum>(x, shapes::integers(g, {-1}), "keep_dims", true);
}

// A value for each row, times the rows.
DGRAPH_DECL Output by_rows(const GradientContext& g, const Output& each, const Output& rows) {
  return g.add<ops::Mul>(g.add<ops::ExpandDims>(each, shapes::integer(g, -1)), rows);
}

// What flows back through softmax to logits for gradient d of the softmax p.
DGRAPH_DECL Output softmax_gradient(const GradientContext& g, const Output& d, const Output& p) {
  return g.add<ops::Mul>(g.add<ops::Sub>(d, last_sum(g, g.add<ops::Mul>(d, p))), p);
}

// The gradient of the logits of both cross entropies: from the loss and, for second derivatives, from backprop.
DGRAPH_DECL Output cross_entropy_gradient(const GradientContext& g) {
  Output out;
  if (g.has_dy(0)) out = by_rows(g, g.dy(0), g.y(1));
  if (g.has_dy(1)) {
    const Output second = softmax_gradient(g, g.dy(1), g.add<ops::Softmax>(g.x(0)));
    out = out ? g.add<ops::AddV2>(out, second) : second;
  }
  return out;
}

// `value` where y is negative, 0 elsewhere: for activations whose slope depends on y there alone.
DGRAPH_DECL Output where_negative(const GradientContext& g, const Output& y, const Output& value) {
  const Output zero = shapes::constant(g, scalar_tensor(y.dtype(), 0));
  return g.add<ops::Select>(g.add<ops::Less>(y, zero), value, g.zeros_like(value));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void BiasAdd::shape(ShapeContext& c) {
  const PartialShape value = c.with_rank_at_least(0, 2), bias = c.with_rank(1, 1);
  if (!value.has_rank()) return;
  Dims out = value.dims();
  std::int64_t& channels =
      out[detail::channels_first(c.attr<std::string>("data_format")) ? 1 : value.rank() - 1];
  if (channels >= 0 && bias[0] >= 0 && channels != bias[0])
    fail(Code::InvalidArgument, "a bias of shape ", bias, " does not fit the ", channels, " channels of ", value);
  if (channels < 0) channels = bias[0];
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void BiasAdd::gradient(GradientContext& g) {
  const Output dy = g.dy();
  if (g.needs(0)) g.set(0, dy);
  if (g.needs(1)) g.set(1, g.add<BiasAddGrad>(dy, "data_format", g.attr<std::string>("data_format")));
}

DGRAPH_DECL void BiasAddGrad::shape(ShapeContext& c) {
  const PartialShape in = c.with_rank_at_least(0, 2);
  const bool first = detail::channels_first(c.attr<std::string>("data_format"));
  c.set_output(0, PartialShape{in.has_rank() ? in[first ? 1 : in.rank() - 1] : -1});
}
DGRAPH_DECL void BiasAddGrad::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output x = g.x(0);
  Output d = g.dy();
  if (detail::channels_first(g.attr<std::string>("data_format"))) {
    Output shape;
    if (x.shape().has_rank()) {
      Dims known(x.shape().rank() - 1, 1);
      known[0] = -1;
      shape = shapes::integers(g, known);
    } else {
      const Output after = g.add<Sub>(g.add<Rank>(x), shapes::integer(g, 2));
      const Output ones =
          g.add<Fill>(g.add<Reshape>(after, shapes::integers(g, {1})), shapes::integer(g, 1));
      shape = g.add<ConcatV2>(std::vector<Output>{shapes::integers(g, {-1}), ones},
                              shapes::integer(g, 0));
    }
    d = g.add<Reshape>(d, shape);
  }
  g.set(0, g.add<BroadcastTo>(d, shapes::of(g, x)));
}

DGRAPH_DECL void Softmax::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::softmax_gradient(g, g.dy(), g.y()));
}

DGRAPH_DECL void LogSoftmax::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output dy = g.dy();
  g.set(0, g.add<Sub>(dy, g.add<Mul>(detail::last_sum(g, dy), g.add<Exp>(g.y()))));
}

DGRAPH_DECL void SoftmaxCrossEntropyWithLogits::shape(ShapeContext& c) {
  PartialShape both = broadcast_shapes(c.input(0), c.input(1));
  if (both.has_rank() && both.rank() != 2)
    fail(Code::InvalidArgument, "logits and labels must be matrices, not of shapes ", c.input(0), " and ", c.input(1));
  both = both.merged_with(PartialShape{-1, -1});
  c.set_output(0, PartialShape{both[0]});
  c.set_output(1, both);
}
DGRAPH_DECL void SoftmaxCrossEntropyWithLogits::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, rules::summed_like(g, detail::cross_entropy_gradient(g), g.x(0)));
  if (!g.needs(1)) return;
  Output d;
  if (g.has_dy(0)) d = detail::by_rows(g, g.dy(0), g.add<Neg>(g.add<LogSoftmax>(g.x(0))));
  if (g.has_dy(1)) d = d ? g.add<Sub>(d, g.dy(1)) : g.add<Neg>(g.dy(1));
  g.set(1, rules::summed_like(g, d, g.x(1)));
}

DGRAPH_DECL void SparseSoftmaxCrossEntropyWithLogits::shape(ShapeContext& c) {
  const PartialShape logits = c.with_rank(0, 2), labels = c.with_rank(1, 1);
  if (logits[0] >= 0 && labels[0] >= 0 && logits[0] != labels[0])
    fail(Code::InvalidArgument, "logits of shape ", logits, " and labels of shape ", labels, " differ in the batch");
  const std::int64_t batch = logits[0] >= 0 ? logits[0] : labels[0];
  c.set_output(0, PartialShape{batch});
  c.set_output(1, PartialShape{batch, logits[1]});
}
DGRAPH_DECL void SparseSoftmaxCrossEntropyWithLogits::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::cross_entropy_gradient(g));
}

DGRAPH_DECL void L2Loss::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<Mul>(g.x(0), g.dy()));
}

DGRAPH_DECL void Relu6::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<Relu6Grad>(g.dy(), g.y()));
}
DGRAPH_DECL void Relu6Grad::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<Relu6Grad>(g.dy(), g.x(1)));
  if (g.needs(1)) g.set(1, g.zeros_like(g.x(1)));
}

DGRAPH_DECL void Elu::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<EluGrad>(g.dy(), g.y()));
}
DGRAPH_DECL void EluGrad::gradient(GradientContext& g) {
  const Output d = g.dy(), y = g.x(1);
  if (g.needs(0)) g.set(0, g.add<EluGrad>(d, y));
  if (g.needs(1)) g.set(1, detail::where_negative(g, y, g.add<Mul>(d, g.x(0))));
}

DGRAPH_DECL void Selu::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<SeluGrad>(g.dy(), g.y()));
}
DGRAPH_DECL void SeluGrad::gradient(GradientContext& g) {
  const Output d = g.dy(), y = g.x(1);
  if (g.needs(0)) g.set(0, g.add<SeluGrad>(d, y));
  if (g.needs(1)) g.set(1, detail::where_negative(g, y, g.add<Mul>(d, g.x(0))));
}

DGRAPH_DECL void LeakyRelu::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<LeakyReluGrad>(g.dy(), g.x(0), "alpha", g.attr<float>("alpha")));
}
DGRAPH_DECL void LeakyReluGrad::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<LeakyReluGrad>(g.dy(), g.x(1), "alpha", g.attr<float>("alpha")));
  if (g.needs(1)) g.set(1, g.zeros_like(g.x(1)));
}

DGRAPH_DECL void Softplus::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<SoftplusGrad>(g.dy(), g.x(0)));
}
DGRAPH_DECL void SoftplusGrad::gradient(GradientContext& g) {
  const Output d = g.dy(), x = g.x(1);
  if (g.needs(0)) g.set(0, g.add<SoftplusGrad>(d, x));
  if (!g.needs(1)) return;
  // The derivative of 1 / (1 + exp(-x)) is that times 1 / (1 + exp(x)): neither overflows.
  const Output slope = g.add<Mul>(g.add<Sigmoid>(x), g.add<Sigmoid>(g.add<Neg>(x)));
  g.set(1, g.add<Mul>(g.add<Mul>(d, g.x(0)), slope));
}

DGRAPH_DECL void Softsign::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<SoftsignGrad>(g.dy(), g.x(0)));
}
DGRAPH_DECL void SoftsignGrad::gradient(GradientContext& g) {
  const Output d = g.dy(), x = g.x(1);
  if (g.needs(0)) g.set(0, g.add<SoftsignGrad>(d, x));
  if (!g.needs(1)) return;
  // -2 sign(x) / (1 + |x|)^3, which softsign does not make larger than 2: sign(x) / (1 + |x|) is
  // sign(x) - softsign(x).
  const Output slope = g.add<Mul>(g.add<Sub>(g.add<Softsign>(x), g.add<Sign>(x)),
                                  rules::number(g, x, 2));
  g.set(1, g.add<Mul>(g.add<SoftsignGrad>(g.add<Mul>(d, g.x(0)), x), slope));
}

}  // namespace ops

namespace detail {

// A vector of one number: how many dimensions x has before its last.
DGRAPH_DECL Output leading_rank(const Output& x, const OpName& at) {
  const auto constant = [&](Tensor value) { return add_constant(std::move(value), at, x.core()); };
  if (x.shape().has_rank() && x.shape().rank() > 0)
    return constant(index_tensor({static_cast<std::int64_t>(x.shape().rank()) - 1}));
  const Output count =
      add_op<ops::Sub>(at, add_op<ops::Rank>(at, x), constant(Tensor::scalar<std::int32_t>(1)));
  return add_op<ops::Reshape>(at, count, constant(index_tensor({1})));
}

// Logits as a matrix of rows of classes.
DGRAPH_DECL Output class_rows(const Output& x, const OpName& at) {
  const auto constant = [&](Tensor value) { return add_constant(std::move(value), at, x.core()); };
  if (x.shape().has_rank() && x.shape().rank() > 0 && x.shape()[x.shape().rank() - 1] >= 0) {
    const std::int64_t classes = x.shape()[x.shape().rank() - 1];
    // Of no classes a -1 would stand for any number of rows.
    if (classes > 0) return add_op<ops::Reshape>(at, x, constant(index_tensor({-1, classes})));
  }
  const Output last = add_op<ops::Slice>(at, add_op<ops::Shape>(at, x), leading_rank(x, at),
                                         constant(index_tensor({1})));
  const std::vector<Output> both{constant(index_tensor({-1})), last};
  return add_op<ops::Reshape>(
      at, x, add_op<ops::ConcatV2>(at, both, constant(Tensor::scalar<std::int32_t>(0))));
}

DGRAPH_DECL Output softmax_cross_entropy(const Output& labels, const Output& logits,
                                         const OpName& name) {
  const auto is_matrix = [](const Output& x) {
    return !x.shape().has_rank() || x.shape().rank() == 2;
  };
  if (is_matrix(logits) && is_matrix(labels))
    return add_op<ops::SoftmaxCrossEntropyWithLogits>(name, logits, labels);
  if (!labels.shape().compatible_with(logits.shape()))
    fail(Code::InvalidArgument, "labels of shape ", labels.shape(), " and logits of shape ",
         logits.shape(), " must have one shape");
  const OpName at(name.location);
  const Output loss = add_op<ops::SoftmaxCrossEntropyWithLogits>(at, class_rows(logits, at),
                                                                 class_rows(labels, at));
  const Output leading = add_op<ops::Slice>(at, add_op<ops::Shape>(at, logits),
                                            add_constant(index_tensor({0}), at, logits.core()),
                                            leading_rank(logits, at));
  return add_op<ops::Reshape>(name, loss, leading);
}

DGRAPH_DECL Output sparse_softmax_cross_entropy(const Output& labels, const Output& logits,
                                                const OpName& name) {
  const PartialShape &l = labels.shape(), &x = logits.shape();
  if ((!l.has_rank() || l.rank() == 1) && (!x.has_rank() || x.rank() == 2))
    return add_op<ops::SparseSoftmaxCrossEntropyWithLogits>(name, logits, labels);
  if (l.has_rank() && x.has_rank() && l.rank() + 1 != x.rank())
    fail(Code::InvalidArgument, "labels of shape ", l,
         " must have one dimension less than logits of shape ", x);
  const OpName at(name.location);
  const Output flat =
      add_op<ops::Reshape>(at, labels, add_constant(index_tensor({-1}), at, labels.core()));
  const Output loss =
      add_op<ops::SparseSoftmaxCrossEntropyWithLogits>(at, class_rows(logits, at), flat);
  return add_op<ops::Reshape>(name, loss, add_op<ops::Shape>(at, labels));
}

}  // namespace detail
}  // namespace dgraph

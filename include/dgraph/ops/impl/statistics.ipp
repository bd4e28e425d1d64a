#pragma once
#include <dgraph/ops/statistics.hpp>

#include <dgraph/ops/complex.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/rounding.hpp>
#include <dgraph/ops/selection.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph::detail {

DGRAPH_DECL Output reduce_logsumexp(const Output& x, const Axes& axes, bool keep_dims,
                                    const OpName& name) {
  const OpName at(name.location);
  const Output over = axes.node(x, name.location);
  const Output largest = add_op<ops::Max>(at, x, over, "keep_dims", true);
  const Output zeros = add_op<ops::ZerosLike>(at, largest);
  const Output finite =
      add_op<ops::SelectV2>(at, add_op<ops::IsFinite>(at, largest), largest, zeros);
  const Output base = add_op<ops::StopGradient>(at, finite);
  const Output grown = add_op<ops::Exp>(at, add_op<ops::Sub>(at, x, base));
  const Output sum =
      add_op<ops::Log>(at, add_op<ops::Sum>(at, grown, over, "keep_dims", keep_dims));
  const Output added =
      keep_dims ? base : add_op<ops::Reshape>(at, base, add_op<ops::Shape>(at, sum));
  return add_op<ops::AddV2>(name, sum, added);
}

DGRAPH_DECL Output reduce_variance(const Output& x, const Axes& axes, bool keep_dims,
                                   const OpName& name) {
  const OpName at(name.location);
  const Output over = axes.node(x, name.location);
  const Output mean = add_op<ops::Mean>(at, x, over, "keep_dims", true);
  return add_op<ops::Mean>(name, add_op<ops::SquaredDifference>(at, x, mean), over, "keep_dims",
                           keep_dims);
}

DGRAPH_DECL Output reduce_std(const Output& x, const Axes& axes, bool keep_dims,
                              const OpName& name) {
  return add_op<ops::Sqrt>(name, reduce_variance(x, axes, keep_dims, OpName(name.location)));
}

DGRAPH_DECL std::pair<Output, Output> moments(const Output& x, const Axes& axes, bool keep_dims,
                                              const OpName& name) {
  const OpName at(name.location);
  const bool small = x.dtype() == DType::Float16 || x.dtype() == DType::BFloat16;
  const Output wide = small ? add_op<ops::Cast>(at, x, "DstT", DType::Float32) : x;
  const Output over = axes.node(x, name.location);
  const Output kept = add_op<ops::Mean>(at, wide, over, "keep_dims", true);
  // What flows through the mean is 0, but its slope is not: second derivatives need it.
  const Output apart = add_op<ops::SquaredDifference>(at, wide, kept);
  Output mean = keep_dims ? kept : add_op<ops::Mean>(at, wide, over);
  Output variance = add_op<ops::Mean>(name, apart, over, "keep_dims", keep_dims);
  if (small) {
    mean = add_op<ops::Cast>(at, mean, "DstT", x.dtype());
    variance = add_op<ops::Cast>(at, variance, "DstT", x.dtype());
  }
  return {mean, variance};
}

}  // namespace dgraph::detail

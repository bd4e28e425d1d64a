#pragma once
#include <dgraph/ops/dropout.hpp>

#include <dgraph/graph/constant_value.hpp>
#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/selection.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph::detail {

// A scalar of a floating dtype.
DGRAPH_DECL double floating_value(const Tensor& value) {
  switch (value.dtype()) {
    case DType::Float16:
      return static_cast<double>(static_cast<float>(value.data<half>()[0]));
    case DType::BFloat16:
      return static_cast<double>(static_cast<float>(value.data<bfloat16>()[0]));
    case DType::Float32:
      return static_cast<double>(value.data<float>()[0]);
    default:
      return value.data<double>()[0];
  }
}

DGRAPH_DECL Output dropout(const Output& x, const Output& keep_prob, const DropoutOptions& options,
                           const OpName& name) {
  const OpName at(name.location);
  const PartialShape& shape = keep_prob.shape();
  if (!shape.compatible_with(PartialShape::scalar()))
    fail(Code::InvalidArgument, "keep_prob must be a scalar, not of shape ", shape);
  if (keep_prob.node().is("Const")) {
    const double keep = floating_value(keep_prob.node().attr<Tensor>("value"));
    if (!(keep > 0 && keep <= 1))
      fail(Code::InvalidArgument, "keep_prob must be in (0, 1], not ", keep);
    if (keep == 1) return add_op<ops::Identity>(name, x);
  }
  Output dims;
  if (options.noise_shape)
    dims = options.noise_shape->node(name.location, x.core());
  else if (x.shape().fully_known())
    dims = add_constant(index_tensor(x.shape().dims()), at, x.core());
  else
    dims = add_op<ops::Shape>(at, x);
  const SeedPair seeds = seed_pair(*x.core(), options.seed);
  const Output drawn = add_op<ops::RandomUniform>(at, dims, "dtype", x.dtype(), "seed", seeds.seed,
                                                  "seed2", seeds.seed2);
  const Output zero = add_constant(scalar_tensor(x.dtype(), 0), at, x.core());
  const Output kept = add_op<ops::Less>(at, drawn, keep_prob);
  return add_op<ops::SelectV2>(name, kept, add_op<ops::RealDiv>(at, x, keep_prob), zero);
}

}  // namespace dgraph::detail

#pragma once
#include <dgraph/ops/tensordot.hpp>

#include <algorithm>
#include <vector>

#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/linalg.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph {

DGRAPH_DECL std::pair<Dims, Dims> ContractedAxes::of(std::size_t rank_a, std::size_t rank_b) const {
  Dims a = a_, b = b_;
  if (!listed_) {
    if (count_ < 0 || static_cast<std::size_t>(count_) > std::min(rank_a, rank_b))
      fail(Code::InvalidArgument, "tensors of rank ", rank_a, " and ", rank_b, " have no ", count_,
           " axes to sum over");
    for (std::int64_t i = 0; i < count_; ++i) {
      a.push_back(static_cast<std::int64_t>(rank_a) - count_ + i);
      b.push_back(i);
    }
  }
  if (a.size() != b.size())
    fail(Code::InvalidArgument, "axes come in pairs, but there are ", a.size(), " and ", b.size());
  for (std::int64_t& axis : a) axis = static_cast<std::int64_t>(shapes::axis(axis, rank_a));
  for (std::int64_t& axis : b) axis = static_cast<std::int64_t>(shapes::axis(axis, rank_b));
  for (const Dims* side : {&a, &b})
    for (std::size_t i = 0; i < side->size(); ++i)
      if (std::count(side->begin(), side->end(), (*side)[i]) > 1)
        fail(Code::InvalidArgument, "axis ", (*side)[i], " is to be summed over twice");
  return {std::move(a), std::move(b)};
}

namespace detail {

// Those dimensions of x as a vector: a constant where all are known.
DGRAPH_DECL Output dims_at(const Output& x, const Dims& axes, const OpName& at) {
  Dims known;
  for (std::int64_t axis : axes) known.push_back(x.shape()[static_cast<std::size_t>(axis)]);
  if (std::all_of(known.begin(), known.end(), [](std::int64_t d) { return d >= 0; }))
    return add_constant(index_tensor(known), at, x.core());
  return add_op<ops::Gather>(at, add_op<ops::Shape>(at, x),
                             add_constant(index_tensor(axes), at, x.core()));
}

// x as a matrix: rows are the positions along `rows`, columns those along `columns`.
DGRAPH_DECL Output as_matrix(const Output& x, const Dims& rows, const Dims& columns,
                             const OpName& at) {
  Dims order = rows;
  for (std::int64_t axis : columns) order.push_back(axis);
  const auto count = [&](const Dims& axes) {
    const Output sizes = dims_at(x, axes, at);
    const Output first = add_constant(Tensor::vector<std::int32_t>({0}), at, x.core());
    return add_op<ops::Prod>(at, sizes, first, "keep_dims", true);
  };
  const Output moved =
      std::is_sorted(order.begin(), order.end())
          ? x
          : add_op<ops::Transpose>(at, x, add_constant(index_tensor(order), at, x.core()));
  const Output zero = add_constant(Tensor::scalar<std::int32_t>(0), at, x.core());
  const std::vector<Output> shape{count(rows), count(columns)};
  return add_op<ops::Reshape>(at, moved, add_op<ops::ConcatV2>(at, shape, zero));
}

DGRAPH_DECL Output tensordot(const Output& a, const Output& b, const ContractedAxes& axes,
                             const OpName& name) {
  if (!a.shape().has_rank() || !b.shape().has_rank())
    fail(Code::InvalidArgument, "tensordot needs known ranks, not shapes ", a.shape(), " and ",
         b.shape());
  const auto [summed_a, summed_b] = axes.of(a.shape().rank(), b.shape().rank());
  for (std::size_t i = 0; i < summed_a.size(); ++i) {
    const std::int64_t x = a.shape()[static_cast<std::size_t>(summed_a[i])];
    const std::int64_t y = b.shape()[static_cast<std::size_t>(summed_b[i])];
    if (x >= 0 && y >= 0 && x != y)
      fail(Code::InvalidArgument, "axis ", summed_a[i], " of shape ", a.shape(), " and axis ",
           summed_b[i], " of shape ", b.shape(), " differ");
  }
  const auto others = [](std::size_t rank, const Dims& summed) {
    Dims out;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i)
      if (std::find(summed.begin(), summed.end(), i) == summed.end()) out.push_back(i);
    return out;
  };
  const OpName at(name.location);
  const Dims free_a = others(a.shape().rank(), summed_a),
             free_b = others(b.shape().rank(), summed_b);
  const Output product = add_op<ops::MatMul>(at, as_matrix(a, free_a, summed_a, at),
                                             as_matrix(b, summed_b, free_b, at));
  const Output zero = add_constant(Tensor::scalar<std::int32_t>(0), at, a.core());
  const std::vector<Output> shape{dims_at(a, free_a, at), dims_at(b, free_b, at)};
  return add_op<ops::Reshape>(name, product, add_op<ops::ConcatV2>(at, shape, zero));
}

}  // namespace detail
}  // namespace dgraph

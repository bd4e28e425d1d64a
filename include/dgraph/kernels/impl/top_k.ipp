#pragma once
#include <dgraph/kernels/top_k.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

struct TopKConfig {
  std::int64_t k;  ///< -1: the second input
  DType compare;   ///< what elements are compared as
};

// The places of the k largest elements of a row.
template <class T>
void pick_largest(const T* row, std::int64_t n, std::int64_t k, std::vector<std::int64_t>& order,
                  std::int64_t* picked) {
  // NaN before all others: an order that sorting can rely on.
  const auto before = [row](std::int64_t a, std::int64_t b) {
    const T x = row[a], y = row[b];
    if (x > y) return true;
    if (x < y) return false;
    const bool x_nan = x != x, y_nan = y != y;
    return x_nan != y_nan ? x_nan : a < b;
  };
  if (k == 1) {
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < n; ++i)
      if (before(i, best)) best = i;
    picked[0] = best;
    return;
  }
  order.resize(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(k);
  if (k < n) std::nth_element(order.begin(), end, order.end(), before);
  std::sort(order.begin(), end, before);
  std::copy(order.begin(), end, picked);
}

template <class T>
void top_k_rows(const KernelContext& c, const Tensor& x, std::int64_t n, std::int64_t k,
                Tensor& indices) {
  const double ns = 10.0 * static_cast<double>(n) + 20.0 * static_cast<double>(k);
  c.parallel_for(k == 0 ? 0 : indices.elements() / k, ns,
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<std::int64_t> order;
                   for (std::int64_t row = begin; row < end; ++row)
                     pick_largest(x.data<T>() + row * n, n, k, order,
                                  indices.mutable_data<std::int64_t>() + row * k);
                 });
}

DGRAPH_DECL void run_top_k(KernelContext& c) {
  const auto& config = c.config<TopKConfig>();
  const Tensor& input = c.input(0);
  if (config.k < 0 && c.input(1).rank() != 0)
    fail(Code::InvalidArgument, "k must be scalar, got shape ", c.input(1).shape());
  const std::int64_t k = config.k >= 0 ? config.k : integer_argument(c.input(1), "k");
  if (k < 0) fail(Code::InvalidArgument, "Need k >= 0, got ", k);
  if (input.rank() == 0)
    fail(Code::InvalidArgument, "input must be >= 1-D, got shape ", input.shape());
  const std::int64_t n = input.dim(input.rank() - 1);
  if (n < k)
    fail(Code::InvalidArgument, "input must have at least k columns. Had ", n, ", needed ", k);
  Dims dims = input.shape().dims();
  dims[input.rank() - 1] = k;
  const Shape shape(std::move(dims));
  const Tensor x = cast_tensor(input, config.compare);
  Tensor indices(DType::Int64, shape);
  switch (config.compare) {
    case DType::Float32:
      top_k_rows<float>(c, x, n, k, indices);
      break;
    case DType::Float64:
      top_k_rows<double>(c, x, n, k, indices);
      break;
    case DType::UInt64:
      top_k_rows<std::uint64_t>(c, x, n, k, indices);
      break;
    default:
      top_k_rows<std::int64_t>(c, x, n, k, indices);
  }
  Tensor& values = c.allocate_output(0, shape);
  with_moved_type(input.dtype(), [&]<class E>() {
    const std::int64_t* at = indices.data<std::int64_t>();
    E* to = values.mutable_data<E>();
    for (std::int64_t i = 0; i < indices.elements(); ++i)
      to[i] = input.data<E>()[i / k * n + at[i]];
  });
  c.set_output(1, cast_tensor(indices, c.output_dtype(1)));
}

DGRAPH_DECL Kernel top_k_kernel(const KernelRequest& r, std::int64_t k) {
  const DType dtype = r.dtype("T");
  TopKConfig config{k, DType::Int64};
  if (is_floating(dtype))
    config.compare = dtype == DType::Float64 ? DType::Float64 : DType::Float32;
  else if (dtype == DType::UInt64)
    config.compare = DType::UInt64;
  return plain_kernel(&run_top_k).with(config);
}

// TensorFlow's rule: an element that is not finite leaves it open, unless k larger ones came before it.
DGRAPH_DECL bool in_top_k(const float* row, std::int64_t classes, std::int64_t target,
                          std::int64_t k) {
  if (target < 0 || target >= classes || !std::isfinite(row[target])) return false;
  std::int64_t larger = 0;
  for (std::int64_t i = 0; i < classes; ++i) {
    if (!std::isfinite(row[i])) return false;
    if (row[i] > row[target] && ++larger > k) break;
  }
  return larger < k;
}

DGRAPH_DECL void run_in_top_k(KernelContext& c) {
  const Tensor &predictions = c.input(0), &targets = c.input(1);
  const std::int64_t k =
      c.num_inputs() > 2 ? integer_argument(c.input(2), "k") : c.config<std::int64_t>();
  if (predictions.rank() != 2)
    fail(Code::InvalidArgument, "predictions must be 2-dimensional, not of shape ",
         predictions.shape());
  if (targets.rank() != 1)
    fail(Code::InvalidArgument, "targets must be 1-dimensional, not of shape ", targets.shape());
  if (predictions.dim(0) != targets.dim(0))
    fail(Code::InvalidArgument, "First dimension of predictions ", predictions.dim(0),
         " must match length of targets ", targets.dim(0));
  Tensor& out = c.allocate_output(0, targets.shape());
  const std::int64_t classes = predictions.dim(1);
  c.parallel_for(
      targets.dim(0), static_cast<double>(classes), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
          out.mutable_data<bool>()[row] = in_top_k(predictions.data<float>() + row * classes,
                                                   classes, integer_at(targets, row, "targets"), k);
      });
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::TopKV2>::make(const KernelRequest& r) {
  return detail::top_k_kernel(r, -1);
}
DGRAPH_DECL Kernel Kernels<ops::TopK>::make(const KernelRequest& r) {
  return detail::top_k_kernel(r, r.attr<std::int64_t>("k"));
}
DGRAPH_DECL Kernel Kernels<ops::InTopK>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_in_top_k).with(r.attr<std::int64_t>("k"));
}
DGRAPH_DECL Kernel Kernels<ops::InTopKV2>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_in_top_k);
}

}  // namespace dgraph

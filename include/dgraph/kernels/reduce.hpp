#pragma once
// What reductions share: any axes are brought to reductions of contiguous rows or columns, split by size alone and added in
// pairs, so that sums are accurate and no thread count or SIMD level changes them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/elementwise.hpp>

namespace dgraph::detail {

/// A reduction in terms of its accumulator dtype: all that it takes is a loop that combines two arrays of accumulators.
struct Reducer {
  DType accumulator = DType::Invalid;
  ElementLoop combine = nullptr;
  std::array<std::byte, 16> identity{};  ///< what a reduction of nothing gives
  double ns_each = 0.1;
};

/// Combines with F::of; `identity` is the result for no elements.
template <class T, class F>
Reducer make_reducer(T identity) {
  Reducer reducer;
  reducer.accumulator = dtype_of<T>;
  reducer.combine = bind_loop<BinaryLoop<F, T>, T, Width::Auto>();
  std::memcpy(reducer.identity.data(), &identity, sizeof identity);
  reducer.ns_each = memory_ns(dtype_of<T>);
  return reducer;
}

/// The axes of a reduction, checked: a flag for each dimension. `indices` is an int32 or int64 tensor; negative ones count from
/// the back. Throws InvalidArgument for one out of range or given twice.
Dims reduced_axes(const Tensor& indices, std::size_t rank);
/// The shape without those dimensions, or with 1 in their place.
Shape reduced_shape(const Shape& shape, const Dims& reduced, bool keep_dims);

/// Reduces `input` over the flagged dimensions; the result has the accumulator's dtype and the shape given, which has as many
/// elements as there are other positions. `widen` converts the input's elements to accumulators; empty where they are the same.
Tensor reduce_tensor(const KernelContext& context, const Tensor& input, const Dims& reduced, const Shape& shape,
                     const Reducer& reducer, const CastChain& widen);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/reduce.ipp>
#endif

#pragma once
// What reductions share: any axes are brought to reductions of contiguous rows or columns, split by size alone, summed in pairs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/elementwise.hpp>

namespace dgraph::detail {

/// At most so many elements go to one BlockReduce.
inline constexpr std::int64_t kReduceBlock = 1024;

/// Reduces n contiguous elements, 1 <= n <= kReduceBlock, to one.
using BlockReduce = void (*)(const void* in, std::int64_t n, void* out);

/// A reduction in terms of its accumulator dtype.
struct Reducer {
  DType accumulator = DType::Invalid;
  BlockReduce block = nullptr;
  ElementLoop combine = nullptr;             ///< of two accumulators
  std::array<std::byte, 16> identity{};      ///< what a reduction of nothing gives
  double ns_each = 0.1;
};

/// A combination of lanes in an order that no SIMD level changes: 64 sums side by side, then halves added to halves.
template <class F, class T>
struct BlockReduceLoop {
  template <std::int64_t Lanes>
  DGRAPH_INLINE static T reduce(const T* x, std::int64_t n) {
    T lanes[Lanes];
    for (std::int64_t j = 0; j < Lanes; ++j) lanes[j] = x[j];
    std::int64_t i = Lanes;
    for (; i + Lanes <= n; i += Lanes)
      for (std::int64_t j = 0; j < Lanes; ++j) lanes[j] = F::of(lanes[j], x[i + j]);
    for (std::int64_t j = 0; i + j < n; ++j) lanes[j] = F::of(lanes[j], x[i + j]);
    for (std::int64_t width = Lanes / 2; width > 0; width /= 2)
      for (std::int64_t j = 0; j < width; ++j) lanes[j] = F::of(lanes[j], lanes[j + width]);
    return lanes[0];
  }
  DGRAPH_INLINE static void run(const void* in, std::int64_t n, void* out) {
    const T* const x = static_cast<const T*>(in);
    T result = x[0];
    if (n >= 64) {
      result = reduce<64>(x, n);
    } else if (n >= 8) {
      result = reduce<8>(x, n);
    } else {
      for (std::int64_t i = 1; i < n; ++i) result = F::of(result, x[i]);
    }
    *static_cast<T*>(out) = result;
  }
};

template <class T, class F>
Reducer make_reducer(T identity) {
  Reducer reducer;
  reducer.accumulator = dtype_of<T>;
  if constexpr (!is_complex_element<T> && sizeof(T) >= 4) {
    reducer.block = simd_up_to_avx2<BlockReduceLoop<F, T>>();
    reducer.combine = simd_up_to_avx2<BinaryLoop<F, T>>();
  } else {
    reducer.block = simd_baseline<BlockReduceLoop<F, T>>();
    reducer.combine = simd_baseline<BinaryLoop<F, T>>();
  }
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

#pragma once
// Products of real matrices: OpenBLAS where the build has it, own blocked loops for integers and everywhere else.

#include <cstdint>
#include <span>

#include <dgraph/base/dtype.hpp>
#include <dgraph/kernels/kernel.hpp>

namespace dgraph::detail {

/// Where element (row, column) of a factor lies, in elements.
struct Strides {
  std::int64_t row = 0, column = 0;
};

/// C = A B, m x k by k x n, many times: the i-th pair of factors starts at the i-th offsets (in elements), its product, row by
/// row, right after the one before.
struct GemmBatch {
  std::int64_t m = 0, n = 0, k = 0;
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  Strides a_strides, b_strides;
  std::span<const std::int64_t> a_offsets, b_offsets;
};

/// For Float32, Float64, UInt32 and UInt64 (integers wrap, so that signed ones are the same). k = 0 gives zeros. The split over
/// threads depends on the sizes alone.
void multiply(const KernelContext& context, DType dtype, const GemmBatch& batch);
/// The same with own loops, whatever the build has.
void multiply_portably(const KernelContext& context, DType dtype, const GemmBatch& batch);
/// One product with strides of its own, for kernels that split their work themselves. The columns of c
/// lie side by side.
struct GemmBlock {
  std::int64_t m = 0, n = 0, k = 0;
  const void* a = nullptr;
  Strides a_strides;
  const void* b = nullptr;
  Strides b_strides;
  void* c = nullptr;
  std::int64_t c_stride = 0;
  bool add = false;  ///< to what is in c
};
/// The same product by the calling thread alone.
void multiply_block(DType dtype, const GemmBlock& block);
/// Nanoseconds of a multiplication and addition, about.
double multiply_ns(DType dtype);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/gemm.ipp>
#endif

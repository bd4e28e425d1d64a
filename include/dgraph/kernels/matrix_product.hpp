#pragma once
// Products of stacks of matrices of any number dtype, for kernels that are made of them.

#include <cstdint>
#include <vector>

#include <dgraph/base/shape.hpp>
#include <dgraph/base/tensor.hpp>
#include <dgraph/kernels/gemm.hpp>

namespace dgraph::detail {

/// What products of a dtype are made in: wider floats for small ones, unsigned integers for signed ones;
/// Invalid where there is none.
DType product_dtype(DType dtype);

/// Where the matrices of each pair start, the batch dimensions `own` broadcast to `all`; `matrix` is the
/// number of elements of one.
std::vector<std::int64_t> matrix_offsets(const Shape& own, const Shape& all, std::int64_t matrix);

/// out = a b, computed in a dtype that product_dtype gives and all three are as wide as; the pointers of
/// `batch` are ignored. Complex factors are conjugated where asked.
void multiply_tensors(const KernelContext& context, DType compute, GemmBatch batch, const Tensor& a,
                      const Tensor& b, bool conjugate_a, bool conjugate_b, Tensor& out);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/matrix_product.ipp>
#endif

#pragma once
#include <dgraph/kernels/linalg.hpp>

#include <utility>
#include <vector>

#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/gemm.hpp>
#include <dgraph/kernels/matrix_product.hpp>

namespace dgraph {
namespace detail {

struct MatMulConfig {
  bool transpose_a, transpose_b, conjugate_a, conjugate_b;
  bool batched, broadcasts;
  DType dtype;
  DType compute;  ///< what the products are made in; for complex numbers that of their parts
};

DGRAPH_DECL Shape leading_dims(const Shape& shape) {
  return Shape(std::span<const std::int64_t>(shape.begin(), shape.rank() - 2));
}

DGRAPH_DECL void run_matmul(KernelContext& context) {
  const MatMulConfig& config = context.config<MatMulConfig>();
  const Tensor &a = context.input(0), &b = context.input(1);
  for (const Tensor* factor : {&a, &b})
    if (factor->rank() < 2 || (!config.batched && factor->rank() > 2))
      fail(Code::InvalidArgument, config.batched ? "factors must have two dimensions or more" : "factors must be matrices",
           ", not of shape ", factor->shape());
  const std::int64_t a_rows = a.dim(a.rank() - 2), a_columns = a.dim(a.rank() - 1);
  const std::int64_t b_rows = b.dim(b.rank() - 2), b_columns = b.dim(b.rank() - 1);
  GemmBatch batch;
  batch.m = config.transpose_a ? a_columns : a_rows;
  batch.k = config.transpose_a ? a_rows : a_columns;
  batch.n = config.transpose_b ? b_rows : b_columns;
  if (batch.k != (config.transpose_b ? b_columns : b_rows))
    fail(Code::InvalidArgument, "Matrix size-incompatible: ", a.shape(), config.transpose_a ? " transposed" : "", " times ",
         b.shape(), config.transpose_b ? " transposed" : "");
  batch.a_strides = config.transpose_a ? Strides{1, a_columns} : Strides{a_columns, 1};
  batch.b_strides = config.transpose_b ? Strides{1, b_columns} : Strides{b_columns, 1};

  static constexpr std::int64_t kZero = 0;
  std::vector<std::int64_t> a_offsets, b_offsets;
  Dims dims;
  if (a.rank() == 2 && b.rank() == 2) {
    batch.a_offsets = batch.b_offsets = {&kZero, 1};
  } else {
    const Shape a_outer = leading_dims(a.shape()), b_outer = leading_dims(b.shape());
    if (!config.broadcasts && !(a_outer == b_outer))
      fail(Code::InvalidArgument, "leading dimensions of ", a.shape(), " and ", b.shape(), " differ");
    const Shape outer = broadcast_shapes(a_outer, b_outer);
    a_offsets = matrix_offsets(a_outer, outer, a_rows * a_columns);
    b_offsets = matrix_offsets(b_outer, outer, b_rows * b_columns);
    batch.a_offsets = a_offsets;
    batch.b_offsets = b_offsets;
    dims = outer.dims();
  }
  dims.push_back(batch.m);
  dims.push_back(batch.n);
  Tensor& out = context.allocate_output(0, Shape(std::move(dims)));

  if (dtype_size(config.dtype) == dtype_size(config.compute))
    return multiply_tensors(context, config.compute, batch, a, b, config.conjugate_a, config.conjugate_b, out);
  const Tensor wide_a = cast_tensor(a, config.compute), wide_b = cast_tensor(b, config.compute);
  Tensor product(config.compute, out.shape());
  multiply_tensors(context, config.compute, batch, wide_a, wide_b, false, false, product);
  make_cast_chain(config.compute, config.dtype).run(product.raw(), out.mutable_raw(), out.elements());
}

DGRAPH_DECL double matmul_cost(const KernelContext& context) {
  const MatMulConfig& config = context.config<MatMulConfig>();
  const Tensor &a = context.input(0), &b = context.input(1);
  if (a.rank() < 2 || b.rank() < 2) return 0;
  const double n = static_cast<double>(b.dim(config.transpose_b ? b.rank() - 2 : b.rank() - 1));
  return 100 + static_cast<double>(a.elements()) * n * multiply_ns(config.compute) * (is_complex(config.dtype) ? 4 : 1);
}

DGRAPH_DECL Kernel matmul_kernel(const KernelRequest& request, MatMulConfig config) {
  config.dtype = request.input_dtypes[0];
  config.compute = product_dtype(config.dtype);
  if (config.compute == DType::Invalid) no_kernel_for(request, config.dtype);
  Kernel kernel;
  kernel.run = &run_matmul;
  kernel.cost = &matmul_cost;
  kernel.with(config);
  return kernel;
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::MatMul>::make(const KernelRequest& r) {
  return detail::matmul_kernel(
      r, {r.attr<bool>("transpose_a"), r.attr<bool>("transpose_b"), false, false, false, false, {}, {}});
}
// Adjoints: transposed and conjugated.
DGRAPH_DECL Kernel Kernels<ops::BatchMatMul>::make(const KernelRequest& r) {
  const bool adj_x = r.attr<bool>("adj_x"), adj_y = r.attr<bool>("adj_y");
  return detail::matmul_kernel(r, {adj_x, adj_y, adj_x, adj_y, true, false, {}, {}});
}
DGRAPH_DECL Kernel Kernels<ops::BatchMatMulV2>::make(const KernelRequest& r) {
  const bool adj_x = r.attr<bool>("adj_x"), adj_y = r.attr<bool>("adj_y");
  return detail::matmul_kernel(r, {adj_x, adj_y, adj_x, adj_y, true, true, {}, {}});
}

}  // namespace dgraph

#pragma once
#include <dgraph/kernels/linalg.hpp>

#include <complex>
#include <utility>
#include <vector>

#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/gemm.hpp>
#include <dgraph/kernels/walker.hpp>

namespace dgraph {
namespace detail {

struct MatMulConfig {
  bool transpose_a, transpose_b, conjugate_a, conjugate_b;
  bool batched;
  DType dtype;
  DType compute;  ///< what the products are made in; for complex numbers that of their parts
};

// The real or imaginary parts of a complex tensor, the latter negated where it is to be conjugated.
template <class T>
Tensor complex_parts(const Tensor& from, std::size_t part, bool negate) {
  Tensor out(dtype_of<T>, from.shape());
  const T* x = from.data<T>() + part;
  T* y = out.mutable_data<T>();
  for (std::int64_t i = 0; i < from.elements(); ++i) y[i] = negate ? -x[2 * i] : x[2 * i];
  return out;
}

// (a + bi)(c + di) as four real products.
template <class T>
void multiply_complex(const KernelContext& context, const MatMulConfig& config, GemmBatch batch, const Tensor& a,
                      const Tensor& b, Tensor& out) {
  const Tensor a_parts[2] = {complex_parts<T>(a, 0, false), complex_parts<T>(a, 1, config.conjugate_a)};
  const Tensor b_parts[2] = {complex_parts<T>(b, 0, false), complex_parts<T>(b, 1, config.conjugate_b)};
  std::complex<T>* const y = out.mutable_data<std::complex<T>>();
  const std::int64_t count = out.elements();
  for (std::int64_t i = 0; i < count; ++i) y[i] = std::complex<T>();
  Tensor product(dtype_of<T>, out.shape());
  const T* const p = product.data<T>();
  batch.c = product.mutable_raw();
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      batch.a = a_parts[i].raw();
      batch.b = b_parts[j].raw();
      multiply(context, dtype_of<T>, batch);
      for (std::int64_t at = 0; at < count; ++at) {
        if (i != j) y[at].imag(y[at].imag() + p[at]);
        else y[at].real(i == 0 ? y[at].real() + p[at] : y[at].real() - p[at]);
      }
    }
  }
}

// Where the matrices of each pair start, the batch dimensions broadcast against each other.
DGRAPH_DECL std::vector<std::int64_t> matrix_offsets(const Shape& own, const Shape& all, std::int64_t matrix) {
  const Dims strides = broadcast_strides(own, all);
  std::vector<std::int64_t> out(static_cast<std::size_t>(all.elements()));
  Dims index(all.rank(), 0);
  std::int64_t offset = 0;
  for (std::int64_t& at : out) {
    at = offset * matrix;
    for (std::size_t axis = all.rank(); axis-- > 0;) {
      offset += strides[axis];
      if (++index[axis] < all[axis]) break;
      offset -= strides[axis] * all[axis];
      index[axis] = 0;
    }
  }
  return out;
}

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

  if (config.dtype == DType::Complex64) return multiply_complex<float>(context, config, batch, a, b, out);
  if (config.dtype == DType::Complex128) return multiply_complex<double>(context, config, batch, a, b, out);
  if (dtype_size(config.dtype) == dtype_size(config.compute)) {
    batch.a = a.raw();
    batch.b = b.raw();
    batch.c = out.mutable_raw();
    return multiply(context, config.compute, batch);
  }
  const Tensor wide_a = cast_tensor(a, config.compute), wide_b = cast_tensor(b, config.compute);
  Tensor product(config.compute, out.shape());
  batch.a = wide_a.raw();
  batch.b = wide_b.raw();
  batch.c = product.mutable_raw();
  multiply(context, config.compute, batch);
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
  switch (config.dtype) {
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
    case DType::Complex64: config.compute = DType::Float32; break;
    case DType::Float64:
    case DType::Complex128: config.compute = DType::Float64; break;
    case DType::Int8:
    case DType::UInt8:
    case DType::Int16:
    case DType::UInt16:
    case DType::Int32:
    case DType::UInt32: config.compute = DType::UInt32; break;
    case DType::Int64:
    case DType::UInt64: config.compute = DType::UInt64; break;
    default: no_kernel_for(request, config.dtype);
  }
  Kernel kernel;
  kernel.run = &run_matmul;
  kernel.cost = &matmul_cost;
  kernel.with(config);
  return kernel;
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::MatMul>::make(const KernelRequest& r) {
  return detail::matmul_kernel(
      r, {r.attr<bool>("transpose_a"), r.attr<bool>("transpose_b"), false, false, false, {}, {}});
}
// Adjoints: transposed and conjugated.
DGRAPH_DECL Kernel Kernels<ops::BatchMatMulV2>::make(const KernelRequest& r) {
  const bool adj_x = r.attr<bool>("adj_x"), adj_y = r.attr<bool>("adj_y");
  return detail::matmul_kernel(r, {adj_x, adj_y, adj_x, adj_y, true, {}, {}});
}

}  // namespace dgraph

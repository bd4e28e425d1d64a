#pragma once
#include <dgraph/kernels/matrix_product.hpp>

#include <complex>

#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/walker.hpp>

namespace dgraph::detail {

DGRAPH_DECL DType product_dtype(DType dtype) {
  switch (dtype) {
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
      return DType::Float32;
    case DType::Int8:
    case DType::UInt8:
    case DType::Int16:
    case DType::UInt16:
    case DType::Int32:
    case DType::UInt32:
      return DType::UInt32;
    case DType::Int64:
    case DType::UInt64:
      return DType::UInt64;
    case DType::Float64:
    case DType::Complex64:
    case DType::Complex128:
      return dtype;
    default:
      return DType::Invalid;
  }
}

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
void multiply_complex(const KernelContext& context, GemmBatch batch, const Tensor& a,
                      const Tensor& b, bool conjugate_a, bool conjugate_b, Tensor& out) {
  const Tensor a_parts[2] = {complex_parts<T>(a, 0, false), complex_parts<T>(a, 1, conjugate_a)};
  const Tensor b_parts[2] = {complex_parts<T>(b, 0, false), complex_parts<T>(b, 1, conjugate_b)};
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
        if (i != j)
          y[at].imag(y[at].imag() + p[at]);
        else
          y[at].real(i == 0 ? y[at].real() + p[at] : y[at].real() - p[at]);
      }
    }
  }
}

// Where the matrices of each pair start, the batch dimensions broadcast against each other.
DGRAPH_DECL std::vector<std::int64_t> matrix_offsets(const Shape& own, const Shape& all,
                                                     std::int64_t matrix) {
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

DGRAPH_DECL void multiply_tensors(const KernelContext& context, DType compute, GemmBatch batch,
                                  const Tensor& a, const Tensor& b, bool conjugate_a,
                                  bool conjugate_b, Tensor& out) {
  if (compute == DType::Complex64)
    return multiply_complex<float>(context, batch, a, b, conjugate_a, conjugate_b, out);
  if (compute == DType::Complex128)
    return multiply_complex<double>(context, batch, a, b, conjugate_a, conjugate_b, out);
  batch.a = a.raw();
  batch.b = b.raw();
  batch.c = out.mutable_raw();
  multiply(context, compute, batch);
}

}  // namespace dgraph::detail

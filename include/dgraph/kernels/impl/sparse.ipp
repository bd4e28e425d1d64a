#pragma once
#include <dgraph/kernels/sparse.hpp>

#include <complex>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/functions.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL void run_sparse_to_dense(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(2), &rest = c.input(3);
  if (indices.rank() > 2)
    fail(Code::InvalidArgument, "sparse_indices should be a scalar, vector, or matrix, got shape ",
         indices.shape());
  const std::int64_t count = indices.rank() > 0 ? indices.dim(0) : 1,
                     depth = indices.rank() > 1 ? indices.dim(1) : 1;
  const Tensor& dims = c.input(1);
  if (!(dims.shape() == Shape{depth}))
    fail(Code::InvalidArgument, "output_shape has incorrect number of elements: shape ",
         dims.shape(), " should be [", depth, "]");
  if (values.rank() > 1 || (values.rank() == 1 && values.elements() != count))
    fail(Code::InvalidArgument, "sparse_values has incorrect shape ", values.shape(),
         ", should be [] or [", count, "]");
  if (rest.rank() != 0)
    fail(Code::InvalidArgument, "default_value should be a scalar, not of shape ", rest.shape());
  Tensor& out = c.allocate_output(0, shape_argument(dims, "output_shape"));
  fill_elements(out.dtype(), rest.raw(), out.mutable_raw(), out.elements());
  const bool one = values.rank() == 0, ordered = c.config<bool>();
  std::int64_t before = -1;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t place = 0;
    for (std::int64_t k = 0; k < depth; ++k) {
      const std::int64_t at = i * depth + k, index = integer_at(indices, at, "sparse_indices"),
                         bound = out.dim(static_cast<std::size_t>(k));
      if (index < 0 || index >= bound)
        fail(Code::InvalidArgument, "sparse_indices",
             indices.rank() == 0 ? "" : position_text(indices.shape(), at), " = ", index,
             " is not in [0, ", bound, ")");
      place = place * bound + index;
    }
    // Row-major places are ordered as their indices are.
    if (ordered && place <= before)
      fail(Code::InvalidArgument, "sparse_indices[", i, "] is ",
           place == before ? "repeated" : "out of order");
    before = place;
    copy_elements(out.dtype(), element_at(out.dtype(), values.raw(), one ? 0 : i),
                  element_at(out.dtype(), out.mutable_raw(), place), 1);
  }
}

// out[j] += a * b[j * step], either conjugated.
using AddMultiple = void (*)(std::byte* out, const std::byte* a, bool conjugate_a,
                             const std::byte* b, std::int64_t step, bool conjugate_b,
                             std::int64_t count);

template <class T>
void add_multiple(std::byte* out, const std::byte* a, bool conjugate_a, const std::byte* b,
                  std::int64_t step, bool conjugate_b, std::int64_t count) {
  using V = Value<T>;
  T* const y = reinterpret_cast<T*>(out);
  const T* const x = reinterpret_cast<const T*>(b);
  auto scale = V::load(*reinterpret_cast<const T*>(a));
  if constexpr (is_complex_element<T>) {
    if (conjugate_a) scale = std::conj(scale);
    if (conjugate_b) {
      for (std::int64_t j = 0; j < count; ++j) y[j] += MulF::of(scale, std::conj(x[j * step]));
      return;
    }
  }
  for (std::int64_t j = 0; j < count; ++j)
    y[j] = V::store(AddF::of(V::load(y[j]), MulF::of(scale, V::load(x[j * step]))));
}

struct SparseProductConfig {
  AddMultiple add = nullptr;
  bool adjoint_a = false, adjoint_b = false;
};

DGRAPH_DECL void run_sparse_product(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &b = c.input(3);
  const auto& config = c.config<SparseProductConfig>();
  if (b.rank() != 2) fail(Code::InvalidArgument, "Tensor 'b' is not a matrix: ", b.shape());
  if (c.input(2).rank() != 1 || c.input(2).elements() != 2)
    fail(Code::InvalidArgument, "Tensor 'a_shape' must have 2 elements, not shape ",
         c.input(2).shape());
  if (values.rank() != 1)
    fail(Code::InvalidArgument, "Tensor 'a_values' is not a vector: ", values.shape());
  const std::int64_t count = values.elements();
  if (!(indices.shape() == Shape{count, 2}))
    fail(Code::InvalidArgument, "Tensor 'a_indices' must have shape [", count, ",2], not ",
         indices.shape());
  const Shape a = shape_argument(c.input(2), "a_shape");
  const std::int64_t rows = a[config.adjoint_a ? 1 : 0], inner = a[config.adjoint_a ? 0 : 1],
                     columns = b.dim(config.adjoint_b ? 0 : 1);
  if (inner != b.dim(config.adjoint_b ? 1 : 0))
    fail(Code::InvalidArgument,
         "Cannot multiply A and B because inner dimension does not match: ", inner, " vs. ",
         b.dim(config.adjoint_b ? 1 : 0));
  for (std::int64_t i = 0; i < 2 * count; ++i) {
    const std::int64_t index = integer_at(indices, i, "a_indices"), bound = a[i % 2 ? 1 : 0];
    if (index < 0 || index >= bound)
      fail(Code::InvalidArgument, "a_indices", position_text(indices.shape(), i), " = ", index,
           " is not in [0, ", bound, ")");
  }
  Tensor out = Tensor::zeros(b.dtype(), Shape{rows, columns});
  const DType dtype = b.dtype();
  const std::int64_t row_step = config.adjoint_b ? 1 : columns,
                     column_step = config.adjoint_b ? inner : 1;
  // By columns, so that what meets in an element is added in its order whatever the split.
  c.parallel_for(columns, 1.0 * static_cast<double>(count),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = 0; i < count; ++i) {
                     std::int64_t row = integer_at(indices, 2 * i, "a_indices"),
                                  column = integer_at(indices, 2 * i + 1, "a_indices");
                     if (config.adjoint_a) std::swap(row, column);
                     config.add(element_at(dtype, out.mutable_raw(), row * columns + begin),
                                element_at(dtype, values.raw(), i), config.adjoint_a,
                                element_at(dtype, b.raw(), column * row_step + begin * column_step),
                                column_step, config.adjoint_b, end - begin);
                   }
                 });
  c.set_output(0, std::move(out));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::SparseToDense>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_sparse_to_dense).with(r.attr<bool>("validate_indices"));
}
DGRAPH_DECL Kernel Kernels<ops::SparseTensorDenseMatMul>::make(const KernelRequest& r) {
  detail::SparseProductConfig config{nullptr, r.attr<bool>("adjoint_a"), r.attr<bool>("adjoint_b")};
  // Signed integers wrap as unsigned ones of their size do.
  detail::dispatch<detail::Floats, detail::SignedInts, detail::UnsignedInts>(
      r, r.dtype("T"), [&config]<class T>() {
        config.add = &detail::add_multiple<typename detail::Wrapping<T>::type>;
      });
  return detail::plain_kernel(&detail::run_sparse_product).with(config);
}

}  // namespace dgraph

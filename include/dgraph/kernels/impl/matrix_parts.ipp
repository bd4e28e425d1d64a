#pragma once
#include <dgraph/kernels/matrix_parts.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

// A tensor as a stack of matrices.
struct MatrixStack {
  std::int64_t count, rows, columns;
  std::int64_t diagonal() const noexcept { return std::min(rows, columns); }
};
DGRAPH_DECL MatrixStack matrix_stack(const Tensor& x) {
  if (x.rank() < 2)
    fail(Code::InvalidArgument, "input must be at least 2-dim, received shape: ", x.shape());
  return {elements_before(x.shape(), x.rank() - 2), x.dim(x.rank() - 2), x.dim(x.rank() - 1)};
}

// All zero bits, or empty strings.
DGRAPH_DECL Tensor& zeros_output(KernelContext& c, const Shape& shape) {
  c.set_output(0, Tensor::zeros(c.output_dtype(0), shape));
  return c.output(0);
}

DGRAPH_DECL void run_band_part(KernelContext& c) {
  const Tensor& x = c.input(0);
  const MatrixStack m = matrix_stack(x);
  const auto bound = [&](std::size_t i, std::int64_t most, const char* what, const char* lines) {
    if (c.input(i).rank() != 0)
      fail(Code::InvalidArgument, what, " must be scalar, got shape ", c.input(i).shape());
    const std::int64_t value = integer_argument(c.input(i), what);
    if (value > most)
      fail(Code::InvalidArgument, what, " must be negative or less or equal to number of ", lines,
           " (", most, ") got: ", value);
    return value < 0 ? most : value;
  };
  const std::int64_t lower = bound(1, m.rows, "num_lower", "rows"),
                     upper = bound(2, m.columns, "num_upper", "columns");
  Tensor& out = zeros_output(c, x.shape());
  with_moved_type(x.dtype(), [&]<class E>() {
    const E* const from = x.data<E>();
    E* const to = out.mutable_data<E>();
    c.parallel_for(
        m.columns == 0 ? 0 : m.count * m.rows, 0.3 * static_cast<double>(m.columns),
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t line = begin; line < end; ++line) {
            const std::int64_t row = line % m.rows;
            const std::int64_t first = std::clamp<std::int64_t>(row - lower, 0, m.columns),
                               last = std::clamp<std::int64_t>(row + upper + 1, first, m.columns);
            std::copy(from + line * m.columns + first, from + line * m.columns + last,
                      to + line * m.columns + first);
          }
        });
  });
}

// Copies `length` elements a matrix between the diagonals of stacks and rows of their elements.
template <class E>
void copy_diagonals(const E* from, std::int64_t from_stack, std::int64_t from_step, E* to,
                    std::int64_t to_stack, std::int64_t to_step, std::int64_t count,
                    std::int64_t length) {
  for (std::int64_t item = 0; item < count; ++item)
    for (std::int64_t i = 0; i < length; ++i)
      to[item * to_stack + i * to_step] = from[item * from_stack + i * from_step];
}

DGRAPH_DECL void run_matrix_diag(KernelContext& c) {
  const Tensor& x = c.input(0);
  if (x.rank() == 0)
    fail(Code::InvalidArgument, "input must be at least 1-dim, received shape: ", x.shape());
  const std::int64_t n = x.dim(x.rank() - 1), count = elements_before(x.shape(), x.rank() - 1);
  Dims dims = x.shape().dims();
  dims.push_back(n);
  Tensor& out = zeros_output(c, Shape(std::move(dims)));
  with_moved_type(x.dtype(), [&]<class E>() {
    copy_diagonals(x.data<E>(), n, 1, out.mutable_data<E>(), n * n, n + 1, count, n);
  });
}

DGRAPH_DECL void run_matrix_diag_part(KernelContext& c) {
  const Tensor& x = c.input(0);
  const MatrixStack m = matrix_stack(x);
  Dims dims(x.rank() - 1, 0);
  for (std::size_t i = 0; i + 2 < x.rank(); ++i) dims[i] = x.dim(i);
  dims[x.rank() - 2] = m.diagonal();
  Tensor& out = c.allocate_output(0, Shape(std::move(dims)));
  with_moved_type(x.dtype(), [&]<class E>() {
    copy_diagonals(x.data<E>(), m.rows * m.columns, m.columns + 1, out.mutable_data<E>(),
                   m.diagonal(), 1, m.count, m.diagonal());
  });
}

DGRAPH_DECL void run_matrix_set_diag(KernelContext& c) {
  const MatrixStack m = matrix_stack(c.input(0));
  const Shape shape = c.input(0).shape();
  const Tensor& diagonal = c.input(1);
  bool fits = diagonal.rank() + 1 == shape.rank();
  for (std::size_t i = 0; fits && i + 1 < diagonal.rank(); ++i) fits = diagonal.dim(i) == shape[i];
  if (!fits || diagonal.dim(diagonal.rank() - 1) != m.diagonal())
    fail(Code::InvalidArgument, "a diagonal of shape ", diagonal.shape(),
         " does not fit matrices of shape ", shape);
  Tensor& out = c.forward_or_allocate(0, shape, {0});
  with_moved_type(out.dtype(), [&]<class E>() {
    const E* const from = c.input(0).data<E>();
    E* const to = out.mutable_data<E>();
    if (from != to) std::copy_n(from, out.elements(), to);
    copy_diagonals(diagonal.data<E>(), m.diagonal(), 1, to, m.rows * m.columns, m.columns + 1,
                   m.count, m.diagonal());
  });
}

DGRAPH_DECL void run_diag(KernelContext& c) {
  const Tensor& x = c.input(0);
  if (x.rank() == 0) fail(Code::InvalidArgument, "Input must be at least rank 1, got 0");
  Dims dims = x.shape().dims();
  for (std::int64_t d : x.shape()) dims.push_back(d);
  const std::int64_t n = x.elements();
  Tensor& out = zeros_output(c, Shape(std::move(dims)));
  with_moved_type(x.dtype(), [&]<class E>() {
    copy_diagonals(x.data<E>(), n, 1, out.mutable_data<E>(), n * n, n + 1, 1, n);
  });
}

DGRAPH_DECL void run_diag_part(KernelContext& c) {
  const Tensor& x = c.input(0);
  const std::size_t half_rank = x.rank() / 2;
  if (x.rank() == 0 || x.rank() % 2 != 0)
    fail(Code::InvalidArgument, "The rank of the tensor should be even and positive, got shape ",
         x.shape());
  Dims dims;
  for (std::size_t i = 0; i < half_rank; ++i) {
    if (x.dim(i) != x.dim(i + half_rank))
      fail(Code::InvalidArgument, "Invalid shape ", x.shape(), ": dimensions ", i, " and ",
           i + half_rank, " do not match.");
    dims.push_back(x.dim(i));
  }
  Tensor& out = c.allocate_output(0, Shape(std::move(dims)));
  const std::int64_t n = out.elements();
  with_moved_type(x.dtype(), [&]<class E>() {
    copy_diagonals(x.data<E>(), n * n, n + 1, out.mutable_data<E>(), n, 1, 1, n);
  });
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::MatrixBandPart>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_band_part);
}
DGRAPH_DECL Kernel Kernels<ops::MatrixDiag>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_matrix_diag);
}
DGRAPH_DECL Kernel Kernels<ops::MatrixDiagPart>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_matrix_diag_part);
}
DGRAPH_DECL Kernel Kernels<ops::MatrixSetDiag>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_matrix_set_diag);
}
DGRAPH_DECL Kernel Kernels<ops::Diag>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_diag);
}
DGRAPH_DECL Kernel Kernels<ops::DiagPart>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_diag_part);
}

}  // namespace dgraph

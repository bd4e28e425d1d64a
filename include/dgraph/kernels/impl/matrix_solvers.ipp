#pragma once
#include <dgraph/kernels/matrix_solvers.hpp>

#include <limits>
#include <utility>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/factorization.hpp>

namespace dgraph {
namespace detail {

struct SolverConfig {
  DType compute;
  bool adjoint, lower;
};

// A tensor as square matrices.
struct SquareStack {
  std::int64_t count, n;
};
DGRAPH_DECL SquareStack square_stack(const Tensor& x) {
  if (x.rank() < 2)
    fail(Code::InvalidArgument, "Input tensor must have rank >= 2, got shape ", x.shape());
  const std::int64_t rows = x.dim(x.rank() - 2), columns = x.dim(x.rank() - 1);
  if (rows != columns)
    fail(Code::InvalidArgument, "Input matrix must be square, not of shape ", x.shape());
  return {elements_before(x.shape(), x.rank() - 2), rows};
}

template <class F>
void with_solver_type(DType compute, F f) {
  switch (compute) {
    case DType::Float32:
      return f.template operator()<float>();
    case DType::Float64:
      return f.template operator()<double>();
    case DType::Complex64:
      return f.template operator()<std::complex<float>>();
    default:
      return f.template operator()<std::complex<double>>();
  }
}

// A copy that may be written to.
DGRAPH_DECL Tensor working_copy(const Tensor& from, DType compute) {
  return from.dtype() == compute ? from.clone() : cast_tensor(from, compute);
}

// Each matrix of a stack: many go over the threads, the rows of a single one do.
// `run(matrix, how to split rows)`.
DGRAPH_DECL void each_matrix(const KernelContext& c, std::int64_t count, double ns,
                             FunctionRef<void(std::int64_t, SplitRows)> run) {
  if (count == 1)
    return run(0, [&c](std::int64_t rows, double each,
                       FunctionRef<void(std::int64_t, std::int64_t)> part) {
      c.parallel_for(rows, each, part);
    });
  const auto alone = [](std::int64_t rows, double,
                        FunctionRef<void(std::int64_t, std::int64_t)> part) { part(0, rows); };
  c.parallel_for(count, ns, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) run(i, alone);
  });
}
DGRAPH_DECL double cubic_ns(std::int64_t n, std::int64_t columns) {
  return 100 + 0.3 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(columns);
}

// The matrix, or its adjoint.
template <class T>
std::vector<T> copied_matrix(const T* from, std::int64_t n, bool adjoint) {
  std::vector<T> out(from, from + n * n);
  if (!adjoint) return out;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      out[static_cast<std::size_t>(j * n + i)] = conjugate(from[i * n + j]);
  return out;
}

DGRAPH_DECL void set_solution(KernelContext& c, std::size_t i, Tensor value) {
  c.set_output(i, cast_tensor(value, c.output_dtype(i)));
}

DGRAPH_DECL void run_cholesky(KernelContext& c) {
  const SquareStack s = square_stack(c.input(0));
  const DType compute = c.config<SolverConfig>().compute;
  Tensor out = working_copy(c.input(0), compute);
  with_solver_type(compute, [&]<class T>() {
    each_matrix(c, s.count, cubic_ns(s.n, s.n), [&](std::int64_t i, SplitRows split) {
      if (!factor_cholesky(s.n, out.mutable_data<T>() + i * s.n * s.n, split))
        fail(Code::InvalidArgument,
             "Cholesky decomposition was not successful. The input might not be valid: matrix ", i,
             " of shape ", c.input(0).shape(), " is not positive definite");
    });
  });
  set_solution(c, 0, std::move(out));
}

// See the gradient of ops::Cholesky.
template <class T>
void cholesky_gradient(std::int64_t n, const T* l, const T* grad, T* out, SplitRows split) {
  const std::vector<T> upper = copied_matrix(l, n, true);
  multiply_block(dtype_of<T>, {n, n, n, upper.data(), {n, 1}, grad, {n, 1}, out, n, false});
  for (std::int64_t i = 0; i < n; ++i) {
    out[i * n + i] /= T(2);
    std::fill(out + i * n + i + 1, out + (i + 1) * n, T(0));
  }
  solve_upper(n, upper.data(), out, n, split);
  std::vector<T> turned = copied_matrix(out, n, true);
  solve_upper(n, upper.data(), turned.data(), n, split);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      out[i * n + j] = (turned[static_cast<std::size_t>(i * n + j)] +
                        turned[static_cast<std::size_t>(j * n + i)]) /
                       T(2);
}

DGRAPH_DECL void run_cholesky_grad(KernelContext& c) {
  const SquareStack s = square_stack(c.input(0));
  if (!(c.input(0).shape() == c.input(1).shape()))
    fail(Code::InvalidArgument, "l and grad must have one shape, not ", c.input(0).shape(), " and ",
         c.input(1).shape());
  const DType compute = c.config<SolverConfig>().compute;
  const Tensor l = cast_tensor(c.input(0), compute), grad = cast_tensor(c.input(1), compute);
  Tensor out(compute, l.shape());
  const auto all = [&]<class T>() {
    each_matrix(c, s.count, cubic_ns(s.n, 3 * s.n), [&](std::int64_t i, SplitRows split) {
      const std::int64_t at = i * s.n * s.n;
      cholesky_gradient(s.n, l.data<T>() + at, grad.data<T>() + at, out.mutable_data<T>() + at,
                        split);
    });
  };
  if (compute == DType::Float32)
    all.template operator()<float>();
  else
    all.template operator()<double>();
  set_solution(c, 0, std::move(out));
}

// A product that does not overflow on the way: mantissa * 2^exponent.
template <class T>
struct ScaledProduct {
  T mantissa = T(1);
  std::int64_t exponent = 0;
  void multiply(T x) {
    mantissa *= x;
    const auto size = std::max(std::abs(std::real(mantissa)), std::abs(std::imag(mantissa)));
    if (!(size > 0) || !std::isfinite(size)) return;
    const int shift = std::ilogb(size);
    mantissa = scaled(mantissa, -shift);
    exponent += shift;
  }
  T value() const {
    constexpr std::int64_t kMost = 1 << 14;
    return scaled(mantissa, static_cast<int>(std::clamp(exponent, -kMost, kMost)));
  }
  static T scaled(T x, int by) {
    if constexpr (is_complex_element<T>)
      return T(std::scalbn(x.real(), by), std::scalbn(x.imag(), by));
    else
      return std::scalbn(x, by);
  }
};

DGRAPH_DECL Shape without_matrices(const Shape& shape) {
  return Shape(std::span<const std::int64_t>(shape.begin(), shape.rank() - 2));
}

// Determinants of all matrices, as `store(matrix, factors, n, odd number of exchanges)` makes of them.
template <class Store>
void each_determinant(KernelContext& c, Store store) {
  const SquareStack s = square_stack(c.input(0));
  const DType compute = c.config<SolverConfig>().compute;
  Tensor work = working_copy(c.input(0), compute);
  with_solver_type(compute, [&]<class T>() {
    each_matrix(c, s.count, cubic_ns(s.n, s.n), [&](std::int64_t i, SplitRows split) {
      T* const a = work.mutable_data<T>() + i * s.n * s.n;
      const Exchanges exchanges = factor_lu(s.n, a, split);
      store(i, static_cast<const T*>(a), s.n, exchanges.odd);
    });
  });
}

DGRAPH_DECL void run_determinant(KernelContext& c) {
  square_stack(c.input(0));
  Tensor out(c.config<SolverConfig>().compute, without_matrices(c.input(0).shape()));
  each_determinant(c, [&]<class T>(std::int64_t at, const T* a, std::int64_t n, bool odd) {
    ScaledProduct<T> product;
    for (std::int64_t i = 0; i < n; ++i) product.multiply(a[i * n + i]);
    out.mutable_data<T>()[at] = odd ? -product.value() : product.value();
  });
  set_solution(c, 0, std::move(out));
}

DGRAPH_DECL void run_log_determinant(KernelContext& c) {
  square_stack(c.input(0));
  const DType compute = c.config<SolverConfig>().compute;
  const Shape shape = without_matrices(c.input(0).shape());
  Tensor signs(compute, shape), logs(compute, shape);
  each_determinant(c, [&]<class T>(std::int64_t at, const T* a, std::int64_t n, bool odd) {
    T sign = odd ? T(-1) : T(1);
    typename RealOf<T>::type sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const T u = a[i * n + i];
      const auto size = std::abs(u);
      sign *= u == T(0) ? T(0) : u / size;
      sum += std::log(size);
    }
    signs.mutable_data<T>()[at] = sign;
    logs.mutable_data<T>()[at] = T(sum);
  });
  set_solution(c, 0, std::move(signs));
  set_solution(c, 1, std::move(logs));
}

// The solution of one system; `x` comes as the right side.
template <class T>
void solve_system(std::int64_t n, const T* matrix, bool adjoint, T* x, std::int64_t columns,
                  SplitRows split) {
  std::vector<T> a = copied_matrix(matrix, n, adjoint);
  const Exchanges exchanges = factor_lu(n, a.data(), split);
  for (std::int64_t i = 0; i < n; ++i)
    if (!(std::abs(a[static_cast<std::size_t>(i * n + i)]) > 0))
      fail(Code::InvalidArgument, "Input matrix is not invertible.");
  const std::vector<T> right(x, x + n * columns);
  for (std::int64_t i = 0; i < n; ++i)
    std::copy_n(right.data() + exchanges.rows[static_cast<std::size_t>(i)] * columns, columns,
                x + i * columns);
  solve_lower(n, static_cast<const T*>(a.data()), true, x, columns, split);
  solve_upper(n, static_cast<const T*>(a.data()), x, columns, split);
}

DGRAPH_DECL void run_inverse(KernelContext& c) {
  const auto& config = c.config<SolverConfig>();
  const SquareStack s = square_stack(c.input(0));
  const Tensor matrix = cast_tensor(c.input(0), config.compute);
  Tensor out = Tensor::zeros(config.compute, matrix.shape());
  with_solver_type(config.compute, [&]<class T>() {
    each_matrix(c, s.count, cubic_ns(s.n, 2 * s.n), [&](std::int64_t i, SplitRows split) {
      const std::int64_t at = i * s.n * s.n;
      T* const x = out.mutable_data<T>() + at;
      for (std::int64_t k = 0; k < s.n; ++k) x[k * s.n + k] = T(1);
      solve_system(s.n, matrix.data<T>() + at, config.adjoint, x, s.n, split);
    });
  });
  set_solution(c, 0, std::move(out));
}

DGRAPH_DECL std::int64_t right_side_columns(const SquareStack& s, const Tensor& matrix,
                                            const Tensor& rhs) {
  if (rhs.rank() < 2 || rhs.dim(rhs.rank() - 2) != s.n)
    fail(Code::InvalidArgument, "Input matrix and rhs are incompatible: ", matrix.shape(), " and ",
         rhs.shape());
  return rhs.dim(rhs.rank() - 1);
}

DGRAPH_DECL void run_solve(KernelContext& c) {
  const auto& config = c.config<SolverConfig>();
  const SquareStack s = square_stack(c.input(0));
  const std::int64_t columns = right_side_columns(s, c.input(0), c.input(1));
  if (!(without_matrices(c.input(0).shape()) == without_matrices(c.input(1).shape())))
    fail(Code::InvalidArgument, "leading dimensions of ", c.input(0).shape(), " and ",
         c.input(1).shape(), " differ");
  const Tensor matrix = cast_tensor(c.input(0), config.compute);
  Tensor out = working_copy(c.input(1), config.compute);
  with_solver_type(config.compute, [&]<class T>() {
    each_matrix(c, s.count, cubic_ns(s.n, s.n + columns), [&](std::int64_t i, SplitRows split) {
      solve_system(s.n, matrix.data<T>() + i * s.n * s.n, config.adjoint,
                   out.mutable_data<T>() + i * s.n * columns, columns, split);
    });
  });
  set_solution(c, 0, std::move(out));
}

// Which of a tensor's matrices goes with the i-th of the broadcast batch.
DGRAPH_DECL std::int64_t broadcast_item(const Shape& own, const Shape& all, std::int64_t i) {
  std::int64_t item = 0, scale = 1;
  for (std::size_t axis = all.rank(); axis-- > 0;) {
    const std::int64_t index = i % all[axis];
    i /= all[axis];
    const std::size_t missing = all.rank() - own.rank();
    if (axis < missing) continue;
    const std::int64_t size = own[axis - missing];
    if (size != 1) item += index * scale;
    scale *= size;
  }
  return item;
}

DGRAPH_DECL void run_triangular_solve(KernelContext& c) {
  const auto& config = c.config<SolverConfig>();
  const Tensor &a = c.input(0), &b = c.input(1);
  const SquareStack s = square_stack(a);
  const std::int64_t n = s.n, columns = right_side_columns(s, a, b);
  const Shape a_batch = without_matrices(a.shape()), b_batch = without_matrices(b.shape());
  const Shape batch = broadcast_shapes(a_batch, b_batch);
  Dims dims = batch.dims();
  dims.push_back(n);
  dims.push_back(columns);
  const Tensor matrix = cast_tensor(a, config.compute), rhs = cast_tensor(b, config.compute);
  Tensor out(config.compute, Shape(std::move(dims)));
  with_solver_type(config.compute, [&]<class T>() {
    each_matrix(c, batch.elements(), cubic_ns(n, columns), [&](std::int64_t i, SplitRows split) {
      const T* const from = matrix.data<T>() + broadcast_item(a_batch, batch, i) * n * n;
      T* const x = out.mutable_data<T>() + i * n * columns;
      std::copy_n(rhs.data<T>() + broadcast_item(b_batch, batch, i) * n * columns, n * columns, x);
      std::vector<T> adjoint;
      if (config.adjoint) adjoint = copied_matrix(from, n, true);
      const T* const triangle = config.adjoint ? adjoint.data() : from;
      if (config.lower != config.adjoint)
        solve_lower(n, triangle, false, x, columns, split);
      else
        solve_upper(n, triangle, x, columns, split);
    });
  });
  set_solution(c, 0, std::move(out));
}

DGRAPH_DECL Kernel solver_kernel(const KernelRequest& r, void (*run)(KernelContext&)) {
  const DType dtype = r.dtype("T");
  SolverConfig config{dtype, false, true};
  if (dtype == DType::Float16 || dtype == DType::BFloat16)
    config.compute = DType::Float32;
  else if (!is_floating(dtype) && !is_complex(dtype))
    no_kernel_for(r, dtype);
  const auto flag = [&r](std::string_view name, bool otherwise) {
    return r.def.attr_index(name) < 0 ? otherwise : r.attr<bool>(name);
  };
  config.adjoint = flag("adjoint", false);
  config.lower = flag("lower", true);
  return plain_kernel(run).with(config);
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Cholesky>::make(const KernelRequest& r) {
  return detail::solver_kernel(r, &detail::run_cholesky);
}
DGRAPH_DECL Kernel Kernels<ops::CholeskyGrad>::make(const KernelRequest& r) {
  return detail::solver_kernel(r, &detail::run_cholesky_grad);
}
DGRAPH_DECL Kernel Kernels<ops::MatrixDeterminant>::make(const KernelRequest& r) {
  return detail::solver_kernel(r, &detail::run_determinant);
}
DGRAPH_DECL Kernel Kernels<ops::LogMatrixDeterminant>::make(const KernelRequest& r) {
  return detail::solver_kernel(r, &detail::run_log_determinant);
}
DGRAPH_DECL Kernel Kernels<ops::MatrixInverse>::make(const KernelRequest& r) {
  return detail::solver_kernel(r, &detail::run_inverse);
}
DGRAPH_DECL Kernel Kernels<ops::MatrixSolve>::make(const KernelRequest& r) {
  return detail::solver_kernel(r, &detail::run_solve);
}
DGRAPH_DECL Kernel Kernels<ops::MatrixTriangularSolve>::make(const KernelRequest& r) {
  return detail::solver_kernel(r, &detail::run_triangular_solve);
}

}  // namespace dgraph

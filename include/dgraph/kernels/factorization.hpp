#pragma once
// Factors of square row-major matrices and solutions of triangular equations, in blocks whose bulk is a
// matrix product. T: float, double and the complex numbers of both.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include <dgraph/base/function.hpp>
#include <dgraph/kernels/elementwise.hpp>
#include <dgraph/kernels/functions.hpp>
#include <dgraph/kernels/gemm.hpp>

namespace dgraph::detail {

/// Splits rows over threads, or not: `rows(count, ns of one, run(begin, end))`.
using SplitRows =
    FunctionRef<void(std::int64_t, double, FunctionRef<void(std::int64_t, std::int64_t)>)>;

inline constexpr std::int64_t kFactorBlock = 32;

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};

/// y[i] -= factor * x[i].
template <class T>
struct SubtractScaled {
  DGRAPH_INLINE static void run(T* y, T factor, const T* x, std::int64_t n) {
    DGRAPH_NO_CONTRACTION
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) {
      if constexpr (is_complex_element<T>)
        // By parts: the operator would look for infinities first.
        y[i] = T(y[i].real() - (factor.real() * x[i].real() - factor.imag() * x[i].imag()),
                 y[i].imag() - (factor.real() * x[i].imag() + factor.imag() * x[i].real()));
      else
        y[i] -= factor * x[i];
    }
  }
};
template <class T>
auto subtract_scaled() {
  return simd_up_to_avx2<SubtractScaled<T>>();
}

/// c -= a b, of m x k and k x n; rows lie `lda`, `ldb`, `ldc` apart.
template <class T>
void subtract_product(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, std::int64_t lda,
                      const T* b, std::int64_t ldb, T* c, std::int64_t ldc, SplitRows split) {
  constexpr std::int64_t kRows = 64, kSmall = 4096;
  if (m <= 0 || n <= 0 || k <= 0) return;
  const auto subtract = subtract_scaled<T>();
  const double ns = static_cast<double>(n) * static_cast<double>(k) * 0.2;
  if (is_complex_element<T> || n * k * std::min(m, kRows) < kSmall) {
    split(m, ns, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        for (std::int64_t p = 0; p < k; ++p) subtract(c + i * ldc, a[i * lda + p], b + p * ldb, n);
    });
    return;
  }
  split((m + kRows - 1) / kRows, ns * kRows, [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> product(static_cast<std::size_t>(kRows * n));
    for (std::int64_t unit = begin; unit < end; ++unit) {
      const std::int64_t first = unit * kRows, rows = std::min(kRows, m - first);
      multiply_block(
          dtype_of<T>,
          {rows, n, k, a + first * lda, {lda, 1}, b, {ldb, 1}, product.data(), n, false});
      for (std::int64_t i = 0; i < rows; ++i)
        subtract(c + (first + i) * ldc, T(1), product.data() + i * n, n);
    }
  });
}

/// x = l^-1 x for a lower triangular l, whose diagonal counts as ones where `unit`; x is n x columns.
template <class T>
void solve_lower(std::int64_t n, const T* l, bool unit, T* x, std::int64_t columns,
                 SplitRows split) {
  const auto subtract = subtract_scaled<T>();
  for (std::int64_t first = 0; first < n; first += kFactorBlock) {
    const std::int64_t last = std::min(n, first + kFactorBlock);
    for (std::int64_t i = first; i < last; ++i) {
      for (std::int64_t p = first; p < i; ++p)
        subtract(x + i * columns, l[i * n + p], x + p * columns, columns);
      if (!unit)
        for (std::int64_t j = 0; j < columns; ++j) x[i * columns + j] /= l[i * n + i];
    }
    subtract_product(n - last, columns, last - first, l + last * n + first, n, x + first * columns,
                     columns, x + last * columns, columns, split);
  }
}

/// x = u^-1 x for an upper triangular u.
template <class T>
void solve_upper(std::int64_t n, const T* u, T* x, std::int64_t columns, SplitRows split) {
  const auto subtract = subtract_scaled<T>();
  for (std::int64_t last = n; last > 0;) {
    const std::int64_t first = (last - 1) / kFactorBlock * kFactorBlock;
    for (std::int64_t i = last; i-- > first;) {
      for (std::int64_t p = i + 1; p < last; ++p)
        subtract(x + i * columns, u[i * n + p], x + p * columns, columns);
      for (std::int64_t j = 0; j < columns; ++j) x[i * columns + j] /= u[i * n + i];
    }
    subtract_product(first, columns, last - first, u + first, n, x + first * columns, columns, x,
                     columns, split);
    last = first;
  }
}

/// What elimination with row exchanges leaves: row i of the factors is row `rows[i]` of the matrix.
struct Exchanges {
  std::vector<std::int64_t> rows;
  bool odd = false;
};

/// a = l u in place, the ones on l's diagonal left out. A pivot may come out as 0.
template <class T>
Exchanges factor_lu(std::int64_t n, T* a, SplitRows split) {
  const auto subtract = subtract_scaled<T>();
  Exchanges out;
  for (std::int64_t i = 0; i < n; ++i) out.rows.push_back(i);
  for (std::int64_t first = 0; first < n; first += kFactorBlock) {
    const std::int64_t last = std::min(n, first + kFactorBlock);
    for (std::int64_t k = first; k < last; ++k) {
      std::int64_t pivot = k;
      for (std::int64_t i = k + 1; i < n; ++i)
        if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
      if (pivot != k) {
        std::swap_ranges(a + k * n, a + (k + 1) * n, a + pivot * n);
        std::swap(out.rows[static_cast<std::size_t>(k)], out.rows[static_cast<std::size_t>(pivot)]);
        out.odd = !out.odd;
      }
      if (a[k * n + k] == T(0)) continue;
      for (std::int64_t i = k + 1; i < n; ++i) {
        a[i * n + k] /= a[k * n + k];
        subtract(a + i * n + k + 1, a[i * n + k], a + k * n + k + 1, last - k - 1);
      }
    }
    for (std::int64_t i = first + 1; i < last; ++i)
      for (std::int64_t k = first; k < i; ++k)
        subtract(a + i * n + last, a[i * n + k], a + k * n + last, n - last);
    subtract_product(n - last, n - last, last - first, a + last * n + first, n,
                     a + first * n + last, n, a + last * n + last, n, split);
  }
  return out;
}

/// The lower triangle of a, a hermitian matrix, becomes its factor l; the upper one becomes 0. False
/// where a is not positive definite; NaN passes through.
template <class T>
bool factor_cholesky(std::int64_t n, T* a, SplitRows split) {
  using R = typename RealOf<T>::type;
  std::vector<T> turned;
  for (std::int64_t first = 0; first < n; first += kFactorBlock) {
    const std::int64_t last = std::min(n, first + kFactorBlock), width = last - first;
    for (std::int64_t j = first; j < last; ++j) {
      R square = std::real(a[j * n + j]);
      for (std::int64_t p = first; p < j; ++p) square -= std::norm(a[j * n + p]);
      if (square <= R(0)) return false;
      const R root = std::sqrt(square);
      a[j * n + j] = T(root);
      for (std::int64_t i = j + 1; i < n; ++i) {
        T sum = a[i * n + j];
        for (std::int64_t p = first; p < j; ++p) sum -= a[i * n + p] * conjugate(a[j * n + p]);
        a[i * n + j] = sum / root;
      }
    }
    // What is left, below the diagonal: rows in bands, each as wide as its last row needs.
    turned.resize(static_cast<std::size_t>(width * (n - last)));
    for (std::int64_t i = last; i < n; ++i)
      for (std::int64_t p = 0; p < width; ++p)
        turned[static_cast<std::size_t>(p * (n - last) + i - last)] =
            conjugate(a[i * n + first + p]);
    constexpr std::int64_t kBand = 256;
    for (std::int64_t i = last; i < n; i += kBand) {
      const std::int64_t end = std::min(n, i + kBand);
      subtract_product(end - i, end - last, width, a + i * n + first, n, turned.data(), n - last,
                       a + i * n + last, n, split);
    }
  }
  for (std::int64_t i = 0; i < n; ++i) std::fill(a + i * n + i + 1, a + (i + 1) * n, T(0));
  return true;
}

}  // namespace dgraph::detail

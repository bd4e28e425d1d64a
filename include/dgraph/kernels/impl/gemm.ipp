#pragma once
#include <dgraph/kernels/gemm.hpp>

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>

#include <dgraph/kernels/simd.hpp>

#if defined(DGRAPH_HAS_CBLAS)
#include <cblas.h>
// Only OpenBLAS has these.
extern "C" [[gnu::weak]] void openblas_set_num_threads(int);
extern "C" [[gnu::weak]] char* openblas_get_corename();
#endif

namespace dgraph::detail {

// Blocks of the k dimension, and of C: what one thread does at a time.
inline constexpr std::int64_t kGemmDepth = 256, kGemmRows = 256, kGemmColumns = 512;
// Below so many multiplications plain loops are done before a library has looked at its arguments.
inline constexpr std::int64_t kGemmSmall = 512;
inline constexpr std::int64_t kGemmMaxTile = 8 * 32;

/// Multiplies a panel of Rows rows by one of 2 vectors' columns, both packed, k after k, into a tile of Rows x columns.
template <class T, std::size_t Bytes, int Rows>
struct GemmPanel {
  static constexpr std::int64_t kLanes = Bytes / sizeof(T);
  typedef T Vector __attribute__((vector_size(Bytes)));

  DGRAPH_INLINE static void run(std::int64_t depth, const T* a, const T* b, T* tile) {
    Vector sums[Rows][2] = {};
    for (std::int64_t p = 0; p < depth; ++p, a += Rows, b += 2 * kLanes) {
      Vector left, right;
      std::memcpy(&left, b, Bytes);
      std::memcpy(&right, b + kLanes, Bytes);
#if defined(__clang__)
#pragma clang loop unroll(full)
#else
#pragma GCC unroll 16
#endif
      for (int i = 0; i < Rows; ++i) {
        sums[i][0] += a[i] * left;
        sums[i][1] += a[i] * right;
      }
    }
    std::memcpy(tile, sums, sizeof sums);
  }
};

template <class T>
using GemmPanelFunction = void (*)(std::int64_t depth, const T* a, const T* b, T* tile);

// Unlike other loops these may contract: a product's rounding is the library's affair anyway.
template <class T>
void gemm_panel_baseline(std::int64_t depth, const T* a, const T* b, T* tile) {
  GemmPanel<T, 16, 4>::run(depth, a, b, tile);
}
#if defined(DGRAPH_DETAIL_X86)
template <class T>
[[gnu::target("avx2,fma")]] void gemm_panel_avx2(std::int64_t depth, const T* a, const T* b, T* tile) {
  GemmPanel<T, 32, 6>::run(depth, a, b, tile);
}
template <class T>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")]] void gemm_panel_avx512(std::int64_t depth, const T* a,
                                                                                     const T* b, T* tile) {
  GemmPanel<T, 64, 8>::run(depth, a, b, tile);
}
#endif

/// Products of two rows, side by side, with kGemmNarrow columns, each of them `depth` elements in a row.
inline constexpr std::int64_t kGemmNarrow = 4;
template <class T, std::size_t Bytes>
struct GemmDots {
  static constexpr std::int64_t kLanes = Bytes / sizeof(T);
  typedef T Vector __attribute__((vector_size(Bytes)));

  DGRAPH_INLINE static void run(std::int64_t depth, const T* first, const T* second, const T* columns,
                                T* out) {
    Vector sums[2][kGemmNarrow] = {};
    std::int64_t p = 0;
    for (; p + kLanes <= depth; p += kLanes) {
      Vector a, b, c;
      std::memcpy(&a, first + p, Bytes);
      std::memcpy(&b, second + p, Bytes);
#if defined(__clang__)
#pragma clang loop unroll(full)
#else
#pragma GCC unroll 4
#endif
      for (std::int64_t j = 0; j < kGemmNarrow; ++j) {
        std::memcpy(&c, columns + j * depth + p, Bytes);
        sums[0][j] += a * c;
        sums[1][j] += b * c;
      }
    }
    for (std::int64_t j = 0; j < kGemmNarrow; ++j) {
      T left = 0, right = 0;
      for (std::int64_t i = 0; i < kLanes; ++i) {
        left += sums[0][j][i];
        right += sums[1][j][i];
      }
      for (std::int64_t rest = p; rest < depth; ++rest) {
        left += first[rest] * columns[j * depth + rest];
        right += second[rest] * columns[j * depth + rest];
      }
      out[j] = left;
      out[kGemmNarrow + j] = right;
    }
  }
};
template <class T>
using GemmDotsFunction = void (*)(std::int64_t depth, const T* first, const T* second,
                                  const T* columns, T* out);
template <class T>
void gemm_dots_baseline(std::int64_t depth, const T* first, const T* second, const T* columns, T* out) {
  GemmDots<T, 16>::run(depth, first, second, columns, out);
}
#if defined(DGRAPH_DETAIL_X86)
template <class T>
[[gnu::target("avx2,fma")]] void gemm_dots_avx2(std::int64_t depth, const T* first, const T* second,
                                                const T* columns, T* out) {
  GemmDots<T, 32>::run(depth, first, second, columns, out);
}
#endif

template <class T>
struct GemmKernel {
  GemmPanelFunction<T> panel = &gemm_panel_baseline<T>;
  std::int64_t rows = 4, columns = 2 * 16 / sizeof(T);
};
template <class T>
GemmKernel<T> gemm_kernel() {
#if defined(DGRAPH_DETAIL_X86)
  if (simd_level() == SimdLevel::Avx512) return {&gemm_panel_avx512<T>, 8, 2 * 64 / sizeof(T)};
  if (simd_level() == SimdLevel::Avx2) return {&gemm_panel_avx2<T>, 6, 2 * 32 / sizeof(T)};
#endif
  return {};
}

template <class T>
GemmDotsFunction<T> gemm_dots() {
#if defined(DGRAPH_DETAIL_X86)
  if (simd_level() != SimdLevel::Baseline) return &gemm_dots_avx2<T>;
#endif
  return &gemm_dots_baseline<T>;
}

// Panels of `width` rows (or columns) side by side, the k-th of each together; what is missing is 0.
template <class T>
void gemm_pack(const T* from, std::int64_t stride, std::int64_t depth_stride, std::int64_t count, std::int64_t depth,
               std::int64_t width, T* to) {
  for (std::int64_t at = 0; at < count; at += width, to += width * depth) {
    const std::int64_t present = std::min(width, count - at);
    const T* panel = from + at * stride;
    if (stride == 1 && present == width) {
      for (std::int64_t p = 0; p < depth; ++p)
        std::memcpy(to + p * width, panel + p * depth_stride, static_cast<std::size_t>(width) * sizeof(T));
      continue;
    }
    if (present < width) std::fill_n(to, width * depth, T(0));
    for (std::int64_t i = 0; i < present; ++i)
      for (std::int64_t p = 0; p < depth; ++p) to[p * width + i] = panel[i * stride + p * depth_stride];
  }
}

// Rows of a product that is too small for anything else; also vectors.
template <class T>
void gemm_small(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, Strides as, const T* b, Strides bs, T* c,
                std::int64_t c_stride, bool add) {
  for (std::int64_t i = 0; i < m; ++i) {
    T* const row = c + i * c_stride;
    if (!add) std::fill_n(row, n, T(0));
    for (std::int64_t p = 0; p < k; ++p) {
      const T factor = a[i * as.row + p * as.column];
      const T* const other = b + p * bs.row;
      if (bs.column == 1)
        for (std::int64_t j = 0; j < n; ++j) row[j] += factor * other[j];
      else
        for (std::int64_t j = 0; j < n; ++j) row[j] += factor * other[j * bs.column];
    }
  }
}

// Of rows that lie as they are with a few columns: those would fill little of a panel.
template <class T>
void gemm_narrow(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, std::int64_t a_stride, const T* b,
                 Strides bs, T* c, std::int64_t c_stride, bool add) {
  constexpr std::int64_t kDepth = 2048;
  T columns[kGemmNarrow * kDepth], sums[2 * kGemmNarrow];
  const GemmDotsFunction<T> dots = gemm_dots<T>();
  for (std::int64_t from = 0; from < k; from += kDepth) {
    const std::int64_t depth = std::min(kDepth, k - from);
    std::fill_n(columns, kGemmNarrow * depth, T(0));
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t p = 0; p < depth; ++p) columns[j * depth + p] = b[(from + p) * bs.row + j * bs.column];
    for (std::int64_t i = 0; i < m; i += 2) {
      const std::int64_t rows = std::min<std::int64_t>(2, m - i);
      const T* const row = a + i * a_stride + from;
      dots(depth, row, rows > 1 ? row + a_stride : row, columns, sums);
      for (std::int64_t y = 0; y < rows; ++y)
        for (std::int64_t j = 0; j < n; ++j) {
          T& to = c[(i + y) * c_stride + j];
          const T sum = sums[y * kGemmNarrow + j];
          to = add || from > 0 ? static_cast<T>(to + sum) : sum;
        }
    }
  }
}

template <class T>
void gemm_blocked(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, Strides as, const T* b, Strides bs, T* c,
                  std::int64_t c_stride, bool add) {
  if (n <= kGemmNarrow && as.column == 1) return gemm_narrow(m, n, k, a, as.row, b, bs, c, c_stride, add);
  const GemmKernel<T> kernel = gemm_kernel<T>();
  const auto panels = [](std::int64_t count, std::int64_t width) { return (count + width - 1) / width; };
  const std::int64_t depth_most = std::min(k, kGemmDepth);
  const std::int64_t b_panels = panels(n, kernel.columns), a_rows = std::min(m, kGemmRows);
  const std::unique_ptr<T[]> packed(
      new T[static_cast<std::size_t>(depth_most * (b_panels * kernel.columns + panels(a_rows, kernel.rows) * kernel.rows))]);
  T* const packed_b = packed.get();
  T* const packed_a = packed_b + depth_most * b_panels * kernel.columns;
  alignas(64) T tile[kGemmMaxTile];
  for (std::int64_t p = 0; p < k; p += kGemmDepth) {
    const std::int64_t depth = std::min(kGemmDepth, k - p);
    gemm_pack(b + p * bs.row, bs.column, bs.row, n, depth, kernel.columns, packed_b);
    for (std::int64_t r = 0; r < m; r += a_rows) {
      const std::int64_t rows = std::min(a_rows, m - r);
      gemm_pack(a + r * as.row + p * as.column, as.row, as.column, rows, depth, kernel.rows, packed_a);
      for (std::int64_t j = 0; j < b_panels; ++j) {
        const std::int64_t width = std::min(kernel.columns, n - j * kernel.columns);
        for (std::int64_t i = 0; i < rows; i += kernel.rows) {
          kernel.panel(depth, packed_a + i * depth, packed_b + j * kernel.columns * depth, tile);
          for (std::int64_t y = 0; y < std::min(kernel.rows, rows - i); ++y) {
            T* const to = c + (r + i + y) * c_stride + j * kernel.columns;
            const T* const sums = tile + y * kernel.columns;
            if (p == 0 && !add) std::memcpy(to, sums, static_cast<std::size_t>(width) * sizeof(T));
            else
              for (std::int64_t x = 0; x < width; ++x) to[x] += sums[x];
          }
        }
      }
    }
  }
}

template <class T>
using GemmFunction = void (*)(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, Strides as, const T* b,
                              Strides bs, T* c, std::int64_t c_stride, bool add);

#if defined(DGRAPH_HAS_CBLAS)
// False where the library is an OpenBLAS older than the CPU: what it takes for an ancient one it computes with SSE2, and own
// loops are three times as fast. Its own threads are switched off: products are split here.
DGRAPH_DECL bool blas_is_worthwhile() {
  static const bool worthwhile = [] {
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    if (!openblas_get_corename || simd_level() == SimdLevel::Baseline) return true;
    const std::string_view core = openblas_get_corename();
    for (const std::string_view known : {"Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids"})
      if (core == known) return true;
    return false;
  }();
  return worthwhile;
}
// True where the library can express the factor: one stride is 1, the other fits.
DGRAPH_DECL bool blas_fits(Strides s) {
  return (s.column == 1 || s.row == 1) && s.row <= INT_MAX && s.column <= INT_MAX;
}
template <class T>
void gemm_blas(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, Strides as, const T* b, Strides bs, T* c,
               std::int64_t c_stride, bool add) {
  if (!blas_fits(as) || !blas_fits(bs) || std::max({m, n, k, c_stride}) > INT_MAX)
    return gemm_blocked(m, n, k, a, as, b, bs, c, c_stride, add);
  const auto order = [](Strides s) { return s.column == 1 ? CblasNoTrans : CblasTrans; };
  // A factor of one row or column has a stride of no meaning, which the library checks all the same.
  const auto leading = [](Strides s, std::int64_t rows, std::int64_t columns) {
    return static_cast<int>(s.column == 1 ? std::max(s.row, columns) : std::max(s.column, rows));
  };
  const int mi = static_cast<int>(m), ni = static_cast<int>(n), ki = static_cast<int>(k), ci = static_cast<int>(c_stride);
  if constexpr (std::is_same_v<T, float>)
    cblas_sgemm(CblasRowMajor, order(as), order(bs), mi, ni, ki, 1.0f, a, leading(as, m, k), b, leading(bs, k, n), add ? 1.0f : 0.0f, c, ci);
  else
    cblas_dgemm(CblasRowMajor, order(as), order(bs), mi, ni, ki, 1.0, a, leading(as, m, k), b, leading(bs, k, n), add ? 1.0 : 0.0, c, ci);
}
#endif

template <class T>
void multiply_as(const KernelContext& context, const GemmBatch& g, GemmFunction<T> function, double ns_each) {
  const auto batch = static_cast<std::int64_t>(g.a_offsets.size());
  if (g.m == 0 || g.n == 0 || batch == 0) return;
  T* const c = static_cast<T*>(g.c);
  if (g.k == 0) {
    std::fill_n(c, batch * g.m * g.n, T(0));
    return;
  }
  const double work = static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k);
  if (work <= static_cast<double>(kGemmSmall)) function = &gemm_small<T>;
  // Tiles of about the same area, whatever the proportions.
  const std::int64_t columns = std::min(g.n, kGemmColumns);
  const std::int64_t rows = std::min(g.m, std::max(kGemmRows, kGemmRows * kGemmColumns / columns));
  const std::int64_t across = (g.n + columns - 1) / columns, down = (g.m + rows - 1) / rows;
  const double ns = 20 + ns_each * static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(g.k);
  context.parallel_for(batch * across * down, ns, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t unit = begin; unit < end; ++unit) {
      const std::int64_t item = unit / (across * down), i = unit / across % down * rows, j = unit % across * columns;
      const auto at = static_cast<std::size_t>(item);
      function(std::min(rows, g.m - i), std::min(columns, g.n - j), g.k,
               static_cast<const T*>(g.a) + g.a_offsets[at] + i * g.a_strides.row, g.a_strides,
               static_cast<const T*>(g.b) + g.b_offsets[at] + j * g.b_strides.column, g.b_strides,
               c + (item * g.m + i) * g.n + j, g.n, false);
    }
  });
}

template <class T>
void multiply_block_as(const GemmBlock& g, GemmFunction<T> function) {
  if (g.m == 0 || g.n == 0) return;
  T* const c = static_cast<T*>(g.c);
  if (g.k == 0) {
    for (std::int64_t i = 0; i < g.m && !g.add; ++i) std::fill_n(c + i * g.c_stride, g.n, T(0));
    return;
  }
  if (g.m * g.n <= kGemmSmall / g.k) function = &gemm_small<T>;
  function(g.m, g.n, g.k, static_cast<const T*>(g.a), g.a_strides, static_cast<const T*>(g.b), g.b_strides, c,
           g.c_stride, g.add);
}

DGRAPH_DECL double multiply_ns(DType dtype) { return dtype_size(dtype) == 8 ? 0.06 : 0.03; }

DGRAPH_DECL void multiply_portably(const KernelContext& context, DType dtype, const GemmBatch& batch) {
  switch (dtype) {
    case DType::Float32: return multiply_as<float>(context, batch, &gemm_blocked<float>, 0.05);
    case DType::Float64: return multiply_as<double>(context, batch, &gemm_blocked<double>, 0.1);
    case DType::UInt32: return multiply_as<std::uint32_t>(context, batch, &gemm_blocked<std::uint32_t>, 0.1);
    default: return multiply_as<std::uint64_t>(context, batch, &gemm_blocked<std::uint64_t>, 0.4);
  }
}

DGRAPH_DECL void multiply(const KernelContext& context, DType dtype, const GemmBatch& batch) {
#if defined(DGRAPH_HAS_CBLAS)
  if (is_floating(dtype) && blas_is_worthwhile()) {
    if (dtype == DType::Float32) return multiply_as<float>(context, batch, &gemm_blas<float>, multiply_ns(dtype));
    return multiply_as<double>(context, batch, &gemm_blas<double>, multiply_ns(dtype));
  }
#endif
  multiply_portably(context, dtype, batch);
}

DGRAPH_DECL void multiply_block(DType dtype, const GemmBlock& block) {
#if defined(DGRAPH_HAS_CBLAS)
  if (is_floating(dtype) && blas_is_worthwhile()) {
    if (dtype == DType::Float32) return multiply_block_as<float>(block, &gemm_blas<float>);
    return multiply_block_as<double>(block, &gemm_blas<double>);
  }
#endif
  switch (dtype) {
    case DType::Float32: return multiply_block_as<float>(block, &gemm_blocked<float>);
    case DType::Float64: return multiply_block_as<double>(block, &gemm_blocked<double>);
    case DType::UInt32: return multiply_block_as<std::uint32_t>(block, &gemm_blocked<std::uint32_t>);
    default: return multiply_block_as<std::uint64_t>(block, &gemm_blocked<std::uint64_t>);
  }
}

}  // namespace dgraph::detail

#pragma once
#include <dgraph/kernels/strided.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace dgraph::detail {

DGRAPH_DECL Dims row_major_strides(std::span<const std::int64_t> sizes) {
  Dims strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

// A copy brought to its shortest form: `outer` loops around a block of rows x columns. Where the
// rows of the block lie side by side in `from` and its columns side by side in `to`, the block is
// transposed in tiles and a unit of work is a stripe of tiles.
struct StridedPlan {
  static constexpr std::int64_t kTile = 16;
  Dims outer, from_outer, to_outer;
  std::int64_t rows = 1, columns = 1;
  std::int64_t from_row = 0, from_column = 1, to_row = 0, to_column = 1;
  bool tiled = false;
  std::int64_t stripes = 1;
  std::int64_t units = 1;
};

// Drops dimensions of one element and joins neighbours that one stride walks through.
DGRAPH_DECL void join_dimensions(Dims& sizes, Dims& from, Dims& to) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;
    if (kept > 0 && from[kept - 1] == from[i] * sizes[i] && to[kept - 1] == to[i] * sizes[i]) {
      sizes[kept - 1] *= sizes[i];
      from[kept - 1] = from[i];
      to[kept - 1] = to[i];
      continue;
    }
    sizes[kept] = sizes[i];
    from[kept] = from[i];
    to[kept++] = to[i];
  }
  sizes.resize(kept);
  from.resize(kept);
  to.resize(kept);
}

DGRAPH_DECL void move_last(Dims& dims, std::size_t from, std::size_t back) {
  // The element at `from` becomes the one `back` places before the end; the others keep their
  // order.
  std::int64_t* const at = dims.data() + from;
  std::rotate(at, at + 1, dims.data() + dims.size() - back);
}

DGRAPH_DECL StridedPlan make_strided_plan(Dims sizes, Dims from, Dims to, bool plain) {
  join_dimensions(sizes, from, to);
  StridedPlan plan;
  const std::size_t rank = sizes.size();
  if (rank == 0) return plan;
  plan.columns = sizes[rank - 1];
  plan.from_column = from[rank - 1];
  plan.to_column = to[rank - 1];
  if (rank == 1) {
    // One long run is cut so that it can be shared out.
    constexpr std::int64_t kRun = 1 << 15;
    if (plan.columns >= 2 * kRun) {
      plan.rows = kRun;
      plan.units = (plan.columns + kRun - 1) / kRun;
    }
    return plan;
  }
  std::size_t row = rank - 2;
  if (plain && plan.to_column == 1 && plan.from_column != 1 && plan.from_column != 0 &&
      plan.columns >= 4) {
    for (std::size_t i = 0; i + 1 < rank; ++i) {
      if (from[i] == 1 && sizes[i] >= 4) {
        row = i;
        plan.tiled = true;
      }
    }
  }
  move_last(sizes, row, 1);
  move_last(from, row, 1);
  move_last(to, row, 1);
  plan.rows = sizes[rank - 2];
  plan.from_row = from[rank - 2];
  plan.to_row = to[rank - 2];
  if (plan.tiled) plan.stripes = (plan.rows + StridedPlan::kTile - 1) / StridedPlan::kTile;
  for (Dims* dims : {&sizes, &from, &to}) dims->resize(rank - 2);
  plan.units = plan.stripes;
  for (const std::int64_t n : sizes) plan.units *= n;
  plan.outer = std::move(sizes);
  plan.from_outer = std::move(from);
  plan.to_outer = std::move(to);
  return plan;
}

template <class E>
void copy_run(const E* from, std::int64_t from_step, E* to, std::int64_t to_step,
              std::int64_t count) {
  if (from_step == 1 && to_step == 1) {
    if constexpr (std::is_trivially_copyable_v<E>) {
      if (count * static_cast<std::int64_t>(sizeof(E)) >= 64) {
        std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(E));
        return;
      }
    }
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
  } else if (from_step == 0 && to_step == 1) {
    std::fill_n(to, count, *from);
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i * to_step] = from[i * from_step];
  }
}

// Rows of a stripe of at most kTile rows: the tile is gathered in a small array first, so that
// strides that are powers of two do not throw each other out of the cache.
template <class E>
void transpose_stripe(const E* from, std::int64_t from_column, E* to, std::int64_t to_row,
                      std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kTile = StridedPlan::kTile;
  E tile[kTile][kTile];
  std::int64_t c = 0;
  if (rows == kTile) {
    for (; c + kTile <= columns; c += kTile) {
      for (std::int64_t i = 0; i < kTile; ++i)
        std::memcpy(tile[i], from + (c + i) * from_column, sizeof tile[i]);
      for (std::int64_t r = 0; r < kTile; ++r) {
        E* out = to + r * to_row + c;
        for (std::int64_t i = 0; i < kTile; ++i) out[i] = tile[i][r];
      }
    }
  }
  for (; c < columns; ++c)
    for (std::int64_t r = 0; r < rows; ++r) to[r * to_row + c] = from[c * from_column + r];
}

template <class E>
void run_strided_plan(const StridedPlan& plan, const std::byte* from_bytes, std::byte* to_bytes,
                      std::int64_t begin, std::int64_t end) {
  const E* const from_base = reinterpret_cast<const E*>(from_bytes);
  E* const to_base = reinterpret_cast<E*>(to_bytes);
  if (plan.from_row == 0 && plan.to_row == 0 && plan.rows > 1) {
    for (std::int64_t unit = begin; unit < end; ++unit) {
      const std::int64_t at = unit * plan.rows;
      copy_run(from_base + at * plan.from_column, plan.from_column, to_base + at * plan.to_column,
               plan.to_column, std::min(plan.rows, plan.columns - at));
    }
    return;
  }
  Dims index(plan.outer.size(), 0);
  std::int64_t from_at = 0, to_at = 0, stripe = begin % plan.stripes, rest = begin / plan.stripes;
  for (std::size_t i = index.size(); i-- > 0; rest /= plan.outer[i]) {
    index[i] = rest % plan.outer[i];
    from_at += index[i] * plan.from_outer[i];
    to_at += index[i] * plan.to_outer[i];
  }
  for (std::int64_t unit = begin; unit < end; ++unit) {
    if (plan.tiled) {
      if constexpr (std::is_trivially_copyable_v<E>) {
        const std::int64_t row = stripe * StridedPlan::kTile;
        transpose_stripe(from_base + from_at + row, plan.from_column,
                         to_base + to_at + row * plan.to_row, plan.to_row,
                         std::min(StridedPlan::kTile, plan.rows - row), plan.columns);
      }
    } else {
      for (std::int64_t row = 0; row < plan.rows; ++row)
        copy_run(from_base + from_at + row * plan.from_row, plan.from_column,
                 to_base + to_at + row * plan.to_row, plan.to_column, plan.columns);
    }
    if (++stripe < plan.stripes) continue;
    stripe = 0;
    for (std::size_t i = index.size(); i-- > 0;) {
      from_at += plan.from_outer[i];
      to_at += plan.to_outer[i];
      if (++index[i] < plan.outer[i]) break;
      from_at -= plan.outer[i] * plan.from_outer[i];
      to_at -= plan.outer[i] * plan.to_outer[i];
      index[i] = 0;
    }
  }
}

DGRAPH_DECL void copy_strided(const KernelContext& context, DType dtype, const Dims& sizes,
                              const std::byte* from, const Dims& from_strides, std::byte* to,
                              const Dims& to_strides) {
  std::int64_t total = 1;
  for (const std::int64_t n : sizes) total *= n;
  if (total == 0) return;
  const auto run = with_moved_type(dtype, []<class E>() { return &run_strided_plan<E>; });
  const StridedPlan plan =
      make_strided_plan(sizes, from_strides, to_strides, dtype != DType::String);
  const double ns_each =
      static_cast<double>(total) / static_cast<double>(plan.units) *
      (dtype == DType::String ? 15.0 : 0.3 + 0.1 * static_cast<double>(dtype_size(dtype)));
  context.parallel_for(plan.units, ns_each, [&](std::int64_t begin, std::int64_t end) {
    run(plan, from, to, begin, end);
  });
}

DGRAPH_DECL void fill_elements(DType dtype, const std::byte* element, std::byte* to,
                               std::int64_t count) {
  if (count <= 0) return;
  if (dtype == DType::String) {
    std::fill_n(reinterpret_cast<std::string*>(to), count,
                *reinterpret_cast<const std::string*>(element));
    return;
  }
  const std::size_t size = dtype_size(dtype), total = size * static_cast<std::size_t>(count);
  if (std::all_of(element, element + size, [&](std::byte b) { return b == element[0]; })) {
    std::memset(to, static_cast<int>(element[0]), total);
    return;
  }
  // Doubles what is written until it is a block worth copying.
  constexpr std::size_t kBlock = 4096;
  std::memcpy(to, element, size);
  std::size_t done = size;
  while (done < total) {
    const std::size_t more = std::min({done, total - done, kBlock / size * size});
    std::memcpy(to + done, to, more);
    done += more;
  }
}

}  // namespace dgraph::detail

#pragma once
#include <dgraph/kernels/segment.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <dgraph/kernels/accumulate.hpp>
#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/elementwise.hpp>
#include <dgraph/kernels/row_fold.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

// Integers of an int32 or int64 vector.
class Ids {
 public:
  explicit Ids(const Tensor& values) noexcept
      : wide_(values.dtype() == DType::Int64 ? values.data<std::int64_t>() : nullptr),
        narrow_(values.data<std::int32_t>()) {}
  std::int64_t operator[](std::int64_t i) const noexcept { return wide_ ? wide_[i] : narrow_[i]; }

 private:
  const std::int64_t* wide_;
  const std::int32_t* narrow_;
};

// Throws unless the ids are one for each of `rows`, sorted, and in [0, bound). One more than the last.
DGRAPH_DECL std::int64_t check_sorted_ids(const Tensor& ids, std::int64_t rows,
                                          std::int64_t bound) {
  if (!(ids.shape() == Shape{rows}))
    fail(Code::InvalidArgument, "segment_ids should be a vector with an id for each of ", rows,
         " rows, not of shape ", ids.shape());
  const Ids id(ids);
  std::int64_t last = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (id[i] < 0 || id[i] >= bound)
      fail(Code::InvalidArgument, "segment_ids[", i, "] = ", id[i], " is out of range [0, ", bound,
           ")");
    if (id[i] < last)
      fail(Code::InvalidArgument, "segment ids are not increasing: segment_ids[", i, "] = ", id[i],
           " after ", last);
    last = id[i];
  }
  return rows == 0 ? 0 : last + 1;
}

// What sums are divided by: nothing, the number of rows or the root of it.
enum class SegmentScale : std::uint8_t { None, Mean, SqrtN };

inline double segment_divisor(SegmentScale scale, std::int64_t rows) noexcept {
  const double n = static_cast<double>(rows);
  return scale == SegmentScale::Mean ? n : scale == SegmentScale::SqrtN ? std::sqrt(n) : 1;
}

// Sums in a wider type: small floats in float, means of integers in 64 bits.
struct WideSum {
  void (*add)(const std::byte* from, void* sums, std::int64_t count) = nullptr;
  void (*store)(const void* sums, std::byte* to, std::int64_t count, double divisor) = nullptr;
};

template <class T, class Sum>
WideSum make_wide_sum() {
  return {[](const std::byte* from, void* sums, std::int64_t count) {
            const T* const x = reinterpret_cast<const T*>(from);
            Sum* const s = static_cast<Sum*>(sums);
            for (std::int64_t i = 0; i < count; ++i) s[i] += static_cast<Sum>(Value<T>::load(x[i]));
          },
          [](const void* sums, std::byte* to, std::int64_t count, double divisor) {
            const Sum* const s = static_cast<const Sum*>(sums);
            T* const y = reinterpret_cast<T*>(to);
            if constexpr (std::is_integral_v<T>) {
              // Unsigned sums, so that they wrap; divided as what they stand for.
              using Whole = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
              const auto n = static_cast<Whole>(divisor);
              for (std::int64_t i = 0; i < count; ++i)
                y[i] = static_cast<T>(static_cast<Whole>(s[i]) / n);
            } else {
              for (std::int64_t i = 0; i < count; ++i)
                y[i] = Value<T>::store(s[i] / static_cast<Sum>(divisor));
            }
          }};
}

// to[i] = from[i] / divisor, of floats and complex numbers.
template <class T>
void divide_row(const std::byte* from, std::byte* to, std::int64_t count, double divisor) {
  const T* const x = reinterpret_cast<const T*>(from);
  T* const y = reinterpret_cast<T*>(to);
  const auto by = static_cast<typename Value<T>::type>(divisor);
  for (std::int64_t i = 0; i < count; ++i) y[i] = Value<T>::store(Value<T>::load(x[i]) / by);
}
using RowDivision = void (*)(const std::byte*, std::byte*, std::int64_t, double);

struct SegmentSumConfig {
  SegmentScale scale = SegmentScale::None;
  RowSum add;
  WideSum wide;  // in place of `add` and `divide` where it is there
  RowDivision divide = nullptr;
  std::int64_t parts = 1;  // floats of an element that `divide` takes
  bool picked = false;     // rows by the indices in input 1
  bool counted = false;    // the last input says how many segments there are
};

DGRAPH_DECL SegmentSumConfig segment_sum_config(const KernelRequest& r, SegmentScale scale) {
  const DType dtype = r.dtype("T");
  SegmentSumConfig out;
  out.scale = scale;
  out.add = RowSum::add(dtype);
  if (!out.add) no_kernel_for(r, dtype);
  out.parts = is_complex(dtype) ? 2 : 1;
  switch (dtype) {
    case DType::Float16:
      out.wide = make_wide_sum<half, float>();
      out.divide = &divide_row<half>;
      return out;
    case DType::BFloat16:
      out.wide = make_wide_sum<bfloat16, float>();
      out.divide = &divide_row<bfloat16>;
      return out;
    case DType::Float32:
    case DType::Complex64:
      out.divide = &divide_row<float>;
      return out;
    case DType::Float64:
    case DType::Complex128:
      out.divide = &divide_row<double>;
      return out;
    default:
      break;
  }
  if (scale != SegmentScale::None)
    dispatch<SignedInts, UnsignedInts>(
        r, dtype, [&out]<class T>() { out.wide = make_wide_sum<T, std::uint64_t>(); });
  return out;
}

// Calls f(segment, first, last) for segments [begin, end) of sorted ids: rows [first, last) are its.
template <class F>
void for_each_segment(const Tensor& ids, std::int64_t begin, std::int64_t end, F f) {
  const Ids id(ids);
  const std::int64_t rows = ids.elements();
  std::int64_t low = 0, high = rows;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (id[middle] < begin)
      low = middle + 1;
    else
      high = middle;
  }
  for (std::int64_t segment = begin; segment < end; ++segment) {
    std::int64_t last = low;
    while (last < rows && id[last] == segment) ++last;
    f(segment, low, last);
    low = last;
  }
}

DGRAPH_DECL double segment_ns(const Tensor& ids, std::int64_t segments, std::int64_t row) {
  const double rows = static_cast<double>(std::max<std::int64_t>(ids.elements(), 1));
  return 10 + rows / static_cast<double>(segments) * (5 + 0.3 * static_cast<double>(row));
}

// Data [rows, ...], (indices,) ids (, number of segments): sums of sorted segments.
DGRAPH_DECL void run_segment_sum(KernelContext& c) {
  const auto& config = c.config<SegmentSumConfig>();
  const Tensor &data = c.input(0), &ids = c.input(config.picked ? 2 : 1);
  if (data.rank() == 0) fail(Code::InvalidArgument, "data must be at least rank 1");
  std::int64_t rows = data.dim(0), bound = INT64_MAX;
  if (config.picked) {
    const Tensor& indices = c.input(1);
    if (indices.rank() != 1)
      fail(Code::InvalidArgument, "indices should be a vector, not of shape ", indices.shape());
    check_indices(indices, data.dim(0));
    rows = indices.elements();
  }
  if (config.counted) {
    bound = integer_argument(c.input(c.num_inputs() - 1), "num_segments");
    if (bound < 0) fail(Code::InvalidArgument, "num_segments must not be negative: ", bound);
  }
  const std::int64_t needed = check_sorted_ids(ids, rows, bound),
                     segments = config.counted ? bound : needed;
  Dims dims = data.shape().dims();
  dims[0] = segments;
  Tensor& out = c.allocate_output(0, Shape(std::move(dims)));
  if (out.elements() == 0) return;
  const DType dtype = data.dtype();
  const std::int64_t row = elements_from(data.shape(), 1);
  const std::size_t row_bytes = static_cast<std::size_t>(row) * dtype_size(dtype);
  const Ids pick(config.picked ? c.input(1) : ids);
  c.parallel_for(
      segments, segment_ns(ids, segments, row), [&](std::int64_t begin, std::int64_t end) {
        // Of the widest sums, 8 bytes.
        std::vector<std::byte> sums(config.wide.add ? static_cast<std::size_t>(row) * 8 : 0);
        for_each_segment(
            ids, begin, end, [&](std::int64_t segment, std::int64_t first, std::int64_t last) {
              std::byte* const to = element_at(dtype, out.mutable_raw(), segment * row);
              const auto from = [&](std::int64_t i) {
                return element_at(dtype, data.raw(), (config.picked ? pick[i] : i) * row);
              };
              if (first == last) {
                std::memset(to, 0, row_bytes);
                return;
              }
              const double divisor = segment_divisor(config.scale, last - first);
              if (config.wide.add) {
                std::fill(sums.begin(), sums.end(), std::byte{0});
                for (std::int64_t i = first; i < last; ++i)
                  config.wide.add(from(i), sums.data(), row);
                config.wide.store(sums.data(), to, row, divisor);
                return;
              }
              std::memcpy(to, from(first), row_bytes);
              for (std::int64_t i = first + 1; i < last; ++i) config.add(to, to, from(i), row);
              if (divisor != 1) config.divide(to, to, row * config.parts, divisor);
            });
      });
}

// Gradient rows of segments, indices, ids, number of rows: adds each segment's gradient, divided, to
// the rows that were picked for it.
DGRAPH_DECL void run_sparse_segment_grad(KernelContext& c) {
  const auto& config = c.config<SegmentSumConfig>();
  const Tensor &grad = c.input(0), &indices = c.input(1), &ids = c.input(2);
  const std::int64_t rows = integer_argument(c.input(3), "output_dim0");
  if (grad.rank() == 0) fail(Code::InvalidArgument, "grad must be at least rank 1");
  if (indices.rank() != 1)
    fail(Code::InvalidArgument, "indices should be a vector, not of shape ", indices.shape());
  if (rows < 0) fail(Code::InvalidArgument, "output_dim0 must not be negative: ", rows);
  check_indices(indices, rows);
  check_sorted_ids(ids, indices.elements(), grad.dim(0));
  Dims dims = grad.shape().dims();
  dims[0] = rows;
  const DType dtype = grad.dtype();
  const std::int64_t row = elements_from(grad.shape(), 1);
  Tensor out = Tensor::zeros(dtype, Shape(std::move(dims)));
  Tensor scaled(dtype, Shape{row});
  const Ids pick(indices);
  if (row > 0)
    for_each_segment(
        ids, 0, grad.dim(0), [&](std::int64_t segment, std::int64_t first, std::int64_t last) {
          if (first == last) return;
          const std::byte* from = element_at(dtype, grad.raw(), segment * row);
          if (const double divisor = segment_divisor(config.scale, last - first); divisor != 1) {
            config.divide(from, scaled.mutable_raw(), row, divisor);
            from = scaled.raw();
          }
          for (std::int64_t i = first; i < last; ++i) {
            std::byte* const to = element_at(dtype, out.mutable_raw(), pick[i] * row);
            config.add(to, to, from, row);
          }
        });
  c.set_output(0, std::move(out));
}

struct SegmentFoldConfig {
  RowSum add;
  RowFold fold = nullptr;  // one of both
  Tensor none;             // what a segment without rows is
};

DGRAPH_DECL void run_segment_fold(KernelContext& c) {
  const auto& config = c.config<SegmentFoldConfig>();
  const Tensor &data = c.input(0), &ids = c.input(1);
  if (data.rank() == 0) fail(Code::InvalidArgument, "data must be at least rank 1");
  Dims dims = data.shape().dims();
  const std::int64_t segments = check_sorted_ids(ids, dims[0], INT64_MAX);
  dims[0] = segments;
  Tensor& out = c.allocate_output(0, Shape(std::move(dims)));
  if (out.elements() == 0) return;
  const DType dtype = data.dtype();
  const std::int64_t row = elements_from(data.shape(), 1);
  c.parallel_for(
      segments, segment_ns(ids, segments, row), [&](std::int64_t begin, std::int64_t end) {
        for_each_segment(
            ids, begin, end, [&](std::int64_t segment, std::int64_t first, std::int64_t last) {
              std::byte* const to = element_at(dtype, out.mutable_raw(), segment * row);
              if (first == last) {
                fill_elements(dtype, config.none.raw(), to, row);
                return;
              }
              copy_elements(dtype, element_at(dtype, data.raw(), first * row), to, row);
              for (std::int64_t i = first + 1; i < last; ++i)
                config.fold(to, element_at(dtype, data.raw(), i * row), row);
            });
      });
}

DGRAPH_DECL void run_unsorted_segment(KernelContext& c) {
  const auto& config = c.config<SegmentFoldConfig>();
  const Tensor &data = c.input(0), &ids = c.input(1);
  const std::int64_t segments = integer_argument(c.input(2), "num_segments");
  if (segments < 0) fail(Code::InvalidArgument, "num_segments must not be negative: ", segments);
  bool leads = ids.rank() <= data.rank();
  for (std::size_t i = 0; i < ids.rank() && leads; ++i) leads = ids.dim(i) == data.dim(i);
  if (!leads)
    fail(Code::InvalidArgument, "data.shape = ", data.shape(),
         " does not start with segment_ids.shape = ", ids.shape());
  Dims dims{segments};
  for (std::size_t i = ids.rank(); i < data.rank(); ++i) dims.push_back(data.dim(i));
  const std::int64_t count = ids.elements(), row = elements_from(data.shape(), ids.rank());
  const Ids id(ids);
  for (std::int64_t i = 0; i < count; ++i)
    if (id[i] >= segments)
      fail(Code::InvalidArgument, "segment_ids", position_text(ids.shape(), i), " = ", id[i],
           " is out of range [0, ", segments, ")");
  Tensor& out = c.allocate_output(0, Shape(std::move(dims)));
  const DType dtype = data.dtype();
  fill_elements(dtype, config.none.raw(), out.mutable_raw(), out.elements());
  // By columns, so that the rows of a segment are added in their order whatever the split.
  c.parallel_for(row, 0.3 * static_cast<double>(count), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (id[i] < 0) continue;
      std::byte* const to = element_at(dtype, out.mutable_raw(), id[i] * row + begin);
      const std::byte* const from = element_at(dtype, data.raw(), i * row + begin);
      if (config.add)
        config.add(to, to, from, end - begin);
      else
        config.fold(to, from, end - begin);
    }
  });
}

// The lowest or highest finite number of a dtype that has an order.
DGRAPH_DECL Tensor bound_of(DType dtype, bool highest) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (dtype) {
    case DType::Float16:
      return Tensor::scalar(half(highest ? 65504.0f : -65504.0f));
    case DType::BFloat16:
      return Tensor::scalar(bfloat16(highest ? 0x1.fep127f : -0x1.fep127f));
    case DType::Float32:
      return Tensor::scalar(highest ? std::numeric_limits<float>::max()
                                    : std::numeric_limits<float>::lowest());
    case DType::Float64:
      return Tensor::scalar(highest ? std::numeric_limits<double>::max()
                                    : std::numeric_limits<double>::lowest());
    case DType::UInt64:
      return Tensor::scalar(highest ? UINT64_MAX : std::uint64_t{0});
    default:
      return cast_tensor(Tensor::scalar(highest ? infinity : -infinity), dtype);
  }
}

DGRAPH_DECL Kernel fold_kernel(const KernelRequest& r, void (*run)(KernelContext&), RowFold fold,
                               Tensor none) {
  if (!fold) no_kernel_for(r, r.dtype("T"));
  return plain_kernel(run).with(SegmentFoldConfig{{}, fold, std::move(none)});
}

DGRAPH_DECL Tensor integer_of(DType dtype, std::int64_t value) {
  return cast_tensor(Tensor::scalar(value), dtype);
}

DGRAPH_DECL Kernel segment_sum_kernel(const KernelRequest& r, SegmentScale scale, bool picked,
                                      bool counted) {
  SegmentSumConfig config = segment_sum_config(r, scale);
  config.picked = picked;
  config.counted = counted;
  return plain_kernel(&run_segment_sum).with(config);
}

DGRAPH_DECL Kernel segment_grad_kernel(const KernelRequest& r, SegmentScale scale) {
  return plain_kernel(&run_sparse_segment_grad).with(segment_sum_config(r, scale));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::SegmentSum>::make(const KernelRequest& r) {
  return detail::segment_sum_kernel(r, detail::SegmentScale::None, false, false);
}
DGRAPH_DECL Kernel Kernels<ops::SegmentMean>::make(const KernelRequest& r) {
  return detail::segment_sum_kernel(r, detail::SegmentScale::Mean, false, false);
}
DGRAPH_DECL Kernel Kernels<ops::SegmentProd>::make(const KernelRequest& r) {
  const DType dtype = r.dtype("T");
  return detail::fold_kernel(r, &detail::run_segment_fold, detail::product_fold(dtype),
                             detail::integer_of(dtype, 1));
}
DGRAPH_DECL Kernel Kernels<ops::SegmentMin>::make(const KernelRequest& r) {
  const DType dtype = r.dtype("T");
  return detail::fold_kernel(r, &detail::run_segment_fold, detail::least_fold(dtype),
                             detail::integer_of(dtype, 0));
}
DGRAPH_DECL Kernel Kernels<ops::SegmentMax>::make(const KernelRequest& r) {
  const DType dtype = r.dtype("T");
  return detail::fold_kernel(r, &detail::run_segment_fold, detail::greatest_fold(dtype),
                             detail::integer_of(dtype, 0));
}

DGRAPH_DECL Kernel Kernels<ops::UnsortedSegmentSum>::make(const KernelRequest& r) {
  const DType dtype = r.dtype("T");
  const auto add = detail::RowSum::add(dtype);
  if (!add) detail::no_kernel_for(r, dtype);
  return detail::plain_kernel(&detail::run_unsorted_segment)
      .with(detail::SegmentFoldConfig{add, nullptr, detail::integer_of(dtype, 0)});
}
DGRAPH_DECL Kernel Kernels<ops::UnsortedSegmentProd>::make(const KernelRequest& r) {
  const DType dtype = r.dtype("T");
  return detail::fold_kernel(r, &detail::run_unsorted_segment, detail::product_fold(dtype),
                             detail::integer_of(dtype, 1));
}
DGRAPH_DECL Kernel Kernels<ops::UnsortedSegmentMin>::make(const KernelRequest& r) {
  const DType dtype = r.dtype("T");
  return detail::fold_kernel(r, &detail::run_unsorted_segment, detail::least_fold(dtype),
                             detail::bound_of(dtype, true));
}
DGRAPH_DECL Kernel Kernels<ops::UnsortedSegmentMax>::make(const KernelRequest& r) {
  const DType dtype = r.dtype("T");
  return detail::fold_kernel(r, &detail::run_unsorted_segment, detail::greatest_fold(dtype),
                             detail::bound_of(dtype, false));
}

#define DGRAPH_DETAIL_SPARSE_SEGMENT(name, scale)                                            \
  DGRAPH_DECL Kernel Kernels<ops::SparseSegment##name>::make(const KernelRequest& r) {       \
    return detail::segment_sum_kernel(r, detail::SegmentScale::scale, true, false);          \
  }                                                                                          \
  DGRAPH_DECL Kernel Kernels<ops::SparseSegment##name##WithNumSegments>::make(               \
      const KernelRequest& r) {                                                              \
    return detail::segment_sum_kernel(r, detail::SegmentScale::scale, true, true);           \
  }                                                                                          \
  DGRAPH_DECL Kernel Kernels<ops::SparseSegment##name##Grad>::make(const KernelRequest& r) { \
    return detail::segment_grad_kernel(r, detail::SegmentScale::scale);                      \
  }
DGRAPH_DETAIL_SPARSE_SEGMENT(Sum, None)
DGRAPH_DETAIL_SPARSE_SEGMENT(Mean, Mean)
DGRAPH_DETAIL_SPARSE_SEGMENT(SqrtN, SqrtN)
#undef DGRAPH_DETAIL_SPARSE_SEGMENT

}  // namespace dgraph

#pragma once
#include <dgraph/kernels/cumulative.hpp>

#include <algorithm>
#include <cstring>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/functions.hpp>

namespace dgraph {
namespace detail {

inline constexpr std::int64_t kScanTile = 256;

// `length` rows of up to kScanTile columns, `step` elements from row to row: each becomes what was gathered up to it.
// Small floats are gathered as float and rounded row by row.
template <class T, class F>
void scan_columns(const void* from, void* to, std::int64_t length, std::int64_t step,
                  std::int64_t width, bool exclusive, double identity) {
  using V = typename Value<T>::type;
  const T* x = static_cast<const T*>(from);
  T* y = static_cast<T*>(to);
  V sums[kScanTile];
  for (std::int64_t i = 0; i < width; ++i) sums[i] = static_cast<V>(static_cast<float>(identity));
  for (std::int64_t row = 0; row < length; ++row, x += step, y += step) {
    for (std::int64_t i = 0; i < width; ++i) {
      const V next = F::of(sums[i], Value<T>::load(x[i]));
      y[i] = Value<T>::store(exclusive ? sums[i] : next);
      sums[i] = next;
    }
  }
}

struct ScanConfig {
  void (*columns)(const void*, void*, std::int64_t, std::int64_t, std::int64_t, bool, double);
  double identity;
  bool exclusive, reverse;
};

DGRAPH_DECL void run_scan(KernelContext& context) {
  const ScanConfig& config = context.config<ScanConfig>();
  const Tensor& input = context.input(0);
  if (context.input(1).rank() != 0)
    fail(Code::InvalidArgument, "the axis must be a scalar, not of shape ",
         context.input(1).shape());
  const std::size_t axis =
      axis_of(integer_argument(context.input(1), "axis"), input.rank(), "axis");
  const std::int64_t length = input.dim(axis), inner = elements_from(input.shape(), axis + 1);
  Tensor& out = context.allocate_output(0, input.shape());
  if (input.elements() == 0) return;
  const auto size = static_cast<std::int64_t>(dtype_size(input.dtype()));
  const std::int64_t tiles = (inner + kScanTile - 1) / kScanTile,
                     first = config.reverse ? (length - 1) * inner : 0;
  const std::byte* const from = input.raw();
  std::byte* const to = out.mutable_raw();
  const std::int64_t width = std::min(inner, kScanTile);
  context.parallel_for(
      elements_before(input.shape(), axis) * tiles, static_cast<double>(length * width),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t unit = begin; unit < end; ++unit) {
          const std::int64_t column = unit % tiles * kScanTile;
          const std::int64_t at = (unit / tiles * length * inner + first + column) * size;
          config.columns(from + at, to + at, length, config.reverse ? -inner : inner,
                         std::min(kScanTile, inner - column), config.exclusive, config.identity);
        }
      });
}

template <class F>
Kernel scan_kernel(const KernelRequest& request, double identity) {
  ScanConfig config{nullptr, identity, request.attr<bool>("exclusive"),
                    request.attr<bool>("reverse")};
  dispatch<Floats, SignedInts, UnsignedInts>(
      request, request.input_dtypes[0],
      [&config]<class T>() { config.columns = &scan_columns<typename Wrapping<T>::type, F>; });
  Kernel kernel;
  kernel.run = &run_scan;
  kernel.with(config);
  return kernel;
}

template <class T>
void count_values(const std::int32_t* values, std::int64_t n, const T* weights, T* bins,
                  std::int64_t size) {
  for (std::int64_t i = 0; i < n; ++i)
    if (values[i] < size) bins[values[i]] += weights ? weights[i] : T(1);
}

DGRAPH_DECL void run_bincount(KernelContext& context) {
  const Tensor &values = context.input(0), &weights = context.input(2);
  if (context.input(1).rank() != 0)
    fail(Code::InvalidArgument, "size must be a scalar, not of shape ", context.input(1).shape());
  const std::int64_t size = integer_argument(context.input(1), "size");
  if (size < 0) fail(Code::InvalidArgument, "size (", size, ") must be non-negative");
  const bool weighted = weights.elements() != 0;
  if (weighted && !(weights.shape() == values.shape()))
    fail(Code::InvalidArgument, "weights must have no elements or the shape ", values.shape(),
         " of arr, not ", weights.shape());
  const auto* const at = values.data<std::int32_t>();
  const std::int64_t n = values.elements();
  for (std::int64_t i = 0; i < n; ++i)
    if (at[i] < 0)
      fail(Code::InvalidArgument, "arr must be non-negative, not ", at[i], " at ",
           position_text(values.shape(), i));
  Tensor& out = context.output(0) = Tensor::zeros(context.output_dtype(0), Shape{size});
  const auto count = [&]<class T>(T) {
    count_values(at, n, weighted ? weights.data<T>() : nullptr, out.mutable_data<T>(), size);
  };
  switch (out.dtype()) {
    case DType::Int32:
      return count(std::uint32_t{});
    case DType::Int64:
      return count(std::uint64_t{});
    case DType::Float32:
      return count(float{});
    default:
      return count(double{});
  }
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Cumsum>::make(const KernelRequest& r) {
  return detail::scan_kernel<detail::AddF>(r, 0);
}
DGRAPH_DECL Kernel Kernels<ops::Cumprod>::make(const KernelRequest& r) {
  return detail::scan_kernel<detail::MulF>(r, 1);
}
DGRAPH_DECL Kernel Kernels<ops::Bincount>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_bincount);
}

}  // namespace dgraph

#pragma once
#include <dgraph/kernels/reduction.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dgraph/kernels/functions.hpp>
#include <dgraph/kernels/reduce.hpp>

namespace dgraph {
namespace detail {

struct ReductionConfig {
  Reducer reducer;
  CastChain widen, narrow;
  bool keep_dims;
  /// Makes results of n accumulators, each of `count` elements: divides or takes the root; null: they are results.
  void (*finish)(void* accumulators, std::int64_t n, std::int64_t count);
};

DGRAPH_DECL void run_reduction(KernelContext& context) {
  const ReductionConfig& config = context.config<ReductionConfig>();
  const Tensor& input = context.input(0);
  const Dims reduced = reduced_axes(context.input(1), input.rank());
  const Shape shape = reduced_shape(input.shape(), reduced, config.keep_dims);
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < input.rank(); ++axis)
    if (reduced[axis]) count *= input.dim(axis);
  Tensor result = reduce_tensor(context, input, reduced, shape, config.reducer, config.widen);
  if (config.finish) config.finish(result.mutable_raw(), shape.elements(), count);
  // Accumulators may be unsigned stand-ins of the output's dtype.
  if (config.narrow.count) {
    config.narrow.run(result.raw(), context.allocate_output(0, shape).mutable_raw(), shape.elements());
  } else {
    context.set_output(0, result.dtype() == context.output_dtype(0) ? std::move(result)
                                                                    : result.bitcast_same_size(context.output_dtype(0)));
  }
}

DGRAPH_DECL double reduction_cost(const KernelContext& context) {
  return 100 + static_cast<double>(context.input(0).elements()) * context.config<ReductionConfig>().reducer.ns_each;
}

DGRAPH_DECL Kernel reduction_kernel(const KernelRequest& request, const Reducer& reducer,
                                    void (*finish)(void*, std::int64_t, std::int64_t) = nullptr) {
  const DType dtype = request.input_dtypes[0];
  ReductionConfig config{reducer, {}, {}, request.attr<bool>("keep_dims"), finish};
  // Same bits, another name: nothing to convert.
  const bool alike = dtype_size(dtype) == dtype_size(reducer.accumulator) &&
                     is_floating(dtype) == is_floating(reducer.accumulator) && !is_complex(dtype);
  if (dtype != reducer.accumulator && !alike) {
    config.widen = make_cast_chain(dtype, reducer.accumulator);
    config.narrow = make_cast_chain(reducer.accumulator, dtype);
  }
  Kernel kernel;
  kernel.run = &run_reduction;
  kernel.cost = &reduction_cost;
  kernel.with(std::move(config));
  return kernel;
}

// Wrapping integers, float for small floats.
template <class F>
Reducer arithmetic_reducer(const KernelRequest& request, DType dtype, int identity) {
  switch (dtype) {
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32: return make_reducer<float, F>(static_cast<float>(identity));
    case DType::Float64: return make_reducer<double, F>(identity);
    case DType::Complex64: return make_reducer<std::complex<float>, F>(static_cast<float>(identity));
    case DType::Complex128: return make_reducer<std::complex<double>, F>(identity);
    case DType::Int8:
    case DType::UInt8: return make_reducer<std::uint8_t, F>(static_cast<std::uint8_t>(identity));
    case DType::Int16:
    case DType::UInt16: return make_reducer<std::uint16_t, F>(static_cast<std::uint16_t>(identity));
    case DType::Int32:
    case DType::UInt32: return make_reducer<std::uint32_t, F>(static_cast<std::uint32_t>(identity));
    case DType::Int64:
    case DType::UInt64: return make_reducer<std::uint64_t, F>(static_cast<std::uint64_t>(identity));
    default: no_kernel_for(request, dtype);
  }
}

template <class T, class F, bool Max>
Reducer extreme_reducer_of() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return make_reducer<T, F>(Max ? -Limits::infinity() : Limits::infinity());
  else
    return make_reducer<T, F>(Max ? Limits::lowest() : Limits::max());
}
template <class F, bool Max>
Reducer extreme_reducer(const KernelRequest& request) {
  const DType dtype = request.input_dtypes[0];
  switch (dtype) {
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32: return extreme_reducer_of<float, F, Max>();
    case DType::Float64: return extreme_reducer_of<double, F, Max>();
    case DType::Int8: return extreme_reducer_of<std::int8_t, F, Max>();
    case DType::UInt8: return extreme_reducer_of<std::uint8_t, F, Max>();
    case DType::Int16: return extreme_reducer_of<std::int16_t, F, Max>();
    case DType::UInt16: return extreme_reducer_of<std::uint16_t, F, Max>();
    case DType::Int32: return extreme_reducer_of<std::int32_t, F, Max>();
    case DType::UInt32: return extreme_reducer_of<std::uint32_t, F, Max>();
    case DType::Int64: return extreme_reducer_of<std::int64_t, F, Max>();
    case DType::UInt64: return extreme_reducer_of<std::uint64_t, F, Max>();
    default: no_kernel_for(request, dtype);
  }
}

template <class T>
void divide_by(void* accumulators, std::int64_t n, std::int64_t count) {
  // Of one element each the accumulators may still be the input.
  if (count == 1) return;
  T* const x = static_cast<T*>(accumulators);
  if constexpr (std::is_integral_v<T>) {
    // A mean of no integers is 0: there is no NaN for it.
    for (std::int64_t i = 0; i < n; ++i) x[i] = count ? static_cast<T>(x[i] / static_cast<T>(count)) : T(0);
  } else if constexpr (is_complex_element<T>) {
    for (std::int64_t i = 0; i < n; ++i) x[i] /= static_cast<typename T::value_type>(count);
  } else {
    for (std::int64_t i = 0; i < n; ++i) x[i] /= static_cast<T>(count);
  }
}

// Absolute squares before they are summed, and the root after.
template <class T>
void square_loop(const void* from, void* to, std::int64_t n) {
  const T* const x = static_cast<const T*>(from);
  T* const y = static_cast<T*>(to);
  for (std::int64_t i = 0; i < n; ++i) y[i] = MulF::of(x[i], conjugate(x[i]));
}
template <class T>
void root_of_all(void* accumulators, std::int64_t n, std::int64_t) {
  T* const x = static_cast<T*>(accumulators);
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (is_complex_element<T>) x[i] = std::sqrt(x[i].real());
    else x[i] = std::sqrt(x[i]);
  }
}
template <class T>
Kernel norm_kernel(const KernelRequest& request) {
  ReductionConfig config{make_reducer<T, AddF>(T(0)), {}, {}, request.attr<bool>("keep_dims"), &root_of_all<T>};
  const DType dtype = request.input_dtypes[0];
  config.widen = make_cast_chain(dtype, dtype_of<T>);
  config.widen.add(&square_loop<T>);
  config.narrow = make_cast_chain(dtype_of<T>, dtype);
  Kernel kernel;
  kernel.run = &run_reduction;
  kernel.cost = &reduction_cost;
  kernel.with(std::move(config));
  return kernel;
}

// The largest or smallest so far and where it was; the first of equals.
template <class T, bool Max>
DGRAPH_INLINE bool beats(T x, T best) {
  return Max ? x > best : x < best;
}
struct ArgLoops {
  DType wide;  ///< what values are compared as
  /// Elements [base, base + n) of one row.
  void (*scan)(const void* values, std::int64_t n, std::int64_t base, void* best, std::int64_t* index);
  /// Row `row` of n columns.
  void (*update)(const void* values, std::int64_t n, std::int64_t row, void* best, std::int64_t* index);
};
template <class T, bool Max>
void arg_scan(const void* values, std::int64_t n, std::int64_t base, void* best, std::int64_t* index) {
  const T* const x = static_cast<const T*>(values);
  T most = base == 0 ? x[0] : *static_cast<T*>(best);
  std::int64_t at = base == 0 ? 0 : *index;
  for (std::int64_t i = 0; i < n; ++i)
    if (beats<T, Max>(x[i], most)) most = x[i], at = base + i;
  *static_cast<T*>(best) = most;
  *index = at;
}
template <class T, bool Max>
void arg_update(const void* values, std::int64_t n, std::int64_t row, void* best, std::int64_t* index) {
  const T* const x = static_cast<const T*>(values);
  T* const most = static_cast<T*>(best);
  for (std::int64_t i = 0; i < n; ++i) {
    if (row != 0 && !beats<T, Max>(x[i], most[i])) continue;
    most[i] = x[i];
    index[i] = row;
  }
}
template <class T, bool Max>
ArgLoops arg_loops_of() {
  return {dtype_of<T>, &arg_scan<T, Max>, &arg_update<T, Max>};
}
template <bool Max>
ArgLoops arg_loops(const KernelRequest& request) {
  switch (request.input_dtypes[0]) {
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32: return arg_loops_of<float, Max>();
    case DType::Float64: return arg_loops_of<double, Max>();
    case DType::Int8:
    case DType::UInt8:
    case DType::Int16:
    case DType::UInt16:
    case DType::Bool:
    case DType::Int32: return arg_loops_of<std::int32_t, Max>();
    case DType::UInt32:
    case DType::Int64: return arg_loops_of<std::int64_t, Max>();
    case DType::UInt64: return arg_loops_of<std::uint64_t, Max>();
    default: no_kernel_for(request, request.input_dtypes[0]);
  }
}

struct ArgConfig {
  ArgLoops loops;
  CastChain widen, indices;
};

DGRAPH_DECL void arg_tile(const ArgConfig& config, const std::byte* in, std::int64_t length, std::int64_t inner,
                          std::int64_t width, std::int64_t* index) {
  constexpr std::int64_t kWidth = 1024;
  alignas(64) std::byte block[kWidth * 8], best[kWidth * 8];
  const std::int64_t size = config.widen.from_size;
  // Columns go row by row; a row alone goes by blocks.
  const std::int64_t step = inner == 1 ? kWidth : 1;
  for (std::int64_t at = 0; at < length; at += step) {
    const std::int64_t count = inner == 1 ? std::min(step, length - at) : width;
    const void* values = in + at * inner * size;
    if (config.widen.count) {
      config.widen.run(values, block, count);
      values = block;
    }
    (inner == 1 ? config.loops.scan : config.loops.update)(values, count, at, best, index);
  }
}

DGRAPH_DECL void run_arg(KernelContext& context) {
  const ArgConfig& config = context.config<ArgConfig>();
  const Tensor& input = context.input(0);
  const Tensor axes = cast_tensor(context.input(1), DType::Int64);
  if (axes.elements() != 1) fail(Code::InvalidArgument, "dimension must be a scalar, not of shape ", axes.shape());
  const auto rank = static_cast<std::int64_t>(input.rank());
  const std::int64_t given = axes.item<std::int64_t>();
  if (given < -rank || given >= rank)
    fail(Code::InvalidArgument, "dimension ", given, " is outside [-", rank, ", ", rank, ")");
  const auto axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
  const std::int64_t length = input.dim(axis);
  if (length == 0) fail(Code::InvalidArgument, "dimension ", axis, " is empty in shape ", input.shape());
  Dims reduced(input.rank(), 0);
  reduced[axis] = 1;
  const Shape shape = reduced_shape(input.shape(), reduced, false);
  std::int64_t outer = 1, inner = 1;
  for (std::size_t k = 0; k < axis; ++k) outer *= input.dim(k);
  for (std::size_t k = axis + 1; k < input.rank(); ++k) inner *= input.dim(k);
  Tensor found(DType::Int64, shape);
  auto* const index = found.mutable_data<std::int64_t>();
  const std::int64_t tile = std::min<std::int64_t>(std::max<std::int64_t>(inner, 1), 1024);
  const std::int64_t tiles = (inner + tile - 1) / tile;
  context.parallel_for(outer * tiles, static_cast<double>(length * tile), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t unit = begin; unit < end; ++unit) {
      const std::int64_t block = unit / tiles, column = unit % tiles * tile;
      arg_tile(config, input.raw() + (block * length * inner + column) * config.widen.from_size, length, inner,
               std::min(tile, inner - column), index + block * inner + column);
    }
  });
  if (!config.indices.count) return context.set_output(0, std::move(found));
  config.indices.run(found.raw(), context.allocate_output(0, shape).mutable_raw(), shape.elements());
}

DGRAPH_DECL Kernel arg_kernel(const KernelRequest& request, ArgLoops loops) {
  Kernel kernel;
  kernel.run = &run_arg;
  kernel.with(ArgConfig{loops, make_cast_chain(request.input_dtypes[0], loops.wide),
                        make_cast_chain(DType::Int64, request.output_dtypes[0])});
  return kernel;
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Sum>::make(const KernelRequest& r) {
  return detail::reduction_kernel(r, detail::arithmetic_reducer<detail::AddF>(r, r.input_dtypes[0], 0));
}
DGRAPH_DECL Kernel Kernels<ops::Prod>::make(const KernelRequest& r) {
  return detail::reduction_kernel(r, detail::arithmetic_reducer<detail::MulF>(r, r.input_dtypes[0], 1));
}
DGRAPH_DECL Kernel Kernels<ops::Mean>::make(const KernelRequest& r) {
  const DType dtype = r.input_dtypes[0];
  const bool is_unsigned = dtype == DType::UInt8 || dtype == DType::UInt16 || dtype == DType::UInt32 || dtype == DType::UInt64;
  // Integers are summed in 64 bits.
  detail::Reducer reducer =
      detail::arithmetic_reducer<detail::AddF>(r, !is_integer(dtype) ? dtype : DType::UInt64, 0);
  if (is_integer(dtype) && !is_unsigned) reducer.accumulator = DType::Int64;
  switch (reducer.accumulator) {
    case DType::Float32: return detail::reduction_kernel(r, reducer, &detail::divide_by<float>);
    case DType::Float64: return detail::reduction_kernel(r, reducer, &detail::divide_by<double>);
    case DType::Complex64: return detail::reduction_kernel(r, reducer, &detail::divide_by<std::complex<float>>);
    case DType::Complex128: return detail::reduction_kernel(r, reducer, &detail::divide_by<std::complex<double>>);
    case DType::Int64: return detail::reduction_kernel(r, reducer, &detail::divide_by<std::int64_t>);
    default: return detail::reduction_kernel(r, reducer, &detail::divide_by<std::uint64_t>);
  }
}
DGRAPH_DECL Kernel Kernels<ops::Max>::make(const KernelRequest& r) {
  return detail::reduction_kernel(r, detail::extreme_reducer<detail::MaxF, true>(r));
}
DGRAPH_DECL Kernel Kernels<ops::Min>::make(const KernelRequest& r) {
  return detail::reduction_kernel(r, detail::extreme_reducer<detail::MinF, false>(r));
}
DGRAPH_DECL Kernel Kernels<ops::EuclideanNorm>::make(const KernelRequest& r) {
  switch (r.input_dtypes[0]) {
    case DType::Complex64: return detail::norm_kernel<std::complex<float>>(r);
    case DType::Complex128: return detail::norm_kernel<std::complex<double>>(r);
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32: return detail::norm_kernel<float>(r);
    default: return detail::norm_kernel<double>(r);
  }
}
// Bools are bytes of 0 or 1: all is their least, any their largest.
DGRAPH_DECL Kernel Kernels<ops::All>::make(const KernelRequest& r) {
  return detail::reduction_kernel(r, detail::make_reducer<std::uint8_t, detail::MinF>(1));
}
DGRAPH_DECL Kernel Kernels<ops::Any>::make(const KernelRequest& r) {
  return detail::reduction_kernel(r, detail::make_reducer<std::uint8_t, detail::MaxF>(0));
}
DGRAPH_DECL Kernel Kernels<ops::ArgMax>::make(const KernelRequest& r) {
  return detail::arg_kernel(r, detail::arg_loops<true>(r));
}
DGRAPH_DECL Kernel Kernels<ops::ArgMin>::make(const KernelRequest& r) {
  return detail::arg_kernel(r, detail::arg_loops<false>(r));
}

}  // namespace dgraph

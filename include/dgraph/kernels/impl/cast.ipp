#pragma once
#include <dgraph/kernels/cast.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include <dgraph/kernels/elementwise.hpp>

namespace dgraph {
namespace detail {

// Every pair of dtypes goes through at most three loops over a block: the source is brought to one of six types that hold
// its values exactly (int32, uint32, int64, uint64, float32, float64), that one to the target or to float32 or float64, and
// those to float16, bfloat16 or complex.

template <class From, class To>
DGRAPH_INLINE To cast_value(From x) {
  if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    using Limits = std::numeric_limits<To>;
    // 2^bits is exact as a float; the largest integer may not be.
    constexpr From least = static_cast<From>(Limits::min());
    constexpr From beyond = static_cast<From>(std::uint64_t{1} << (Limits::digits - 1)) * From(2);
    if (x >= beyond) return Limits::max();
    if (!(x > least)) return x != x ? To(0) : Limits::min();
    return static_cast<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <class From, class To>
struct ConvertLoop {
  DGRAPH_INLINE static void run(const void* from, void* to, std::int64_t n) {
    const From* const x = static_cast<const From*>(from);
    To* const y = static_cast<To*>(to);
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) y[i] = cast_value<From, To>(x[i]);
  }
};

template <class From, class To>
CastLoop convert_loop() {
  return simd_baseline<ConvertLoop<From, To>>();
}

template <class From>
struct RealPartLoop {
  DGRAPH_INLINE static void run(const void* from, void* to, std::int64_t n) {
    const From* const x = static_cast<const From*>(from);
    From* const y = static_cast<From*>(to);
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[2 * i];
  }
};
template <class From>
struct MakeComplexLoop {
  DGRAPH_INLINE static void run(const void* from, void* to, std::int64_t n) {
    const From* const x = static_cast<const From*>(from);
    From* const y = static_cast<From*>(to);
    for (std::int64_t i = 0; i < n; ++i) {
      y[2 * i] = x[i];
      y[2 * i + 1] = From(0);
    }
  }
};
// Anything but zero is true.
template <class From>
struct ComplexToBoolLoop {
  DGRAPH_INLINE static void run(const void* from, void* to, std::int64_t n) {
    const From* const x = static_cast<const From*>(from);
    bool* const y = static_cast<bool*>(to);
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[2 * i] != From(0) || x[2 * i + 1] != From(0);
  }
};
template <class Small>
void widen_loop(const void* from, void* to, std::int64_t n) {
  widen(static_cast<const Small*>(from), static_cast<float*>(to), n);
}
template <class Small>
void narrow_loop(const void* from, void* to, std::int64_t n) {
  narrow(static_cast<const float*>(from), static_cast<Small*>(to), n);
}
template <class From, class To>
void complex_loop(const void* from, void* to, std::int64_t n) {
  convert_loop<From, To>()(from, to, 2 * n);
}

// The loop from one of the six types to a target that it reaches directly; null where it does not.
template <class From>
CastLoop direct_loop(DType to) {
  switch (to) {
    case DType::Int8:
    case DType::UInt8:
      // Integers are cut to their low bits, whatever the sign.
      if constexpr (std::is_integral_v<From>) return convert_loop<std::make_unsigned_t<From>, std::uint8_t>();
      else return to == DType::Int8 ? convert_loop<From, std::int8_t>() : convert_loop<From, std::uint8_t>();
    case DType::Int16:
    case DType::UInt16:
      if constexpr (std::is_integral_v<From>) return convert_loop<std::make_unsigned_t<From>, std::uint16_t>();
      else return to == DType::Int16 ? convert_loop<From, std::int16_t>() : convert_loop<From, std::uint16_t>();
    case DType::Int32:
    case DType::UInt32:
      if constexpr (std::is_integral_v<From>) return convert_loop<std::make_unsigned_t<From>, std::uint32_t>();
      else return to == DType::Int32 ? convert_loop<From, std::int32_t>() : convert_loop<From, std::uint32_t>();
    case DType::Int64:
    case DType::UInt64:
      if constexpr (std::is_integral_v<From>) return convert_loop<From, std::uint64_t>();
      else return to == DType::Int64 ? convert_loop<From, std::int64_t>() : convert_loop<From, std::uint64_t>();
    case DType::Bool: return convert_loop<From, bool>();
    case DType::Float32: return convert_loop<From, float>();
    case DType::Float64: return convert_loop<From, double>();
    default: return nullptr;
  }
}

// Brings `from` to one of the six types, exactly; a real number is all that is left of a complex one.
DGRAPH_DECL DType add_widening(CastChain& chain, DType from) {
  switch (from) {
    case DType::Int8: chain.add(convert_loop<std::int8_t, std::int32_t>()); return DType::Int32;
    case DType::Int16: chain.add(convert_loop<std::int16_t, std::int32_t>()); return DType::Int32;
    case DType::Bool:
    case DType::UInt8: chain.add(convert_loop<std::uint8_t, std::int32_t>()); return DType::Int32;
    case DType::UInt16: chain.add(convert_loop<std::uint16_t, std::int32_t>()); return DType::Int32;
    case DType::Float16: chain.add(&widen_loop<half>); return DType::Float32;
    case DType::BFloat16: chain.add(&widen_loop<bfloat16>); return DType::Float32;
    case DType::Complex64: chain.add(simd_baseline<RealPartLoop<float>>()); return DType::Float32;
    case DType::Complex128: chain.add(simd_baseline<RealPartLoop<double>>()); return DType::Float64;
    default: return from;
  }
}

DGRAPH_DECL void add_direct(CastChain& chain, DType from, DType to) {
  if (from == to) return;
  switch (from) {
    case DType::Int32: return chain.add(direct_loop<std::int32_t>(to));
    case DType::UInt32: return chain.add(direct_loop<std::uint32_t>(to));
    case DType::Int64: return chain.add(direct_loop<std::int64_t>(to));
    case DType::UInt64: return chain.add(direct_loop<std::uint64_t>(to));
    case DType::Float32: return chain.add(direct_loop<float>(to));
    default: return chain.add(direct_loop<double>(to));
  }
}

DGRAPH_DECL CastChain make_cast_chain(DType from, DType to) {
  CastChain chain;
  chain.from_size = static_cast<std::int64_t>(dtype_size(from));
  chain.to_size = static_cast<std::int64_t>(dtype_size(to));
  if (from == to) return chain;
  if (is_complex(from) && is_complex(to)) {
    chain.add(from == DType::Complex64 ? &complex_loop<float, double> : &complex_loop<double, float>);
    return chain;
  }
  if (is_complex(from) && to == DType::Bool) {
    chain.add(from == DType::Complex64 ? simd_baseline<ComplexToBoolLoop<float>>()
                                       : simd_baseline<ComplexToBoolLoop<double>>());
    return chain;
  }
  const DType wide = add_widening(chain, from);
  switch (to) {
    case DType::Float16: add_direct(chain, wide, DType::Float32); chain.add(&narrow_loop<half>); break;
    case DType::BFloat16: add_direct(chain, wide, DType::Float32); chain.add(&narrow_loop<bfloat16>); break;
    case DType::Complex64:
      add_direct(chain, wide, DType::Float32);
      chain.add(simd_baseline<MakeComplexLoop<float>>());
      break;
    case DType::Complex128:
      add_direct(chain, wide, DType::Float64);
      chain.add(simd_baseline<MakeComplexLoop<double>>());
      break;
    default: add_direct(chain, wide, to);
  }
  return chain;
}

DGRAPH_DECL void CastChain::run(const void* from, void* to, std::int64_t n) const {
  if (count == 1) return loops[0](from, to, n);
  constexpr std::int64_t kBlock = 512;
  alignas(64) std::byte blocks[2][kBlock * 8];
  for (std::int64_t at = 0; count && at < n; at += kBlock) {
    const std::int64_t length = std::min(kBlock, n - at);
    const void* source = static_cast<const std::byte*>(from) + at * from_size;
    for (std::size_t k = 0; k < count; ++k) {
      void* const target = k + 1 == count ? static_cast<std::byte*>(to) + at * to_size : blocks[k];
      loops[k](source, target, length);
      source = target;
    }
  }
}

DGRAPH_DECL void run_cast(KernelContext& context) {
  const CastChain& chain = context.config<CastChain>();
  if (chain.count == 0) return context.set_output(0, context.take_input(0));
  const Tensor& input = context.input(0);
  Tensor& out = context.allocate_output(0, input.shape());
  std::byte* const to = out.mutable_raw();
  context.parallel_for(input.elements(), 0.5 * static_cast<double>(chain.count), [&](std::int64_t begin, std::int64_t end) {
    chain.run(input.raw() + begin * chain.from_size, to + begin * chain.to_size, end - begin);
  });
}

}  // namespace detail

DGRAPH_DECL Tensor cast_tensor(const Tensor& from, DType to) {
  if (from.dtype() == to) return from;
  if (!is_plain(from.dtype()) || !is_plain(to))
    fail(Code::Unimplemented, "there is no cast from ", dtype_name(from.dtype()), " to ", dtype_name(to));
  Tensor out(to, from.shape());
  detail::make_cast_chain(from.dtype(), to).run(from.raw(), out.mutable_raw(), from.elements());
  return out;
}

DGRAPH_DECL Kernel Kernels<ops::Cast>::make(const KernelRequest& request) {
  const DType from = request.input_dtypes[0], to = request.output_dtypes[0];
  if (from != to && !is_plain(from)) detail::no_kernel_for(request, from);
  if (from != to && !is_plain(to)) detail::no_kernel_for(request, to);
  Kernel kernel;
  kernel.run = &detail::run_cast;
  kernel.with(detail::make_cast_chain(from, to));
  return kernel;
}

}  // namespace dgraph

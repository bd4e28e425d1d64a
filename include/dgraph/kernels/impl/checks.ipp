#pragma once
#include <dgraph/kernels/checks.hpp>

#include <string>

#include <dgraph/kernels/arguments.hpp>

namespace dgraph {
namespace detail {

struct NumericsConfig {
  /// Bit 0: there is an infinity, bit 1: there is a NaN.
  unsigned (*find)(const Tensor&);
  std::string message;
};

// By the bits of the exponent, all ones in both, and of the rest, which NaN alone has.
template <class Bits, Bits Exponent>
unsigned find_not_finite(const Tensor& x) {
  constexpr Bits kRest = static_cast<Bits>((Exponent & (~Exponent + 1u)) - 1u);
  using Alias [[gnu::may_alias]] = Bits;
  const Alias* const bits = reinterpret_cast<const Alias*>(x.raw());
  const std::int64_t n = x.elements();
  unsigned found = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const bool special = (bits[i] & Exponent) == Exponent;
    found |= special ? ((bits[i] & kRest) != 0 ? 2u : 1u) : 0u;
  }
  return found;
}

DGRAPH_DECL void run_check_numerics(KernelContext& c) {
  const auto& config = c.config<NumericsConfig>();
  if (const unsigned found = config.find(c.input(0)))
    fail(Code::InvalidArgument, config.message, " : Tensor had ",
         found == 1   ? "Inf"
         : found == 2 ? "NaN"
                      : "Inf and NaN",
         " values");
  c.set_output(0, c.take_input(0));
}

DGRAPH_DECL void run_ensure_shape(KernelContext& c) {
  const auto& wanted = c.config<PartialShape>();
  if (!wanted.compatible_with(PartialShape(c.input(0).shape())))
    fail(Code::InvalidArgument, "Shape of tensor ", c.input(0).shape(),
         " is not compatible with expected shape ", wanted);
  c.set_output(0, c.take_input(0));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::CheckNumerics>::make(const KernelRequest& r) {
  detail::NumericsConfig config{nullptr, r.attr<std::string>("message")};
  switch (r.dtype("T")) {
    case DType::Float16:
      config.find = &detail::find_not_finite<std::uint16_t, 0x7c00>;
      break;
    case DType::BFloat16:
      config.find = &detail::find_not_finite<std::uint16_t, 0x7f80>;
      break;
    case DType::Float32:
      config.find = &detail::find_not_finite<std::uint32_t, 0x7f800000>;
      break;
    case DType::Float64:
      config.find = &detail::find_not_finite<std::uint64_t, 0x7ff0000000000000>;
      break;
    default:
      detail::no_kernel_for(r, r.dtype("T"));
  }
  return detail::plain_kernel(&detail::run_check_numerics).with(std::move(config));
}
DGRAPH_DECL Kernel Kernels<ops::EnsureShape>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_ensure_shape, true).with(r.attr<PartialShape>("shape"));
}

}  // namespace dgraph

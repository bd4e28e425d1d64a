#pragma once
#include <dgraph/kernels/special.hpp>

#include <cmath>
#include <complex>

#include <dgraph/kernels/called.hpp>
#include <dgraph/kernels/special_functions.hpp>

namespace dgraph {
namespace detail {

// e^z - 1 without forming e^z, exact near 0: e^x cos y - 1 = (e^x - 1) cos y - 2 sin(y / 2)^2.
DGRAPH_DECL std::complex<double> complex_expm1(const std::complex<double>& z) {
  const double grown = std::expm1(z.real()), half_sine = std::sin(0.5 * z.imag());
  if (!std::isfinite(grown)) return std::exp(z) - 1.0;
  return {grown * std::cos(z.imag()) - 2 * half_sine * half_sine, (grown + 1) * std::sin(z.imag())};
}

// All inputs of one shape, but for scalars.
DGRAPH_DECL void run_betainc(KernelContext& context) {
  const Shape* shape = nullptr;
  for (const Tensor& input : context.inputs()) {
    if (input.rank() == 0) continue;
    if (shape && !(*shape == input.shape()))
      fail(Code::InvalidArgument, "a, b and x must be scalars or of one shape, not ",
           context.input(0).shape(), ", ", context.input(1).shape(), " and ",
           context.input(2).shape());
    shape = &input.shape();
  }
  run_elementwise(context);
}

}  // namespace detail

#define DGRAPH_DETAIL_FUNCTION(op, ns, ...)                                     \
  DGRAPH_DECL Kernel Kernels<ops::op>::make(const KernelRequest& r) {           \
    return detail::elementwise_kernel(detail::called_spec(r, __VA_ARGS__, ns)); \
  }
DGRAPH_DETAIL_FUNCTION(Expm1, 8,
                       detail::UnaryCall{[](float x) { return std::expm1(x); },
                                         [](double x) { return std::expm1(x); },
                                         &detail::complex_expm1})
DGRAPH_DETAIL_FUNCTION(Erf, 10,
                       detail::UnaryCall{[](float x) { return std::erf(x); },
                                         [](double x) { return std::erf(x); }})
DGRAPH_DETAIL_FUNCTION(Erfc, 15,
                       detail::UnaryCall{[](float x) { return std::erfc(x); },
                                         [](double x) { return std::erfc(x); }})
DGRAPH_DETAIL_FUNCTION(Erfinv, 80, detail::UnaryCall{nullptr, &detail::erfinv})
DGRAPH_DETAIL_FUNCTION(Lgamma, 30, detail::UnaryCall{nullptr, &detail::log_gamma})
DGRAPH_DETAIL_FUNCTION(Digamma, 30, detail::UnaryCall{nullptr, &detail::digamma})
DGRAPH_DETAIL_FUNCTION(Polygamma, 300, detail::BinaryCall{&detail::polygamma})
DGRAPH_DETAIL_FUNCTION(Zeta, 250, detail::BinaryCall{&detail::hurwitz_zeta})
DGRAPH_DETAIL_FUNCTION(Igamma, 250, detail::BinaryCall{&detail::igamma})
DGRAPH_DETAIL_FUNCTION(Igammac, 250, detail::BinaryCall{&detail::igammac})
DGRAPH_DETAIL_FUNCTION(IgammaGradA, 400, detail::BinaryCall{&detail::igamma_grad_a})
#undef DGRAPH_DETAIL_FUNCTION

DGRAPH_DECL Kernel Kernels<ops::Betainc>::make(const KernelRequest& r) {
  Kernel kernel = detail::elementwise_kernel(detail::called_spec(r, &detail::betainc, 300));
  kernel.run = &detail::run_betainc;
  return kernel;
}

}  // namespace dgraph

#pragma once
#include <dgraph/kernels/trigonometric.hpp>

#include <cmath>
#include <complex>

#include <dgraph/kernels/called.hpp>

namespace dgraph {

#define DGRAPH_DETAIL_LIBRARY_FUNCTION(op, function)                                              \
  DGRAPH_DECL Kernel Kernels<ops::op>::make(const KernelRequest& r) {                             \
    const detail::UnaryCall call{[](float x) { return std::function(x); },                        \
                                 [](double x) { return std::function(x); },                       \
                                 [](const std::complex<double>& x) { return std::function(x); }}; \
    return detail::elementwise_kernel(detail::called_spec(r, call, 12));                          \
  }
DGRAPH_DETAIL_LIBRARY_FUNCTION(Sin, sin)
DGRAPH_DETAIL_LIBRARY_FUNCTION(Cos, cos)
DGRAPH_DETAIL_LIBRARY_FUNCTION(Tan, tan)
DGRAPH_DETAIL_LIBRARY_FUNCTION(Asin, asin)
DGRAPH_DETAIL_LIBRARY_FUNCTION(Acos, acos)
DGRAPH_DETAIL_LIBRARY_FUNCTION(Atan, atan)
DGRAPH_DETAIL_LIBRARY_FUNCTION(Sinh, sinh)
DGRAPH_DETAIL_LIBRARY_FUNCTION(Cosh, cosh)
DGRAPH_DETAIL_LIBRARY_FUNCTION(Asinh, asinh)
DGRAPH_DETAIL_LIBRARY_FUNCTION(Acosh, acosh)
DGRAPH_DETAIL_LIBRARY_FUNCTION(Atanh, atanh)
#undef DGRAPH_DETAIL_LIBRARY_FUNCTION

DGRAPH_DECL Kernel Kernels<ops::Atan2>::make(const KernelRequest& r) {
  const detail::BinaryCall call{[](double y, double x) { return std::atan2(y, x); }};
  return detail::elementwise_kernel(detail::called_spec(r, call, 20));
}

}  // namespace dgraph

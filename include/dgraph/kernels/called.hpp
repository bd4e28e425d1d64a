#pragma once
// Elementwise kernels of functions called by pointer: those of the C library and costly ones, to which
// a loop of their own would add nothing but compile time. float16 and bfloat16 are computed as float.

#include <complex>

#include <dgraph/kernels/elementwise.hpp>

namespace dgraph::detail {

/// One function for each way of computing; `real` serves float32 too where there is no `single`, and
/// `complex` serves both complex dtypes. What is null has no kernel.
struct UnaryCall {
  float (*single)(float) = nullptr;
  double (*real)(double) = nullptr;
  std::complex<double> (*complex)(const std::complex<double>&) = nullptr;
};
struct BinaryCall {
  double (*real)(double, double) = nullptr;
  std::complex<double> (*complex)(const std::complex<double>&,
                                  const std::complex<double>&) = nullptr;
};
using TernaryCall = double (*)(double, double, double);

/// The loop for the dtype of input 0; `ns_each` is what a call costs. Throws Unimplemented for a dtype
/// that the function has not.
ElementwiseSpec called_spec(const KernelRequest& request, const UnaryCall& call, double ns_each);
ElementwiseSpec called_spec(const KernelRequest& request, const BinaryCall& call, double ns_each);
ElementwiseSpec called_spec(const KernelRequest& request, TernaryCall call, double ns_each);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/called.ipp>
#endif

#pragma once
#include <dgraph/kernels/called.hpp>

#include <utility>

namespace dgraph::detail {

DGRAPH_DECL std::uint32_t call_single(const void* const* in, void* out, std::int64_t n,
                                      const void* param) {
  const auto call = static_cast<const UnaryCall*>(param)->single;
  const float* const x = static_cast<const float*>(in[0]);
  float* const y = static_cast<float*>(out);
  for (std::int64_t i = 0; i < n; ++i) y[i] = call(x[i]);
  return kNoFault;
}
template <class T>
std::uint32_t call_real(const void* const* in, void* out, std::int64_t n, const void* param) {
  const auto call = static_cast<const UnaryCall*>(param)->real;
  const T* const x = static_cast<const T*>(in[0]);
  T* const y = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; ++i) y[i] = static_cast<T>(call(static_cast<double>(x[i])));
  return kNoFault;
}
template <class T>
std::uint32_t call_complex(const void* const* in, void* out, std::int64_t n, const void* param) {
  const auto call = static_cast<const UnaryCall*>(param)->complex;
  const auto* const x = static_cast<const std::complex<T>*>(in[0]);
  auto* const y = static_cast<std::complex<T>*>(out);
  for (std::int64_t i = 0; i < n; ++i) y[i] = std::complex<T>(call(std::complex<double>(x[i])));
  return kNoFault;
}
template <class T>
std::uint32_t call_binary(const void* const* in, void* out, std::int64_t n, const void* param) {
  const auto call = static_cast<const BinaryCall*>(param)->real;
  const T *const a = static_cast<const T*>(in[0]), *const b = static_cast<const T*>(in[1]);
  T* const y = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; ++i)
    y[i] = static_cast<T>(call(static_cast<double>(a[i]), static_cast<double>(b[i])));
  return kNoFault;
}
template <class T>
std::uint32_t call_complex_binary(const void* const* in, void* out, std::int64_t n,
                                  const void* param) {
  using C = std::complex<double>;
  const auto call = static_cast<const BinaryCall*>(param)->complex;
  const auto* const a = static_cast<const std::complex<T>*>(in[0]);
  const auto* const b = static_cast<const std::complex<T>*>(in[1]);
  auto* const y = static_cast<std::complex<T>*>(out);
  for (std::int64_t i = 0; i < n; ++i) y[i] = std::complex<T>(call(C(a[i]), C(b[i])));
  return kNoFault;
}
template <class T>
std::uint32_t call_ternary(const void* const* in, void* out, std::int64_t n, const void* param) {
  const TernaryCall call = *static_cast<const TernaryCall*>(param);
  const T *const a = static_cast<const T*>(in[0]), *const b = static_cast<const T*>(in[1]);
  const T* const c = static_cast<const T*>(in[2]);
  T* const y = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; ++i)
    y[i] = static_cast<T>(
        call(static_cast<double>(a[i]), static_cast<double>(b[i]), static_cast<double>(c[i])));
  return kNoFault;
}

// One loop of each dtype; null: none. Small floats go through that of float32.
template <class Call>
ElementwiseSpec bind_call(const KernelRequest& request, const Call& call, double ns_each,
                          ElementLoop single, ElementLoop real, ElementLoop complex64 = nullptr,
                          ElementLoop complex128 = nullptr) {
  const DType dtype = request.input_dtypes[0];
  ElementwiseSpec spec;
  spec.ns_each = ns_each;
  spec.param = std::make_shared<const Call>(call);
  switch (dtype) {
    case DType::Float32:
    case DType::Float16:
    case DType::BFloat16:
      spec.loop = single;
      break;
    case DType::Float64:
      spec.loop = real;
      break;
    case DType::Complex64:
      spec.loop = complex64;
      break;
    case DType::Complex128:
      spec.loop = complex128;
      break;
    default:
      break;
  }
  if (!spec.loop) no_kernel_for(request, dtype);
  const bool small = dtype == DType::Float16 || dtype == DType::BFloat16;
  return small ? through_float(std::move(spec), dtype) : spec;
}

DGRAPH_DECL ElementwiseSpec called_spec(const KernelRequest& request, const UnaryCall& call,
                                        double ns_each) {
  const bool complex = is_complex(request.input_dtypes[0]);
  return bind_call(request, call, complex ? 4 * ns_each : ns_each,
                   call.single ? &call_single : &call_real<float>, &call_real<double>,
                   call.complex ? &call_complex<float> : nullptr,
                   call.complex ? &call_complex<double> : nullptr);
}
DGRAPH_DECL ElementwiseSpec called_spec(const KernelRequest& request, const BinaryCall& call,
                                        double ns_each) {
  return bind_call(request, call, ns_each, &call_binary<float>, &call_binary<double>,
                   call.complex ? &call_complex_binary<float> : nullptr,
                   call.complex ? &call_complex_binary<double> : nullptr);
}
DGRAPH_DECL ElementwiseSpec called_spec(const KernelRequest& request, TernaryCall call,
                                        double ns_each) {
  return bind_call(request, call, ns_each, &call_ternary<float>, &call_ternary<double>);
}

}  // namespace dgraph::detail

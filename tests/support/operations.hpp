#pragma once
// Runs one op of the numeric families for the tests of their kernels, and compares tensors.

#include <cstring>
#include <utility>
#include <vector>

#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/compare.hpp>
#include <dgraph/kernels/eager.hpp>
#include <dgraph/kernels/linalg.hpp>
#include <dgraph/kernels/math.hpp>
#include <dgraph/kernels/reduction.hpp>
#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/linalg.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/reduction.hpp>

namespace dgraph::test {

using NumericOps = OpSet<MathOps, CompareOps, ReductionOps, LinalgOps>;

/// Output 0 of one op.
inline Tensor run_one(std::string_view op, std::vector<Tensor> inputs, const NamedAttrs& attrs = {}) {
  return std::move(run_op(&find_kernel<NumericOps>, op, attrs, std::move(inputs)).at(0));
}
/// The same with services of the test's.
inline Tensor run_one(std::string_view op, std::vector<Tensor> inputs, const NamedAttrs& attrs, KernelServices& services) {
  return std::move(run_op(&find_kernel<NumericOps>, op, attrs, std::move(inputs), services).at(0));
}

/// The elements as doubles, whatever the (real) dtype.
inline std::vector<double> values(const Tensor& tensor) {
  std::vector<double> out;
  const auto add = [&]<class T>(T) {
    for (const T& x : tensor.flat<T>()) out.push_back(static_cast<double>(x));
  };
  switch (tensor.dtype()) {
    case DType::Float32: add(float{}); break;
    case DType::Float64: add(double{}); break;
    case DType::Float16: add(half{}); break;
    case DType::BFloat16: add(bfloat16{}); break;
    case DType::Bool: add(bool{}); break;
    case DType::Int8: add(std::int8_t{}); break;
    case DType::Int16: add(std::int16_t{}); break;
    case DType::Int32: add(std::int32_t{}); break;
    case DType::Int64: add(std::int64_t{}); break;
    case DType::UInt8: add(std::uint8_t{}); break;
    case DType::UInt16: add(std::uint16_t{}); break;
    case DType::UInt32: add(std::uint32_t{}); break;
    case DType::UInt64: add(std::uint64_t{}); break;
    default: fail(Code::Internal, "no values of ", dtype_name(tensor.dtype()));
  }
  return out;
}

inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

/// Numbers in [low, high) that are the same in every run.
template <class T>
Tensor numbers(Shape shape, double low, double high, std::uint32_t seed = 1) {
  Tensor out(dtype_of<T>, std::move(shape));
  for (T& x : out.mutable_flat<T>()) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<T>(low + (high - low) * static_cast<double>(seed >> 8) / 16777216.0);
  }
  return out;
}

}  // namespace dgraph::test

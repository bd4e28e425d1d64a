#pragma once
// DType: what the elements of a tensor are. Numbers and names are TensorFlow's DataType.

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <dgraph/base/config.hpp>
#include <dgraph/base/half.hpp>

namespace dgraph {

enum class DType : std::uint8_t {
  Invalid = 0,
  Float32 = 1,
  Float64 = 2,
  Int32 = 3,
  UInt8 = 4,
  Int16 = 5,
  Int8 = 6,
  String = 7,
  Complex64 = 8,
  Int64 = 9,
  Bool = 10,
  BFloat16 = 14,
  UInt16 = 17,
  Complex128 = 18,
  Float16 = 19,
  Resource = 20,  ///< a handle to state (variable, queue, ...); never crosses tasks
  Variant = 21,
  UInt32 = 22,
  UInt64 = 23,
};

inline constexpr std::size_t kDTypeEnd = 24;

/// "float32", "int64", "string", ...: numpy's names, as TensorFlow prints them. "invalid" for no dtype.
std::string_view dtype_name(DType dtype) noexcept;

/// The dtype of a name ("float32") or of an enumerator of TensorFlow's ("DT_FLOAT"); nothing for any other text.
std::optional<DType> parse_dtype(std::string_view name) noexcept;

/// Bytes of an element; sizeof(std::string) for String, 0 for Resource, Variant and Invalid.
constexpr std::size_t dtype_size(DType dtype) noexcept {
  switch (dtype) {
    case DType::Float64:
    case DType::Int64:
    case DType::UInt64:
    case DType::Complex64: return 8;
    case DType::Float32:
    case DType::Int32:
    case DType::UInt32: return 4;
    case DType::Int16:
    case DType::UInt16:
    case DType::Float16:
    case DType::BFloat16: return 2;
    case DType::UInt8:
    case DType::Int8:
    case DType::Bool: return 1;
    case DType::Complex128: return 16;
    case DType::String: return sizeof(std::string);
    default: return 0;
  }
}

constexpr bool is_floating(DType d) noexcept {
  return d == DType::Float32 || d == DType::Float64 || d == DType::Float16 || d == DType::BFloat16;
}
constexpr bool is_complex(DType d) noexcept { return d == DType::Complex64 || d == DType::Complex128; }
constexpr bool is_integer(DType d) noexcept {
  return d == DType::Int32 || d == DType::Int64 || d == DType::Int16 || d == DType::Int8 || d == DType::UInt8 ||
         d == DType::UInt16 || d == DType::UInt32 || d == DType::UInt64;
}
/// A gradient can flow through values of this dtype.
constexpr bool is_differentiable(DType d) noexcept { return is_floating(d) || is_complex(d); }
/// Elements that are plain bytes: everything but String, Resource, Variant and Invalid.
constexpr bool is_plain(DType d) noexcept { return d != DType::String && dtype_size(d) != 0; }

/// The C++ type of the elements, and back. A type that is no element type has no `dtype_of`.
template <class T>
struct dtype_of_impl {};
template <DType D>
struct element_type_impl {};

#define DGRAPH_DETAIL_DTYPE(enumerator, type)                                          \
  template <>                                                                          \
  struct dtype_of_impl<type> : std::integral_constant<DType, DType::enumerator> {};    \
  template <>                                                                          \
  struct element_type_impl<DType::enumerator> {                                        \
    using element = type;                                                              \
  };
DGRAPH_DETAIL_DTYPE(Float32, float)
DGRAPH_DETAIL_DTYPE(Float64, double)
DGRAPH_DETAIL_DTYPE(Int32, std::int32_t)
DGRAPH_DETAIL_DTYPE(UInt8, std::uint8_t)
DGRAPH_DETAIL_DTYPE(Int16, std::int16_t)
DGRAPH_DETAIL_DTYPE(Int8, std::int8_t)
DGRAPH_DETAIL_DTYPE(String, std::string)
DGRAPH_DETAIL_DTYPE(Complex64, std::complex<float>)
DGRAPH_DETAIL_DTYPE(Int64, std::int64_t)
DGRAPH_DETAIL_DTYPE(Bool, bool)
DGRAPH_DETAIL_DTYPE(BFloat16, bfloat16)
DGRAPH_DETAIL_DTYPE(UInt16, std::uint16_t)
DGRAPH_DETAIL_DTYPE(Complex128, std::complex<double>)
DGRAPH_DETAIL_DTYPE(Float16, half)
DGRAPH_DETAIL_DTYPE(UInt32, std::uint32_t)
DGRAPH_DETAIL_DTYPE(UInt64, std::uint64_t)
#undef DGRAPH_DETAIL_DTYPE

template <>
struct dtype_of_impl<long long> : std::integral_constant<DType, DType::Int64> {};
template <>
struct dtype_of_impl<unsigned long long> : std::integral_constant<DType, DType::UInt64> {};

template <class T>
inline constexpr DType dtype_of = dtype_of_impl<T>::value;

template <DType D>
using element_type = typename element_type_impl<D>::element;

/// A C++ type that tensors can have as elements.
template <class T>
concept Element = requires { dtype_of_impl<T>::value; };

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/base/impl/dtype.ipp>
#endif

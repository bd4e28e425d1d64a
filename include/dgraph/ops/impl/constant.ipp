#pragma once
#include <dgraph/ops/constant.hpp>

#include <limits>
#include <optional>

namespace dgraph {

DGRAPH_DECL Output constant_output(Tensor value, const OpName& name) {
  return detail::add_constant(std::move(value), name, nullptr);
}

namespace detail {

DGRAPH_DECL Output add_constant(Tensor value, const OpName& name, GraphCore* fallback) {
  std::optional<DefaultGraph> building;
  if (fallback && !build_context()) building.emplace(*fallback);
  const DType dtype = value.dtype();
  return add_op<ops::Const>(name, "value", std::move(value), "dtype", dtype);
}

DGRAPH_DECL Tensor filled_tensor(DType dtype, const Shape& shape, double value) {
  Tensor out(dtype, shape);
  const auto fill = [&]<class T>(T x) {
    for (T& to : out.mutable_flat<T>()) to = x;
  };
  switch (dtype) {
    case DType::Float32: fill(static_cast<float>(value)); break;
    case DType::Float64: fill(value); break;
    case DType::Int32: fill(static_cast<std::int32_t>(value)); break;
    case DType::UInt8: fill(static_cast<std::uint8_t>(value)); break;
    case DType::Int16: fill(static_cast<std::int16_t>(value)); break;
    case DType::Int8: fill(static_cast<std::int8_t>(value)); break;
    case DType::Int64: fill(static_cast<std::int64_t>(value)); break;
    case DType::UInt16: fill(static_cast<std::uint16_t>(value)); break;
    case DType::UInt32: fill(static_cast<std::uint32_t>(value)); break;
    case DType::UInt64: fill(static_cast<std::uint64_t>(value)); break;
    case DType::Bool: fill(value != 0); break;
    case DType::Float16: fill(half(value)); break;
    case DType::BFloat16: fill(bfloat16(value)); break;
    case DType::Complex64: fill(std::complex<float>(static_cast<float>(value))); break;
    case DType::Complex128: fill(std::complex<double>(value)); break;
    default: fail(Code::InvalidArgument, "a number cannot be of ", dtype_name(dtype));
  }
  return out;
}

DGRAPH_DECL Tensor scalar_tensor(DType dtype, double value) { return filled_tensor(dtype, Shape(), value); }

DGRAPH_DECL Tensor index_tensor(const Dims& values) {
  bool wide = false;
  for (std::int64_t v : values)
    wide |= v > std::numeric_limits<std::int32_t>::max() || v < std::numeric_limits<std::int32_t>::min();
  const Shape shape{static_cast<std::int64_t>(values.size())};
  if (wide) return Tensor::of<std::int64_t>(shape, std::span<const std::int64_t>(values.begin(), values.size()));
  Tensor out(DType::Int32, shape);
  std::int32_t* to = out.mutable_data<std::int32_t>();
  for (std::int64_t v : values) *to++ = static_cast<std::int32_t>(v);
  return out;
}

DGRAPH_DECL Tensor integers_tensor(const Dims& values, DType dtype) {
  Tensor out(dtype, Shape{static_cast<std::int64_t>(values.size())});
  const auto fill = [&]<class T>(T* to) {
    for (std::int64_t v : values) {
      *to = static_cast<T>(v);
      if (*to++ != v) fail(Code::InvalidArgument, "the number ", v, " does not fit ", dtype_name(dtype));
    }
  };
  if (dtype == DType::Int64)
    fill(out.mutable_data<std::int64_t>());
  else if (dtype == DType::Int32)
    fill(out.mutable_data<std::int32_t>());
  else if (dtype == DType::Int16)
    fill(out.mutable_data<std::int16_t>());
  else
    fail(Code::InvalidArgument, "indices of ", dtype_name(dtype));
  return out;
}

DGRAPH_DECL Tensor shape_tensor(const Shape& shape) { return index_tensor(shape.dims()); }

}  // namespace detail
}  // namespace dgraph

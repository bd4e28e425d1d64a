#pragma once
#include <dgraph/kernels/arguments.hpp>

namespace dgraph::detail {

template <class T>
inline std::int64_t load_integer(const std::byte* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<std::int64_t>(value);
}

DGRAPH_DECL std::int64_t integer_at(const Tensor& tensor, std::int64_t at, std::string_view what) {
  const std::byte* from = tensor.raw() + static_cast<std::size_t>(at) * dtype_size(tensor.dtype());
  switch (tensor.dtype()) {
    case DType::Int32:
      return load_integer<std::int32_t>(from);
    case DType::Int64:
      return load_integer<std::int64_t>(from);
    case DType::Int16:
      return load_integer<std::int16_t>(from);
    case DType::Int8:
      return load_integer<std::int8_t>(from);
    case DType::UInt8:
      return load_integer<std::uint8_t>(from);
    case DType::UInt16:
      return load_integer<std::uint16_t>(from);
    case DType::UInt32:
      return load_integer<std::uint32_t>(from);
    default:
      fail(Code::InvalidArgument, what, " must be integers, not ", dtype_name(tensor.dtype()));
  }
}

DGRAPH_DECL std::int64_t integer_argument(const Tensor& tensor, std::string_view what) {
  if (tensor.elements() != 1)
    fail(Code::InvalidArgument, what, " must be one number, not a tensor of shape ",
         tensor.shape());
  return integer_at(tensor, 0, what);
}

DGRAPH_DECL Dims integers_argument(const Tensor& tensor, std::string_view what) {
  if (tensor.rank() > 1)
    fail(Code::InvalidArgument, what, " must be a vector, not a tensor of shape ", tensor.shape());
  Dims out(static_cast<std::size_t>(tensor.elements()), 0);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = integer_at(tensor, static_cast<std::int64_t>(i), what);
  return out;
}

DGRAPH_DECL Shape shape_argument(const Tensor& tensor, std::string_view what) {
  return Shape(integers_argument(tensor, what));
}

DGRAPH_DECL std::size_t axis_of(std::int64_t axis, std::size_t rank, std::string_view what) {
  const auto n = static_cast<std::int64_t>(rank);
  if (axis < -n || axis >= n)
    fail(Code::InvalidArgument, what, " ", axis, " is not in [", -n, ", ", n, ")");
  return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
}

DGRAPH_DECL std::int64_t elements_before(const Shape& shape, std::size_t axis) noexcept {
  std::int64_t n = 1;
  for (std::size_t i = 0; i < axis; ++i) n *= shape[i];
  return n;
}

DGRAPH_DECL std::int64_t elements_from(const Shape& shape, std::size_t axis) noexcept {
  std::int64_t n = 1;
  for (std::size_t i = axis; i < shape.rank(); ++i) n *= shape[i];
  return n;
}

DGRAPH_DECL std::string position_text(const Shape& shape, std::int64_t at) {
  Dims position(shape.rank(), 0);
  for (std::size_t i = shape.rank(); i-- > 0; at /= shape[i]) position[i] = at % shape[i];
  return Shape(std::move(position)).to_string();
}

template <class T>
inline std::int64_t first_outside(const Tensor& indices, std::int64_t bound) noexcept {
  const T* values = indices.data<T>();
  const std::int64_t n = indices.elements();
  for (std::int64_t i = 0; i < n; ++i)
    if (static_cast<std::uint64_t>(static_cast<std::int64_t>(values[i])) >=
        static_cast<std::uint64_t>(bound))
      return i;
  return -1;
}

DGRAPH_DECL void check_indices(const Tensor& indices, std::int64_t bound, std::string_view what) {
  std::int64_t bad = -1;
  if (indices.dtype() == DType::Int32) {
    bad = first_outside<std::int32_t>(indices, bound);
  } else if (indices.dtype() == DType::Int64) {
    bad = first_outside<std::int64_t>(indices, bound);
  } else {
    const std::int64_t n = indices.elements();
    for (std::int64_t i = 0; i < n && bad < 0; ++i) {
      const std::int64_t value = integer_at(indices, i, what);
      if (value < 0 || value >= bound) bad = i;
    }
  }
  if (bad < 0) return;
  // A lone index has no position.
  fail(Code::InvalidArgument, what, indices.rank() == 0 ? "" : position_text(indices.shape(), bad),
       " = ", integer_at(indices, bad, what), " is not in [0, ", bound, ")");
}

DGRAPH_DECL void store_integer(Tensor& out, std::int64_t i, std::int64_t value) {
  if (out.dtype() == DType::Int64) {
    out.mutable_data<std::int64_t>()[i] = value;
    return;
  }
  if (value > INT32_MAX || value < INT32_MIN)
    fail(Code::InvalidArgument, "the number ", value, " does not fit the int32 that was asked for");
  out.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(value);
}

DGRAPH_DECL Tensor integer_vector(DType dtype, const Dims& values) {
  Tensor out(dtype, Shape{static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i)
    store_integer(out, static_cast<std::int64_t>(i), values[i]);
  return out;
}

}  // namespace dgraph::detail

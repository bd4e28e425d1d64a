#pragma once
#include <dgraph/base/tensor.hpp>

#include <algorithm>
#include <memory>

namespace dgraph {
namespace detail {

// A buffer of std::string objects, destroyed with it.
class StringBuffer final : public Buffer {
 public:
  explicit StringBuffer(std::size_t count) : StringBuffer(allocate(count), count) {}

 private:
  static std::unique_ptr<std::string[]> allocate(std::size_t count) {
    check_memory(count * sizeof(std::string));
    return std::make_unique<std::string[]>(count);
  }
  StringBuffer(std::unique_ptr<std::string[]> strings, std::size_t count)
      : Buffer(reinterpret_cast<std::byte*>(strings.get()), count * sizeof(std::string)),
        strings_(std::move(strings)) {}
  std::unique_ptr<std::string[]> strings_;
};

DGRAPH_DECL void append_element(std::string& out, DType dtype, const std::byte* at) {
  const auto number = [&](auto zero) {
    decltype(zero) value;
    std::memcpy(&value, at, sizeof value);
    if constexpr (std::is_same_v<decltype(zero), half> || std::is_same_v<decltype(zero), bfloat16>)
      errors::detail::append(out, static_cast<float>(value));
    else
      errors::detail::append(out, value);
  };
  const auto complex = [&](auto zero) {
    decltype(zero) value;
    std::memcpy(&value, at, sizeof value);
    out += errors::text("(", value.real(), ",", value.imag(), ")");
  };
  switch (dtype) {
    case DType::Float32: return number(float{});
    case DType::Float64: return number(double{});
    case DType::Int32: return number(std::int32_t{});
    case DType::UInt8: return number(std::uint8_t{});
    case DType::Int16: return number(std::int16_t{});
    case DType::Int8: return number(std::int8_t{});
    case DType::Int64: return number(std::int64_t{});
    case DType::Bool: return number(bool{});
    case DType::UInt16: return number(std::uint16_t{});
    case DType::UInt32: return number(std::uint32_t{});
    case DType::UInt64: return number(std::uint64_t{});
    case DType::Float16: return number(half{});
    case DType::BFloat16: return number(bfloat16{});
    case DType::Complex64: return complex(std::complex<float>{});
    case DType::Complex128: return complex(std::complex<double>{});
    case DType::String: out += '"' + *reinterpret_cast<const std::string*>(at) + '"'; return;
    default: out += '?';
  }
}

}  // namespace detail

DGRAPH_DECL Tensor::Tensor(DType dtype, Shape shape) : dtype_(dtype), inline_(true), shape_(std::move(shape)) {
  // No process has more addresses; asking the allocator would end the process under some sanitizers.
  constexpr std::size_t kMost = std::size_t{1} << 47;
  const std::size_t size = dtype_size(dtype);
  std::size_t total = 0;
  if (__builtin_mul_overflow(static_cast<std::size_t>(elements()), size, &total) || total > kMost)
    fail(Code::ResourceExhausted, "a tensor of shape ", shape_, " is too large");
  if (total <= kInline && dtype != DType::String) {
    std::memset(small_, 0, kInline);
    return;
  }
  try {
    Ref<Buffer> buffer = dtype == DType::String
                             ? Ref<Buffer>(make_ref<detail::StringBuffer>(static_cast<std::size_t>(elements())))
                             : allocate_buffer(total);
    heap_.data = buffer->data();
    heap_.buffer = buffer.leak();
    inline_ = false;
  } catch (const std::bad_alloc&) {
    fail(Code::ResourceExhausted, "no memory for a tensor of ", total, " bytes, ", dtype_name(dtype), shape_);
  }
}

DGRAPH_DECL Tensor::Tensor(DType dtype, Shape shape, Ref<Buffer> buffer, std::size_t offset) noexcept
    : dtype_(dtype), inline_(false), shape_(std::move(shape)) {
  heap_.data = buffer->data() + offset;
  heap_.buffer = buffer.leak();
}

DGRAPH_DECL Tensor Tensor::zeros(DType dtype, Shape shape) {
  Tensor out(dtype, std::move(shape));
  if (dtype != DType::String) std::memset(out.mutable_raw(), 0, out.bytes());
  return out;
}

DGRAPH_DECL Tensor Tensor::reshaped(Shape shape) const& { return Tensor(*this).reshaped(std::move(shape)); }

DGRAPH_DECL Tensor Tensor::reshaped(Shape shape) && {
  if (shape.elements() != elements())
    fail(Code::InvalidArgument, "a tensor of shape ", shape_, " cannot be reshaped to ", shape);
  Tensor out(std::move(*this));
  out.shape_ = std::move(shape);
  return out;
}

DGRAPH_DECL Tensor Tensor::rows(std::int64_t begin, std::int64_t count) const {
  Dims dims = shape_.dims();
  const std::int64_t per_row = dims[0] == 0 ? 0 : elements() / dims[0];
  dims[0] = count;
  const std::size_t offset = static_cast<std::size_t>(begin * per_row) * dtype_size(dtype_);
  if (!inline_)
    return Tensor(dtype_, Shape(std::move(dims)), Ref<Buffer>::share(heap_.buffer),
                  static_cast<std::size_t>(heap_.data - heap_.buffer->data()) + offset);
  Tensor out(dtype_, Shape(std::move(dims)));
  std::memcpy(out.small_, small_ + offset, out.bytes());
  return out;
}

DGRAPH_DECL Tensor Tensor::bitcast_same_size(DType dtype) const {
  if (!is_plain(dtype) || !is_plain(dtype_) || dtype_size(dtype) != dtype_size(dtype_))
    fail(Code::Internal, "bitcast from ", dtype_name(dtype_), " to ", dtype_name(dtype));
  Tensor out(*this);
  out.dtype_ = dtype;
  return out;
}

DGRAPH_DECL Tensor Tensor::clone() const {
  if (inline_) return *this;
  Tensor out(dtype_, shape_);
  if (dtype_ == DType::String)
    std::copy_n(data<std::string>(), elements(), out.mutable_data<std::string>());
  else
    std::memcpy(out.mutable_raw(), raw(), bytes());
  return out;
}

DGRAPH_DECL std::string Tensor::to_string(std::size_t most) const {
  std::string out = std::string(dtype_name(dtype_)) + shape_.to_string() + ":";
  const auto count = static_cast<std::size_t>(elements());
  for (std::size_t i = 0; i < std::min(count, most); ++i) {
    out += ' ';
    detail::append_element(out, dtype_, raw() + i * dtype_size(dtype_));
  }
  if (count > most) out += " ...";
  return out;
}

DGRAPH_DECL void Tensor::wrong_dtype(DType wanted) const {
  fail(Code::InvalidArgument, "a tensor of ", dtype_name(dtype_), " was read as ", dtype_name(wanted));
}

}  // namespace dgraph

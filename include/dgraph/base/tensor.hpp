#pragma once
// Tensor: dtype, shape and counted memory; always row-major and contiguous (D10).

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include <dgraph/base/buffer.hpp>
#include <dgraph/base/config.hpp>
#include <dgraph/base/dtype.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/shape.hpp>

namespace dgraph {

/// A value. Copies share the memory; plain elements of 16 bytes or less in all lie in the tensor itself. Nothing assumes
/// more alignment than that of an element. Strings are an array of std::string.
class Tensor {
 public:
  static constexpr std::size_t kInline = 16;

  /// No value: dtype Invalid.
  Tensor() noexcept : dtype_(DType::Invalid), inline_(true), small_{} {}
  /// Uninitialised elements (empty strings for String). Throws ResourceExhausted where there is no memory.
  Tensor(DType dtype, Shape shape);
  /// `shape.elements()` elements that lie in `buffer` from byte `offset` on; the caller vouches for the room.
  Tensor(DType dtype, Shape shape, Ref<Buffer> buffer, std::size_t offset = 0) noexcept;

  Tensor(const Tensor& other)
      : dtype_(other.dtype_), inline_(other.inline_), shape_(other.shape_) {
    std::memcpy(small_, other.small_, kInline);
    if (!inline_) heap_.buffer->retain();
  }
  Tensor(Tensor&& other) noexcept
      : dtype_(std::exchange(other.dtype_, DType::Invalid)),
        inline_(std::exchange(other.inline_, true)),
        shape_(std::move(other.shape_)) {
    std::memcpy(small_, other.small_, kInline);
  }
  Tensor& operator=(const Tensor& other) {
    if (this == &other) return *this;
    shape_ = other.shape_;  // the one thing that can throw
    if (!other.inline_) other.heap_.buffer->retain();
    if (!inline_) heap_.buffer->release();
    dtype_ = other.dtype_;
    inline_ = other.inline_;
    std::memcpy(small_, other.small_, kInline);
    return *this;
  }
  Tensor& operator=(Tensor&& other) noexcept {
    if (this != &other) {
      if (!inline_) heap_.buffer->release();
      dtype_ = std::exchange(other.dtype_, DType::Invalid);
      inline_ = std::exchange(other.inline_, true);
      shape_ = std::move(other.shape_);
      std::memcpy(small_, other.small_, kInline);
    }
    return *this;
  }
  ~Tensor() {
    if (!inline_) heap_.buffer->release();
  }
  void reset() noexcept {
    if (!has_value()) return;
    if (!inline_) heap_.buffer->release();
    dtype_ = DType::Invalid;
    inline_ = true;
    shape_.clear();
  }

  template <Element T>
  static Tensor scalar(T value) {
    Tensor out(dtype_of<T>, Shape());
    out.mutable_data<T>()[0] = std::move(value);
    return out;
  }
  /// A copy of the values; throws InvalidArgument unless there are `shape.elements()` of them.
  template <Element T>
  static Tensor of(Shape shape, std::span<const T> values);
  template <Element T>
  static Tensor of(Shape shape, std::initializer_list<T> values) {
    return of<T>(std::move(shape), std::span<const T>(values.begin(), values.size()));
  }
  /// A vector (rank 1) of the values.
  template <Element T>
  static Tensor vector(std::initializer_list<T> values) {
    return of<T>(Shape{static_cast<std::int64_t>(values.size())}, values);
  }
  /// Elements that are all zero bits, false, or empty strings.
  static Tensor zeros(DType dtype, Shape shape);

  bool has_value() const noexcept { return dtype_ != DType::Invalid; }
  DType dtype() const noexcept { return dtype_; }
  const Shape& shape() const noexcept { return shape_; }
  std::size_t rank() const noexcept { return shape_.rank(); }
  std::int64_t dim(std::size_t axis) const noexcept { return shape_[axis]; }
  std::int64_t elements() const noexcept { return shape_.elements(); }
  /// Bytes of the elements; for String those of the std::string objects, not of their text.
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(elements()) * dtype_size(dtype_); }

  const std::byte* raw() const noexcept { return inline_ ? small_ : heap_.data; }
  /// For whoever holds the only reference (see `unique`).
  std::byte* mutable_raw() noexcept { return inline_ ? small_ : heap_.data; }
  /// The elements; T must be the dtype's type (not checked here, see `flat`).
  template <class T>
  const T* data() const noexcept {
    return reinterpret_cast<const T*>(raw());
  }
  template <class T>
  T* mutable_data() noexcept {
    return reinterpret_cast<T*>(mutable_raw());
  }
  /// The elements in row-major order; throws InvalidArgument where T is not the dtype's type.
  template <Element T>
  std::span<const T> flat() const {
    check_dtype(dtype_of<T>);
    return {data<T>(), static_cast<std::size_t>(elements())};
  }
  template <Element T>
  std::span<T> mutable_flat() {
    check_dtype(dtype_of<T>);
    return {mutable_data<T>(), static_cast<std::size_t>(elements())};
  }
  /// The single element of a tensor with one element; throws InvalidArgument otherwise.
  template <Element T>
  const T& item() const {
    check_dtype(dtype_of<T>);
    if (elements() != 1) fail(Code::InvalidArgument, "expected one element, not a tensor of shape ", shape_);
    return *data<T>();
  }

  /// True where nobody else can see a change of the elements, so that they may be overwritten.
  bool unique() const noexcept { return inline_ || (heap_.buffer->unique() && heap_.buffer->writable()); }
  /// The memory; null where the elements lie in the tensor itself.
  Buffer* buffer() const noexcept { return inline_ ? nullptr : heap_.buffer; }

  /// The same elements in another shape of as many; throws InvalidArgument otherwise. Shares memory.
  Tensor reshaped(Shape shape) const&;
  Tensor reshaped(Shape shape) &&;
  /// Rows [begin, begin + count) of the first axis, sharing memory. The caller vouches for the range.
  Tensor rows(std::int64_t begin, std::int64_t count) const;
  /// The same bits as another plain dtype of the same element size, sharing memory.
  Tensor bitcast_same_size(DType dtype) const;
  /// A copy in memory of its own.
  Tensor clone() const;

  /// Dtype, shape and the first elements: "float32[2,3]: 1 2 3 ...".
  std::string to_string(std::size_t most = 8) const;

 private:
  void check_dtype(DType wanted) const {
    if (DGRAPH_UNLIKELY(dtype_ != wanted)) wrong_dtype(wanted);
  }
  [[noreturn]] void wrong_dtype(DType wanted) const;

  struct Heap {
    Buffer* buffer;
    std::byte* data;
  };
  DType dtype_;
  bool inline_;
  Shape shape_;
  union {
    Heap heap_;
    alignas(8) std::byte small_[kInline];
  };
};

template <Element T>
Tensor Tensor::of(Shape shape, std::span<const T> values) {
  if (static_cast<std::size_t>(shape.elements()) != values.size())
    fail(Code::InvalidArgument, values.size(), " values do not fill shape ", shape);
  Tensor out(dtype_of<T>, std::move(shape));
  T* to = out.mutable_data<T>();
  for (const T& value : values) *to++ = value;
  return out;
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/base/impl/tensor.ipp>
#endif

#pragma once
// Shape (every dimension known) and PartialShape (rank or dimensions may be unknown).

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>

namespace dgraph {

/// A short list of numbers; up to six take no heap memory.
class Dims {
 public:
  static constexpr std::size_t kInline = 6;

  Dims() noexcept : size_(0) {}
  Dims(std::size_t count, std::int64_t value);
  Dims(std::span<const std::int64_t> values);
  Dims(std::initializer_list<std::int64_t> values) : Dims(std::span(values.begin(), values.size())) {}
  Dims(const Dims& other) : size_(0) { copy_from(other); }
  Dims(Dims&& other) noexcept : size_(other.size_) {
    std::memcpy(inline_, other.inline_, sizeof inline_);
    other.size_ = 0;
  }
  Dims& operator=(const Dims& other) {
    if (this != &other) copy_from(other);
    return *this;
  }
  Dims& operator=(Dims&& other) noexcept {
    if (this != &other) {
      free();
      size_ = other.size_;
      std::memcpy(inline_, other.inline_, sizeof inline_);
      other.size_ = 0;
    }
    return *this;
  }
  ~Dims() { free(); }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  const std::int64_t* data() const noexcept { return size_ <= kInline ? inline_ : heap_; }
  std::int64_t* data() noexcept { return size_ <= kInline ? inline_ : heap_; }
  std::int64_t operator[](std::size_t i) const noexcept { return data()[i]; }
  std::int64_t& operator[](std::size_t i) noexcept { return data()[i]; }
  std::int64_t back() const noexcept { return data()[size_ - 1]; }
  const std::int64_t* begin() const noexcept { return data(); }
  const std::int64_t* end() const noexcept { return data() + size_; }
  std::int64_t* begin() noexcept { return data(); }
  std::int64_t* end() noexcept { return data() + size_; }
  void push_back(std::int64_t value);
  void resize(std::size_t count, std::int64_t value = 0);
  void clear() noexcept {
    free();
    size_ = 0;
  }
  friend bool operator==(const Dims& a, const Dims& b) noexcept {
    if (a.size_ != b.size_) return false;
    const std::int64_t *const x = a.data(), *const y = b.data();
    for (std::size_t i = 0; i < a.size_; ++i)
      if (x[i] != y[i]) return false;
    return true;
  }

 private:
  void free() noexcept {
    if (size_ > kInline) delete[] heap_;
  }
  void copy_from(const Dims& other) {
    if (DGRAPH_LIKELY(size_ <= kInline && other.size_ <= kInline)) {
      size_ = other.size_;
      std::memcpy(inline_, other.inline_, sizeof inline_);
    } else {
      copy_long(other);
    }
  }
  void copy_long(const Dims& other);

  std::uint32_t size_;
  union {
    std::int64_t inline_[kInline] = {};
    std::int64_t* heap_;
  };
};

/// The shape of a tensor: rank() dimensions, each ≥ 0; a scalar has rank 0 and one element.
class Shape {
 public:
  Shape() noexcept = default;
  /// Makes it a scalar's.
  void clear() noexcept { dims_.clear(); }
  /// Throws InvalidArgument for a negative dimension, more than 254 dimensions or 2^63 elements and more; a dimension of 0 does
  /// not make up for others whose product is that large.
  Shape(std::initializer_list<std::int64_t> dims) : Shape(Dims(dims)) {}
  explicit Shape(Dims dims);
  explicit Shape(std::span<const std::int64_t> dims) : Shape(Dims(dims)) {}

  std::size_t rank() const noexcept { return dims_.size(); }
  std::int64_t operator[](std::size_t axis) const noexcept { return dims_[axis]; }
  std::int64_t dim(std::size_t axis) const noexcept { return dims_[axis]; }
  const Dims& dims() const noexcept { return dims_; }
  std::int64_t elements() const noexcept {
    std::int64_t n = 1;
    for (std::int64_t d : dims_) n *= d;
    return n;
  }
  const std::int64_t* begin() const noexcept { return dims_.begin(); }
  const std::int64_t* end() const noexcept { return dims_.end(); }
  /// "[2,3]"; "[]" for a scalar.
  std::string to_string() const;
  friend bool operator==(const Shape&, const Shape&) noexcept = default;

 private:
  Dims dims_;
};

/// What is known of a shape before a step runs.
class PartialShape {
 public:
  static constexpr std::int64_t kUnknown = -1;

  /// Unknown rank.
  PartialShape() noexcept = default;
  /// Known rank; -1 stands for an unknown dimension. Throws InvalidArgument for anything below -1.
  PartialShape(std::initializer_list<std::int64_t> dims) : PartialShape(Dims(dims)) {}
  explicit PartialShape(Dims dims);
  PartialShape(const Shape& shape) : known_rank_(true), dims_(shape.dims()) {}
  static PartialShape unknown_rank() noexcept { return {}; }
  static PartialShape scalar() noexcept { return PartialShape(Shape()); }
  static PartialShape of_rank(std::size_t rank) { return PartialShape(Dims(rank, kUnknown)); }

  bool has_rank() const noexcept { return known_rank_; }
  /// 0 where the rank is unknown.
  std::size_t rank() const noexcept { return dims_.size(); }
  std::int64_t operator[](std::size_t axis) const noexcept { return dims_[axis]; }
  std::int64_t dim(std::size_t axis) const noexcept { return dims_[axis]; }
  const Dims& dims() const noexcept { return dims_; }
  bool fully_known() const noexcept {
    if (!known_rank_) return false;
    for (std::int64_t d : dims_)
      if (d < 0) return false;
    return true;
  }
  /// Only where fully_known().
  Shape to_shape() const { return Shape(dims_); }
  /// True where some shape fits both.
  bool compatible_with(const PartialShape& other) const noexcept;
  /// What is known from both; throws InvalidArgument where they are incompatible.
  PartialShape merged_with(const PartialShape& other) const;
  /// "<unknown>", "[?,3]".
  std::string to_string() const;
  friend bool operator==(const PartialShape&, const PartialShape&) noexcept = default;

 private:
  bool known_rank_ = false;
  Dims dims_;
};

/// The shape that numpy's rules give for an elementwise op over both; throws InvalidArgument naming both shapes.
Shape broadcast_shapes(const Shape& a, const Shape& b);
PartialShape broadcast_shapes(const PartialShape& a, const PartialShape& b);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/base/impl/shape.ipp>
#endif

#pragma once
#include <dgraph/base/shape.hpp>

#include <algorithm>

namespace dgraph {

DGRAPH_DECL Dims::Dims(std::size_t count, std::int64_t value) : size_(0) { resize(count, value); }

DGRAPH_DECL Dims::Dims(std::span<const std::int64_t> values) : size_(0) {
  resize(values.size());
  std::copy(values.begin(), values.end(), data());
}

DGRAPH_DECL void Dims::copy_long(const Dims& other) {
  if (size_ != other.size_) {
    std::int64_t* fresh = other.size_ > kInline ? new std::int64_t[other.size_] : nullptr;
    free();
    size_ = other.size_;
    if (fresh) heap_ = fresh;
  }
  std::memcpy(data(), other.data(), size_ * sizeof(std::int64_t));
}

DGRAPH_DECL void Dims::resize(std::size_t count, std::int64_t value) {
  const std::size_t old = size_;
  if (count > kInline) {
    auto* fresh = new std::int64_t[count];
    std::copy_n(data(), std::min(old, count), fresh);
    free();
    size_ = static_cast<std::uint32_t>(count);
    heap_ = fresh;
  } else if (old > kInline) {
    std::int64_t* const long_one = heap_;
    size_ = static_cast<std::uint32_t>(count);
    std::int64_t kept[kInline];
    std::copy_n(long_one, count, kept);
    std::copy_n(kept, count, inline_);
    delete[] long_one;
  } else {
    size_ = static_cast<std::uint32_t>(count);
  }
  for (std::size_t i = old; i < count; ++i) data()[i] = value;
}

DGRAPH_DECL void Dims::push_back(std::int64_t value) {
  if (size_ < kInline) {
    inline_[size_++] = value;
  } else {
    resize(size_ + 1u, value);
  }
}

namespace detail {

DGRAPH_DECL std::string dims_to_string(const Dims& dims) {
  std::string out = "[";
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (i) out += ',';
    out += dims[i] < 0 ? "?" : std::to_string(dims[i]);
  }
  return out + "]";
}

DGRAPH_DECL void check_dims(const Dims& dims, std::int64_t least) {
  if (dims.size() > 254)
    fail(Code::InvalidArgument, "a shape has at most 254 dimensions, not ", dims.size());
  // Without the zeros, so that no product of some dimensions overflows either, in whatever order.
  std::int64_t elements = 1;
  bool overflow = false;
  for (std::int64_t d : dims) {
    if (d < least) fail(Code::InvalidArgument, "dimension ", d, " of a shape is negative");
    if (d > 0) overflow |= __builtin_mul_overflow(elements, d, &elements);
  }
  if (overflow)
    fail(Code::InvalidArgument, "shape ", dims_to_string(dims),
         " has 2^63 elements or more, or would have but for a 0");
}

}  // namespace detail

DGRAPH_DECL Shape::Shape(Dims dims) : dims_(std::move(dims)) { detail::check_dims(dims_, 0); }

DGRAPH_DECL std::string Shape::to_string() const { return detail::dims_to_string(dims_); }

DGRAPH_DECL PartialShape::PartialShape(Dims dims) : known_rank_(true), dims_(std::move(dims)) {
  detail::check_dims(dims_, -1);
}

DGRAPH_DECL bool PartialShape::compatible_with(const PartialShape& other) const noexcept {
  if (!known_rank_ || !other.known_rank_) return true;
  if (rank() != other.rank()) return false;
  for (std::size_t i = 0; i < rank(); ++i)
    if (dims_[i] >= 0 && other.dims_[i] >= 0 && dims_[i] != other.dims_[i]) return false;
  return true;
}

DGRAPH_DECL PartialShape PartialShape::merged_with(const PartialShape& other) const {
  if (!compatible_with(other))
    fail(Code::InvalidArgument, "shapes ", *this, " and ", other, " do not agree");
  if (!known_rank_) return other;
  PartialShape out = *this;
  if (other.known_rank_)
    for (std::size_t i = 0; i < rank(); ++i)
      if (out.dims_[i] < 0) out.dims_[i] = other.dims_[i];
  return out;
}

DGRAPH_DECL std::string PartialShape::to_string() const {
  return known_rank_ ? detail::dims_to_string(dims_) : "<unknown>";
}

DGRAPH_DECL Shape broadcast_shapes(const Shape& a, const Shape& b) {
  if (a == b) return a;
  const std::size_t rank = std::max(a.rank(), b.rank());
  Dims out(rank, 1);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t x = i < a.rank() ? a[a.rank() - 1 - i] : 1;
    const std::int64_t y = i < b.rank() ? b[b.rank() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      fail(Code::InvalidArgument, "Incompatible shapes: ", a, " vs. ", b);
    out[rank - 1 - i] = x == 1 ? y : x;
  }
  return Shape(std::move(out));
}

DGRAPH_DECL PartialShape broadcast_shapes(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return PartialShape();
  if (a == b && a.fully_known()) return a;
  const std::size_t rank = std::max(a.rank(), b.rank());
  Dims out(rank, 1);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t x = i < a.rank() ? a[a.rank() - 1 - i] : 1;
    const std::int64_t y = i < b.rank() ? b[b.rank() - 1 - i] : 1;
    std::int64_t& d = out[rank - 1 - i];
    if (x == 1)
      d = y;
    else if (y == 1)
      d = x;
    else if (x < 0 || y < 0)
      d = std::max(x, y);  // an unknown one must be 1 or the other; both unknown stay unknown
    else if (x == y)
      d = x;
    else
      fail(Code::InvalidArgument, "Incompatible shapes: ", a, " vs. ", b);
  }
  return PartialShape(std::move(out));
}

}  // namespace dgraph

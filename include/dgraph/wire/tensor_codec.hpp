#pragma once
// Tensors and what describes them (dtype, shape, attribute, status) as bytes: small values in the
// head, large ones as bodies.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <dgraph/base/error.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/base/shape.hpp>
#include <dgraph/base/tensor.hpp>
#include <dgraph/graph/attr.hpp>
#include <dgraph/wire/bytes.hpp>

namespace dgraph::wire {

/// Values of at most this many bytes lie in the head.
inline constexpr std::size_t kInlineTensorBytes = 64;

/// The bodies that came with a head, taken one after another.
class BodyReader {
 public:
  explicit BodyReader(std::span<Body> bodies = {}) noexcept : bodies_(bodies) {}
  std::size_t taken() const noexcept { return taken_; }
  std::size_t left() const noexcept { return bodies_.size() - taken_; }
  /// Throws DataLoss where there is none left. A body with null owner was refused on arrival.
  Body take();
  /// Throws DataLoss where bodies are left over.
  void expect_end() const;

 private:
  std::span<Body> bodies_;
  std::size_t taken_ = 0;
};

/// Bytes on the wire that each of these takes at least.
inline constexpr std::size_t kLeastTensor = 4, kLeastAttr = 4, kLeastShape = 4, kLeastText = 4;

/// Bytes that `write_tensor` would add to the bodies; 0 where the value lies in the head.
std::size_t tensor_body_bytes(const Tensor& tensor);

/// Appends dtype, shape and value. A body shares the tensor's memory; only text is copied. Throws
/// InvalidArgument for a dtype that cannot leave its task (resource, variant).
void write_tensor(ByteWriter& to, std::vector<Body>& bodies, const Tensor& tensor);
/// Reads one; the tensor takes over the memory of its body. Throws DataLoss for malformed bytes,
/// ResourceExhausted for a body that was refused, unless `refused` is given: it is then set and the
/// tensor has no value.
Tensor read_tensor(ByteReader& from, BodyReader& bodies, bool* refused = nullptr);

void write_dtype(ByteWriter& to, DType dtype);
/// Throws DataLoss for a number that is no dtype. Invalid (0) is none and passes.
DType read_dtype(ByteReader& from);
void write_shape(ByteWriter& to, const Shape& shape);
Shape read_shape(ByteReader& from);
void write_partial_shape(ByteWriter& to, const PartialShape& shape);
PartialShape read_partial_shape(ByteReader& from);
/// A message longer than kLongestMessage is cut to that length and then says so; texts of the place at kLongestStatusText.
void write_status(ByteWriter& to, const Status& status);
Status read_status(ByteReader& from);
inline constexpr std::size_t kLongestMessage = std::size_t{4} << 20;
inline constexpr std::size_t kLongestStatusText = 64 * 1024;
void write_attr(ByteWriter& to, std::vector<Body>& bodies, const AttrValue& value);
AttrValue read_attr(ByteReader& from, BodyReader& bodies);

}  // namespace dgraph::wire

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/tensor_codec.ipp>
#endif

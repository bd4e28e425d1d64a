#pragma once
// The parts of TensorFlow's protocol buffers that are values: shapes, dtypes, tensors. Internal to this folder.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <dgraph/base/dtype.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/shape.hpp>
#include <dgraph/base/tensor.hpp>

namespace dgraph::detail {

/// Memory that reading may still take; asked before it is taken.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t bytes) noexcept : left_(bytes), all_(bytes) {}
  /// Throws ResourceExhausted where `bytes` are more than what is left.
  void take(std::size_t bytes) {
    if (bytes > left_)
      fail(Code::ResourceExhausted, "reading takes more than the limit of ", all_,
           " bytes of memory");
    left_ -= bytes;
  }
  void take(std::size_t count, std::size_t each) {
    if (each != 0 && count > left_ / each) take(left_ + 1);
    take(count * each);
  }

 private:
  std::size_t left_, all_;
};

/// A DataType by its number, a reference type as what it refers to; throws InvalidArgument for numbers that are none here.
DType dtype_of_number(std::int64_t number);

/// A TensorShapeProto. Throws InvalidArgument, also for bytes that are none; `read_tensor_proto` likewise.
PartialShape read_shape_proto(std::string_view bytes);
std::string write_shape_proto(const PartialShape& shape);

/// A TensorProto, of bytes (tensor_content) or of listed values, the last of which stands for all that are missing.
Tensor read_tensor_proto(std::string_view bytes, MemoryBudget& budget);
std::string write_tensor_proto(const Tensor& tensor);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/interop/impl/tensorflow_tensor.ipp>
#endif

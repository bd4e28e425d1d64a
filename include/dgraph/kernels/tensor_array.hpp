#pragma once
// CPU kernels of ops/tensor_array.hpp, and the array of tensors that they work on.

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <dgraph/kernels/declare.hpp>
#include <dgraph/kernels/resource.hpp>

namespace dgraph {

/// Tensors of one dtype by index, each written once (in an array of gradients: added up). Only handles hold it, and an array
/// holds its arrays of gradients: all go with the step that made them.
class TensorArrayResource final : public Resource {
 public:
  struct Options {
    DType dtype = DType::Invalid;
    PartialShape element_shape = {};
    bool dynamic_size = false;      ///< grows where it is written beyond its end
    bool clear_after_read = true;   ///< an element can be read once
    bool identical_shapes = false;  ///< all elements have the shape of the first that is written
    bool is_gradient = false;
    std::string name;               ///< for messages
  };

  TensorArrayResource(Options options, std::int64_t size);
  std::string_view kind() const override { return "TensorArray"; }

  /// All throw InvalidArgument: for another dtype, for indices outside the array, once it is closed.
  void write(std::int64_t index, Tensor value);
  Tensor read(std::int64_t index, DType dtype);
  /// Elements `indices`, all of one shape, which must fit `shape`, side by side; where there are none it must be fully known.
  Tensor gather(const std::vector<std::int64_t>& indices, DType dtype, const PartialShape& shape);
  /// All elements one after another along their first axis. Sets `lengths` to their sizes there.
  Tensor concat(DType dtype, const PartialShape& rest, std::vector<std::int64_t>& lengths);
  std::int64_t size();
  void close();
  /// The array of gradients of that name: as many elements of the same shapes, with `front` before them. The array itself no
  /// longer grows.
  Ref<TensorArrayResource> gradient(const std::string& source, const Dims& front);
  bool is_dynamic();

 private:
  struct Element {
    Tensor value;  // none where nothing is written yet, and after it was read and cleared
    Shape shape;
    bool has_shape = false, written = false, cleared = false;
  };
  void check_open(DType dtype) const;
  void check_closed() const;
  Element& element(std::int64_t index);
  Tensor take(std::int64_t index);
  void check_shape(std::int64_t index, const Shape& shape) const;

  std::mutex mutex_;
  Options options_;
  std::int64_t size_;
  std::vector<Element> elements_;  // as many as were touched
  std::map<std::string, Ref<TensorArrayResource>> gradients_;
  bool closed_ = false;
};

DGRAPH_KERNEL(TensorArrayV3);
DGRAPH_KERNEL(TensorArrayGradV3);
DGRAPH_KERNEL(TensorArrayGradWithShape);
DGRAPH_KERNEL(TensorArrayWriteV3);
DGRAPH_KERNEL(TensorArrayReadV3);
DGRAPH_KERNEL(TensorArrayGatherV3);
DGRAPH_KERNEL(TensorArrayScatterV3);
DGRAPH_KERNEL(TensorArrayConcatV3);
DGRAPH_KERNEL(TensorArraySplitV3);
DGRAPH_KERNEL(TensorArraySizeV3);
DGRAPH_KERNEL(TensorArrayCloseV3);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/tensor_array.ipp>
#include <dgraph/kernels/impl/tensor_array_kernels.ipp>
#endif

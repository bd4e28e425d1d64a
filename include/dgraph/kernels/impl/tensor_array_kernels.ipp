#pragma once
#include <dgraph/kernels/tensor_array.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include <dgraph/kernels/arguments.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL TensorArrayResource& array_input(const KernelContext& c) {
  return resource_as<TensorArrayResource>(c.input(0));
}

DGRAPH_DECL std::int64_t scalar_argument(const Tensor& tensor, const char* what) {
  if (tensor.rank() != 0)
    fail(Code::InvalidArgument, "TensorArray ", what, " must be scalar, but had shape: ", tensor.shape());
  return integer_at(tensor, 0, what);
}

DGRAPH_DECL void run_tensor_array(KernelContext& c) {
  const std::int64_t size = scalar_argument(c.input(0), "size");
  c.set_output(0, make_handle(make_ref<TensorArrayResource>(c.config<TensorArrayResource::Options>(), size)));
  c.set_output(1, Tensor::scalar(0.0f));
}

DGRAPH_DECL void run_tensor_array_gradient(KernelContext& c) {
  const Dims front = c.num_inputs() > 2 ? integers_argument(c.input(2), "shape_to_prepend") : Dims();
  c.set_output(0, make_handle(Ref<Resource>(array_input(c).gradient(c.config<std::string>(), front))));
  c.set_output(1, c.take_input(1));
}

DGRAPH_DECL void run_tensor_array_write(KernelContext& c) {
  const std::int64_t index = scalar_argument(c.input(1), "index");
  array_input(c).write(index, c.take_input(2));
  c.set_output(0, c.take_input(3));
}

DGRAPH_DECL void run_tensor_array_read(KernelContext& c) {
  c.set_output(0, array_input(c).read(scalar_argument(c.input(1), "index"), c.output_dtype(0)));
}

DGRAPH_DECL std::vector<std::int64_t> index_list(const Tensor& indices) {
  if (indices.rank() != 1)
    fail(Code::InvalidArgument, "Expected indices to be a vector, but received shape: ", indices.shape());
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < indices.elements(); ++i) out.push_back(integer_at(indices, i, "indices"));
  return out;
}

DGRAPH_DECL void run_tensor_array_gather(KernelContext& c) {
  c.set_output(0, array_input(c).gather(index_list(c.input(1)), c.output_dtype(0), c.config<PartialShape>()));
}

// Row i of a value, sharing its memory.
DGRAPH_DECL Tensor row_of(const Tensor& value, std::int64_t i, std::int64_t count, bool keep_axis) {
  Tensor rows = value.rows(i, count);
  if (keep_axis) return rows;
  const Dims dims = value.shape().dims();
  return std::move(rows).reshaped(Shape(Dims(std::span<const std::int64_t>(dims.begin() + 1, dims.size() - 1))));
}

DGRAPH_DECL void run_tensor_array_scatter(KernelContext& c) {
  TensorArrayResource& array = array_input(c);
  const std::vector<std::int64_t> indices = index_list(c.input(1));
  const Tensor& value = c.input(2);
  if (value.rank() == 0)
    fail(Code::InvalidArgument, "Expected value to be at least a vector, but received shape: ", value.shape());
  if (value.dim(0) != static_cast<std::int64_t>(indices.size()))
    fail(Code::InvalidArgument, "Expected len(indices) == values.shape[0], but saw: ", indices.size(), " vs. ",
         value.dim(0));
  const std::int64_t size = array.size();
  const std::int64_t most = indices.empty() ? -1 : *std::max_element(indices.begin(), indices.end());
  if (most >= size && !array.is_dynamic())
    fail(Code::InvalidArgument, "Max scatter index must be < array size (", most, " vs. ", size, ")");
  for (std::size_t i = 0; i < indices.size(); ++i)
    array.write(indices[i], row_of(value, static_cast<std::int64_t>(i), 1, false));
  c.set_output(0, c.take_input(3));
}

DGRAPH_DECL void run_tensor_array_concat(KernelContext& c) {
  std::vector<std::int64_t> lengths;
  c.set_output(0, array_input(c).concat(c.output_dtype(0), c.config<PartialShape>(), lengths));
  c.set_output(1, Tensor::of<std::int64_t>(Shape{static_cast<std::int64_t>(lengths.size())},
                                           std::span<const std::int64_t>(lengths)));
}

DGRAPH_DECL void run_tensor_array_split(KernelContext& c) {
  TensorArrayResource& array = array_input(c);
  const Tensor &value = c.input(1), &lengths = c.input(2);
  if (lengths.rank() != 1)
    fail(Code::InvalidArgument, "Expected lengths to be a vector, received shape: ", lengths.shape());
  if (value.rank() == 0)
    fail(Code::InvalidArgument, "Expected value to be at least a vector, but received shape: ", value.shape());
  std::int64_t sum = 0;
  for (const std::int64_t length : lengths.flat<std::int64_t>())
    if (length < 0 || __builtin_add_overflow(sum, length, &sum))
      fail(Code::InvalidArgument, "Expected lengths of 0 and more whose sum is an int64, but saw ", length);
  if (sum != value.dim(0))
    fail(Code::InvalidArgument,
         "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is ", sum,
         " and value's shape is: ", value.shape());
  const std::int64_t count = lengths.elements(), size = array.size();
  if (count != size && !(array.is_dynamic() && count > size))
    fail(Code::InvalidArgument, "TensorArray's size is not equal to the size of lengths (", size, " vs. ", count,
         "), and the TensorArray is not marked as dynamically resizeable");
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t length = lengths.data<std::int64_t>()[i];
    array.write(i, row_of(value, at, length, true));
    at += length;
  }
  c.set_output(0, c.take_input(3));
}

DGRAPH_DECL void run_tensor_array_size(KernelContext& c) {
  c.set_output(0, Tensor::scalar(static_cast<std::int32_t>(array_input(c).size())));
}

DGRAPH_DECL void run_tensor_array_close(KernelContext& c) { array_input(c).close(); }

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::TensorArrayV3>::make(const KernelRequest& r) {
  TensorArrayResource::Options options;
  options.dtype = r.dtype("dtype");
  options.element_shape = r.attr<PartialShape>("element_shape");
  options.dynamic_size = r.attr<bool>("dynamic_size");
  options.clear_after_read = r.attr<bool>("clear_after_read");
  options.identical_shapes = r.attr<bool>("identical_element_shapes");
  options.name = r.attr<std::string>("tensor_array_name");
  if (options.name.empty()) options.name = r.name;
  return detail::plain_kernel(&detail::run_tensor_array, true).with(std::move(options));
}
DGRAPH_DECL Kernel Kernels<ops::TensorArrayGradV3>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_tensor_array_gradient, true).with(r.attr<std::string>("source"));
}
DGRAPH_DECL Kernel Kernels<ops::TensorArrayGradWithShape>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_tensor_array_gradient, true).with(r.attr<std::string>("source"));
}
DGRAPH_DECL Kernel Kernels<ops::TensorArrayWriteV3>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_tensor_array_write, true);
}
DGRAPH_DECL Kernel Kernels<ops::TensorArrayReadV3>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_tensor_array_read, true);
}
DGRAPH_DECL Kernel Kernels<ops::TensorArrayGatherV3>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_tensor_array_gather).with(r.attr<PartialShape>("element_shape"));
}
DGRAPH_DECL Kernel Kernels<ops::TensorArrayScatterV3>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_tensor_array_scatter, true);
}
DGRAPH_DECL Kernel Kernels<ops::TensorArrayConcatV3>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_tensor_array_concat).with(r.attr<PartialShape>("element_shape_except0"));
}
DGRAPH_DECL Kernel Kernels<ops::TensorArraySplitV3>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_tensor_array_split, true);
}
DGRAPH_DECL Kernel Kernels<ops::TensorArraySizeV3>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_tensor_array_size, true);
}
DGRAPH_DECL Kernel Kernels<ops::TensorArrayCloseV3>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_tensor_array_close, true);
}

}  // namespace dgraph

#pragma once
#include <dgraph/kernels/tensor_array.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <dgraph/kernels/accumulate.hpp>

namespace dgraph {

DGRAPH_DECL TensorArrayResource::TensorArrayResource(Options options, std::int64_t size)
    : options_(std::move(options)), size_(size) {
  if (size < 0) fail(Code::InvalidArgument, "the size of a TensorArray must not be below 0, but is ", size);
}

// What was never written takes no memory, whatever size is claimed.
DGRAPH_DECL TensorArrayResource::Element& TensorArrayResource::element(std::int64_t index) {
  const auto at = static_cast<std::size_t>(index);
  if (at >= elements_.size()) elements_.resize(at + 1);
  return elements_[at];
}

DGRAPH_DECL void TensorArrayResource::check_closed() const {
  if (closed_) fail(Code::InvalidArgument, "TensorArray ", options_.name, " has already been closed.");
}

DGRAPH_DECL void TensorArrayResource::check_open(DType dtype) const {
  check_closed();
  if (dtype != options_.dtype)
    fail(Code::InvalidArgument, "TensorArray dtype is ", dtype_name(options_.dtype), " but Op has dtype ",
         dtype_name(dtype), ".");
}

DGRAPH_DECL void TensorArrayResource::check_shape(std::int64_t index, const Shape& shape) const {
  if (!options_.element_shape.compatible_with(PartialShape(shape)))
    fail(Code::InvalidArgument, "Could not write to TensorArray index ", index, " because the value shape is ", shape,
         " which is incompatible with the TensorArray's inferred element shape: ", options_.element_shape,
         " (consider setting infer_shape=False).");
}

DGRAPH_DECL void TensorArrayResource::write(std::int64_t index, Tensor value) {
  std::lock_guard lock(mutex_);
  check_open(value.dtype());
  if (index < 0 || (index >= size_ && !options_.dynamic_size))
    fail(Code::InvalidArgument, "Tried to write to index ", index, " but array ",
         options_.dynamic_size ? "indices begin with 0" : "is not resizeable", " and size is: ", size_);
  check_shape(index, value.shape());
  size_ = std::max(size_, index + 1);
  Element& element = this->element(index);
  if (element.cleared)
    fail(Code::InvalidArgument, "Could not write to TensorArray index ", index, " because it has already been read.");
  if (element.has_shape && !(element.shape == value.shape()))
    fail(Code::InvalidArgument, "Could not aggregate to TensorArray index ", index, " because the existing shape is ",
         element.shape, " but the new input shape is ", value.shape(), ".");
  if (element.written && !options_.is_gradient)
    fail(Code::InvalidArgument, "Could not write to TensorArray index ", index,
         " because it has already been written to.");
  if (options_.identical_shapes) options_.element_shape = PartialShape(value.shape());
  if (element.written && element.value.has_value()) {
    const detail::RowSum sum = detail::RowSum::add(value.dtype());
    if (!sum) fail(Code::InvalidArgument, "values of ", dtype_name(value.dtype()), " cannot be added up");
    if (!element.value.unique()) element.value = element.value.clone();
    sum(element.value.mutable_raw(), element.value.raw(), value.raw(), value.elements());
    return;
  }
  element.shape = value.shape();
  element.has_shape = element.written = true;
  element.value = std::move(value);
}

DGRAPH_DECL Tensor TensorArrayResource::take(std::int64_t index) {
  if (index < 0 || index >= size_)
    fail(Code::InvalidArgument, "Tried to read from index ", index, " but array size is: ", size_);
  Element& element = this->element(index);
  if (element.cleared)
    fail(Code::InvalidArgument, "Could not read index ", index,
         " twice because it was cleared after a previous read (perhaps try setting clear_after_read = false?).");
  Tensor out = element.value;
  if (!element.written && dtype_size(options_.dtype) == 0)
    fail(Code::InvalidArgument, "Could not read from TensorArray index ", index,
         ": it was not written, and there are no zeros of ", dtype_name(options_.dtype));
  if (!element.written) {
    if (!element.has_shape && !options_.element_shape.fully_known())
      fail(Code::InvalidArgument, "Could not read from TensorArray index ", index,
           ".  Furthermore, the element shape is not fully defined: ", options_.element_shape,
           ".  It is possible you are working with a resizeable TensorArray and stop_gradients is not allowing the "
           "gradients to be written.  If you set the full element_shape property on the forward TensorArray, the proper "
           "all-zeros tensor will be returned instead of incurring this error.");
    out = Tensor::zeros(options_.dtype, element.has_shape ? element.shape : options_.element_shape.to_shape());
  }
  if (options_.clear_after_read) {
    element.value.reset();
    element.cleared = true;
  }
  return out;
}

DGRAPH_DECL Tensor TensorArrayResource::read(std::int64_t index, DType dtype) {
  std::lock_guard lock(mutex_);
  check_open(dtype);
  return take(index);
}

namespace detail {

DGRAPH_DECL void check_joinable(DType dtype) {
  if (dtype_size(dtype) == 0) fail(Code::Unimplemented, "elements of ", dtype_name(dtype), " cannot be joined");
}

// The elements of `part` to place `at` of `out`.
DGRAPH_DECL void put_elements(Tensor& out, std::int64_t at, const Tensor& part) {
  if (part.dtype() == DType::String) {
    std::copy_n(part.data<std::string>(), part.elements(), out.mutable_data<std::string>() + at);
  } else if (part.bytes() > 0) {
    std::memcpy(out.mutable_raw() + static_cast<std::size_t>(at) * dtype_size(part.dtype()), part.raw(), part.bytes());
  }
}

}  // namespace detail

DGRAPH_DECL Tensor TensorArrayResource::gather(const std::vector<std::int64_t>& indices, DType dtype,
                                               const PartialShape& shape) {
  std::lock_guard lock(mutex_);
  check_open(dtype);
  detail::check_joinable(dtype);
  if (!options_.element_shape.compatible_with(shape))
    fail(Code::InvalidArgument, "TensorArray was passed element_shape ", shape,
         " which does not match the array's element shape ", options_.element_shape);
  Dims dims{static_cast<std::int64_t>(indices.size())};
  if (indices.empty()) {
    const PartialShape& known = shape.fully_known() ? shape : options_.element_shape;
    if (!known.fully_known())
      fail(Code::Unimplemented, "TensorArray has size zero, but element shape ", known,
           " is not fully defined. Currently only static shapes are supported when packing zero-size TensorArrays.");
    const Shape rest = known.to_shape();
    for (const std::int64_t d : rest.dims()) dims.push_back(d);
    return Tensor(dtype, Shape(dims));
  }
  std::vector<Tensor> parts;
  parts.reserve(indices.size());
  for (const std::int64_t index : indices) {
    parts.push_back(take(index));
    const Tensor &part = parts.back(), &first = parts.front();
    if (!(part.shape() == first.shape()))
      fail(Code::InvalidArgument, "TensorArray has inconsistent shapes.  Index 0 has shape: ", first.shape(),
           " but index ", parts.size() - 1, " has shape: ", part.shape());
  }
  if (!shape.compatible_with(PartialShape(parts[0].shape())))
    fail(Code::InvalidArgument, "TensorArray's elements have shape ", parts[0].shape(), ", which does not fit ", shape);
  for (const std::int64_t d : parts[0].shape().dims()) dims.push_back(d);
  Tensor out(dtype, Shape(dims));
  const std::int64_t each = parts[0].elements();
  for (std::size_t i = 0; i < parts.size(); ++i)
    detail::put_elements(out, static_cast<std::int64_t>(i) * each, parts[i]);
  return out;
}

DGRAPH_DECL Tensor TensorArrayResource::concat(DType dtype, const PartialShape& rest,
                                               std::vector<std::int64_t>& lengths) {
  std::lock_guard lock(mutex_);
  check_open(dtype);
  detail::check_joinable(dtype);
  std::vector<Tensor> parts;
  std::int64_t rows = 0;
  const auto tail = [](const Shape& shape) {
    Dims dims = shape.dims();
    return Shape(Dims(std::span<const std::int64_t>(dims.begin() + 1, dims.size() - 1)));
  };
  for (std::int64_t i = 0; i < size_; ++i) {
    parts.push_back(take(i));
    const Shape& shape = parts.back().shape();
    if (shape.rank() == 0)
      fail(Code::InvalidArgument, "Concat saw a scalar shape at index ", i,
           " but requires at least vectors.  Did you mean to call pack?");
    if (!(tail(shape) == tail(parts[0].shape())))
      fail(Code::InvalidArgument, "TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) shape: ",
           tail(parts[0].shape()), " but index ", i, " has (excepting dimension 0) shape: ", tail(shape));
    lengths.push_back(shape[0]);
    if (__builtin_add_overflow(rows, shape[0], &rows)) fail(Code::InvalidArgument, "too many rows");
  }
  if (parts.empty() && !rest.fully_known())
    fail(Code::Unimplemented, "TensorArray has size zero, but element_shape_except0 ", rest,
         " is not fully defined. Currently only static shapes are supported when concatenating zero-size TensorArrays.");
  const Shape kept = parts.empty() ? rest.to_shape() : tail(parts[0].shape());
  if (!rest.compatible_with(PartialShape(kept)))
    fail(Code::InvalidArgument, "TensorArray's elements have (excepting dimension 0) shape ", kept,
         ", which does not fit ", rest);
  Dims dims{rows};
  for (const std::int64_t d : kept.dims()) dims.push_back(d);
  Tensor out(dtype, Shape(dims));
  std::int64_t at = 0;
  for (const Tensor& part : parts) {
    detail::put_elements(out, at, part);
    at += part.elements();
  }
  return out;
}

DGRAPH_DECL std::int64_t TensorArrayResource::size() {
  std::lock_guard lock(mutex_);
  check_closed();
  return size_;
}

DGRAPH_DECL bool TensorArrayResource::is_dynamic() {
  std::lock_guard lock(mutex_);
  return options_.dynamic_size;
}

DGRAPH_DECL void TensorArrayResource::close() {
  std::vector<Element> gone;
  std::lock_guard lock(mutex_);
  closed_ = true;
  gone.swap(elements_);
}

DGRAPH_DECL Ref<TensorArrayResource> TensorArrayResource::gradient(const std::string& source, const Dims& front) {
  std::lock_guard lock(mutex_);
  check_closed();
  Ref<TensorArrayResource>& out = gradients_[source];
  if (!out) {
    options_.dynamic_size = false;
    const auto longer = [&](const Dims& shape) {
      Dims dims = front;
      for (const std::int64_t d : shape) dims.push_back(d);
      return dims;
    };
    Options options = options_;
    options.is_gradient = true;
    options.name = options_.name + "@" + source;
    if (options.element_shape.has_rank()) options.element_shape = PartialShape(longer(options_.element_shape.dims()));
    out = make_ref<TensorArrayResource>(std::move(options), size_);
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      if (!elements_[i].has_shape) continue;
      Element& like = out->element(static_cast<std::int64_t>(i));
      like.shape = Shape(longer(elements_[i].shape.dims()));
      like.has_shape = true;
    }
  }
  return out;
}

}  // namespace dgraph

#pragma once
// TensorArray<T>: tensors by index, written and read by nodes of one step, also in loops; and its ops.

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/flow_values.hpp>

namespace dgraph {
namespace ops {

/// A handle of a new array of `size` elements, and its flow: a scalar that is handed from op to op and so orders them.
struct TensorArrayV3 {
  static constexpr auto signature =
      "TensorArrayV3(size: int32) -> (handle: resource, flow: float32); dtype: type; element_shape: shape = {}; "
      "dynamic_size: bool = false; clear_after_read: bool = true; identical_element_shapes: bool = false; "
      "tensor_array_name: string = ''; stateful";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// The array of gradients of an array, one for each `source`; what is written to an element of it is added up.
struct TensorArrayGradV3 {
  static constexpr auto signature =
      "TensorArrayGradV3(handle: resource, flow_in: float32) -> (grad_handle: resource, flow_out: float32); "
      "source: string; stateful";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g) { g.set(1, g.raw_dy(1)); }
};

/// The same for elements that have `shape_to_prepend` before their own shape.
struct TensorArrayGradWithShape {
  static constexpr auto signature =
      "TensorArrayGradWithShape(handle: resource, flow_in: float32, shape_to_prepend: int32) -> (grad_handle: resource, "
      "flow_out: float32); source: string; stateful";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g) { g.set(1, g.raw_dy(1)); }
};

/// Writes one element, which must not have been written before.
struct TensorArrayWriteV3 {
  static constexpr auto signature =
      "TensorArrayWriteV3(handle: resource, index: int32, value: T, flow_in: float32) -> (flow_out: float32); T: type; "
      "stateful";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// One element; zeros where it was not written and its shape is known.
struct TensorArrayReadV3 {
  static constexpr auto signature =
      "TensorArrayReadV3(handle: resource, index: int32, flow_in: float32) -> (value: dtype); dtype: type; stateful";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The elements `indices`, all of one shape, along a new first axis.
struct TensorArrayGatherV3 {
  static constexpr auto signature =
      "TensorArrayGatherV3(handle: resource, indices: int32, flow_in: float32) -> (value: dtype); dtype: type; "
      "element_shape: shape = {}; stateful";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Writes value[i] to element indices[i].
struct TensorArrayScatterV3 {
  static constexpr auto signature =
      "TensorArrayScatterV3(handle: resource, indices: int32, value: T, flow_in: float32) -> (flow_out: float32); "
      "T: type; stateful";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// All elements one after another along their first axis, and how long each is there.
struct TensorArrayConcatV3 {
  static constexpr auto signature =
      "TensorArrayConcatV3(handle: resource, flow_in: float32) -> (value: dtype, lengths: int64); dtype: type; "
      "element_shape_except0: shape = {}; stateful";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Writes the first lengths[0] rows of `value` to element 0, the next lengths[1] to element 1, ...
struct TensorArraySplitV3 {
  static constexpr auto signature =
      "TensorArraySplitV3(handle: resource, value: T, lengths: int64, flow_in: float32) -> (flow_out: float32); T: type; "
      "stateful";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// How many elements the array has.
struct TensorArraySizeV3 {
  static constexpr auto signature = "TensorArraySizeV3(handle: resource, flow_in: float32) -> (size: int32); stateful";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// Lets go of the elements; the array can no longer be used.
struct TensorArrayCloseV3 {
  static constexpr auto signature = "TensorArrayCloseV3(handle: resource) -> (); stateful";
  static void shape(ShapeContext&) {}
};

}  // namespace ops

struct TensorArrayOptions {
  bool dynamic_size = false;            ///< writing beyond the end makes the array longer
  bool clear_after_read = true;         ///< an element can be read once, which frees it
  bool infer_shape = true;              ///< all elements have one shape, that of the first that is written
  PartialShape element_shape = {};
};

namespace detail {

/// An array as its nodes see it: a handle, a flow, and what is known of its elements, which all copies of it share.
class ArrayState {
 public:
  ArrayState() = default;
  ArrayState(DType dtype, const Output& size, const TensorArrayOptions& options, const OpName& name);
  ArrayState(DType dtype, const Output& handle, const Output& flow, const PartialShape& element_shape);

  const Output& handle() const noexcept { return handle_; }
  const Output& flow() const noexcept { return flow_; }
  ArrayState with_flow(const Output& flow) const;
  const PartialShape& element_shape() const;

  Output read(const Output& index, const OpName& name) const;
  ArrayState write(const Output& index, const Output& value, const OpName& name) const;
  Output gather(const Output& indices, const OpName& name) const;
  Output stack(const OpName& name) const;
  ArrayState scatter(const Output& indices, const Output& value, const OpName& name) const;
  ArrayState unstack(const Output& value, const OpName& name) const;
  Output concat(const OpName& name) const;
  ArrayState split(const Output& value, const Output& lengths, const OpName& name) const;
  Output size(const OpName& name) const;
  Output close(const OpName& name) const;
  ArrayState gradient(const std::string& source, const OpName& name) const;

 private:
  struct Known {
    DType dtype = DType::Invalid;
    bool infer = false;
    PartialShape element_shape;
    std::int64_t size = -1;
  };
  void merge_element_shape(const PartialShape& shape) const;
  const Known& known() const;

  Output handle_, flow_;
  std::shared_ptr<Known> known_;
};

/// lengths of a split: int64.
Output lengths_of(const Output& lengths, SourceLocation at);
/// The size of the first axis: a constant where it is known.
Output rows_of(const Output& value, const OpName& name);

}  // namespace detail

/// Tensors of dtype T by index. Each writing function returns the array after it: use that one from then on, also in and after
/// loops, where it is a loop variable like any value. The elements live as long as the step. Errors in a step are InvalidArgument:
/// an index outside the array, an element written twice, read twice (see clear_after_read), or never written.
template <class T>
class TensorArray {
 public:
  static_assert(Element<T>, "dgraph: TensorArray<T> needs an element type: float, double, an integer type, bool, std::string ...");
  using element_type = T;

  TensorArray() = default;
  /// Of `size` elements, an int32 scalar or a number.
  template <AnyOperand S>
  explicit TensorArray(S&& size, const TensorArrayOptions& options = {}, OpName name = {})
      : state_(dtype_of<T>, detail::as_output<std::int32_t>(size, name.location, nullptr), options, name) {}
  explicit TensorArray(detail::ArrayState state) : state_(std::move(state)) {}

  const Output& handle() const noexcept { return state_.handle(); }
  const Output& flow() const noexcept { return state_.flow(); }
  const detail::ArrayState& state() const noexcept { return state_; }

  template <AnyOperand I>
  Op<T> read(I&& index, OpName name = {}) const {
    return Op<T>(state_.read(index_of(index, name), name));
  }
  template <AnyOperand I, AnyOperand X>
  TensorArray write(I&& index, X&& value, OpName name = {}) const {
    return TensorArray(state_.write(index_of(index, name), value_of(value, name), name));
  }
  /// All elements, of one shape, along a new first axis.
  Op<T> stack(OpName name = {}) const { return Op<T>(state_.stack(name)); }
  /// The elements `indices`, an int32 vector, along a new first axis.
  template <AnyOperand I>
  Op<T> gather(I&& indices, OpName name = {}) const {
    return Op<T>(state_.gather(index_of(indices, name), name));
  }
  /// Writes value[i] to element i, for all of them.
  template <AnyOperand X>
  TensorArray unstack(X&& value, OpName name = {}) const {
    return TensorArray(state_.unstack(value_of(value, name), name));
  }
  /// Writes value[i] to element indices[i].
  template <AnyOperand I, AnyOperand X>
  TensorArray scatter(I&& indices, X&& value, OpName name = {}) const {
    return TensorArray(state_.scatter(index_of(indices, name), value_of(value, name), name));
  }
  /// All elements one after another along their first axis; the other axes agree.
  Op<T> concat(OpName name = {}) const { return Op<T>(state_.concat(name)); }
  /// Writes the first lengths[0] rows of `value` to element 0, the next lengths[1] to element 1, ...; lengths: int32 or int64.
  template <AnyOperand X, AnyOperand L>
  TensorArray split(X&& value, L&& lengths, OpName name = {}) const {
    const Output counts = detail::as_output<element_of<L>>(lengths, name.location, nullptr);
    return TensorArray(state_.split(value_of(value, name), detail::lengths_of(counts, name.location), name));
  }
  Op<std::int32_t> size(OpName name = {}) const { return Op<std::int32_t>(state_.size(name)); }
  /// Lets go of the elements before the step ends.
  Op<void> close(OpName name = {}) const { return Op<void>(state_.close(name)); }
  /// The array of gradients of that name.
  TensorArray grad(const std::string& source, OpName name = {}) const { return TensorArray(state_.gradient(source, name)); }

 private:
  template <class I>
  static Output index_of(I&& index, const OpName& name) {
    return detail::as_output<std::int32_t>(index, name.location, nullptr);
  }
  template <class X>
  static Output value_of(X&& value, const OpName& name) {
    return detail::as_output<T>(value, name.location, nullptr);
  }

  detail::ArrayState state_;
};

namespace detail {

// Through a branch or loop an array goes as its flow.
template <class T>
struct FlowValue<TensorArray<T>> {
  using type = TensorArray<T>;
  static void pack(const type& x, FlowItems& items, SourceLocation) { items.push_back({x.flow(), false}); }
  static type unpack(const type& like, const Output*& at) { return type(like.state().with_flow(*at++)); }
};

}  // namespace detail

using TensorArrayOps =
    OpSet<ops::TensorArrayV3, ops::TensorArrayGradV3, ops::TensorArrayGradWithShape, ops::TensorArrayWriteV3,
          ops::TensorArrayReadV3, ops::TensorArrayGatherV3, ops::TensorArrayScatterV3, ops::TensorArrayConcatV3,
          ops::TensorArraySplitV3, ops::TensorArraySizeV3, ops::TensorArrayCloseV3>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/tensor_array.ipp>
#endif

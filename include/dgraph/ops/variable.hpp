#pragma once
// Variable<T>: a typed handle of a variable, read where it is used; `variable` makes one, `assign` and others write it.

#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/ops/control_flow.hpp>
#include <dgraph/ops/operand.hpp>
#include <dgraph/ops/state.hpp>
#include <dgraph/ops/variable_scatter.hpp>

namespace dgraph {
namespace detail {

/// A variable of the initial value's dtype and shape, its Assign "NAME/Assign" and its first read "NAME/read", under no control
/// dependencies; entered in the collections. Returns the handle, and the Assign by reference.
Output make_variable(const OpName& name, const Output& initial, bool trainable, Output& initializer);
/// The read of a variable (a handle) under the control scope of this moment: made once for each.
Output read_variable(const Output& ref);
/// Adds a node of type `def` with the inputs (ref, values...) to the variable's device, whatever device scopes say; its output 0.
Output add_at_variable(const OpDef& def, const OpName& name, const Output& ref, std::span<const Output> values,
                       std::span<AttrArg> attrs = {});
/// Throws FailedPrecondition for no variable, InvalidArgument for an output that is no handle of one.
void need_variable(const Output& ref);

}  // namespace detail

/// A variable: a value on one task that outlives steps and sessions. Where it is used as an operand it is read, under the control
/// scope of that use: one read node for each (variable, control scope). A value that was read never changes.
template <class T>
class Variable {
 public:
  static_assert(Element<T>, "dgraph: Variable<T> needs an element type: float, double, an integer type, bool, std::string ...");
  using value_type = T;

  /// None.
  Variable() noexcept = default;
  /// Of a handle (an output of VariableV2) and the op that gives it its initial value, if there is one.
  explicit Variable(const Output& ref, const Op<void>& initializer = {}) : ref_(ref), initializer_(initializer) {
    if (ref && ref.dtype() != dtype_of<T>) detail::wrong_output_dtype(ref, dtype_of<T>);
  }

  explicit operator bool() const noexcept { return static_cast<bool>(ref_); }
  GraphCore* core() const noexcept { return ref_.core(); }
  /// The node's name, "scope/W".
  std::string name() const { return ref_.name(); }
  const PartialShape& shape() const { return ref_.shape(); }

  /// The value where it is used. Throws FailedPrecondition for no variable.
  Op<T> read() const { return Op<T>(detail::read_variable(ref_)); }
  operator Op<T>() const { return read(); }
  /// The handle, for ops that take one.
  const Output& ref() const noexcept { return ref_; }
  /// Gives the variable its initial value.
  const Op<void>& initializer() const noexcept { return initializer_; }

  /// The value after it was set. The value given has the variable's shape.
  template <AnyOperand X>
  Op<T> assign(X&& value, OpName name = {}) const {
    return write<ops::Assign>(std::forward<X>(value), name);
  }
  /// The value after `value` was added.
  template <AnyOperand X>
  Op<T> assign_add(X&& value, OpName name = {}) const {
    return write<ops::AssignAdd>(std::forward<X>(value), name);
  }
  /// The value after `value` was subtracted.
  template <AnyOperand X>
  Op<T> assign_sub(X&& value, OpName name = {}) const {
    return write<ops::AssignSub>(std::forward<X>(value), name);
  }

 private:
  template <class OpType, class X>
  Op<T> write(X&& value, const OpName& name) const {
    const Output x = detail::as_output<T>(std::forward<X>(value), name.location, core());
    return Op<T>(detail::add_at_variable(definition<OpType>(), name, ref_, std::span(&x, 1)));
  }

  Output ref_;
  Op<void> initializer_;
};

namespace detail {

template <class OpType, class T, class I, class X>
Op<T> scatter(const Variable<T>& variable, I&& indices, X&& updates, const OpName& name) {
  const Output rows = as_output<element_of<I>>(indices, name.location, variable.core());
  const Output values = as_output<T>(updates, name.location, variable.core());
  const Output inputs[] = {rows, values};
  return Op<T>(add_at_variable(definition<OpType>(), name, variable.ref(), inputs));
}

}  // namespace detail

/// A variable with that name and initial value: a value of the graph, a number, an xtensor container or expression. Its dtype and
/// shape are the initial value's (or dtype T: `variable<double>("x", 0)`). Made under no control dependencies. In the
/// collections "variables" and, where trainable, "trainable_variables". Throws InvalidArgument where the shape is not known.
template <class T = detail::DeduceElement, AnyOperand X>
auto variable(OpName name, X&& initial_value, bool trainable = true) {
  using E = std::conditional_t<std::is_same_v<T, detail::DeduceElement>, element_of<X>, T>;
  Output initial;
  if constexpr (GraphValue<X>) {
    initial = detail::as_output<E>(initial_value, name.location, nullptr);
  } else {
    const auto outside = flow_scope(nullptr);
    initial = detail::add_constant(to_tensor<E>(std::forward<X>(initial_value)),
                                   OpName(std::string(name.name) + "/initial_value", name.location), nullptr);
  }
  Output initializer;
  const Output ref = detail::make_variable(name, initial, trainable, initializer);
  return Variable<E>(ref, Op<void>(initializer));
}

/// A variable whose dtype is known at run time only: what optimizers work on. Empty: none.
class AnyVariable {
 public:
  AnyVariable() noexcept = default;
  template <Element T>
  AnyVariable(const Variable<T>& variable) noexcept : ref_(variable.ref()) {}
  /// A handle: an output of VariableV2, or of VarHandleOp. Throws InvalidArgument for a value.
  AnyVariable(const Output& ref) : ref_(ref) {
    if (ref) detail::need_variable(ref);
  }
  explicit operator bool() const noexcept { return static_cast<bool>(ref_); }
  const Output& ref() const noexcept { return ref_; }

 private:
  Output ref_;
};

/// Sets a variable: `assign(step, step + 1)`.
template <class T, AnyOperand X>
Op<T> assign(const Variable<T>& variable, X&& value, OpName name = {}) {
  return variable.assign(std::forward<X>(value), name);
}
template <class T, AnyOperand X>
Op<T> assign_add(const Variable<T>& variable, X&& value, OpName name = {}) {
  return variable.assign_add(std::forward<X>(value), name);
}
template <class T, AnyOperand X>
Op<T> assign_sub(const Variable<T>& variable, X&& value, OpName name = {}) {
  return variable.assign_sub(std::forward<X>(value), name);
}

/// Whether a variable has a value.
template <class T>
Op<bool> is_variable_initialized(const Variable<T>& variable, OpName name = {}) {
  return Op<bool>(add_op<ops::IsVariableInitialized>(name, variable.ref()));
}

/// @name Rows of a variable: row indices[i] is set to updates[i], or has it added, subtracted, ... (rows may repeat then).
/// The value after that. indices are int32 or int64; updates have shape indices.shape + variable.shape[1:].
/// @{
template <class T, AnyOperand I, AnyOperand X>
Op<T> scatter_update(const Variable<T>& variable, I&& indices, X&& updates, OpName name = {}) {
  return detail::scatter<ops::ScatterUpdate, T>(variable, indices, updates, name);
}
template <class T, AnyOperand I, AnyOperand X>
Op<T> scatter_add(const Variable<T>& variable, I&& indices, X&& updates, OpName name = {}) {
  return detail::scatter<ops::ScatterAdd, T>(variable, indices, updates, name);
}
template <class T, AnyOperand I, AnyOperand X>
Op<T> scatter_sub(const Variable<T>& variable, I&& indices, X&& updates, OpName name = {}) {
  return detail::scatter<ops::ScatterSub, T>(variable, indices, updates, name);
}
template <class T, AnyOperand I, AnyOperand X>
Op<T> scatter_mul(const Variable<T>& variable, I&& indices, X&& updates, OpName name = {}) {
  return detail::scatter<ops::ScatterMul, T>(variable, indices, updates, name);
}
template <class T, AnyOperand I, AnyOperand X>
Op<T> scatter_div(const Variable<T>& variable, I&& indices, X&& updates, OpName name = {}) {
  return detail::scatter<ops::ScatterDiv, T>(variable, indices, updates, name);
}
template <class T, AnyOperand I, AnyOperand X>
Op<T> scatter_min(const Variable<T>& variable, I&& indices, X&& updates, OpName name = {}) {
  return detail::scatter<ops::ScatterMin, T>(variable, indices, updates, name);
}
template <class T, AnyOperand I, AnyOperand X>
Op<T> scatter_max(const Variable<T>& variable, I&& indices, X&& updates, OpName name = {}) {
  return detail::scatter<ops::ScatterMax, T>(variable, indices, updates, name);
}
/// @}

/// @name Slices of a variable: the one at indices[i], a place in its first dimensions, is set to updates[i], or has it added, ...
/// The value after that. updates have shape indices.shape[:-1] + variable.shape[indices.shape[-1]:].
/// @{
template <class T, AnyOperand I, AnyOperand X>
Op<T> scatter_nd_update(const Variable<T>& variable, I&& indices, X&& updates, OpName name = {}) {
  return detail::scatter<ops::ScatterNdUpdate, T>(variable, indices, updates, name);
}
template <class T, AnyOperand I, AnyOperand X>
Op<T> scatter_nd_add(const Variable<T>& variable, I&& indices, X&& updates, OpName name = {}) {
  return detail::scatter<ops::ScatterNdAdd, T>(variable, indices, updates, name);
}
template <class T, AnyOperand I, AnyOperand X>
Op<T> scatter_nd_sub(const Variable<T>& variable, I&& indices, X&& updates, OpName name = {}) {
  return detail::scatter<ops::ScatterNdSub, T>(variable, indices, updates, name);
}
template <class T, AnyOperand I, AnyOperand X>
Op<T> scatter_nd_min(const Variable<T>& variable, I&& indices, X&& updates, OpName name = {}) {
  return detail::scatter<ops::ScatterNdMin, T>(variable, indices, updates, name);
}
template <class T, AnyOperand I, AnyOperand X>
Op<T> scatter_nd_max(const Variable<T>& variable, I&& indices, X&& updates, OpName name = {}) {
  return detail::scatter<ops::ScatterNdMax, T>(variable, indices, updates, name);
}
/// @}

/// The value of a counter, which then is one more; OutOfRange once it has reached the limit.
template <class T>
Op<T> count_up_to(const Variable<T>& counter, std::int64_t limit, OpName name = {}) {
  AttrArg attrs[] = {{"limit", limit}};
  return Op<T>(detail::add_at_variable(definition<ops::CountUpTo>(), name, counter.ref(), {}, attrs));
}

/// All variables of the graph (handles), in the order in which they were made; or those that are trainable.
std::vector<Output> global_variables();
std::vector<Output> trainable_variables();

/// Gives these variables their initial values.
template <class... T>
Op<void> variables_initializer(const Variable<T>&... variables) {
  return Op<void>(detail::run_all({variables.initializer()...}, OpName("init")));
}
/// Gives all variables made so far in this thread's default graph their initial values.
Op<void> global_variables_initializer(OpName name = "init");

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/variable.ipp>
#endif

#pragma once
// Choice by a condition and positions of what is true: SelectV2, Where, `where` and `boolean_mask`.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// t where condition is true, e elsewhere, all three with numpy's broadcasting.
struct SelectV2 {
  static constexpr auto signature = "SelectV2(condition: bool, t: T, e: T) -> (output: T); T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The positions of the elements that are not zero (or true), one a row, in row-major order: int64 of
/// shape [how many, rank].
struct Where {
  static constexpr auto signature = "Where(input: T) -> (index: int64); T: {number, bool} = bool";
  static void shape(ShapeContext& c);
};

}  // namespace ops

/// x where condition is true, y elsewhere, all three with numpy's broadcasting (`select` has the rules
/// of TensorFlow 1.x's three-argument where, whose condition may choose rows).
///
/// The gradient of the side that is not chosen is 0 times that side's slope, and 0 times infinity is NaN:
/// `where(x > 0, sqrt(x), 0)` has a NaN gradient at 0. So make the other branch safe *before* the
/// function, too, with a second `where` (the "double where"):
///
///     auto safe = dg::where(x > 0.f, x, 1.f);
///     auto y = dg::where(x > 0.f, dg::sqrt(safe), 0.f);   // gradient 0 where x <= 0
template <AnyOperand C, AnyOperand A, AnyOperand B>
Op<common_element<A, B>> where(C&& condition, A&& x, B&& y, OpName name = {}) {
  using T = common_element<A, B>;
  GraphCore* const core = detail::core_of(condition, x, y);
  const Output c = detail::as_output<bool>(condition, name.location, core);
  const Output yes = detail::as_output<T>(x, name.location, core);
  const Output no = detail::as_output<T>(y, name.location, core);
  return Op<T>(add_op<ops::SelectV2>(name, c, yes, no));
}

/// The positions of the elements of x that are true, or not zero: int64 of shape [how many, rank].
template <AnyOperand X>
Op<std::int64_t> where(X&& x, OpName name = {}) {
  return Op<std::int64_t>(
      add_op<ops::Where>(name, detail::as_output<element_of<X>>(x, name.location, nullptr)));
}

namespace detail {
Output boolean_mask(const Output& x, const Output& mask, std::int64_t axis, const OpName& name);
}  // namespace detail

/// The parts of x at which the mask (bool, of known rank at least 1) is true, one after another: the mask
/// lies over the dimensions of x from `axis` on, which become one. Throws InvalidArgument where it does not
/// fit.
template <AnyOperand X, AnyOperand M>
Op<element_of<X>> boolean_mask(X&& x, M&& mask, std::int64_t axis = 0, OpName name = {}) {
  using T = element_of<X>;
  GraphCore* const core = detail::core_of(x, mask);
  const Output value = detail::as_output<T>(x, name.location, core);
  return Op<T>(
      detail::boolean_mask(value, detail::as_output<bool>(mask, name.location, core), axis, name));
}

using SelectionOps = OpSet<ops::SelectV2, ops::Where>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/selection.ipp>
#endif

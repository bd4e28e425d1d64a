#pragma once
// Values that differ, differences of lists, places in sorted rows: Unique, ListDiff, LowerBound, ...

#include <string_view>
#include <type_traits>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// y: the elements of the vector x, each once, in the order of their first; idx: where each element of x
/// is in y.
struct Unique {
  static constexpr auto signature =
      "Unique(x: T) -> (y: T, idx: out_idx); T: type; out_idx: {index} = int32";
  static void shape(ShapeContext& c);
};

/// The same of the slices of x along `axis` (a vector of one number, or empty for a vector x).
struct UniqueV2 {
  static constexpr auto signature =
      "UniqueV2(x: T, axis: Taxis) -> (y: T, idx: out_idx); T: type; Taxis: {index} = int64; "
      "out_idx: "
      "{index} = int32";
  static void shape(ShapeContext& c);
};

/// The same, and count: how often each element of y is in x.
struct UniqueWithCounts {
  static constexpr auto signature =
      "UniqueWithCounts(x: T) -> (y: T, idx: out_idx, count: out_idx); T: type; out_idx: {index} = "
      "int32";
  static void shape(ShapeContext& c);
};
struct UniqueWithCountsV2 {
  static constexpr auto signature =
      "UniqueWithCountsV2(x: T, axis: Taxis) -> (y: T, idx: out_idx, count: out_idx); T: type; "
      "Taxis: "
      "{index} = int64; out_idx: {index} = int32";
  static void shape(ShapeContext& c);
};

/// out: the elements of the vector x that are not in y, in their order and as often as they are in x;
/// idx: where they are in x.
struct ListDiff {
  static constexpr auto signature =
      "ListDiff(x: T, y: T) -> (out: T, idx: out_idx); T: type; out_idx: {index} = int32";
  static void shape(ShapeContext& c);
};

/// For each value in a row of `values` the first place in the same row of `sorted_inputs` whose element
/// is not less (LowerBound), or is greater (UpperBound); their number where there is none.
struct LowerBound {
  static constexpr auto signature =
      "LowerBound(sorted_inputs: T, values: T) -> (output: out_type); T: type; out_type: {index} = "
      "int32";
  static void shape(ShapeContext& c);
};
struct UpperBound {
  static constexpr auto signature =
      "UpperBound(sorted_inputs: T, values: T) -> (output: out_type); T: type; out_type: {index} = "
      "int32";
  static void shape(ShapeContext& c);
};

}  // namespace ops

/// What `unique` gives: the values once each, and where each element of x is among them.
template <Element T, Element I>
struct UniqueValues {
  Op<T> y;
  Op<I> idx;
};
/// The same with how often each value is in x.
template <Element T, Element I>
struct UniqueCounts {
  Op<T> y;
  Op<I> idx, count;
};
/// What `setdiff1d` gives: the elements that stay, and where they were.
template <Element T, Element I>
struct ListDifference {
  Op<T> out;
  Op<I> idx;
};

namespace detail {
Output add_search(const Output& sorted, const Output& values, std::string_view side, DType index,
                  const OpName& name);
}  // namespace detail

/// The elements of a vector, each once: `auto [y, idx] = unique(x);`. I is int32 or int64.
template <Element I = std::int32_t, AnyOperand X>
UniqueValues<element_of<X>, I> unique(X&& x, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  const Output y = add_op<ops::Unique>(name, input, "out_idx", dtype_of<I>);
  return {Op<T>(y), Op<I>(Output(y.core(), y.node_id(), 1))};
}
/// The same with how often each is there.
template <Element I = std::int32_t, AnyOperand X>
UniqueCounts<element_of<X>, I> unique_with_counts(X&& x, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  const Output y = add_op<ops::UniqueWithCounts>(name, input, "out_idx", dtype_of<I>);
  return {Op<T>(y), Op<I>(Output(y.core(), y.node_id(), 1)),
          Op<I>(Output(y.core(), y.node_id(), 2))};
}

/// The elements of the vector x that are not in y.
template <Element I = std::int32_t, AnyOperand X, AnyOperand Y>
ListDifference<common_element<X, Y>, I> setdiff1d(X&& x, Y&& y, OpName name = {}) {
  using T = common_element<X, Y>;
  GraphCore* const core = detail::core_of(x, y);
  const Output from = detail::as_output<T>(x, name.location, core);
  const Output without = detail::as_output<T>(y, name.location, core);
  const Output out = add_op<ops::ListDiff>(name, from, without, "out_idx", dtype_of<I>);
  return {Op<T>(out), Op<I>(Output(out.core(), out.node_id(), 1))};
}

/// Where each value would go in the rows of `sorted`, before what is equal ("left") or behind it
/// ("right"): both have one shape but for the last dimension, along which rows are sorted.
template <Element I = std::int32_t, AnyOperand S, AnyOperand V>
Op<I> searchsorted(S&& sorted, V&& values, std::string_view side = "left", OpName name = {}) {
  using T = common_element<S, V>;
  GraphCore* const core = detail::core_of(sorted, values);
  const Output rows = detail::as_output<T>(sorted, name.location, core);
  const Output wanted = detail::as_output<T>(values, name.location, core);
  return Op<I>(detail::add_search(rows, wanted, side, dtype_of<I>, name));
}

using SetOps = OpSet<ops::Unique, ops::UniqueV2, ops::UniqueWithCounts, ops::UniqueWithCountsV2,
                     ops::ListDiff, ops::LowerBound, ops::UpperBound>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/sets.ipp>
#endif

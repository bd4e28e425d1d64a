#pragma once
// Sums, products, means, least and greatest rows of segments: SegmentSum, UnsortedSegmentMax, ...

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// output[i] = sum of the rows data[j] with segment_ids[j] = i. The ids are a vector, one for each row,
/// sorted and not negative; there are as many segments as the last says, and one without rows is 0.
/// Throws InvalidArgument for other ids.
struct SegmentSum {
  static constexpr auto signature =
      "SegmentSum(data: T, segment_ids: Tindices) -> (output: T); T: {number}; Tindices: {index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
/// The same with means, which are truncated for integers.
struct SegmentMean {
  static constexpr auto signature =
      "SegmentMean(data: T, segment_ids: Tindices) -> (output: T); T: {number}; Tindices: {index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
/// The same with products; a segment without rows is 1.
struct SegmentProd {
  static constexpr auto signature =
      "SegmentProd(data: T, segment_ids: Tindices) -> (output: T); T: {number}; Tindices: {index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
/// The same with least (greatest) elements; a segment without rows is 0.
struct SegmentMin {
  static constexpr auto signature =
      "SegmentMin(data: T, segment_ids: Tindices) -> (output: T); T: {real}; Tindices: {index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
struct SegmentMax {
  static constexpr auto signature =
      "SegmentMax(data: T, segment_ids: Tindices) -> (output: T); T: {real}; Tindices: {index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// output[i] = sum of the data[j] with segment_ids[j] = i, for i below num_segments; a negative id drops
/// its data. The shape of the ids, in any order, is how that of data begins. Throws InvalidArgument for
/// an id of num_segments or more.
struct UnsortedSegmentSum {
  static constexpr auto signature =
      "UnsortedSegmentSum(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: "
      "T); T: {number}; Tindices: {index}; Tnumsegments: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
/// The same with products; a segment without data is 1.
struct UnsortedSegmentProd {
  static constexpr auto signature =
      "UnsortedSegmentProd(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: "
      "T); T: {number}; Tindices: {index}; Tnumsegments: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
/// The same with least (greatest) elements; a segment without data has the highest (lowest) finite number.
struct UnsortedSegmentMin {
  static constexpr auto signature =
      "UnsortedSegmentMin(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: "
      "T); T: {real}; Tindices: {index}; Tnumsegments: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
struct UnsortedSegmentMax {
  static constexpr auto signature =
      "UnsortedSegmentMax(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: "
      "T); T: {real}; Tindices: {index}; Tnumsegments: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

namespace detail {

template <class OpType, class X, class I>
Op<element_of<X>> segments(X& data, I& segment_ids, const OpName& name) {
  using T = element_of<X>;
  GraphCore* const core = core_of(data, segment_ids);
  const Output values = as_output<T>(data, name.location, core);
  return Op<T>(
      add_op<OpType>(name, values, as_output<element_of<I>>(segment_ids, name.location, core)));
}
template <class OpType, class X, class I, class N>
Op<element_of<X>> unsorted_segments(X& data, I& segment_ids, N& num_segments, const OpName& name) {
  using T = element_of<X>;
  GraphCore* const core = core_of(data, segment_ids, num_segments);
  const Output values = as_output<T>(data, name.location, core);
  const Output ids = as_output<element_of<I>>(segment_ids, name.location, core);
  return Op<T>(add_op<OpType>(name, values, ids,
                              as_output<element_of<N>>(num_segments, name.location, core)));
}
/// The sum of each segment over its number of data, or over the root of it.
Output unsorted_segment_mean(const Output& data, const Output& ids, const Output& count, bool root,
                             const OpName& name);

}  // namespace detail

/// For each segment the sum of its rows of data: see ops::SegmentSum. The ids are int32 or int64.
template <AnyOperand X, AnyOperand I>
Op<element_of<X>> segment_sum(X&& data, I&& segment_ids, OpName name = {}) {
  return detail::segments<ops::SegmentSum>(data, segment_ids, name);
}
/// Means, products, least and greatest elements.
template <AnyOperand X, AnyOperand I>
Op<element_of<X>> segment_mean(X&& data, I&& segment_ids, OpName name = {}) {
  return detail::segments<ops::SegmentMean>(data, segment_ids, name);
}
template <AnyOperand X, AnyOperand I>
Op<element_of<X>> segment_prod(X&& data, I&& segment_ids, OpName name = {}) {
  return detail::segments<ops::SegmentProd>(data, segment_ids, name);
}
template <AnyOperand X, AnyOperand I>
Op<element_of<X>> segment_min(X&& data, I&& segment_ids, OpName name = {}) {
  return detail::segments<ops::SegmentMin>(data, segment_ids, name);
}
template <AnyOperand X, AnyOperand I>
Op<element_of<X>> segment_max(X&& data, I&& segment_ids, OpName name = {}) {
  return detail::segments<ops::SegmentMax>(data, segment_ids, name);
}

/// result[i] = sum of the data[j] with segment_ids[j] = i; the ids are int32 or int64, a negative one drops its data.
template <AnyOperand X, AnyOperand I, AnyOperand N>
Op<element_of<X>> unsorted_segment_sum(X&& data, I&& segment_ids, N&& num_segments,
                                       OpName name = {}) {
  return detail::unsorted_segments<ops::UnsortedSegmentSum>(data, segment_ids, num_segments, name);
}
/// Products, least and greatest elements.
template <AnyOperand X, AnyOperand I, AnyOperand N>
Op<element_of<X>> unsorted_segment_prod(X&& data, I&& segment_ids, N&& num_segments,
                                        OpName name = {}) {
  return detail::unsorted_segments<ops::UnsortedSegmentProd>(data, segment_ids, num_segments, name);
}
template <AnyOperand X, AnyOperand I, AnyOperand N>
Op<element_of<X>> unsorted_segment_min(X&& data, I&& segment_ids, N&& num_segments,
                                       OpName name = {}) {
  return detail::unsorted_segments<ops::UnsortedSegmentMin>(data, segment_ids, num_segments, name);
}
template <AnyOperand X, AnyOperand I, AnyOperand N>
Op<element_of<X>> unsorted_segment_max(X&& data, I&& segment_ids, N&& num_segments,
                                       OpName name = {}) {
  return detail::unsorted_segments<ops::UnsortedSegmentMax>(data, segment_ids, num_segments, name);
}
/// The sums over the number of data in each segment, or over the root of it; 0 where there is none.
template <AnyOperand X, AnyOperand I, AnyOperand N>
Op<element_of<X>> unsorted_segment_mean(X&& data, I&& segment_ids, N&& num_segments,
                                        OpName name = {}) {
  using T = element_of<X>;
  GraphCore* const core = detail::core_of(data, segment_ids, num_segments);
  const Output values = detail::as_output<T>(data, name.location, core);
  const Output ids = detail::as_output<element_of<I>>(segment_ids, name.location, core);
  const Output count = detail::as_output<element_of<N>>(num_segments, name.location, core);
  return Op<T>(detail::unsorted_segment_mean(values, ids, count, false, name));
}
template <AnyOperand X, AnyOperand I, AnyOperand N>
Op<element_of<X>> unsorted_segment_sqrt_n(X&& data, I&& segment_ids, N&& num_segments,
                                          OpName name = {}) {
  using T = element_of<X>;
  GraphCore* const core = detail::core_of(data, segment_ids, num_segments);
  const Output values = detail::as_output<T>(data, name.location, core);
  const Output ids = detail::as_output<element_of<I>>(segment_ids, name.location, core);
  const Output count = detail::as_output<element_of<N>>(num_segments, name.location, core);
  return Op<T>(detail::unsorted_segment_mean(values, ids, count, true, name));
}

using SegmentOps = OpSet<ops::SegmentSum, ops::SegmentMean, ops::SegmentProd, ops::SegmentMin,
                         ops::SegmentMax, ops::UnsortedSegmentSum, ops::UnsortedSegmentProd,
                         ops::UnsortedSegmentMin, ops::UnsortedSegmentMax>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/segment.ipp>
#endif

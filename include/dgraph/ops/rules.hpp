#pragma once
// What gradient rules of elementwise ops and reductions share. Static shapes make no node that depends on a step (D11).

#include <array>
#include <cstddef>
#include <optional>

#include <dgraph/graph/gradient.hpp>

namespace dgraph::rules {

/// Sums gradients of an op that broadcasts its inputs 0 and 1 down to the shape of either. Axes that are known need no shapes
/// at run time; nodes for those that are not are made once for both inputs.
class Unbroadcast {
 public:
  /// `keep_last` trailing dimensions are not broadcast (2 for stacks of matrices).
  explicit Unbroadcast(GradientContext& g, std::size_t keep_last = 0) noexcept : g_(g), keep_last_(keep_last) {}
  /// `grad` has the shape of the op's output; the result has that of input `i`.
  Output operator()(std::size_t i, const Output& grad);

 private:
  Output leading_shape(std::size_t i);
  GradientContext& g_;
  std::size_t keep_last_;
  std::array<Output, 2> axes_;
};

/// Sums `grad` down to the shape of x, which was broadcast to that of `grad`: for inputs that are not two.
Output sum_like(const GradientContext& g, const Output& grad, const Output& x);
/// A scalar constant of the dtype of `like`.
Output number(const GradientContext& g, const Output& like, double value);
/// The conjugate of a complex value; a real one as it is.
Output conj(const GradientContext& g, const Output& x);

/// `d` summed to the shape of `x`, which can be broadcast to that of d.
Output summed_like(const GradientContext& g, const Output& d, const Output& x);

/// Of a reduction's node: `value`, which has the shape of its output, in a shape that can be broadcast against input 0: reduced
/// axes are 1 (a scalar stays one).
Output with_reduced_axes(const GradientContext& g, const Output& value);
/// Of a reduction's node: the axes in rising order, where they and the rank are known.
std::optional<Dims> reduced_axes(const GradientContext& g);
/// Of a reduction's node: how many elements went into each of the output's, where that is known.
std::optional<std::int64_t> reduced_count(const GradientContext& g);

}  // namespace dgraph::rules

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/rules.ipp>
#endif

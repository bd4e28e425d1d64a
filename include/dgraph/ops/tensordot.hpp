#pragma once
// tensordot: products of tensors summed over chosen pairs of axes, made of a matrix product.

#include <cstdint>

#include <dgraph/ops/operand.hpp>

namespace dgraph {

/// Which axes a tensordot sums over: the last n of a with the first n of b, or pairs.
class ContractedAxes {
 public:
  ContractedAxes(std::int64_t n) : count_(n) {}
  ContractedAxes(int n) : count_(n) {}
  /// Axis a[i] of the first operand goes with axis b[i] of the second; negative ones count from the end.
  ContractedAxes(Dims a, Dims b) : listed_(true), a_(std::move(a)), b_(std::move(b)) {}

  /// The pairs for operands of these ranks, none negative. Throws InvalidArgument for axes that are out of
  /// range, named twice, or not as many on both sides.
  std::pair<Dims, Dims> of(std::size_t rank_a, std::size_t rank_b) const;

 private:
  std::int64_t count_ = 0;
  bool listed_ = false;
  Dims a_, b_;
};

namespace detail {
Output tensordot(const Output& a, const Output& b, const ContractedAxes& axes, const OpName& name);
}  // namespace detail

/// The sum of a times b over pairs of axes: `tensordot(a, b, 1)` is a product of matrices, `tensordot(a,
/// b, 0)`
/// the outer product, `tensordot(a, b, {{1, 2}, {0, 1}})` sums over two pairs. The other dimensions of a
/// come
/// first in the result, then those of b. Throws InvalidArgument where ranks are unknown or dimensions
/// differ.
template <AnyOperand A, AnyOperand B>
Op<common_element<A, B>> tensordot(A&& a, B&& b, const ContractedAxes& axes, OpName name = {}) {
  using T = common_element<A, B>;
  GraphCore* const core = detail::core_of(a, b);
  const Output x = detail::as_output<T>(a, name.location, core);
  const Output y = detail::as_output<T>(b, name.location, core);
  return Op<T>(detail::tensordot(x, y, axes, name));
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/tensordot.ipp>
#endif

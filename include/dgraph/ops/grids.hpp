#pragma once
// Masks and grids made of ops: sequence_mask, meshgrid.

#include <string_view>
#include <vector>

#include <dgraph/ops/math.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace detail {

Output sequence_mask(const Output& lengths, const Output& most, DType dtype, const OpName& name);
std::vector<Output> meshgrid(const std::vector<Output>& axes, std::string_view indexing,
                             const OpName& name);

}  // namespace detail

/// For each of `lengths` (integers of any shape) a row of `maxlen` elements, true as far as the length
/// goes: shape lengths.shape + [maxlen]. `sequence_mask<float>` gives ones and zeros.
template <Element T = bool, AnyOperand L, AnyOperand M>
Op<T> sequence_mask(L&& lengths, M&& maxlen, OpName name = {}) {
  using I = element_of<L>;
  GraphCore* const core = detail::core_of(lengths, maxlen);
  const Output ends = detail::as_output<I>(lengths, name.location, core);
  return Op<T>(detail::sequence_mask(ends, detail::as_output<I>(maxlen, name.location, core),
                                     dtype_of<T>, name));
}
/// The same with the largest of the lengths as `maxlen`.
template <Element T = bool, AnyOperand L>
Op<T> sequence_mask(L&& lengths, OpName name = {}) {
  const Output ends = detail::as_output<element_of<L>>(lengths, name.location, nullptr);
  return Op<T>(detail::sequence_mask(ends, {}, dtype_of<T>, name));
}

/// The coordinates of each point of the grid over these axes (vectors): one value for each of them, all
/// of one
/// shape. With "xy" the first two dimensions are swapped, so that points of two axes lie as on a page; with
/// "ij" dimension i belongs to axis i. Throws InvalidArgument for another word.
template <Element T>
std::vector<Op<T>> meshgrid(const std::vector<Op<T>>& axes, std::string_view indexing = "xy",
                            OpName name = {}) {
  std::vector<Op<T>> out;
  for (const Output& grid :
       detail::meshgrid(std::vector<Output>(axes.begin(), axes.end()), indexing, name))
    out.emplace_back(grid);
  return out;
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/grids.ipp>
#endif

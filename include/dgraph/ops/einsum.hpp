#pragma once
// Einsum: sums of products over labelled dimensions.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// One or two inputs whose dimensions are labelled, "ij,jk->ik": the product of the inputs summed over the
/// labels that the output has not. A label that one side has twice stands for its diagonal; "..." for
/// further dimensions, which are broadcast. InvalidArgument for an equation that does not fit.
struct Einsum {
  static constexpr auto signature =
      "Einsum(inputs: N * T) -> (output: T); equation: string; N: int >= 1; T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

namespace detail {

/// An equation whose "..." are dimensions of their own. A label is a character, or 256 + i for the i-th
/// of a "..." counted from its end.
struct EinsumEquation {
  static constexpr int kEllipsis = 256;
  std::vector<std::vector<int>> inputs;
  std::vector<int> output;
};
/// Throws InvalidArgument for text that is no equation, and ranks that do not fit it.
EinsumEquation parse_einsum(std::string_view equation, const std::vector<std::size_t>& ranks);

Output einsum(const std::string& equation, const std::vector<Output>& inputs, const OpName& name);

}  // namespace detail

/// An equation of einsum, and where it was written.
class Equation {
 public:
  Equation(const char* text, SourceLocation at = SourceLocation::current())
      : text_(text), at_(at) {}
  Equation(std::string text, SourceLocation at = SourceLocation::current())
      : text_(std::move(text)), at_(at) {}
  const std::string& text() const noexcept { return text_; }
  SourceLocation location() const noexcept { return at_; }

 private:
  std::string text_;
  SourceLocation at_;
};

/// The product of the inputs summed over the labels of dimensions that the result has not:
/// `einsum("ij,jk->ik", a, b)`, `einsum("ii->", a)`, `einsum("...ij->...ji", a)`. Without "->" the result has the labels that
/// occur once, in alphabetical order. Three and more inputs are multiplied one after another. Throws
/// InvalidArgument for an equation that does not fit.
template <AnyOperand X, AnyOperand... Xs>
Op<element_of<X>> einsum(const Equation& equation, X&& first, Xs&&... others) {
  using T = element_of<X>;
  const SourceLocation at = equation.location();
  GraphCore* const core = detail::core_of(first, others...);
  std::vector<Output> inputs{detail::as_output<T>(first, at, core)};
  (inputs.push_back(detail::as_output<T>(others, at, core)), ...);
  return Op<T>(detail::einsum(equation.text(), inputs, OpName(at)));
}

using EinsumOps = OpSet<ops::Einsum>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/einsum.ipp>
#endif

#pragma once
// Elements around a tensor: Pad, PadV2, MirrorPad.

#include <cstdint>
#include <initializer_list>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// Zeros around the input: paddings[i] = (before, after) of dimension i; shape [rank, 2].
struct Pad {
  static constexpr auto signature =
      "Pad(input: T, paddings: Tpaddings) -> (output: T); T: type; Tpaddings: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The same with `constant_values`, a scalar, in place of zeros. Its gradient is that of the input
/// alone, as TensorFlow's.
struct PadV2 {
  static constexpr auto signature =
      "PadV2(input: T, paddings: Tpaddings, constant_values: T) -> (output: T); T: type; "
      "Tpaddings: "
      "{index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The input's own elements around it, mirrored at its ends: REFLECT without the outermost ones (at
/// most n - 1 of them), SYMMETRIC with them (at most n).
struct MirrorPad {
  static constexpr auto signature =
      "MirrorPad(input: T, paddings: Tpaddings) -> (output: T); T: type; Tpaddings: {index} = "
      "int32; "
      "mode: {'REFLECT', 'SYMMETRIC'}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// What MirrorPad has put around is added to the elements that it came from.
struct MirrorPadGrad {
  static constexpr auto signature =
      "MirrorPadGrad(input: T, paddings: Tpaddings) -> (output: T); T: type; Tpaddings: {index} = "
      "int32; mode: {'REFLECT', 'SYMMETRIC'}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// What `pad` puts around a value.
enum class PadMode : std::uint8_t {
  Constant,   ///< zeros
  Reflect,    ///< its own elements, mirrored without the outermost ones
  Symmetric,  ///< its own elements, mirrored
};

namespace detail {

Output add_pad(const Output& x, const Output& paddings, PadMode mode, const OpName& name);

inline Output padding_table(std::initializer_list<std::initializer_list<std::int32_t>> paddings,
                            SourceLocation at, GraphCore* core) {
  return add_constant(to_tensor<std::int32_t>(paddings), OpName(at), core);
}
template <GraphValue P>
Output padding_table(const P& paddings, SourceLocation at, GraphCore*) {
  return as_output<element_of<P>>(paddings, at, nullptr);
}

template <class X, class P>
Op<element_of<X>> pad(X& x, const P& paddings, PadMode mode, const OpName& name) {
  using T = element_of<X>;
  const Output input = as_output<T>(x, name.location, nullptr);
  return Op<T>(add_pad(input, padding_table(paddings, name.location, input.core()), mode, name));
}
template <class X, class P, class V>
Op<element_of<X>> pad_with(X& x, const P& paddings, V& value, const OpName& name) {
  using T = element_of<X>;
  const Output input = as_output<T>(x, name.location, nullptr);
  const Output table = padding_table(paddings, name.location, input.core());
  return Op<T>(
      add_op<ops::PadV2>(name, input, table, as_output<T>(value, name.location, input.core())));
}

}  // namespace detail

/// Zeros, or its own elements mirrored, around x: `pad(x, {{0, 1}, {2, 2}})` puts one row behind, and
/// two columns on either side.
template <AnyOperand X>
Op<element_of<X>> pad(X&& x, std::initializer_list<std::initializer_list<std::int32_t>> paddings,
                      PadMode mode, OpName name = {}) {
  return detail::pad(x, paddings, mode, name);
}
template <AnyOperand X>
Op<element_of<X>> pad(X&& x, std::initializer_list<std::initializer_list<std::int32_t>> paddings,
                      OpName name = {}) {
  return detail::pad(x, paddings, PadMode::Constant, name);
}
template <AnyOperand X, GraphValue P>
Op<element_of<X>> pad(X&& x, const P& paddings, PadMode mode, OpName name = {}) {
  return detail::pad(x, paddings, mode, name);
}
template <AnyOperand X, GraphValue P>
Op<element_of<X>> pad(X&& x, const P& paddings, OpName name = {}) {
  return detail::pad(x, paddings, PadMode::Constant, name);
}
/// The number `value` around x.
template <AnyOperand X, NumberOperand V>
Op<element_of<X>> pad(X&& x, std::initializer_list<std::initializer_list<std::int32_t>> paddings,
                      V value, OpName name = {}) {
  return detail::pad_with(x, paddings, value, name);
}
template <AnyOperand X, GraphValue P, NumberOperand V>
Op<element_of<X>> pad(X&& x, const P& paddings, V value, OpName name = {}) {
  return detail::pad_with(x, paddings, value, name);
}

using PaddingOps = OpSet<ops::Pad, ops::PadV2, ops::MirrorPad, ops::MirrorPadGrad>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/padding.ipp>
#endif

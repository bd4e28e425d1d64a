#pragma once
// Elementwise arithmetic and functions: op structs with their rules, and the typed functions.

#include <vector>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// x + y, with numpy's broadcasting.
struct AddV2 {
  static constexpr auto signature = "AddV2(x: T, y: T) -> (z: T); T: {number}; commutative";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// x + y; strings are joined.
struct Add {
  static constexpr auto signature = "Add(x: T, y: T) -> (z: T); T: {number, string}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// x - y.
struct Sub {
  static constexpr auto signature = "Sub(x: T, y: T) -> (z: T); T: {number}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// x * y.
struct Mul {
  static constexpr auto signature = "Mul(x: T, y: T) -> (z: T); T: {number}; commutative";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// x / y of floating or complex numbers.
struct RealDiv {
  static constexpr auto signature = "RealDiv(x: T, y: T) -> (z: T); T: {number}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// x / y; integers are rounded towards zero. InvalidArgument for an integer y of 0.
struct Div {
  static constexpr auto signature = "Div(x: T, y: T) -> (z: T); T: {number}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// The floor of x / y. InvalidArgument for an integer y of 0. No gradient flows through it.
struct FloorDiv {
  static constexpr auto signature = "FloorDiv(x: T, y: T) -> (z: T); T: {number}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext&) {}
};

/// x - floor(x / y) * y: the remainder with the sign of y. InvalidArgument for an integer y of 0.
struct FloorMod {
  static constexpr auto signature = "FloorMod(x: T, y: T) -> (z: T); T: {real}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// The larger of x and y; NaN where either is.
struct Maximum {
  static constexpr auto signature = "Maximum(x: T, y: T) -> (z: T); T: {real}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// The smaller of x and y; NaN where either is.
struct Minimum {
  static constexpr auto signature = "Minimum(x: T, y: T) -> (z: T); T: {real}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// x to the power of y. InvalidArgument for a negative integer y.
struct Pow {
  static constexpr auto signature =
      "Pow(x: T, y: T) -> (z: T); T: {floating, complex, int8, int16, int32, int64}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// (x - y)^2; of complex numbers conj(x - y) (x - y).
struct SquaredDifference {
  static constexpr auto signature =
      "SquaredDifference(x: T, y: T) -> (z: T); T: {floating, complex, int32, int64}; commutative";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// The sum of N tensors of one shape.
struct AddN {
  static constexpr auto signature = "AddN(inputs: N * T) -> (sum: T); N: int >= 1; T: {number, variant}; commutative";
  static void shape(ShapeContext& c) { shapes::all_same(c); }
  static void gradient(GradientContext& g);
};

/// -x.
struct Neg {
  static constexpr auto signature =
      "Neg(x: T) -> (y: T); T: {floating, complex, int8, int16, int32, int64}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// |x| of real numbers.
struct Abs {
  static constexpr auto signature = "Abs(x: T) -> (y: T); T: {floating, int8, int16, int32, int64}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// -1, 0 or 1; x / |x| of complex numbers.
struct Sign {
  static constexpr auto signature =
      "Sign(x: T) -> (y: T); T: {floating, complex, int8, int16, int32, int64}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// x * x.
struct Square {
  static constexpr auto signature = "Square(x: T) -> (y: T); T: {number}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// 1 / x.
struct Reciprocal {
  static constexpr auto signature =
      "Reciprocal(x: T) -> (y: T); T: {floating, complex, int8, int16, int32, int64}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// -dy * y^2, for y = 1 / x. This and the Grad ops below take the conjugate of a complex y.
struct ReciprocalGrad {
  static constexpr auto signature = "ReciprocalGrad(y: T, dy: T) -> (z: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::all_same(c); }
  static void gradient(GradientContext& g);
};

/// The square root.
struct Sqrt {
  static constexpr auto signature = "Sqrt(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// dy * 0.5 / y, for y = sqrt(x).
struct SqrtGrad {
  static constexpr auto signature = "SqrtGrad(y: T, dy: T) -> (z: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::all_same(c); }
  static void gradient(GradientContext& g);
};

/// 1 / sqrt(x).
struct Rsqrt {
  static constexpr auto signature = "Rsqrt(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// dy * -0.5 * y^3, for y = 1 / sqrt(x).
struct RsqrtGrad {
  static constexpr auto signature = "RsqrtGrad(y: T, dy: T) -> (z: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::all_same(c); }
  static void gradient(GradientContext& g);
};

/// e^x.
struct Exp {
  static constexpr auto signature = "Exp(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The natural logarithm.
struct Log {
  static constexpr auto signature = "Log(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// log(1 + x), exact near 0.
struct Log1p {
  static constexpr auto signature = "Log1p(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The hyperbolic tangent.
struct Tanh {
  static constexpr auto signature = "Tanh(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// dy * (1 - y^2), for y = tanh(x).
struct TanhGrad {
  static constexpr auto signature = "TanhGrad(y: T, dy: T) -> (z: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::all_same(c); }
  static void gradient(GradientContext& g);
};

/// 1 / (1 + e^-x).
struct Sigmoid {
  static constexpr auto signature = "Sigmoid(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// dy * y * (1 - y), for y = sigmoid(x).
struct SigmoidGrad {
  static constexpr auto signature = "SigmoidGrad(y: T, dy: T) -> (z: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::all_same(c); }
  static void gradient(GradientContext& g);
};

/// max(features, 0); NaN stays.
struct Relu {
  static constexpr auto signature = "Relu(features: T) -> (activations: T); T: {real}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// gradients where features > 0, else 0; `features` may be the op's input or its output.
struct ReluGrad {
  static constexpr auto signature = "ReluGrad(gradients: T, features: T) -> (backprops: T); T: {real}";
  static void shape(ShapeContext& c) { shapes::all_same(c); }
  static void gradient(GradientContext& g);
};

/// The elements as DstT: complex to real drops the imaginary part, anything but 0 is true, floats lose their fraction.
struct Cast {
  static constexpr auto signature = "Cast(x: SrcT) -> (y: DstT); SrcT: type; DstT: type; Truncate: bool = false";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// @name Functions of two operands, with numpy's broadcasting.
/// Operands are graph values, variables, numbers, xtensor expressions or std::vectors, all of one dtype. Each throws
/// InvalidArgument where the shapes cannot be broadcast together.
/// @{
#define DGRAPH_DETAIL_BINARY(function, op)                                \
  template <AnyOperand A, AnyOperand B>                                   \
  Op<common_element<A, B>> function(A&& a, B&& b, OpName name = {}) {     \
    return detail::binary<ops::op, common_element<A, B>>(name, a, b);     \
  }
/// a + b
DGRAPH_DETAIL_BINARY(add, AddV2)
/// a - b
DGRAPH_DETAIL_BINARY(subtract, Sub)
/// a * b
DGRAPH_DETAIL_BINARY(multiply, Mul)
/// a / b; integers are rounded towards zero
template <AnyOperand A, AnyOperand B>
Op<common_element<A, B>> divide(A&& a, B&& b, OpName name = {}) {
  using T = common_element<A, B>;
  using Divide = std::conditional_t<is_integer(dtype_of<T>), ops::Div, ops::RealDiv>;
  return detail::binary<Divide, T>(name, a, b);
}
/// a / b as TensorFlow's Div: integers are rounded towards zero
DGRAPH_DETAIL_BINARY(div, Div)
/// floor(a / b)
DGRAPH_DETAIL_BINARY(floordiv, FloorDiv)
/// The remainder of floordiv, with the sign of b
DGRAPH_DETAIL_BINARY(floormod, FloorMod)
/// The larger one; NaN where either is
DGRAPH_DETAIL_BINARY(maximum, Maximum)
/// The smaller one; NaN where either is
DGRAPH_DETAIL_BINARY(minimum, Minimum)
/// a to the power of b
DGRAPH_DETAIL_BINARY(pow, Pow)
/// (a - b)^2
DGRAPH_DETAIL_BINARY(squared_difference, SquaredDifference)
#undef DGRAPH_DETAIL_BINARY
/// @}

/// @name Functions of each element; the result has the operand's shape and dtype.
/// @{
#define DGRAPH_DETAIL_UNARY(function, op)                                                             \
  template <AnyOperand X>                                                                             \
  Op<element_of<X>> function(X&& x, OpName name = {}) {                                               \
    return detail::unary<ops::op, element_of<X>>(name, x);                                            \
  }
DGRAPH_DETAIL_UNARY(negative, Neg)
DGRAPH_DETAIL_UNARY(abs, Abs)
DGRAPH_DETAIL_UNARY(sign, Sign)
DGRAPH_DETAIL_UNARY(square, Square)
DGRAPH_DETAIL_UNARY(reciprocal, Reciprocal)
DGRAPH_DETAIL_UNARY(sqrt, Sqrt)
DGRAPH_DETAIL_UNARY(rsqrt, Rsqrt)
DGRAPH_DETAIL_UNARY(exp, Exp)
DGRAPH_DETAIL_UNARY(log, Log)
DGRAPH_DETAIL_UNARY(log1p, Log1p)
DGRAPH_DETAIL_UNARY(tanh, Tanh)
DGRAPH_DETAIL_UNARY(sigmoid, Sigmoid)
DGRAPH_DETAIL_UNARY(relu, Relu)
#undef DGRAPH_DETAIL_UNARY
/// @}

/// The elements as dtype To: `cast<float>(labels)`. The operand itself where it has that dtype already.
template <Element To, AnyOperand X>
Op<To> cast(X&& x, OpName name = {}) {
  const Output from = detail::as_output<element_of<X>>(x, name.location, nullptr);
  if (from.dtype() == dtype_of<To> && !from.is_ref()) return Op<To>(from);
  return Op<To>(add_op<ops::Cast>(name, from, "DstT", dtype_of<To>));
}

/// The sum of tensors of one shape; one alone is returned as it is. Throws InvalidArgument for none.
template <Element T>
Op<T> add_n(const std::vector<Op<T>>& values, OpName name = {}) {
  if (values.size() == 1) return values[0];
  return Op<T>(add_op<ops::AddN>(name, std::vector<Output>(values.begin(), values.end())));
}

using MathOps =
    OpSet<ops::AddV2, ops::Add, ops::Sub, ops::Mul, ops::RealDiv, ops::Div, ops::FloorDiv, ops::FloorMod, ops::Maximum,
          ops::Minimum, ops::Pow, ops::SquaredDifference, ops::AddN, ops::Neg, ops::Abs, ops::Sign, ops::Square,
          ops::Reciprocal, ops::ReciprocalGrad, ops::Sqrt, ops::SqrtGrad, ops::Rsqrt, ops::RsqrtGrad, ops::Exp, ops::Log,
          ops::Log1p, ops::Tanh, ops::TanhGrad, ops::Sigmoid, ops::SigmoidGrad, ops::Relu, ops::ReluGrad, ops::Cast>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/math.ipp>
#endif

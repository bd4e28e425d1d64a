#pragma once
// Random values that depend on a seed given as an input and on nothing else.

#include <cstdint>
#include <type_traits>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>
#include <dgraph/ops/random.hpp>

namespace dgraph {
namespace shapes {

/// Output 0 has the shape that input 0 holds; input 1 is a seed, two integers.
void stateless_random(ShapeContext& c);

}  // namespace shapes

/// In all: seed is a vector of two integers.
namespace ops {

/// Uniform in [0, 1), shape `shape`.
struct StatelessRandomUniform {
  static constexpr auto signature =
      "StatelessRandomUniform(shape: T, seed: Tseed) -> (output: dtype); dtype: {floating} = "
      "float32; "
      "T: {index} = int32; Tseed: {index} = int64";
  static void shape(ShapeContext& c) { shapes::stateless_random(c); }
  static void gradient(GradientContext&) {}
};

/// Normal of mean 0 and deviation 1.
struct StatelessRandomNormal {
  static constexpr auto signature =
      "StatelessRandomNormal(shape: T, seed: Tseed) -> (output: dtype); dtype: {floating} = "
      "float32; "
      "T: {index} = int32; Tseed: {index} = int64";
  static void shape(ShapeContext& c) { shapes::stateless_random(c); }
  static void gradient(GradientContext&) {}
};

/// The same, values beyond two deviations drawn again.
struct StatelessTruncatedNormal {
  static constexpr auto signature =
      "StatelessTruncatedNormal(shape: T, seed: Tseed) -> (output: dtype); dtype: {floating} = "
      "float32; "
      "T: {index} = int32; Tseed: {index} = int64";
  static void shape(ShapeContext& c) { shapes::stateless_random(c); }
  static void gradient(GradientContext&) {}
};

/// Uniform integers in [minval, maxval), both scalars; InvalidArgument for an empty range.
struct StatelessRandomUniformInt {
  static constexpr auto signature =
      "StatelessRandomUniformInt(shape: T, seed: Tseed, minval: dtype, maxval: dtype) -> (output: "
      "dtype); "
      "dtype: {index}; T: {index} = int32; Tseed: {index} = int64";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// Uniform over all integers of the dtype.
struct StatelessRandomUniformFullInt {
  static constexpr auto signature =
      "StatelessRandomUniformFullInt(shape: T, seed: Tseed) -> (output: dtype); "
      "dtype: {int32, int64, uint32, uint64} = uint64; T: {index} = int32; Tseed: {uint32, uint64, "
      "int32, int64} = int64";
  static void shape(ShapeContext& c) { shapes::stateless_random(c); }
  static void gradient(GradientContext&) {}
};

/// `num_samples` classes for each row of logits [batch, classes], drawn with probability
/// softmax(row): shape [batch, num_samples].
struct StatelessMultinomial {
  static constexpr auto signature =
      "StatelessMultinomial(logits: T, num_samples: int32, seed: Tseed) -> (output: output_dtype); "
      "T: {real}; "
      "Tseed: {index} = int64; output_dtype: {index} = int64";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

}  // namespace ops

namespace detail {

/// A node of type `def` that draws numbers of that shape and dtype from `seed`, two integers.
Output add_stateless_random(const OpDef& def, const IntegersArg& shape, const IntegersArg& seed,
                            DType dtype, const OpName& name);
Output add_stateless_integers(const IntegersArg& shape, const IntegersArg& seed, const Tensor& low,
                              const Tensor& high, const OpName& name);

}  // namespace detail

/// Uniform in [low, high), of that shape, given by the two integers of `seed`:
/// `stateless_random_uniform<float>({3}, {1, 2}, 0.f, 1.f)`.
template <Element T = float>
Op<T> stateless_random_uniform(const IntegersArg& shape, const IntegersArg& seed,
                               std::type_identity_t<T> low, std::type_identity_t<T> high,
                               OpName name = {}) {
  if constexpr (is_integer(dtype_of<T>)) {
    static_assert(dtype_of<T> == DType::Int32 || dtype_of<T> == DType::Int64,
                  "dgraph: random integers are int32 or int64; convert them with dg::cast<T>(x)");
    return Op<T>(detail::add_stateless_integers(shape, seed, Tensor::scalar<T>(low),
                                                Tensor::scalar<T>(high), name));
  } else {
    const Output unit = detail::add_stateless_random(definition<ops::StatelessRandomUniform>(),
                                                     shape, seed, dtype_of<T>, name);
    const double from = static_cast<double>(low), width = static_cast<double>(high) - from;
    return Op<T>(detail::scaled_and_moved(unit, width, from, name));
  }
}
/// Uniform in [0, 1) for floating T; over all integers of the dtype for int32, int64, uint32 and
/// uint64.
template <Element T = float>
Op<T> stateless_random_uniform(const IntegersArg& shape, const IntegersArg& seed,
                               OpName name = {}) {
  const OpDef& def = is_integer(dtype_of<T>) ? definition<ops::StatelessRandomUniformFullInt>()
                                             : definition<ops::StatelessRandomUniform>();
  return Op<T>(detail::add_stateless_random(def, shape, seed, dtype_of<T>, name));
}

/// Normal with that mean and standard deviation.
template <Element T = float>
Op<T> stateless_random_normal(const IntegersArg& shape, const IntegersArg& seed, double mean = 0,
                              double stddev = 1, OpName name = {}) {
  const Output unit = detail::add_stateless_random(definition<ops::StatelessRandomNormal>(), shape,
                                                   seed, dtype_of<T>, name);
  return Op<T>(detail::scaled_and_moved(unit, stddev, mean, name));
}

/// The same, values beyond two standard deviations drawn again.
template <Element T = float>
Op<T> stateless_truncated_normal(const IntegersArg& shape, const IntegersArg& seed, double mean = 0,
                                 double stddev = 1, OpName name = {}) {
  const Output unit = detail::add_stateless_random(definition<ops::StatelessTruncatedNormal>(),
                                                   shape, seed, dtype_of<T>, name);
  return Op<T>(detail::scaled_and_moved(unit, stddev, mean, name));
}

/// Classes drawn with the probabilities softmax(logits), `num_samples` a row, given by the two
/// integers of `seed`.
template <AnyOperand X>
Op<std::int64_t> stateless_multinomial(X&& logits, std::int32_t num_samples,
                                       const IntegersArg& seed, OpName name = {}) {
  const Output rows = detail::as_output<element_of<X>>(logits, name.location, nullptr);
  const Output count =
      detail::add_constant(Tensor::scalar(num_samples), OpName(name.location), rows.core());
  return Op<std::int64_t>(
      add_op<ops::StatelessMultinomial>(name, rows, count, seed.node(name.location, rows.core())));
}

using StatelessRandomOps = OpSet<ops::StatelessRandomUniform, ops::StatelessRandomNormal,
                                 ops::StatelessTruncatedNormal, ops::StatelessRandomUniformInt,
                                 ops::StatelessRandomUniformFullInt, ops::StatelessMultinomial>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/stateless_random.ipp>
#endif

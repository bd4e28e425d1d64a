#pragma once
// Random values from counter-based streams (Philox4x32-10): every op has its own.

#include <cstdint>
#include <optional>
#include <type_traits>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace shapes {

/// [batch, num_samples] of inputs (logits [batch, classes], num_samples).
void multinomial(ShapeContext& c);

}  // namespace shapes

namespace ops {

/// Uniform in [0, 1), shape `shape`. With seed and seed2 both 0 the stream is seeded at random,
/// once a session.
struct RandomUniform {
  static constexpr auto signature =
      "RandomUniform(shape: T) -> (output: dtype); seed: int = 0; seed2: int = 0; dtype: {floating}; T: {index}; stateful";
  static void shape(ShapeContext& c) { c.set_output(0, c.as_shape(0)); }
};

/// Uniform integers in [minval, maxval), both scalars.
struct RandomUniformInt {
  static constexpr auto signature =
      "RandomUniformInt(shape: T, minval: Tout, maxval: Tout) -> (output: Tout); seed: int = 0; seed2: int = 0; "
      "Tout: {index}; T: {index}; stateful";
  static void shape(ShapeContext& c);
};

/// Normal of mean 0 and deviation 1.
struct RandomStandardNormal {
  static constexpr auto signature =
      "RandomStandardNormal(shape: T) -> (output: dtype); seed: int = 0; seed2: int = 0; dtype: {floating}; T: {index}; "
      "stateful";
  static void shape(ShapeContext& c) { c.set_output(0, c.as_shape(0)); }
};

/// The same, values beyond two deviations drawn again.
struct TruncatedNormal {
  static constexpr auto signature =
      "TruncatedNormal(shape: T) -> (output: dtype); seed: int = 0; seed2: int = 0; dtype: {floating}; T: {index}; "
      "stateful";
  static void shape(ShapeContext& c) { c.set_output(0, c.as_shape(0)); }
};

/// The rows of value in random order.
struct RandomShuffle {
  static constexpr auto signature =
      "RandomShuffle(value: T) -> (output: T); seed: int = 0; seed2: int = 0; T: type; stateful";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
};

/// `num_samples` classes for each row of logits [batch, classes], drawn with probability
/// softmax(row): shape [batch, num_samples].
struct Multinomial {
  static constexpr auto signature =
      "Multinomial(logits: T, num_samples: int32) -> (output: output_dtype); seed: int = 0; seed2: int = 0; T: {real}; "
      "output_dtype: {index} = int64; stateful";
  static void shape(ShapeContext& c) { shapes::multinomial(c); }
};

}  // namespace ops

/// The seed of one random op: with it the op draws the same numbers in each session, whatever else
/// is in the graph.
using Seed = std::optional<std::int64_t>;

/// From now on random ops of this thread's default graph draw the same numbers in each session: one
/// without a seed of its own draws its seed from this one and from its place in the graph.
void set_random_seed(std::int64_t seed);

namespace detail {

/// The attributes seed and seed2 of a new random op.
struct SeedPair {
  std::int64_t seed, seed2;
};
/// TensorFlow's rule: (graph seed, op seed); the op's place in the graph, or 87654321, for the one
/// that is missing; both 0, which stands for "at random", where both are.
SeedPair seed_pair(const GraphCore& core, Seed seed);

/// A node of type `def` that draws numbers of that shape and dtype.
Output add_random(const OpDef& def, const IntegersArg& shape, DType dtype, Seed seed, const OpName& name);
/// value * scale + offset; what would change nothing is left out.
Output scaled_and_moved(const Output& value, double scale, double offset, const OpName& name);
/// Integers in [low, high) of the dtype of both.
Output add_random_integers(const IntegersArg& shape, const Tensor& low, const Tensor& high, Seed seed,
                           const OpName& name);

}  // namespace detail

/// Uniform in [low, high), of that shape: `random_uniform<float>({1}, -1.f, 1.f)`,
/// `random_uniform<int>({3}, 0, 10)`.
template <Element T = float>
Op<T> random_uniform(const IntegersArg& shape, std::type_identity_t<T> low, std::type_identity_t<T> high, Seed seed = {},
                     OpName name = {}) {
  if constexpr (is_integer(dtype_of<T>)) {
    static_assert(dtype_of<T> == DType::Int32 || dtype_of<T> == DType::Int64,
                  "dgraph: random integers are int32 or int64; convert them with dg::cast<T>(x)");
    return Op<T>(detail::add_random_integers(shape, Tensor::scalar<T>(low), Tensor::scalar<T>(high), seed, name));
  } else {
    const Output unit = detail::add_random(definition<ops::RandomUniform>(), shape, dtype_of<T>, seed, name);
    const double from = static_cast<double>(low), width = static_cast<double>(high) - from;
    return Op<T>(detail::scaled_and_moved(unit, width, from, name));
  }
}
/// Uniform in [0, 1).
template <Element T = float>
Op<T> random_uniform(const IntegersArg& shape, OpName name = {}) {
  static_assert(is_floating(dtype_of<T>), "dgraph: random integers need bounds: random_uniform<T>(shape, low, high)");
  return Op<T>(detail::add_random(definition<ops::RandomUniform>(), shape, dtype_of<T>, {}, name));
}

/// Normal with that mean and standard deviation.
template <Element T = float>
Op<T> random_normal(const IntegersArg& shape, double mean = 0, double stddev = 1, Seed seed = {}, OpName name = {}) {
  static_assert(is_floating(dtype_of<T>), "dgraph: normal numbers are float or double");
  const Output unit = detail::add_random(definition<ops::RandomStandardNormal>(), shape, dtype_of<T>, seed, name);
  return Op<T>(detail::scaled_and_moved(unit, stddev, mean, name));
}

/// The same, values beyond two standard deviations drawn again.
template <Element T = float>
Op<T> truncated_normal(const IntegersArg& shape, double mean = 0, double stddev = 1, Seed seed = {}, OpName name = {}) {
  static_assert(is_floating(dtype_of<T>), "dgraph: normal numbers are float or double");
  const Output unit = detail::add_random(definition<ops::TruncatedNormal>(), shape, dtype_of<T>, seed, name);
  return Op<T>(detail::scaled_and_moved(unit, stddev, mean, name));
}

/// The rows of x in random order.
template <AnyOperand X>
Op<element_of<X>> random_shuffle(X&& x, Seed seed = {}, OpName name = {}) {
  using T = element_of<X>;
  const Output rows = detail::as_output<T>(x, name.location, nullptr);
  const detail::SeedPair seeds = detail::seed_pair(*rows.core(), seed);
  return Op<T>(add_op<ops::RandomShuffle>(name, rows, "seed", seeds.seed, "seed2", seeds.seed2));
}

/// Classes drawn with the probabilities softmax(logits): `num_samples` for each row of logits
/// [batch, classes].
template <AnyOperand X>
Op<std::int64_t> multinomial(X&& logits, std::int32_t num_samples, Seed seed = {}, OpName name = {}) {
  const Output rows = detail::as_output<element_of<X>>(logits, name.location, nullptr);
  const Output count = detail::add_constant(Tensor::scalar(num_samples), OpName(name.location), rows.core());
  const detail::SeedPair seeds = detail::seed_pair(*rows.core(), seed);
  return Op<std::int64_t>(add_op<ops::Multinomial>(name, rows, count, "seed", seeds.seed, "seed2", seeds.seed2));
}

using RandomOps = OpSet<ops::RandomUniform, ops::RandomUniformInt, ops::RandomStandardNormal, ops::TruncatedNormal,
                        ops::RandomShuffle, ops::Multinomial>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/random.ipp>
#endif

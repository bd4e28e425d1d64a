#pragma once
// Random values from counter-based streams (Philox4x32-10): every op has its own, whatever else is in the graph.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {
namespace ops {

/// Uniform in [0, 1), shape `shape`. With seed and seed2 both 0 the stream is seeded at random, once a session.
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

}  // namespace ops

using RandomOps = OpSet<ops::RandomUniform, ops::RandomUniformInt, ops::RandomStandardNormal, ops::TruncatedNormal,
                        ops::RandomShuffle>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/random.ipp>
#endif

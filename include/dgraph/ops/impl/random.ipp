#pragma once
#include <dgraph/ops/random.hpp>

#include <limits>

#include <dgraph/ops/math.hpp>

namespace dgraph {
namespace shapes {

DGRAPH_DECL void multinomial(ShapeContext& c) {
  const PartialShape logits = c.with_rank(0, 2);
  c.with_rank(1, 0);
  Dims out{logits.has_rank() ? logits[0] : PartialShape::kUnknown, PartialShape::kUnknown};
  if (const auto count = c.integers(1); count && count->size() == 1 && (*count)[0] != kUnknownValue) {
    if ((*count)[0] < 0) fail(Code::InvalidArgument, "num_samples must not be negative, got ", (*count)[0]);
    out[1] = (*count)[0];
  }
  c.set_output(0, PartialShape(std::move(out)));
}

}  // namespace shapes

namespace ops {

DGRAPH_DECL void RandomUniformInt::shape(ShapeContext& c) {
  c.with_rank(1, 0);
  c.with_rank(2, 0);
  c.set_output(0, c.as_shape(0));
}

}  // namespace ops

DGRAPH_DECL void set_random_seed(std::int64_t seed) { need_build_context().core->set_random_seed(seed); }

namespace detail {

DGRAPH_DECL SeedPair seed_pair(const GraphCore& core, Seed seed) {
  constexpr std::int64_t kDefaultGraphSeed = 87654321, kMost = std::numeric_limits<std::int32_t>::max();
  const std::optional<std::int64_t> graph_seed = core.random_seed();
  if (!graph_seed && !seed) return {0, 0};
  const auto inside = [](std::int64_t value) { return ((value % kMost) + kMost) % kMost; };
  const SeedPair out{inside(graph_seed.value_or(kDefaultGraphSeed)),
                     inside(seed ? *seed : static_cast<std::int64_t>(core.size()))};
  // Both 0 would be seeded at random.
  return out.seed == 0 && out.seed2 == 0 ? SeedPair{0, kMost} : out;
}

DGRAPH_DECL Output add_random(const OpDef& def, const IntegersArg& shape, DType dtype, Seed seed, const OpName& name) {
  const Output dims = shape.node(name.location, nullptr);
  const SeedPair seeds = seed_pair(*dims.core(), seed);
  NodeBuilder builder(def, name);
  builder.input(dims);
  builder.attr("dtype", dtype);
  builder.attr("seed", seeds.seed);
  builder.attr("seed2", seeds.seed2);
  return builder.add();
}

DGRAPH_DECL Output scaled_and_moved(const Output& value, double scale, double offset, const OpName& name) {
  const OpName at(name.location);
  Output out = value;
  const auto number = [&](double x) { return add_constant(scalar_tensor(value.dtype(), x), at, value.core()); };
  if (scale != 1) out = add_op<ops::Mul>(at, out, number(scale));
  if (offset != 0) out = add_op<ops::AddV2>(at, out, number(offset));
  return out;
}

DGRAPH_DECL Output add_random_integers(const IntegersArg& shape, const Tensor& low, const Tensor& high, Seed seed,
                                       const OpName& name) {
  const Output dims = shape.node(name.location, nullptr);
  const Output from = add_constant(low, OpName(name.location), dims.core());
  const Output to = add_constant(high, OpName(name.location), dims.core());
  const SeedPair seeds = seed_pair(*dims.core(), seed);
  return add_op<ops::RandomUniformInt>(name, dims, from, to, "seed", seeds.seed, "seed2", seeds.seed2);
}

}  // namespace detail
}  // namespace dgraph

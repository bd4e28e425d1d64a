#pragma once
#include <dgraph/ops/stateless_random.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL void check_seed_shape(ShapeContext& c, std::size_t input) {
  const PartialShape seed = c.with_rank(input, 1);
  if (!seed.compatible_with(PartialShape{2}))
    fail(Code::InvalidArgument, "seed must have shape [2], not ", seed);
}

}  // namespace detail

namespace shapes {

DGRAPH_DECL void stateless_random(ShapeContext& c) {
  detail::check_seed_shape(c, 1);
  c.set_output(0, c.as_shape(0));
}

}  // namespace shapes

namespace ops {

DGRAPH_DECL void StatelessRandomUniformInt::shape(ShapeContext& c) {
  c.with_rank(2, 0);
  c.with_rank(3, 0);
  shapes::stateless_random(c);
}

DGRAPH_DECL void StatelessMultinomial::shape(ShapeContext& c) {
  detail::check_seed_shape(c, 2);
  shapes::multinomial(c);
}

}  // namespace ops

namespace detail {

DGRAPH_DECL Output add_stateless_random(const OpDef& def, const IntegersArg& shape,
                                        const IntegersArg& seed, DType dtype, const OpName& name) {
  const Output dims = shape.node(name.location, nullptr);
  NodeBuilder builder(def, name);
  builder.input(dims);
  builder.input(seed.node(name.location, dims.core()));
  builder.attr("dtype", dtype);
  return builder.add();
}

DGRAPH_DECL Output add_stateless_integers(const IntegersArg& shape, const IntegersArg& seed,
                                          const Tensor& low, const Tensor& high,
                                          const OpName& name) {
  const Output dims = shape.node(name.location, nullptr);
  const Output numbers = seed.node(name.location, dims.core());
  const Output from = add_constant(low, OpName(name.location), dims.core());
  const Output to = add_constant(high, OpName(name.location), dims.core());
  return add_op<ops::StatelessRandomUniformInt>(name, dims, numbers, from, to);
}

}  // namespace detail
}  // namespace dgraph

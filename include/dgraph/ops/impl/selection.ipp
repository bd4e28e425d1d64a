#pragma once
#include <dgraph/ops/selection.hpp>

#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/rules.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph {
namespace ops {

DGRAPH_DECL void SelectV2::shape(ShapeContext& c) {
  c.set_output(0, broadcast_shapes(broadcast_shapes(c.input(0), c.input(1)), c.input(2)));
}

DGRAPH_DECL void SelectV2::gradient(GradientContext& g) {
  const Output dy = g.dy(), zeros = g.zeros_like(dy);
  if (g.needs(1)) g.set(1, rules::sum_like(g, g.add<SelectV2>(g.x(0), dy, zeros), g.x(1)));
  if (g.needs(2)) g.set(2, rules::sum_like(g, g.add<SelectV2>(g.x(0), zeros, dy), g.x(2)));
}

DGRAPH_DECL void Where::shape(ShapeContext& c) {
  const PartialShape& in = c.input(0);
  c.set_output(0, in.has_rank()
                      ? PartialShape{PartialShape::kUnknown, static_cast<std::int64_t>(in.rank())}
                      : PartialShape::of_rank(2));
}

}  // namespace ops

namespace detail {

DGRAPH_DECL Output boolean_mask(const Output& x, const Output& mask, std::int64_t axis,
                                const OpName& name) {
  const PartialShape &shape = x.shape(), &over = mask.shape();
  if (!over.has_rank() || over.rank() == 0)
    fail(Code::InvalidArgument, "a mask needs a known rank of at least 1, not shape ", over);
  if (!shape.has_rank()) fail(Code::InvalidArgument, "what is masked needs a known rank");
  const std::size_t first = shapes::axis(axis, shape.rank()), last = first + over.rank();
  const PartialShape covered(
      Dims(std::span(shape.dims().data() + first, std::min(shape.rank(), last) - first)));
  if (last > shape.rank() || !covered.compatible_with(over))
    fail(Code::InvalidArgument, "a mask of shape ", over, " does not fit shape ", shape,
         " from axis ", first);
  const OpName at(name.location);
  const auto numbers = [&](const Dims& values) {
    return add_constant(index_tensor(values), at, x.core());
  };
  Output flat = x;
  if (over.rank() > 1) {
    const Output sizes = add_op<ops::Shape>(at, x);
    const auto part = [&](std::size_t begin, std::size_t end) {
      return add_op<ops::Slice>(at, sizes, numbers({static_cast<std::int64_t>(begin)}),
                                numbers({static_cast<std::int64_t>(end - begin)}));
    };
    const Output count = add_op<ops::Reshape>(at, add_op<ops::Size>(at, mask), numbers({1}));
    const std::vector<Output> parts{part(0, first), count, part(last, shape.rank())};
    const Output along = add_constant(Tensor::scalar<std::int32_t>(0), at, x.core());
    flat = add_op<ops::Reshape>(at, x, add_op<ops::ConcatV2>(at, parts, along));
  }
  const Output row = over.rank() > 1 ? add_op<ops::Reshape>(at, mask, numbers({-1})) : mask;
  const Output found = add_op<ops::Where>(at, row);
  const Output places =
      add_op<ops::Squeeze>(at, found, "squeeze_dims", std::vector<std::int64_t>{1});
  const Output along = add_constant(Tensor::scalar(static_cast<std::int32_t>(first)), at, x.core());
  return add_op<ops::GatherV2>(name, flat, places, along);
}

}  // namespace detail
}  // namespace dgraph

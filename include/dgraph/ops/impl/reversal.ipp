#pragma once
#include <dgraph/ops/reversal.hpp>

#include <vector>

#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/math.hpp>

namespace dgraph::ops {

DGRAPH_DECL void ReverseV2::shape(ShapeContext& c) {
  c.with_rank(1, 1);
  const PartialShape& in = c.input(0);
  c.set_output(0, in);
  const auto axes = c.integers(1);
  if (!axes || !in.has_rank()) return;
  std::vector<bool> taken(in.rank(), false);
  for (std::int64_t a : *axes) {
    if (a == kUnknownValue) continue;
    const std::size_t axis = shapes::axis(a, in.rank());
    if (taken[axis]) fail(Code::InvalidArgument, "axis ", axis, " is to be reversed twice");
    taken[axis] = true;
  }
}
DGRAPH_DECL void ReverseV2::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<ReverseV2>(g.dy(), g.x(1)));
}

DGRAPH_DECL void ReverseSequence::shape(ShapeContext& c) {
  const PartialShape lengths = c.with_rank(1, 1);
  const PartialShape& in = c.input(0);
  const auto seq = c.attr<std::int64_t>("seq_dim"), batch = c.attr<std::int64_t>("batch_dim");
  if (seq < 0 || batch < 0 || seq == batch)
    fail(Code::InvalidArgument, "seq_dim ", seq, " and batch_dim ", batch,
         " must be two different dimensions, counted from the front");
  if (!in.has_rank()) return;
  const auto rank = static_cast<std::int64_t>(in.rank());
  if (seq >= rank || batch >= rank)
    fail(Code::InvalidArgument, "seq_dim ", seq, " or batch_dim ", batch,
         " is no dimension of shape ", in);
  Dims out = in.dims();
  std::int64_t& rows = out[static_cast<std::size_t>(batch)];
  if (rows >= 0 && lengths[0] >= 0 && rows != lengths[0])
    fail(Code::InvalidArgument, "there are ", lengths[0], " lengths for dimension ", batch,
         " of shape ", in);
  if (rows < 0) rows = lengths[0];
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void ReverseSequence::gradient(GradientContext& g) {
  if (g.needs(0))
    g.set(0, g.add<ReverseSequence>(g.dy(), g.x(1), "seq_dim", g.attr<std::int64_t>("seq_dim"),
                                    "batch_dim", g.attr<std::int64_t>("batch_dim")));
}

DGRAPH_DECL void Roll::shape(ShapeContext& c) {
  const PartialShape in = c.with_rank_at_least(0, 1);
  for (std::size_t i = 1; i < 3; ++i)
    if (c.input(i).has_rank() && c.input(i).rank() > 1)
      fail(Code::InvalidArgument, "shift and axis must be scalars or vectors, not of shape ",
           c.input(i));
  if (!c.input(1).compatible_with(c.input(2)))
    fail(Code::InvalidArgument, "shift and axis must have one shape, not ", c.input(1), " and ",
         c.input(2));
  c.set_output(0, in);
  const auto axes = c.integers(2);
  if (!axes || !in.has_rank()) return;
  for (std::int64_t a : *axes)
    if (a != kUnknownValue) shapes::axis(a, in.rank());
}
DGRAPH_DECL void Roll::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<Roll>(g.dy(), g.add<Neg>(g.x(1)), g.x(2)));
}

}  // namespace dgraph::ops

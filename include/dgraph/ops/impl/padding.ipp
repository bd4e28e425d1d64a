#pragma once
#include <dgraph/ops/padding.hpp>

#include <string>

#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

// The shape of what lies inside or around input 0 by the paddings of input 1. A mirror image has at
// most as many elements as its dimension, one less where it leaves the outermost out.
DGRAPH_DECL void padded_shape(ShapeContext& c, bool inside, bool mirrored) {
  const PartialShape paddings = c.with_rank(1, 2);
  const PartialShape& in = c.input(0);
  const PartialShape wanted{in.has_rank() ? static_cast<std::int64_t>(in.rank()) : -1, 2};
  if (!paddings.compatible_with(wanted))
    fail(Code::InvalidArgument, "the paddings must have shape ", wanted, " for an input of shape ",
         in, ", not ", paddings);
  const std::int64_t rank = paddings.merged_with(wanted)[0];
  if (rank < 0 || rank > 254) return;
  const std::int64_t skipped = mirrored && c.attr<std::string>("mode") == "REFLECT" ? 1 : 0;
  Dims out(static_cast<std::size_t>(rank), PartialShape::kUnknown);
  if (const auto known = shapes::constant_elements(c, 1)) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::int64_t before = (*known)[2 * i], after = (*known)[2 * i + 1];
      if (before < 0 || after < 0)
        fail(Code::InvalidArgument, "the paddings of dimension ", i, " are negative");
      const std::int64_t dim = in.has_rank() ? in[i] : -1;
      if (dim < 0) continue;
      if (inside) {
        if (after > dim || before > dim - after)
          fail(Code::InvalidArgument, "dimension ", i, " of ", in, " is less than its paddings ",
               before, " and ", after);
        out[i] = dim - after - before;
      } else if (__builtin_add_overflow(dim, before, &out[i]) ||
                 __builtin_add_overflow(out[i], after, &out[i])) {
        fail(Code::InvalidArgument, "dimension ", i, " would have 2^63 elements or more");
      }
      const std::int64_t most = (inside ? out[i] : dim) - skipped;
      if (mirrored && (before > most || after > most))
        fail(Code::InvalidArgument, "paddings ", before, " and ", after, " of dimension ", i,
             " are more than the ", most, " elements that can be mirrored");
    }
  }
  c.set_output(0, PartialShape(std::move(out)));
}

// The gradient of elements put around: what lies inside.
DGRAPH_DECL void unpad_gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output x = g.x(0), paddings = g.x(1);
  const DType index = paddings.dtype();
  Output begin;
  if (const auto value = constant_tensor(*x.core(), paddings.endpoint())) {
    Dims before;
    for (std::int64_t i = 0; i < value->dim(0); ++i)
      before.push_back(index == DType::Int64 ? value->data<std::int64_t>()[2 * i]
                                             : value->data<std::int32_t>()[2 * i]);
    begin = shapes::integers(g, before, index);
  } else {
    const Output first =
        g.add<ops::Slice>(paddings, shapes::integers(g, {0, 0}), shapes::integers(g, {-1, 1}));
    begin = g.add<ops::Reshape>(first, shapes::integers(g, {-1}));
  }
  g.set(0, g.add<ops::Slice>(g.dy(), begin, shapes::of(g, x, index)));
}

DGRAPH_DECL Output add_pad(const Output& x, const Output& paddings, PadMode mode,
                           const OpName& name) {
  if (mode == PadMode::Constant) return add_op<ops::Pad>(name, x, paddings);
  return add_op<ops::MirrorPad>(name, x, paddings, "mode",
                                mode == PadMode::Reflect ? "REFLECT" : "SYMMETRIC");
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Pad::shape(ShapeContext& c) { detail::padded_shape(c, false, false); }
DGRAPH_DECL void Pad::gradient(GradientContext& g) { detail::unpad_gradient(g); }

DGRAPH_DECL void PadV2::shape(ShapeContext& c) {
  c.with_rank(2, 0);
  detail::padded_shape(c, false, false);
}
DGRAPH_DECL void PadV2::gradient(GradientContext& g) { detail::unpad_gradient(g); }

DGRAPH_DECL void MirrorPad::shape(ShapeContext& c) { detail::padded_shape(c, false, true); }
DGRAPH_DECL void MirrorPad::gradient(GradientContext& g) {
  if (g.needs(0))
    g.set(0, g.add<MirrorPadGrad>(g.dy(), g.x(1), "mode", g.attr<std::string>("mode")));
}

DGRAPH_DECL void MirrorPadGrad::shape(ShapeContext& c) { detail::padded_shape(c, true, true); }
DGRAPH_DECL void MirrorPadGrad::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<MirrorPad>(g.dy(), g.x(1), "mode", g.attr<std::string>("mode")));
}

}  // namespace ops
}  // namespace dgraph

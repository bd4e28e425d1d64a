#pragma once
#include <dgraph/ops/sets.hpp>

#include <vector>

#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL void unique_shape(ShapeContext& c) {
  const PartialShape x = c.with_rank(0, 1);
  c.set_output(0, PartialShape{x[0] == 0 ? 0 : PartialShape::kUnknown});
  c.set_output(1, x);
  if (c.num_outputs() > 2) c.set_output(2, c.output(0));
}

DGRAPH_DECL void unique_axis_shape(ShapeContext& c) {
  const PartialShape axes = c.with_rank(1, 1);
  if (axes[0] > 1)
    fail(Code::InvalidArgument, "the axis must be a vector of one number at most, not of shape ",
         axes);
  const PartialShape& x = c.input(0);
  c.set_output(1, PartialShape::of_rank(1));
  if (c.num_outputs() > 2) c.set_output(2, PartialShape::of_rank(1));
  if (!x.has_rank()) return;
  if (axes[0] == 0 && x.rank() != 1)
    fail(Code::InvalidArgument, "without an axis x must be a vector, not of shape ", x);
  const auto known = c.integers(1);
  Dims out(x.rank(), PartialShape::kUnknown);
  if (known && (known->empty() || (*known)[0] != kUnknownValue)) {
    const std::size_t axis = known->empty() ? 0 : shapes::axis((*known)[0], x.rank());
    out = x.dims();
    c.set_output(1, PartialShape{out[axis]});
    out[axis] = PartialShape::kUnknown;
  }
  c.set_output(0, PartialShape(std::move(out)));
}

DGRAPH_DECL void search_shape(ShapeContext& c) {
  const PartialShape sorted = c.with_rank(0, 2), values = c.with_rank(1, 2);
  if (sorted[0] >= 0 && values[0] >= 0 && sorted[0] != values[0])
    fail(Code::InvalidArgument, "sorted inputs of shape ", sorted, " and values of shape ", values,
         " have not as many rows");
  c.set_output(0, PartialShape{values[0] < 0 ? sorted[0] : values[0], values[1]});
}

DGRAPH_DECL Output add_search(const Output& sorted, const Output& values, std::string_view side,
                              DType index, const OpName& name) {
  if (side != "left" && side != "right")
    fail(Code::InvalidArgument, "side must be left or right, not ", side);
  const OpName at(name.location);
  const auto add = [&](const OpName& as, const Output& rows, const Output& wanted) {
    return side == "left" ? add_op<ops::LowerBound>(as, rows, wanted, "out_type", index)
                          : add_op<ops::UpperBound>(as, rows, wanted, "out_type", index);
  };
  const auto is_matrix = [](const Output& x) {
    return x.shape().has_rank() && x.shape().rank() == 2;
  };
  if (is_matrix(sorted) && is_matrix(values)) return add(name, sorted, values);
  // All dimensions but the last count rows.
  const auto numbers = [&](const Dims& list) {
    return add_constant(index_tensor(list), at, values.core());
  };
  const Output sizes = add_op<ops::Shape>(at, values);
  const auto flat = [&](const Output& x) {
    const Output last = add_op<ops::StridedSlice>(at, add_op<ops::Shape>(at, x), numbers({-1}),
                                                  numbers({0}), numbers({1}), "end_mask", 1);
    const std::vector<Output> parts{numbers({-1}), last};
    return add_op<ops::Reshape>(
        at, x,
        add_op<ops::ConcatV2>(at, parts,
                              add_constant(Tensor::scalar<std::int32_t>(0), at, x.core())));
  };
  const Output rows = flat(sorted), wanted = flat(values);
  return add_op<ops::Reshape>(name, add(at, rows, wanted), sizes);
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Unique::shape(ShapeContext& c) { detail::unique_shape(c); }
DGRAPH_DECL void UniqueV2::shape(ShapeContext& c) { detail::unique_axis_shape(c); }
DGRAPH_DECL void UniqueWithCounts::shape(ShapeContext& c) { detail::unique_shape(c); }
DGRAPH_DECL void UniqueWithCountsV2::shape(ShapeContext& c) { detail::unique_axis_shape(c); }

DGRAPH_DECL void ListDiff::shape(ShapeContext& c) {
  c.with_rank(0, 1);
  c.with_rank(1, 1);
  c.set_output(0, PartialShape::of_rank(1));
  c.set_output(1, PartialShape::of_rank(1));
}

DGRAPH_DECL void LowerBound::shape(ShapeContext& c) { detail::search_shape(c); }
DGRAPH_DECL void UpperBound::shape(ShapeContext& c) { detail::search_shape(c); }

}  // namespace ops
}  // namespace dgraph

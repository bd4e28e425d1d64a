#pragma once
#include <dgraph/ops/grids.hpp>

#include <utility>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph::detail {

DGRAPH_DECL Output sequence_mask(const Output& lengths, const Output& most, DType dtype,
                                 const OpName& name) {
  const OpName at(name.location);
  const auto number = [&](double value) {
    return add_constant(scalar_tensor(lengths.dtype(), value), at, lengths.core());
  };
  const Output limit =
      most ? most : add_op<ops::Max>(at, lengths, Axes().node(lengths, name.location));
  const Output positions = add_op<ops::Range>(at, number(0), limit, number(1));
  const Output last = add_constant(Tensor::scalar<std::int32_t>(-1), at, lengths.core());
  const Output ends = add_op<ops::ExpandDims>(at, lengths, last);
  const Output mask = add_op<ops::Less>(dtype == DType::Bool ? name : at, positions, ends);
  return dtype == DType::Bool ? mask : add_op<ops::Cast>(name, mask, "DstT", dtype);
}

DGRAPH_DECL std::vector<Output> meshgrid(const std::vector<Output>& axes, std::string_view indexing,
                                         const OpName& name) {
  if (indexing != "xy" && indexing != "ij")
    fail(Code::InvalidArgument, "meshgrid's indexing is 'xy' or 'ij', not '", indexing, "'");
  if (axes.empty()) return {};
  const OpName at(name.location);
  const std::size_t n = axes.size();
  const bool swaps = indexing == "xy" && n > 1;
  const auto place = [&](std::size_t axis) { return swaps && axis < 2 ? 1 - axis : axis; };
  std::vector<Output> sizes(n);
  for (std::size_t i = 0; i < n; ++i) sizes[place(i)] = add_op<ops::Size>(at, axes[i]);
  const Output shape = add_op<ops::Pack>(at, sizes);
  std::vector<Output> out;
  for (std::size_t i = 0; i < n; ++i) {
    Dims along(n, 1);
    along[place(i)] = -1;
    const Output line =
        add_op<ops::Reshape>(at, axes[i], add_constant(index_tensor(along), at, shape.core()));
    out.push_back(add_op<ops::BroadcastTo>(name, line, shape));
  }
  return out;
}

}  // namespace dgraph::detail

#pragma once
#include <dgraph/ops/gather_nd.hpp>

#include <string>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

// The length of the index vectors; -1 where it is not known. Throws where a tensor of shape `whole`
// has fewer dimensions.
DGRAPH_DECL std::int64_t index_length(const PartialShape& indices, const PartialShape& whole) {
  if (!indices.has_rank()) return -1;
  if (indices.rank() == 0)
    fail(Code::InvalidArgument, "indices must have rank 1 or more, not shape ", indices);
  const std::int64_t length = indices.dims().back();
  if (length >= 0 && whole.has_rank() && static_cast<std::size_t>(length) > whole.rank())
    fail(Code::InvalidArgument, "index vectors of length ", length, ", the last dimension of ",
         indices, ", name no slices of shape ", whole);
  return length;
}

// The shape of the slices of `whole` that the indices name; of unknown rank where too little is known.
DGRAPH_DECL PartialShape slices_shape(const PartialShape& indices, const PartialShape& whole) {
  const std::int64_t length = index_length(indices, whole);
  if (length < 0 || !whole.has_rank()) return {};
  Dims out;
  for (std::size_t i = 0; i + 1 < indices.rank(); ++i) out.push_back(indices[i]);
  for (std::size_t i = static_cast<std::size_t>(length); i < whole.rank(); ++i)
    out.push_back(whole[i]);
  return PartialShape(std::move(out));
}

DGRAPH_DECL void check_updates(const PartialShape& indices, const PartialShape& updates,
                               const PartialShape& whole) {
  const PartialShape wanted = slices_shape(indices, whole);
  if (!wanted.compatible_with(updates))
    fail(Code::InvalidArgument, "updates must have shape ", wanted, " for indices of shape ",
         indices, " into shape ", whole, ", not ", updates);
}

DGRAPH_DECL void tensor_scatter_shape(ShapeContext& c) {
  check_updates(c.input(1), c.input(2), c.input(0));
  c.set_output(0, c.input(0));
}

// Indices of a dtype that GatherNd takes.
DGRAPH_DECL Output gather_indices(const GradientContext& g, const Output& indices) {
  return indices.dtype() == DType::UInt16 ? g.add<ops::Cast>(indices, "DstT", DType::Int32)
                                          : indices;
}

DGRAPH_DECL Output gather_like(const GradientContext& g, const Output& from,
                               const Output& indices) {
  return g.add<ops::GatherNd>(from, gather_indices(g, indices), "bad_indices_policy",
                              g.attr<std::string>("bad_indices_policy"));
}

// Shared evenly among all that are equal to the result.
DGRAPH_DECL void extreme_gradient(GradientContext& g) {
  const Output tensor = g.x(0), indices = g.x(1), updates = g.x(2), dy = g.dy(), y = g.y();
  const auto equal = [&](const Output& a, const Output& b) {
    return g.add<ops::Cast>(g.add<ops::Equal>(a, b), "DstT", dy.dtype());
  };
  const Output here = equal(tensor, y), there = equal(updates, gather_like(g, y, indices));
  const Output shares = g.add<ops::TensorScatterAdd>(here, indices, there, "bad_indices_policy",
                                                     g.attr<std::string>("bad_indices_policy"));
  const Output share = g.add<ops::RealDiv>(dy, shares);
  if (g.needs(0)) g.set(0, g.add<ops::Mul>(share, here));
  if (g.needs(2)) g.set(2, g.add<ops::Mul>(gather_like(g, share, indices), there));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void GatherNd::shape(ShapeContext& c) {
  c.set_output(0, detail::slices_shape(c.input(1), c.input(0)));
}
DGRAPH_DECL void GatherNd::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output params = g.x(0), indices = g.x(1);
  const std::string& policy = g.attr<std::string>("bad_indices_policy");
  // Vectors of one index are rows.
  if (indices.shape().has_rank() && indices.shape().rank() == 2 && indices.shape()[1] == 1 &&
      indices.dtype() != DType::Int16 && policy != "IGNORE")
    return g.set(0, IndexedSlices{g.dy(), g.add<Reshape>(indices, shapes::integers(g, {-1})),
                                  shapes::of(g, params, indices.dtype())});
  const DType index = indices.dtype() == DType::Int64 ? DType::Int64 : DType::Int32;
  const Output at = indices.dtype() == index ? indices : g.add<Cast>(indices, "DstT", index);
  g.set(0,
        g.add<ScatterNd>(at, g.dy(), shapes::of(g, params, index), "bad_indices_policy", policy));
}

DGRAPH_DECL void ScatterNd::shape(ShapeContext& c) {
  c.with_rank(2, 1);
  const PartialShape whole = c.as_shape(2);
  detail::check_updates(c.input(0), c.input(1), whole);
  c.set_output(0, whole);
}
DGRAPH_DECL void ScatterNd::gradient(GradientContext& g) {
  if (g.needs(1)) g.set(1, detail::gather_like(g, g.dy(), g.x(0)));
}

DGRAPH_DECL void TensorScatterUpdate::shape(ShapeContext& c) { detail::tensor_scatter_shape(c); }
DGRAPH_DECL void TensorScatterUpdate::gradient(GradientContext& g) {
  if (g.needs(0))
    g.set(0, g.add<TensorScatterUpdate>(g.dy(), g.x(1), g.zeros_like(g.x(2)), "bad_indices_policy",
                                        g.attr<std::string>("bad_indices_policy")));
  if (g.needs(2)) g.set(2, detail::gather_like(g, g.dy(), g.x(1)));
}

DGRAPH_DECL void TensorScatterAdd::shape(ShapeContext& c) { detail::tensor_scatter_shape(c); }
DGRAPH_DECL void TensorScatterAdd::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.raw_dy());
  if (g.needs(2)) g.set(2, detail::gather_like(g, g.dy(), g.x(1)));
}

DGRAPH_DECL void TensorScatterSub::shape(ShapeContext& c) { detail::tensor_scatter_shape(c); }
DGRAPH_DECL void TensorScatterSub::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.raw_dy());
  if (g.needs(2)) g.set(2, g.add<Neg>(detail::gather_like(g, g.dy(), g.x(1))));
}

DGRAPH_DECL void TensorScatterMin::shape(ShapeContext& c) { detail::tensor_scatter_shape(c); }
DGRAPH_DECL void TensorScatterMin::gradient(GradientContext& g) { detail::extreme_gradient(g); }

DGRAPH_DECL void TensorScatterMax::shape(ShapeContext& c) { detail::tensor_scatter_shape(c); }
DGRAPH_DECL void TensorScatterMax::gradient(GradientContext& g) { detail::extreme_gradient(g); }

}  // namespace ops
}  // namespace dgraph

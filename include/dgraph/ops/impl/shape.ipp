#pragma once
#include <dgraph/ops/shape.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL PartialShape rank_vector(const PartialShape& shape) {
  return shape.has_rank() ? PartialShape{static_cast<std::int64_t>(shape.rank())} : PartialShape{-1};
}

// The number of elements of a Range, -1 where it is not known.
DGRAPH_DECL std::int64_t range_length(const ShapeContext& c) {
  const auto number = [&](std::size_t i) -> std::optional<double> {
    if (const auto whole = c.integers(i); whole && whole->size() == 1 && (*whole)[0] != kUnknownValue)
      return static_cast<double>((*whole)[0]);
    const auto tensor = c.constant(i);
    if (!tensor || tensor->elements() != 1) return std::nullopt;
    if (tensor->dtype() == DType::Float32) return tensor->item<float>();
    if (tensor->dtype() == DType::Float64) return tensor->item<double>();
    return std::nullopt;
  };
  const auto start = number(0), limit = number(1), delta = number(2);
  if (delta && *delta == 0) fail(Code::InvalidArgument, "Range needs a delta that is not 0");
  if (!start || !limit || !delta) return PartialShape::kUnknown;
  if ((*delta > 0 && *start > *limit) || (*delta < 0 && *start < *limit))
    fail(Code::InvalidArgument, "a Range from ", *start, " never reaches ", *limit, " in steps of ", *delta);
  // Whole numbers beyond 2^53 are not exact as doubles: their length is left to the kernel.
  constexpr double kExact = 9007199254740992.0;
  if (std::fabs(*start) > kExact || std::fabs(*limit) > kExact) return PartialShape::kUnknown;
  const double length = std::ceil((*limit - *start) / *delta);
  return length < kExact ? static_cast<std::int64_t>(length) : PartialShape::kUnknown;
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void PlaceholderWithDefault::shape(ShapeContext& c) {
  const PartialShape& shape = c.attr<PartialShape>("shape");
  if (!shape.compatible_with(c.input(0)))
    fail(Code::InvalidArgument, "the default value has shape ", c.input(0), ", which does not fit ", shape);
  c.set_output(0, shape);
}

DGRAPH_DECL void IdentityN::shape(ShapeContext& c) {
  for (std::size_t i = 0; i < c.num_inputs(); ++i) c.set_output(i, c.input(i));
}
DGRAPH_DECL void IdentityN::gradient(GradientContext& g) {
  for (std::size_t i = 0; i < g.num_inputs(); ++i)
    if (g.needs(i)) g.set(i, g.raw_dy(i));
}

DGRAPH_DECL void Shape::shape(ShapeContext& c) { c.set_output(0, detail::rank_vector(c.input(0))); }

DGRAPH_DECL void ShapeN::shape(ShapeContext& c) {
  for (std::size_t i = 0; i < c.num_inputs(); ++i) c.set_output(i, detail::rank_vector(c.input(i)));
}

DGRAPH_DECL void Reshape::shape(ShapeContext& c) {
  c.with_rank(1, 1);
  const PartialShape& from = c.input(0);
  auto to = c.integers(1);
  if (!to) {
    c.set_output(0, c.as_shape(1));
    return;
  }
  int open = -1;
  std::size_t unknown = 0, inferred = 0;
  std::int64_t rest = 1;
  for (std::size_t i = 0; i < to->size(); ++i) {
    std::int64_t& d = (*to)[i];
    if (d == -1 && ++inferred > 1) fail(Code::InvalidArgument, "only one dimension of the new shape can be -1");
    if (d == kUnknownValue || d == -1) {
      d = PartialShape::kUnknown;
      open = static_cast<int>(i);
      ++unknown;
    } else if (d < 0) {
      fail(Code::InvalidArgument, "the new shape has the negative dimension ", d);
    } else if (__builtin_mul_overflow(rest, d, &rest)) {
      fail(Code::InvalidArgument, "the new shape has 2^63 elements or more");
    }
  }
  if (from.fully_known() && unknown <= 1) {
    const std::int64_t elements = from.to_shape().elements();
    if (unknown == 0 ? rest != elements : rest == 0 ? inferred && elements != 0 : elements % rest != 0)
      fail(Code::InvalidArgument, "cannot reshape a tensor of shape ", from, " (", elements, " elements) to ",
           PartialShape(*to));
    if (unknown == 1 && rest == 0 && inferred)
      fail(Code::InvalidArgument, "dimension -1 cannot be told where the others have no elements");
    if (unknown == 1 && rest != 0) (*to)[static_cast<std::size_t>(open)] = elements / rest;
  }
  c.set_output(0, PartialShape(std::move(*to)));
}
DGRAPH_DECL void Reshape::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, shapes::reshape_like(g, g.dy(), g.x(0)));
}

DGRAPH_DECL void ExpandDims::shape(ShapeContext& c) {
  const PartialShape& in = c.input(0);
  if (!in.has_rank()) return;
  const auto axis = shapes::constant_axis(c, 1, in.rank() + 1);
  if (!axis) {
    c.set_output(0, PartialShape::of_rank(in.rank() + 1));
    return;
  }
  Dims out;
  for (std::size_t i = 0; i <= in.rank(); ++i) {
    if (i == *axis) out.push_back(1);
    if (i < in.rank()) out.push_back(in[i]);
  }
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void ExpandDims::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, shapes::reshape_like(g, g.dy(), g.x(0)));
}

DGRAPH_DECL void Squeeze::shape(ShapeContext& c) {
  const PartialShape& in = c.input(0);
  if (!in.has_rank()) return;
  const auto& given = c.attr<std::vector<std::int64_t>>("squeeze_dims");
  std::vector<bool> drop(in.rank(), false);
  for (std::int64_t d : given) {
    const std::size_t axis = shapes::axis(d, in.rank());
    if (in[axis] != 1 && in[axis] >= 0)
      fail(Code::InvalidArgument, "dimension ", d, " is ", in[axis], ", not 1: it cannot be squeezed");
    drop[axis] = true;
  }
  Dims out;
  for (std::size_t i = 0; i < in.rank(); ++i) {
    if (given.empty() && in[i] < 0) return;
    if (given.empty() ? in[i] != 1 : !drop[i]) out.push_back(in[i]);
  }
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void Squeeze::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, shapes::reshape_like(g, g.dy(), g.x(0)));
}

DGRAPH_DECL void Fill::shape(ShapeContext& c) {
  c.with_rank(0, 1);
  c.with_rank(1, 0);
  if (const auto dims = c.integers(0))
    for (std::int64_t d : *dims)
      if (d < 0 && d != kUnknownValue) fail(Code::InvalidArgument, "a shape has the negative dimension ", d);
  c.set_output(0, c.as_shape(0));
}
DGRAPH_DECL void Fill::gradient(GradientContext& g) {
  if (g.needs(1)) g.set(1, g.add<Sum>(g.dy(), shapes::all_axes(g, g.dy())));
}

DGRAPH_DECL void BroadcastTo::shape(ShapeContext& c) {
  c.with_rank(1, 1);
  PartialShape to = c.as_shape(1);
  const PartialShape& from = c.input(0);
  if (from.has_rank() && to.has_rank()) {
    if (from.rank() > to.rank())
      fail(Code::InvalidArgument, "shape ", from, " cannot be broadcast to ", to, ", which has fewer dimensions");
    for (std::size_t i = 0; i < from.rank(); ++i) {
      const std::int64_t have = from[from.rank() - 1 - i], want = to[to.rank() - 1 - i];
      if (have >= 0 && want >= 0 && have != 1 && have != want)
        fail(Code::InvalidArgument, "shape ", from, " cannot be broadcast to ", to);
    }
  }
  c.set_output(0, std::move(to));
}
DGRAPH_DECL void BroadcastTo::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output x = g.x(0), dy = g.dy();
  const PartialShape &from = x.shape(), &to = dy.shape();
  if (from.fully_known() && from == to) return g.set(0, dy);
  Output axes;
  if (from.fully_known() && to.has_rank()) {
    Dims summed;
    const std::size_t more = to.rank() - from.rank();
    for (std::size_t i = 0; i < to.rank(); ++i)
      if (i < more || (from[i - more] == 1 && to[i] != 1)) summed.push_back(static_cast<std::int64_t>(i));
    axes = shapes::integers(g, summed);
  } else {
    axes = g.add<BroadcastGradientArgs>(shapes::of(g, x), shapes::of(g, dy));
  }
  g.set(0, shapes::reshape_like(g, g.add<Sum>(dy, axes), x));
}

DGRAPH_DECL void BroadcastGradientArgs::shape(ShapeContext& c) {
  c.with_rank(0, 1);
  c.with_rank(1, 1);
  c.set_output(0, PartialShape{-1});
  c.set_output(1, PartialShape{-1});
}

DGRAPH_DECL void Range::shape(ShapeContext& c) {
  for (std::size_t i = 0; i < 3; ++i) c.with_rank(i, 0);
  c.set_output(0, PartialShape{detail::range_length(c)});
}

DGRAPH_DECL void LinSpace::shape(ShapeContext& c) {
  for (std::size_t i = 0; i < 3; ++i) c.with_rank(i, 0);
  const auto num = c.integers(2);
  if (!num || (*num)[0] == kUnknownValue) return c.set_output(0, PartialShape::of_rank(1));
  if ((*num)[0] <= 0) fail(Code::InvalidArgument, "LinSpace needs a num above 0, not ", (*num)[0]);
  c.set_output(0, PartialShape{(*num)[0]});
}

DGRAPH_DECL void BroadcastArgs::shape(ShapeContext& c) {
  const PartialShape a = c.with_rank(0, 1), b = c.with_rank(1, 1);
  c.set_output(0, PartialShape{a[0] < 0 || b[0] < 0 ? -1 : std::max(a[0], b[0])});
}

}  // namespace ops

namespace detail {

DGRAPH_DECL Output filled(const IntegersArg& shape, Tensor scalar, const OpName& name) {
  constexpr std::int64_t kSmall = 1000;
  if (const Dims* dims = shape.known()) {
    const dgraph::Shape known(*dims);
    if (known.elements() < kSmall) {
      Tensor value(scalar.dtype(), known);
      const std::size_t size = dtype_size(scalar.dtype());
      // Strings are empty already.
      if (is_plain(scalar.dtype()))
        for (std::size_t i = 0; i < static_cast<std::size_t>(value.elements()); ++i)
          std::memcpy(value.mutable_raw() + i * size, scalar.raw(), size);
      return add_constant(std::move(value), name, nullptr);
    }
  }
  const Output value = add_constant(std::move(scalar), OpName(name.location), nullptr);
  return add_op<ops::Fill>(name, shape.node(name.location, nullptr), value);
}

}  // namespace detail
}  // namespace dgraph

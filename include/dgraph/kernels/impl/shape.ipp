#pragma once
#include <dgraph/kernels/shape.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL void run_identity(KernelContext& c) {
  for (std::size_t i = 0; i < c.num_outputs(); ++i) c.set_output(i, c.take_input(i));
}

DGRAPH_DECL void run_shape(KernelContext& c) {
  for (std::size_t i = 0; i < c.num_inputs(); ++i)
    c.set_output(i, integer_vector(c.output_dtype(i), c.input(i).shape().dims()));
}

DGRAPH_DECL void run_size(KernelContext& c) {
  store_integer(c.allocate_output(0, Shape()), 0, c.input(0).elements());
}

DGRAPH_DECL void run_rank(KernelContext& c) {
  store_integer(c.allocate_output(0, Shape()), 0, static_cast<std::int64_t>(c.input(0).rank()));
}

DGRAPH_DECL Shape reshape_target(const Shape& from, Dims sizes) {
  std::int64_t known = 1;
  std::size_t wild = sizes.size();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == -1) {
      if (wild != sizes.size())
        fail(Code::InvalidArgument, "only one size of a shape may be -1, not both ", wild, " and ",
             i);
      wild = i;
    } else if (sizes[i] < 0) {
      fail(Code::InvalidArgument, "size ", i, " of a shape must not be negative, but is ",
           sizes[i]);
    } else if (__builtin_mul_overflow(known, sizes[i], &known)) {
      fail(Code::InvalidArgument, "the shape asked for has 2^63 elements or more");
    }
  }
  if (wild != sizes.size()) {
    if (known == 0)
      fail(Code::InvalidArgument, "reshape cannot infer the missing size where another is 0");
    if (from.elements() % known != 0)
      fail(Code::InvalidArgument, "Input to reshape is a tensor with ", from.elements(),
           " values, but the requested shape requires a multiple of ", known);
    sizes[wild] = from.elements() / known;
  }
  Shape to(std::move(sizes));
  if (to.elements() != from.elements())
    fail(Code::InvalidArgument, "Input to reshape is a tensor with ", from.elements(),
         " values, but the requested shape ", to, " has ", to.elements());
  return to;
}

DGRAPH_DECL void run_reshape(KernelContext& c) {
  Shape to =
      reshape_target(c.input(0).shape(), integers_argument(c.input(1), "the shape to reshape to"));
  c.set_output(0, c.take_input(0).reshaped(std::move(to)));
}

DGRAPH_DECL void run_expand_dims(KernelContext& c) {
  Dims dims = c.input(0).shape().dims();
  const std::size_t axis =
      axis_of(integer_argument(c.input(1), "the axis"), dims.size() + 1, "axis");
  dims.push_back(1);
  std::rotate(dims.data() + axis, dims.data() + dims.size() - 1, dims.data() + dims.size());
  c.set_output(0, c.take_input(0).reshaped(Shape(std::move(dims))));
}

DGRAPH_DECL void run_squeeze(KernelContext& c) {
  const auto& axes = c.config<std::vector<std::int64_t>>();
  const Shape& from = c.input(0).shape();
  std::vector<bool> drop(from.rank(), axes.empty());
  for (const std::int64_t wanted : axes) {
    const std::size_t axis = axis_of(wanted, from.rank(), "axis");
    if (from[axis] != 1)
      fail(Code::InvalidArgument, "Can not squeeze dim[", axis,
           "], expected a dimension of 1, got ", from[axis]);
    drop[axis] = true;
  }
  Dims to;
  for (std::size_t i = 0; i < from.rank(); ++i)
    if (!drop[i] || from[i] != 1) to.push_back(from[i]);
  c.set_output(0, c.take_input(0).reshaped(Shape(std::move(to))));
}

DGRAPH_DECL void run_fill(KernelContext& c) {
  const Tensor& value = c.input(1);
  if (value.elements() != 1 || value.rank() > 1)
    fail(Code::InvalidArgument, "the value to fill with must be a scalar, not a tensor of shape ",
         value.shape());
  Tensor& out = c.allocate_output(0, shape_argument(c.input(0), "the shape to fill"));
  fill_elements(out.dtype(), value.raw(), out.mutable_raw(), out.elements());
}

DGRAPH_DECL void run_zeros_like(KernelContext& c) {
  c.set_output(0, Tensor::zeros(c.output_dtype(0), c.input(0).shape()));
}

DGRAPH_DECL Tensor one_of(DType dtype) {
  switch (dtype) {
    case DType::Float16:
      return Tensor::scalar(half(1.0f));
    case DType::BFloat16:
      return Tensor::scalar(bfloat16(1.0f));
    case DType::Float32:
      return Tensor::scalar(1.0f);
    case DType::Float64:
      return Tensor::scalar(1.0);
    case DType::Complex64:
      return Tensor::scalar(std::complex<float>(1.0f));
    case DType::Complex128:
      return Tensor::scalar(std::complex<double>(1.0));
    case DType::Int8:
    case DType::UInt8:
    case DType::Bool:
      return Tensor::scalar(true);
    case DType::Int16:
    case DType::UInt16:
      return Tensor::scalar(std::uint16_t{1});
    case DType::Int32:
    case DType::UInt32:
      return Tensor::scalar(std::uint32_t{1});
    case DType::Int64:
    case DType::UInt64:
      return Tensor::scalar(std::uint64_t{1});
    default:
      return {};
  }
}

DGRAPH_DECL void run_ones_like(KernelContext& c) {
  Tensor& out = c.allocate_output(0, c.input(0).shape());
  fill_elements(out.dtype(), c.config<Tensor>().raw(), out.mutable_raw(), out.elements());
}

DGRAPH_DECL void run_broadcast_to(KernelContext& c) {
  const Tensor& in = c.input(0);
  const Shape to = shape_argument(c.input(1), "the shape to broadcast to");
  if (in.shape() == to) {
    c.set_output(0, c.take_input(0));
    return;
  }
  if (in.rank() > to.rank())
    fail(Code::InvalidArgument, "Incompatible shapes: ", in.shape(), " cannot be broadcast to ",
         to);
  const std::size_t lead = to.rank() - in.rank();
  const Dims in_strides = row_major_strides(in.shape().dims());
  Dims strides(to.rank(), 0);
  for (std::size_t i = 0; i < in.rank(); ++i) {
    if (in.dim(i) == to[lead + i])
      strides[lead + i] = in_strides[i];
    else if (in.dim(i) != 1)
      fail(Code::InvalidArgument, "Incompatible shapes: ", in.shape(), " cannot be broadcast to ",
           to);
  }
  Tensor& out = c.allocate_output(0, to);
  if (in.elements() == 1)
    fill_elements(out.dtype(), in.raw(), out.mutable_raw(), out.elements());
  else
    copy_strided(c, out.dtype(), to.dims(), in.raw(), strides, out.mutable_raw(),
                 row_major_strides(to.dims()));
}

DGRAPH_DECL void run_broadcast_gradient_args(KernelContext& c) {
  const Dims a = integers_argument(c.input(0), "a shape"),
             b = integers_argument(c.input(1), "a shape");
  const std::size_t rank = std::max(a.size(), b.size());
  const bool equal = a == b;
  Dims reduce_a, reduce_b;
  for (std::size_t i = 0; i < rank; ++i) {
    const bool in_a = i + a.size() >= rank, in_b = i + b.size() >= rank;
    const std::int64_t x = in_a ? a[i + a.size() - rank] : 1, y = in_b ? b[i + b.size() - rank] : 1;
    if (x < 0 || y < 0)
      fail(Code::InvalidArgument, "size ", std::min(x, y), " of a shape is negative");
    if (x != y && x != 1 && y != 1)
      fail(Code::InvalidArgument, "Incompatible shapes: ", c.input(0).to_string(), " vs. ",
           c.input(1).to_string());
    // Where both are 1 the sum changes nothing, and TensorFlow names the axis too.
    if (x == 1 && !equal) reduce_a.push_back(static_cast<std::int64_t>(i));
    if (y == 1 && !equal) reduce_b.push_back(static_cast<std::int64_t>(i));
  }
  c.set_output(0, integer_vector(c.output_dtype(0), reduce_a));
  c.set_output(1, integer_vector(c.output_dtype(1), reduce_b));
}

// What Range computes with.
template <class T>
using RangeNumber =
    std::conditional_t<std::is_integral_v<T>, std::int64_t,
                       std::conditional_t<std::is_same_v<T, double>, double, float>>;

template <class T>
void run_range(KernelContext& c) {
  using Number = RangeNumber<T>;
  for (std::size_t i = 0; i < 3; ++i)
    if (c.input(i).elements() != 1)
      fail(Code::InvalidArgument,
           "start, limit and delta of a range must be scalars, not of shape ", c.input(i).shape());
  const auto start = static_cast<Number>(*c.input(0).data<T>()),
             limit = static_cast<Number>(*c.input(1).data<T>()),
             delta = static_cast<Number>(*c.input(2).data<T>());
  if (delta == Number(0)) fail(Code::InvalidArgument, "Requires delta != 0: ", delta);
  if (delta > 0 ? start > limit : start < limit)
    fail(Code::InvalidArgument, "Requires start ", delta > 0 ? "<=" : ">=", " limit when delta ",
         delta > 0 ? ">" : "<", " 0: start ", start, ", limit ", limit);
  std::int64_t count = 0;
  if constexpr (std::is_integral_v<Number>) {
    const std::uint64_t span =
        delta > 0 ? static_cast<std::uint64_t>(limit) - static_cast<std::uint64_t>(start)
                  : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(limit);
    const std::uint64_t step =
        delta > 0 ? static_cast<std::uint64_t>(delta) : -static_cast<std::uint64_t>(delta);
    const std::uint64_t steps = span / step + (span % step != 0);
    if (steps > static_cast<std::uint64_t>(INT64_MAX))
      fail(Code::InvalidArgument, "a range of 2^63 elements or more");
    count = static_cast<std::int64_t>(steps);
  } else {
    const Number steps = std::ceil(std::abs((limit - start) / delta));
    if (!(steps < Number(0x1p62)))
      fail(Code::InvalidArgument, "a range of 2^62 elements or more, or without an end");
    count = static_cast<std::int64_t>(steps);
  }
  Tensor& out = c.allocate_output(0, Shape{count});
  T* to = out.mutable_data<T>();
  // Integers wrap in between where start and limit are far apart.
  using Sum = std::conditional_t<std::is_integral_v<T>, std::uint64_t, Number>;
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = static_cast<T>(static_cast<Sum>(start) + static_cast<Sum>(i) * static_cast<Sum>(delta));
}

// TensorFlow's order: a step from the start on, computed in the dtype or in float; the last is `stop`.
template <class T>
void run_linspace(KernelContext& c) {
  using Number = RangeNumber<T>;
  const std::int64_t count = integer_argument(c.input(2), "num");
  if (c.input(0).elements() != 1 || c.input(1).elements() != 1)
    fail(Code::InvalidArgument, "start and stop must be scalars, not of shapes ", c.input(0).shape(),
         " and ", c.input(1).shape());
  if (count <= 0) fail(Code::InvalidArgument, "Requires num > 0: ", count);
  const auto start = static_cast<Number>(*c.input(0).data<T>()),
             stop = static_cast<Number>(*c.input(1).data<T>());
  Tensor& out = c.allocate_output(0, Shape{count});
  T* const to = out.mutable_data<T>();
  to[0] = static_cast<T>(start);
  if (count == 1) return;
  const Number step = (stop - start) / static_cast<Number>(count - 1);
  for (std::int64_t i = 1; i < count - 1; ++i)
    to[i] = static_cast<T>(start + step * static_cast<Number>(i));
  to[count - 1] = static_cast<T>(stop);
}

DGRAPH_DECL void run_broadcast_args(KernelContext& c) {
  for (std::size_t i = 0; i < 2; ++i)
    if (c.input(i).rank() != 1)
      fail(Code::InvalidArgument, "a shape must be a vector, not of shape ", c.input(i).shape());
  const Shape shape =
      broadcast_shapes(shape_argument(c.input(0), "s0"), shape_argument(c.input(1), "s1"));
  c.set_output(0, integer_vector(c.output_dtype(0), shape.dims()));
}

DGRAPH_DECL void run_placeholder(KernelContext& c) {
  fail(Code::InvalidArgument, c.config<std::string>());
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Placeholder>::make(const KernelRequest& r) {
  const auto& shape = r.attr<PartialShape>("shape");
  std::string text = errors::text("You must feed a value for placeholder tensor '", r.name,
                                  "' with dtype ", dtype_name(r.dtype("dtype")));
  if (shape.has_rank()) text += errors::text(" and shape ", shape);
  return detail::plain_kernel(&detail::run_placeholder, true).with(std::move(text));
}

DGRAPH_DECL Kernel Kernels<ops::PlaceholderWithDefault>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_identity, true);
}
DGRAPH_DECL Kernel Kernels<ops::Identity>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_identity, true);
}
DGRAPH_DECL Kernel Kernels<ops::IdentityN>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_identity, true);
}
DGRAPH_DECL Kernel Kernels<ops::StopGradient>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_identity, true);
}
DGRAPH_DECL Kernel Kernels<ops::Shape>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_shape, true);
}
DGRAPH_DECL Kernel Kernels<ops::ShapeN>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_shape, true);
}
DGRAPH_DECL Kernel Kernels<ops::Size>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_size, true);
}
DGRAPH_DECL Kernel Kernels<ops::Rank>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_rank, true);
}
DGRAPH_DECL Kernel Kernels<ops::Reshape>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_reshape, true);
}
DGRAPH_DECL Kernel Kernels<ops::ExpandDims>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_expand_dims, true);
}
DGRAPH_DECL Kernel Kernels<ops::Squeeze>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_squeeze, true)
      .with(r.attr<std::vector<std::int64_t>>("squeeze_dims"));
}
DGRAPH_DECL Kernel Kernels<ops::Fill>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_fill);
}
DGRAPH_DECL Kernel Kernels<ops::ZerosLike>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_zeros_like);
}
DGRAPH_DECL Kernel Kernels<ops::OnesLike>::make(const KernelRequest& r) {
  Tensor one = detail::one_of(r.dtype("T"));
  if (!one.has_value()) detail::no_kernel_for(r, r.dtype("T"));
  return detail::plain_kernel(&detail::run_ones_like).with(std::move(one));
}
DGRAPH_DECL Kernel Kernels<ops::BroadcastTo>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_broadcast_to);
}
DGRAPH_DECL Kernel Kernels<ops::BroadcastGradientArgs>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_broadcast_gradient_args, true);
}
DGRAPH_DECL Kernel Kernels<ops::BroadcastArgs>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_broadcast_args, true);
}
DGRAPH_DECL Kernel Kernels<ops::LinSpace>::make(const KernelRequest& r) {
  switch (r.dtype("T")) {
    case DType::Float32:
      return detail::plain_kernel(&detail::run_linspace<float>);
    case DType::Float64:
      return detail::plain_kernel(&detail::run_linspace<double>);
    case DType::Float16:
      return detail::plain_kernel(&detail::run_linspace<half>);
    case DType::BFloat16:
      return detail::plain_kernel(&detail::run_linspace<bfloat16>);
    default:
      detail::no_kernel_for(r, r.dtype("T"));
  }
}
DGRAPH_DECL Kernel Kernels<ops::Range>::make(const KernelRequest& r) {
  switch (r.dtype("Tidx")) {
    case DType::Float32:
      return detail::plain_kernel(&detail::run_range<float>);
    case DType::Float64:
      return detail::plain_kernel(&detail::run_range<double>);
    case DType::Float16:
      return detail::plain_kernel(&detail::run_range<half>);
    case DType::BFloat16:
      return detail::plain_kernel(&detail::run_range<bfloat16>);
    case DType::Int8:
      return detail::plain_kernel(&detail::run_range<std::int8_t>);
    case DType::Int16:
      return detail::plain_kernel(&detail::run_range<std::int16_t>);
    case DType::Int32:
      return detail::plain_kernel(&detail::run_range<std::int32_t>);
    case DType::Int64:
      return detail::plain_kernel(&detail::run_range<std::int64_t>);
    case DType::UInt16:
      return detail::plain_kernel(&detail::run_range<std::uint16_t>);
    case DType::UInt32:
      return detail::plain_kernel(&detail::run_range<std::uint32_t>);
    default:
      detail::no_kernel_for(r, r.dtype("Tidx"));
  }
}

}  // namespace dgraph

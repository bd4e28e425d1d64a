#pragma once
#include <dgraph/kernels/convolution.hpp>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/patches.hpp>

namespace dgraph::detail {

DGRAPH_DECL Convolution plan_convolution(const WindowAttrs& attrs, const Shape& input,
                                         const Shape& filter, bool depthwise) {
  if (input.rank() != attrs.rank() || filter.rank() != attrs.rank())
    fail(Code::InvalidArgument, "input and filter must have rank ", attrs.rank(), ", not shapes ",
         input, " and ", filter);
  const bool no_outputs =
      attrs.spatial == 2 && filter[3] == 0 && filter[0] * filter[1] * filter[2] > 0;
  if (filter.elements() == 0 && !no_outputs)
    fail(Code::InvalidArgument,
         "filter must not have zero elements (i.e. all dimensions must be non-zero): ", filter);
  Convolution plan;
  plan.batch = input[0];
  plan.channels = input[attrs.spatial + 1];
  plan.filter_channels = filter[attrs.spatial];
  plan.outputs = filter[attrs.spatial + 1];
  if (depthwise) {
    if (plan.channels != plan.filter_channels)
      fail(Code::InvalidArgument, "input and filter must have the same depth: ", plan.channels,
           " vs ", plan.filter_channels);
    if (__builtin_mul_overflow(plan.outputs, plan.channels, &plan.outputs))
      fail(Code::InvalidArgument, "too many outputs of a filter of shape ", filter);
  } else if (plan.channels == 0 || plan.channels % plan.filter_channels != 0) {
    fail(Code::InvalidArgument,
         "input depth must be evenly divisible by filter depth: ", plan.channels, " vs ",
         plan.filter_channels);
  } else if (plan.outputs % plan.groups() != 0) {
    fail(Code::InvalidArgument, "a filter of shape ", filter, " has no ", plan.groups(),
         " groups of outputs");
  }
  for (std::size_t i = 0; i < attrs.spatial; ++i)
    plan.dims[i + 3 - attrs.spatial] = attrs.along(i, input[i + 1], filter[i]);
  return plan;
}

DGRAPH_DECL Shape output_shape(const WindowAttrs& attrs, const Convolution& plan) {
  Dims out{plan.batch};
  for (std::size_t i = 0; i < attrs.spatial; ++i)
    out.push_back(plan.dims[i + 3 - attrs.spatial].places);
  out.push_back(plan.outputs);
  return Shape(std::move(out));
}

DGRAPH_DECL void check_backprop_shape(const WindowAttrs& attrs, const Convolution& plan,
                                      const Shape& shape) {
  const Shape wanted = output_shape(attrs, plan);
  if (!(shape == wanted))
    fail(Code::InvalidArgument, "out_backprop has shape ", shape, ", but the convolution gives ",
         wanted);
}

DGRAPH_DECL Shape image_shape(const WindowAttrs& attrs, const Tensor& sizes, const Shape& filter,
                              const Shape& backprop) {
  const Shape given = shape_argument(sizes, "input_sizes");
  if (given.rank() == attrs.rank()) return channels_last(given, attrs.channels_first);
  if (given.rank() != attrs.spatial || backprop.rank() != attrs.rank() ||
      filter.rank() != attrs.rank())
    fail(Code::InvalidArgument, "input_sizes must have ", attrs.rank(), " numbers, not ",
         given.rank());
  Dims out{backprop[0]};
  for (std::int64_t d : given) out.push_back(d);
  out.push_back(filter[attrs.spatial]);
  return Shape(std::move(out));
}

DGRAPH_DECL WindowAttrs convolution_attrs(const KernelRequest& request) {
  return read_convolution_attrs(request.def, [&request](std::string_view name) -> const AttrValue& {
    return request.attr(name);
  });
}

DGRAPH_DECL DType convolution_compute(const KernelRequest& request) {
  switch (const DType dtype = request.dtype("T")) {
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
      return DType::Float32;
    case DType::Float64:
      return DType::Float64;
    case DType::Int32:
      return DType::UInt32;
    default:
      no_kernel_for(request, dtype);
  }
}

DGRAPH_DECL Tensor convolution_input(const KernelContext& context, const Tensor& from,
                                     DType compute, bool channels_first) {
  const Tensor ordered = channels_last(context, from, channels_first);
  if (ordered.dtype() == compute) return ordered;
  return compute == DType::UInt32 ? ordered.bitcast_same_size(compute)
                                  : cast_tensor(ordered, compute);
}

}  // namespace dgraph::detail

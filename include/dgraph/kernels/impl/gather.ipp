#pragma once
#include <dgraph/kernels/gather.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

// out[b, o, i, :] = params[b, o, indices[b, i], :], all seen as blocks of `slice` elements.
struct GatherPlan {
  std::int64_t batch, outer, rows, picks, slice;
};

template <class Element>
void copy_slice(const Element* from, Element* to, std::int64_t count) {
  if constexpr (std::is_trivially_copyable_v<Element>)
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(Element));
  else
    std::copy_n(from, count, to);
}

template <class Element, class Index>
void gather_slices(const GatherPlan& p, const std::byte* params, const std::byte* indices,
                   std::byte* out, std::int64_t begin, std::int64_t end) {
  const Element* const from = reinterpret_cast<const Element*>(params);
  const Index* const index = reinterpret_cast<const Index*>(indices);
  Element* to = reinterpret_cast<Element*>(out) + begin * p.slice;
  std::int64_t pick = begin % p.picks, block = begin / p.picks;
  for (std::int64_t at = begin; at < end;) {
    const Element* const rows = from + block * p.rows * p.slice;
    const Index* const picks = index + block / p.outer * p.picks;
    const std::int64_t stop = std::min(p.picks, pick + (end - at));
    at += stop - pick;
    if (p.slice == 1) {
      for (; pick < stop; ++pick) *to++ = rows[picks[pick]];
    } else {
      for (; pick < stop; ++pick, to += p.slice)
        copy_slice(rows + picks[pick] * p.slice, to, p.slice);
    }
    pick = 0;
    ++block;
  }
}

DGRAPH_DECL void gather_along(KernelContext& c, std::size_t axis, std::size_t batch_dims) {
  const Tensor &params = c.input(0), &indices = c.input(1);
  Dims dims;
  for (std::size_t i = 0; i < axis; ++i) dims.push_back(params.dim(i));
  for (std::size_t i = batch_dims; i < indices.rank(); ++i) dims.push_back(indices.dim(i));
  for (std::size_t i = axis + 1; i < params.rank(); ++i) dims.push_back(params.dim(i));
  check_indices(indices, params.dim(axis));
  Tensor& out = c.allocate_output(0, Shape(std::move(dims)));
  if (out.elements() == 0) return;
  GatherPlan p;
  p.batch = elements_before(params.shape(), batch_dims);
  p.outer = elements_before(params.shape(), axis) / p.batch;
  p.rows = params.dim(axis);
  p.picks = elements_from(indices.shape(), batch_dims);
  p.slice = elements_from(params.shape(), axis + 1);
  const bool wide = indices.dtype() == DType::Int64, narrow = indices.dtype() == DType::Int16;
  const auto run = with_moved_type(params.dtype(), [&]<class E>() {
    return wide     ? &gather_slices<E, std::int64_t>
           : narrow ? &gather_slices<E, std::int16_t>
                    : &gather_slices<E, std::int32_t>;
  });
  const double ns_each =
      4 + 0.1 * static_cast<double>(p.slice) * static_cast<double>(dtype_size(params.dtype()));
  c.parallel_for(p.batch * p.outer * p.picks, ns_each, [&](std::int64_t begin, std::int64_t end) {
    run(p, params.raw(), indices.raw(), out.mutable_raw(), begin, end);
  });
}

DGRAPH_DECL void run_gather(KernelContext& c) {
  if (c.input(0).rank() == 0) fail(Code::InvalidArgument, "params must be at least 1 dimensional");
  gather_along(c, 0, 0);
}

DGRAPH_DECL void run_gather_v2(KernelContext& c) {
  const Tensor &params = c.input(0), &indices = c.input(1);
  const std::size_t axis = axis_of(integer_argument(c.input(2), "the axis"), params.rank(), "axis");
  const auto rank = static_cast<std::int64_t>(indices.rank());
  std::int64_t batch = c.config<std::int64_t>();
  if (batch < -rank || batch > rank)
    fail(Code::InvalidArgument, "Expected batch_dims in the range [", -rank, ", ", rank,
         "], but got ", batch);
  if (batch < 0) batch += rank;
  if (batch > static_cast<std::int64_t>(axis))
    fail(Code::InvalidArgument, "batch_dims (", batch, ") must be less than or equal to axis (",
         axis, ")");
  for (std::size_t i = 0; i < static_cast<std::size_t>(batch); ++i)
    if (params.dim(i) != indices.dim(i))
      fail(Code::InvalidArgument, "params.shape[", i, "]: ", params.dim(i),
           " should be equal to indices.shape[", i, "]: ", indices.dim(i));
  gather_along(c, axis, static_cast<std::size_t>(batch));
}

DGRAPH_DECL void run_one_hot(KernelContext& c) {
  const Tensor &indices = c.input(0), &on = c.input(2), &off = c.input(3);
  const std::int64_t depth = integer_argument(c.input(1), "depth");
  const auto rank = static_cast<std::int64_t>(indices.rank());
  std::int64_t axis = c.config<std::int64_t>();
  if (axis < -1 || axis > rank)
    fail(Code::InvalidArgument, "Expected axis to be -1 or between [0, ", rank + 1,
         "). But received: ", axis);
  if (axis == -1) axis = rank;
  if (depth < 0) fail(Code::InvalidArgument, "depth must be non-negative, got: ", depth);
  if (on.elements() != 1 || off.elements() != 1)
    fail(Code::InvalidArgument, "on_value and off_value must be scalars, not of shapes ",
         on.shape(), " and ", off.shape());
  Dims dims;
  for (std::int64_t i = 0; i <= rank; ++i) {
    if (i == axis) dims.push_back(depth);
    if (i < rank) dims.push_back(indices.dim(static_cast<std::size_t>(i)));
  }
  Tensor& out = c.allocate_output(0, Shape(std::move(dims)));
  if (out.elements() == 0) return;
  fill_elements(out.dtype(), off.raw(), out.mutable_raw(), out.elements());
  const std::int64_t suffix = elements_from(indices.shape(), static_cast<std::size_t>(axis)),
                     count = indices.elements();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t index = integer_at(indices, i, "indices");
    if (index < 0 || index >= depth) continue;
    fill_elements(out.dtype(), on.raw(),
                  element_at(out.dtype(), out.mutable_raw(),
                             (i / suffix * depth + index) * suffix + i % suffix),
                  1);
  }
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Gather>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_gather);
}
DGRAPH_DECL Kernel Kernels<ops::GatherV2>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_gather_v2).with(r.attr<std::int64_t>("batch_dims"));
}
DGRAPH_DECL Kernel Kernels<ops::OneHot>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_one_hot).with(r.attr<std::int64_t>("axis"));
}

}  // namespace dgraph

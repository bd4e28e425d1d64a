#pragma once
#include <dgraph/kernels/partition.hpp>

#include <algorithm>
#include <vector>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL bool begins_with(const Shape& shape, const Shape& lead) {
  bool fits = lead.rank() <= shape.rank();
  for (std::size_t i = 0; i < lead.rank() && fits; ++i) fits = shape[i] == lead[i];
  return fits;
}

DGRAPH_DECL void run_dynamic_partition(KernelContext& c) {
  const Tensor &data = c.input(0), &partitions = c.input(1);
  if (!begins_with(data.shape(), partitions.shape()))
    fail(Code::InvalidArgument,
         "data.shape must start with partitions.shape, got data.shape = ", data.shape(),
         ", partitions.shape = ", partitions.shape());
  const auto parts = static_cast<std::int64_t>(c.num_outputs());
  check_indices(partitions, parts, "partitions");
  const std::int64_t count = partitions.elements(),
                     slice = elements_from(data.shape(), partitions.rank());
  const std::int32_t* const to = partitions.data<std::int32_t>();
  std::vector<std::int64_t> sizes(c.num_outputs(), 0);
  for (std::int64_t i = 0; i < count; ++i) ++sizes[static_cast<std::size_t>(to[i])];
  Dims dims{0};
  for (std::size_t i = partitions.rank(); i < data.rank(); ++i) dims.push_back(data.dim(i));
  std::vector<std::byte*> next;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    dims[0] = sizes[i];
    next.push_back(c.allocate_output(i, Shape(dims)).mutable_raw());
  }
  if (slice == 0) return;
  with_moved_type(data.dtype(), [&]<class E>() {
    const E* from = reinterpret_cast<const E*>(data.raw());
    for (std::int64_t i = 0; i < count; ++i, from += slice) {
      std::byte*& place = next[static_cast<std::size_t>(to[i])];
      std::copy_n(from, slice, reinterpret_cast<E*>(place));
      place += static_cast<std::size_t>(slice) * sizeof(E);
    }
  });
}

DGRAPH_DECL void run_dynamic_stitch(KernelContext& c) {
  const std::size_t n = c.num_inputs() / 2;
  const DType dtype = c.output_dtype(0);
  Dims dims{0};
  std::int64_t given = 0;
  for (std::size_t m = 0; m < n; ++m) {
    const Tensor &at = c.input(m), &data = c.input(m + n);
    if (!begins_with(data.shape(), at.shape()))
      fail(Code::InvalidArgument, "data[", m, "].shape = ", data.shape(),
           " does not start with indices[", m, "].shape = ", at.shape());
    Dims own{dims[0]};
    for (std::size_t i = at.rank(); i < data.rank(); ++i) own.push_back(data.dim(i));
    if (m == 0)
      dims = own;
    else if (!(own == dims))
      fail(Code::InvalidArgument, "Need data[0].shape[", c.input(0).rank(), ":] = data[", m,
           "].shape[", at.rank(), ":], got data[0].shape = ", c.input(n).shape(), ", data[", m,
           "].shape = ", data.shape());
    const std::int32_t* const indices = at.data<std::int32_t>();
    for (std::int64_t i = 0; i < at.elements(); ++i) {
      if (indices[i] < 0)
        fail(Code::InvalidArgument, "indices[", m, "]",
             at.rank() == 0 ? "" : position_text(at.shape(), i), " = ", indices[i], " is negative");
      dims[0] = std::max(dims[0], std::int64_t{indices[i]} + 1);
    }
    given += at.elements();
  }
  Tensor& out = c.allocate_output(0, Shape(std::move(dims)));
  const std::int64_t rows = out.dim(0), slice = elements_from(out.shape(), 1);
  // A permutation leaves no gap, and that is what is stitched most often.
  std::vector<bool> there(static_cast<std::size_t>(rows), false);
  std::int64_t covered = 0;
  for (std::size_t m = 0; m < n; ++m)
    for (std::int64_t i = 0; i < c.input(m).elements(); ++i) {
      const auto row = static_cast<std::size_t>(c.input(m).data<std::int32_t>()[i]);
      covered += there[row] ? 0 : 1;
      there[row] = true;
    }
  if (covered < rows) {
    const Tensor zero = Tensor::zeros(dtype, Shape());
    fill_elements(dtype, zero.raw(), out.mutable_raw(), out.elements());
  }
  if (slice == 0 || given == 0) return;
  with_moved_type(dtype, [&]<class E>() {
    E* const to = reinterpret_cast<E*>(out.mutable_raw());
    for (std::size_t m = 0; m < n; ++m) {
      const std::int32_t* const indices = c.input(m).data<std::int32_t>();
      const E* from = reinterpret_cast<const E*>(c.input(m + n).raw());
      for (std::int64_t i = 0; i < c.input(m).elements(); ++i, from += slice)
        std::copy_n(from, slice, to + indices[i] * slice);
    }
  });
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::DynamicPartition>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_dynamic_partition);
}
DGRAPH_DECL Kernel Kernels<ops::DynamicStitch>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_dynamic_stitch);
}
DGRAPH_DECL Kernel Kernels<ops::ParallelDynamicStitch>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_dynamic_stitch);
}

}  // namespace dgraph

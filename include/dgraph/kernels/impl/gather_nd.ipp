#pragma once
#include <dgraph/kernels/gather_nd.hpp>

#include <atomic>
#include <string>

#include <dgraph/kernels/accumulate.hpp>
#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/row_fold.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

// Index vectors into a tensor of shape `whole`.
struct IndexVectors {
  const Tensor& indices;
  const Shape& whole;
  std::int64_t count = 1, length = 0, slice = 0;

  IndexVectors(const Tensor& all, const Shape& shape) : indices(all), whole(shape) {
    if (all.rank() == 0)
      fail(Code::InvalidArgument, "indices must be at least a vector, not a scalar");
    length = all.shape().dims().back();
    if (static_cast<std::size_t>(length) > shape.rank())
      fail(Code::InvalidArgument,
           "index innermost dimension length must be <= params rank; saw: ", length, " vs. ",
           shape.rank());
    count = elements_before(all.shape(), all.rank() - 1);
    slice = elements_from(shape, static_cast<std::size_t>(length));
  }

  /// indices.shape[:-1] + whole.shape[length:].
  Shape slices() const {
    Dims dims;
    for (std::size_t i = 0; i + 1 < indices.rank(); ++i) dims.push_back(indices.dim(i));
    for (std::size_t i = static_cast<std::size_t>(length); i < whole.rank(); ++i)
      dims.push_back(whole[i]);
    return Shape(std::move(dims));
  }
};

// The number of the slice that a vector names; -1 where there is none.
template <class Index>
std::int64_t slice_number(const Index* vector, const Shape& whole, std::int64_t length) {
  std::int64_t slice = 0;
  for (std::int64_t k = 0; k < length; ++k) {
    const std::int64_t bound = whole[static_cast<std::size_t>(k)],
                       index = static_cast<std::int64_t>(vector[k]);
    if (index < 0 || index >= bound) return -1;
    slice = slice * bound + index;
  }
  return slice;
}

// Calls f(number of the vector, number of its slice) for vectors [begin, end).
template <class F>
void for_each_vector(const IndexVectors& v, std::int64_t begin, std::int64_t end, F f) {
  const auto run = [&]<class Index>(const Index* vectors) {
    for (std::int64_t i = begin; i < end; ++i)
      f(i, slice_number(vectors + i * v.length, v.whole, v.length));
  };
  switch (v.indices.dtype()) {
    case DType::Int64:
      return run(v.indices.data<std::int64_t>());
    case DType::Int16:
      return run(v.indices.data<std::int16_t>());
    case DType::UInt16:
      return run(v.indices.data<std::uint16_t>());
    default:
      return run(v.indices.data<std::int32_t>());
  }
}

[[noreturn]] DGRAPH_DECL void bad_vector(const IndexVectors& v, std::int64_t at) {
  for (std::int64_t k = 0; k < v.length; ++k) {
    const std::int64_t place = at * v.length + k, bound = v.whole[static_cast<std::size_t>(k)],
                       index = integer_at(v.indices, place, "indices");
    if (index < 0 || index >= bound)
      fail(Code::InvalidArgument, "indices", position_text(v.indices.shape(), place), " = ", index,
           " is not in [0, ", bound, "), for shape ", v.whole);
  }
  fail(Code::Internal, "index vector ", at, " is in range");
}

DGRAPH_DECL void run_gather_nd(KernelContext& c) {
  const Tensor& params = c.input(0);
  const IndexVectors v(c.input(1), params.shape());
  const bool ignore = c.config<bool>();
  const DType dtype = params.dtype();
  Tensor& out = c.allocate_output(0, v.slices());
  const Tensor zero = Tensor::zeros(dtype, Shape());
  std::atomic<std::int64_t> bad{v.count};
  const double ns_each =
      5 + 0.1 * static_cast<double>(v.slice) * static_cast<double>(dtype_size(dtype));
  c.parallel_for(v.count, ns_each, [&](std::int64_t begin, std::int64_t end) {
    for_each_vector(v, begin, end, [&](std::int64_t i, std::int64_t slice) {
      std::byte* to = element_at(dtype, out.mutable_raw(), i * v.slice);
      if (slice >= 0) {
        copy_elements(dtype, element_at(dtype, params.raw(), slice * v.slice), to, v.slice);
      } else if (ignore) {
        fill_elements(dtype, zero.raw(), to, v.slice);
      } else {
        // The first of all, whichever thread finds it.
        std::int64_t first = bad.load(std::memory_order_relaxed);
        while (i < first && !bad.compare_exchange_weak(first, i, std::memory_order_relaxed)) {
        }
      }
    });
  });
  if (bad.load(std::memory_order_relaxed) < v.count)
    bad_vector(v, bad.load(std::memory_order_relaxed));
}

// How a slice is changed; one of `sum` and `fold`, or none to set it.
struct SliceChange {
  RowSum sum;
  RowFold fold = nullptr;
  bool ignore = false;
};

DGRAPH_DECL void either_of(std::byte* to, const std::byte* from, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] |= from[i];
}
DGRAPH_DECL void append_strings(std::byte* to, const std::byte* from, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    reinterpret_cast<std::string*>(to)[i] += reinterpret_cast<const std::string*>(from)[i];
}

DGRAPH_DECL void scatter_slices(const IndexVectors& v, const Tensor& updates,
                                const SliceChange& change, Tensor& out) {
  if (!(updates.shape() == v.slices()))
    fail(Code::InvalidArgument, "updates must have shape ", v.slices(), " for indices of shape ",
         v.indices.shape(), " into shape ", v.whole, ", not ", updates.shape());
  if (!change.ignore)
    for_each_vector(v, 0, v.count, [&](std::int64_t i, std::int64_t slice) {
      if (slice < 0) bad_vector(v, i);
    });
  if (v.slice == 0) return;
  const DType dtype = out.dtype();
  std::byte* const base = out.mutable_raw();
  for_each_vector(v, 0, v.count, [&](std::int64_t i, std::int64_t slice) {
    if (slice < 0) return;
    std::byte* const to = element_at(dtype, base, slice * v.slice);
    const std::byte* const from = element_at(dtype, updates.raw(), i * v.slice);
    if (change.sum)
      change.sum(to, to, from, v.slice);
    else if (change.fold)
      change.fold(to, from, v.slice);
    else
      copy_elements(dtype, from, to, v.slice);
  });
}

DGRAPH_DECL void run_new_scatter_nd(KernelContext& c) {
  const Shape shape = shape_argument(c.input(2), "shape");
  const IndexVectors v(c.input(0), shape);
  Tensor out = Tensor::zeros(c.output_dtype(0), shape);
  scatter_slices(v, c.input(1), c.config<SliceChange>(), out);
  c.set_output(0, std::move(out));
}

DGRAPH_DECL void run_tensor_scatter(KernelContext& c) {
  Tensor out = c.take_input(0);
  if (!out.unique()) out = out.clone();
  const Shape shape = out.shape();
  scatter_slices(IndexVectors(c.input(1), shape), c.input(2), c.config<SliceChange>(), out);
  c.set_output(0, std::move(out));
}

DGRAPH_DECL bool ignores_bad_indices(const KernelRequest& r) {
  return r.attr<std::string>("bad_indices_policy") == "IGNORE";
}

DGRAPH_DECL Kernel slice_kernel(const KernelRequest& r, void (*run)(KernelContext&), RowSum sum,
                                RowFold fold, bool sets = false) {
  if (!sets && !sum && !fold) no_kernel_for(r, r.dtype("T"));
  return plain_kernel(run).with(SliceChange{sum, fold, ignores_bad_indices(r)});
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::GatherNd>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_gather_nd).with(detail::ignores_bad_indices(r));
}
DGRAPH_DECL Kernel Kernels<ops::ScatterNd>::make(const KernelRequest& r) {
  const DType dtype = r.dtype("T");
  const detail::RowFold fold = dtype == DType::Bool     ? &detail::either_of
                               : dtype == DType::String ? &detail::append_strings
                                                        : nullptr;
  return detail::slice_kernel(r, &detail::run_new_scatter_nd, detail::RowSum::add(dtype), fold);
}
DGRAPH_DECL Kernel Kernels<ops::TensorScatterUpdate>::make(const KernelRequest& r) {
  return detail::slice_kernel(r, &detail::run_tensor_scatter, {}, nullptr, true);
}
DGRAPH_DECL Kernel Kernels<ops::TensorScatterAdd>::make(const KernelRequest& r) {
  return detail::slice_kernel(r, &detail::run_tensor_scatter, detail::RowSum::add(r.dtype("T")),
                              nullptr);
}
DGRAPH_DECL Kernel Kernels<ops::TensorScatterSub>::make(const KernelRequest& r) {
  return detail::slice_kernel(r, &detail::run_tensor_scatter,
                              detail::RowSum::subtract(r.dtype("T")), nullptr);
}
DGRAPH_DECL Kernel Kernels<ops::TensorScatterMin>::make(const KernelRequest& r) {
  return detail::slice_kernel(r, &detail::run_tensor_scatter, {}, detail::least_fold(r.dtype("T")));
}
DGRAPH_DECL Kernel Kernels<ops::TensorScatterMax>::make(const KernelRequest& r) {
  return detail::slice_kernel(r, &detail::run_tensor_scatter, {},
                              detail::greatest_fold(r.dtype("T")));
}

}  // namespace dgraph

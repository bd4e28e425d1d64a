#pragma once
#include <dgraph/kernels/movement.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

// What StridedSlice and its gradient need of their attributes.
struct StridedSliceMasks {
  std::int64_t begin, end, ellipsis, new_axis, shrink_axis;
};

// A strided slice of a known shape, an entry for each of its axes, and the shape of the result.
struct StridedSliceRange {
  Dims begin, stride, size;
  Dims result;
};

DGRAPH_DECL bool mask_bit(std::int64_t mask, std::size_t i) noexcept {
  return i < 32 && (mask >> i & 1);
}

// One axis of length n: where it begins and how many elements it takes.
DGRAPH_DECL void resolve_slice_axis(StridedSliceRange& out, std::size_t axis, std::int64_t n,
                                    std::optional<std::int64_t> begin,
                                    std::optional<std::int64_t> end, std::int64_t stride,
                                    bool shrink) {
  if (stride == 0) fail(Code::InvalidArgument, "strides[", axis, "] must be non-zero");
  if (shrink) {
    if (stride < 0) fail(Code::InvalidArgument, "only stride 1 allowed on non-range indexing.");
    const std::int64_t at = begin.value_or(0), index = at < 0 ? at + n : at;
    if (index < 0 || index >= n)
      fail(Code::InvalidArgument, "slice index ", at, " of dimension ", axis, " out of bounds.");
    out.begin.push_back(index);
    out.stride.push_back(1);
    out.size.push_back(1);
    return;
  }
  const std::int64_t least = stride > 0 ? 0 : -1, most = stride > 0 ? n : n - 1;
  const auto place = [&](std::int64_t x) { return std::clamp(x < 0 ? x + n : x, least, most); };
  const std::int64_t first = begin ? place(*begin) : stride > 0 ? least : most;
  const std::int64_t last = end ? place(*end) : stride > 0 ? most : least;
  const std::int64_t span = last - first;
  std::int64_t count = 0;
  if (span != 0 && (span < 0) == (stride < 0)) count = span / stride + (span % stride != 0);
  out.begin.push_back(count == 0 ? 0 : first);
  out.stride.push_back(count <= 1 ? 1 : stride);
  out.size.push_back(count);
  out.result.push_back(count);
}

DGRAPH_DECL StridedSliceRange resolve_strided_slice(const Shape& shape, const Dims& begin,
                                                    const Dims& end, const Dims& strides,
                                                    const StridedSliceMasks& masks) {
  if (begin.size() != end.size() || begin.size() != strides.size())
    fail(Code::InvalidArgument, "begin, end and strides must have one length, not ", begin.size(),
         ", ", end.size(), " and ", strides.size());
  const std::size_t given = begin.size(), rank = shape.rank();
  std::size_t ellipsis = given, used = 0;
  for (std::size_t i = 0; i < given; ++i) {
    if (mask_bit(masks.ellipsis, i)) {
      if (ellipsis != given)
        fail(Code::InvalidArgument, "Multiple ellipses in slice spec not allowed");
      ellipsis = i;
    } else if (!mask_bit(masks.new_axis, i)) {
      ++used;
    }
  }
  if (used > rank)
    fail(Code::InvalidArgument, "Index out of range using input dim ", rank, "; input has only ",
         rank, " dims");
  StridedSliceRange out;
  std::size_t axis = 0;
  // An ellipsis, or the end where there is none, stands for all axes that nothing else names.
  const auto take_rest = [&] {
    for (std::size_t left = rank - used; left > 0; --left, ++axis)
      resolve_slice_axis(out, axis, shape[axis], {}, {}, 1, false);
  };
  for (std::size_t i = 0; i < given; ++i) {
    if (i == ellipsis) {
      take_rest();
    } else if (mask_bit(masks.new_axis, i)) {
      out.result.push_back(1);
    } else {
      resolve_slice_axis(out, axis, shape[axis],
                         mask_bit(masks.begin, i) && !mask_bit(masks.shrink_axis, i)
                             ? std::nullopt
                             : std::optional(begin[i]),
                         mask_bit(masks.end, i) ? std::nullopt : std::optional(end[i]), strides[i],
                         mask_bit(masks.shrink_axis, i));
      ++axis;
    }
  }
  if (ellipsis == given) take_rest();
  return out;
}

// The slice of `in` that begins at `begin` and steps by `step`, of `size`, as a tensor of shape
// `result`. Shares memory where the slice is a run of rows; a small one is copied, so that it does
// not keep a large tensor alive.
DGRAPH_DECL Tensor take_slice(KernelContext& c, const Tensor& in, const Dims& begin,
                              const Dims& step, const Dims& size, const Shape& result) {
  constexpr std::int64_t kWorthSharing = 1024;
  if (in.rank() == 0 || (result.elements() == in.elements() && step == Dims(in.rank(), 1)))
    return in.reshaped(result);
  bool rows = step[0] == 1 && result.elements() >= kWorthSharing;
  for (std::size_t i = 1; i < in.rank() && rows; ++i) rows = size[i] == in.dim(i) && step[i] == 1;
  if (rows) return in.rows(begin[0], size[0]).reshaped(result);
  Tensor out(in.dtype(), result);
  Dims from = row_major_strides(in.shape().dims());
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    offset += begin[i] * from[i];
    from[i] *= step[i];
  }
  copy_strided(c, in.dtype(), size, element_at(in.dtype(), in.raw(), offset), from,
               out.mutable_raw(), row_major_strides(size));
  return out;
}

DGRAPH_DECL void run_slice(KernelContext& c) {
  const Tensor& in = c.input(0);
  const Dims begin = integers_argument(c.input(1), "begin");
  Dims size = integers_argument(c.input(2), "size");
  if (begin.size() != in.rank() || size.size() != in.rank())
    fail(Code::InvalidArgument, "begin and size must have a number for each of ", in.rank(),
         " dimensions, not ", begin.size(), " and ", size.size());
  for (std::size_t i = 0; i < begin.size(); ++i) {
    const std::int64_t n = in.dim(i);
    if (begin[i] < 0 || begin[i] > n)
      fail(Code::InvalidArgument, "Expected begin[", i, "] in [0, ", n, "], but got ", begin[i]);
    if (size[i] == -1) size[i] = n - begin[i];
    if (size[i] < 0 || size[i] > n - begin[i])
      fail(Code::InvalidArgument, "Expected size[", i, "] in [0, ", n - begin[i], "], but got ",
           size[i]);
  }
  const Shape result{Dims(size)};
  c.set_output(0, take_slice(c, in, begin, Dims(begin.size(), 1), size, result));
}

DGRAPH_DECL void run_strided_slice(KernelContext& c) {
  const Tensor& in = c.input(0);
  const StridedSliceRange range = resolve_strided_slice(
      in.shape(), integers_argument(c.input(1), "begin"), integers_argument(c.input(2), "end"),
      integers_argument(c.input(3), "strides"), c.config<StridedSliceMasks>());
  c.set_output(0, take_slice(c, in, range.begin, range.stride, range.size, Shape(range.result)));
}

DGRAPH_DECL void run_strided_slice_grad(KernelContext& c) {
  const Shape shape = shape_argument(c.input(0), "the shape of the sliced tensor");
  const StridedSliceRange range = resolve_strided_slice(
      shape, integers_argument(c.input(1), "begin"), integers_argument(c.input(2), "end"),
      integers_argument(c.input(3), "strides"), c.config<StridedSliceMasks>());
  const Tensor& dy = c.input(4);
  if (!(dy.shape() == Shape(range.result)))
    fail(Code::InvalidArgument, "the gradient of a slice of shape ", Shape(range.result),
         " has shape ", dy.shape());
  Tensor out = Tensor::zeros(dy.dtype(), shape);
  Dims to = row_major_strides(shape.dims());
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    offset += range.begin[i] * to[i];
    to[i] *= range.stride[i];
  }
  copy_strided(c, dy.dtype(), range.size, dy.raw(), row_major_strides(range.size),
               element_at(dy.dtype(), out.mutable_raw(), offset), to);
  c.set_output(0, std::move(out));
}

DGRAPH_DECL void run_transpose(KernelContext& c) {
  const Tensor& in = c.input(0);
  const Dims perm = integers_argument(c.input(1), "perm");
  const std::size_t rank = in.rank();
  if (perm.size() != rank)
    fail(Code::InvalidArgument, "transpose expects a vector of size ", rank,
         ". But input(1) is a vector of size ", perm.size());
  const Dims strides = row_major_strides(in.shape().dims());
  Dims sizes(rank, -1), from(rank, 0);
  std::vector<bool> seen(rank, false);
  bool in_order = true;
  std::size_t before = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t axis = axis_of(perm[i], rank, "perm");
    if (seen[axis]) fail(Code::InvalidArgument, "axis ", axis, " is in perm twice");
    seen[axis] = true;
    sizes[i] = in.dim(axis);
    from[i] = strides[axis];
    // Axes of one element may go anywhere.
    if (sizes[i] != 1) {
      in_order = in_order && axis >= before;
      before = axis;
    }
  }
  if (in_order) {
    c.set_output(0, c.take_input(0).reshaped(Shape(std::move(sizes))));
    return;
  }
  Tensor& out = c.allocate_output(0, Shape(sizes));
  copy_strided(c, in.dtype(), sizes, in.raw(), from, out.mutable_raw(), row_major_strides(sizes));
}

DGRAPH_DECL void run_invert_permutation(KernelContext& c) {
  const Tensor& in = c.input(0);
  if (in.rank() != 1)
    fail(Code::InvalidArgument, "invert_permutation expects a 1D vector, not shape ", in.shape());
  check_indices(in, in.elements(), "x");
  Tensor& out = c.allocate_output(0, in.shape());
  const auto run = [&]<class T>(T* to) {
    const T* from = in.data<T>();
    const T n = static_cast<T>(in.elements());
    std::fill_n(to, n, T{-1});
    for (T i = 0; i < n; ++i) {
      if (to[from[i]] != -1)
        fail(Code::InvalidArgument, "x[", i, "] = ", from[i], " is duplicated");
      to[from[i]] = i;
    }
  };
  if (in.dtype() == DType::Int64)
    run(out.mutable_data<std::int64_t>());
  else
    run(out.mutable_data<std::int32_t>());
}

// Copies `part` into `out` (or out of it, where `cut`), both seen as [outer, length, inner]; `at`
// and `length` count elements of the axis times the elements after it.
DGRAPH_DECL void move_columns(KernelContext& c, DType dtype, std::int64_t outer,
                              std::int64_t columns, const std::byte* from,
                              std::int64_t from_columns, std::byte* to, std::int64_t to_columns) {
  copy_strided(c, dtype, {outer, columns}, from, {from_columns, 1}, to, {to_columns, 1});
}

DGRAPH_DECL void run_concat(KernelContext& c) {
  const std::size_t count = c.num_inputs() - 1;
  const Shape& first = c.input(0).shape();
  if (first.rank() == 0) fail(Code::InvalidArgument, "tensors of rank 0 cannot be concatenated");
  const std::size_t axis =
      axis_of(integer_argument(c.input(count), "the axis"), first.rank(), "axis");
  Dims dims = first.dims();
  std::size_t not_empty = 0, last = 0;
  for (std::size_t i = 1; i < count; ++i) {
    const Shape& shape = c.input(i).shape();
    bool fits = shape.rank() == first.rank();
    for (std::size_t k = 0; k < first.rank() && fits; ++k) fits = k == axis || shape[k] == first[k];
    if (!fits || __builtin_add_overflow(dims[axis], shape[axis], &dims[axis]))
      fail(Code::InvalidArgument, "Dimensions of inputs should match but for axis ", axis,
           ": inputs 0 and ", i, " have shapes ", first, " and ", shape);
  }
  const Shape to(std::move(dims));
  for (std::size_t i = 0; i < count; ++i) {
    if (c.input(i).elements() == 0) continue;
    ++not_empty;
    last = i;
  }
  if (not_empty == 1 && c.input(last).shape() == to) {
    c.set_output(0, c.take_input(last));
    return;
  }
  Tensor& out = c.allocate_output(0, to);
  const std::int64_t outer = elements_before(to, axis), row = elements_from(to, axis);
  std::int64_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Tensor& in = c.input(i);
    const std::int64_t columns = elements_from(in.shape(), axis);
    move_columns(c, out.dtype(), outer, columns, in.raw(), columns,
                 element_at(out.dtype(), out.mutable_raw(), at), row);
    at += columns;
  }
}

DGRAPH_DECL void run_concat_offset(KernelContext& c) {
  const std::size_t count = c.num_inputs() - 1;
  const Dims first = integers_argument(c.input(1), "a shape");
  const std::size_t axis = axis_of(integer_argument(c.input(0), "the axis"), first.size(), "axis");
  std::int64_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Dims shape = integers_argument(c.input(i + 1), "a shape");
    bool fits = shape.size() == first.size();
    for (std::size_t k = 0; k < first.size() && fits; ++k) fits = k == axis || shape[k] == first[k];
    if (!fits)
      fail(Code::InvalidArgument, "All dimensions except ", axis, " must match. Input ", i,
           " has shape ", c.input(i + 1).to_string(), " and doesn't match input 0 with shape ",
           c.input(1).to_string());
    Tensor out = Tensor::zeros(c.output_dtype(i), Shape{static_cast<std::int64_t>(first.size())});
    if (out.dtype() == DType::Int64) {
      out.mutable_data<std::int64_t>()[axis] = at;
    } else {
      if (at > INT32_MAX) fail(Code::InvalidArgument, "offset ", at, " does not fit an int32");
      out.mutable_data<std::int32_t>()[axis] = static_cast<std::int32_t>(at);
    }
    c.set_output(i, std::move(out));
    if (shape[axis] < 0 || __builtin_add_overflow(at, shape[axis], &at))
      fail(Code::InvalidArgument, "size ", shape[axis], " of input ", i,
           " is negative or too large");
  }
}

DGRAPH_DECL void run_pack(KernelContext& c) {
  const std::size_t count = c.num_inputs();
  const Shape& shape = c.input(0).shape();
  const std::size_t axis = axis_of(c.config<std::int64_t>(), shape.rank() + 1, "axis");
  for (std::size_t i = 1; i < count; ++i)
    if (!(c.input(i).shape() == shape))
      fail(Code::InvalidArgument, "Shapes of all inputs must match: values[0].shape = ", shape,
           " != values[", i, "].shape = ", c.input(i).shape());
  Dims dims;
  for (std::size_t i = 0; i <= shape.rank(); ++i) {
    if (i == axis) dims.push_back(static_cast<std::int64_t>(count));
    if (i < shape.rank()) dims.push_back(shape[i]);
  }
  const Shape to(std::move(dims));
  if (count == 1) {
    c.set_output(0, c.take_input(0).reshaped(to));
    return;
  }
  Tensor& out = c.allocate_output(0, to);
  const std::int64_t outer = elements_before(shape, axis), columns = elements_from(shape, axis);
  const std::int64_t row = columns * static_cast<std::int64_t>(count);
  for (std::size_t i = 0; i < count; ++i)
    move_columns(c, out.dtype(), outer, columns, c.input(i).raw(), columns,
                 element_at(out.dtype(), out.mutable_raw(), static_cast<std::int64_t>(i) * columns),
                 row);
}

// Cuts `in` along `axis` into pieces of these lengths, whose sum is that of the axis.
DGRAPH_DECL void cut(KernelContext& c, const Tensor& in, std::size_t axis, const Dims& lengths,
                     bool keep_axis) {
  const Dims step(in.rank(), 1);
  Dims begin(in.rank(), 0), size = in.shape().dims();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    size[axis] = lengths[i];
    Dims result;
    for (std::size_t k = 0; k < in.rank(); ++k)
      if (k != axis || keep_axis) result.push_back(size[k]);
    c.set_output(i, take_slice(c, in, begin, step, size, Shape(std::move(result))));
    begin[axis] += lengths[i];
  }
}

DGRAPH_DECL void run_unpack(KernelContext& c) {
  const Tensor in = c.take_input(0);
  const std::size_t axis = axis_of(c.config<std::int64_t>(), in.rank(), "axis");
  if (in.dim(axis) != static_cast<std::int64_t>(c.num_outputs()))
    fail(Code::InvalidArgument, "Input shape axis ", axis, " must equal ", c.num_outputs(),
         ", got shape ", in.shape());
  cut(c, in, axis, Dims(c.num_outputs(), 1), false);
}

DGRAPH_DECL void run_split(KernelContext& c) {
  const Tensor in = c.take_input(1);
  const std::size_t axis =
      axis_of(integer_argument(c.input(0), "split_dim"), in.rank(), "split_dim");
  const auto count = static_cast<std::int64_t>(c.num_outputs());
  if (in.dim(axis) % count != 0)
    fail(Code::InvalidArgument,
         "Number of ways to split should evenly divide the split dimension, but got split_dim ",
         axis, " (size = ", in.dim(axis), ") and num_split ", count);
  cut(c, in, axis, Dims(c.num_outputs(), in.dim(axis) / count), true);
}

DGRAPH_DECL void run_split_v(KernelContext& c) {
  const Tensor in = c.take_input(0);
  Dims lengths = integers_argument(c.input(1), "size_splits");
  const std::size_t axis =
      axis_of(integer_argument(c.input(2), "split_dim"), in.rank(), "split_dim");
  if (lengths.size() != c.num_outputs())
    fail(Code::InvalidArgument, "size_splits has ", lengths.size(), " sizes for ", c.num_outputs(),
         " outputs");
  std::int64_t left = in.dim(axis);
  std::size_t wild = lengths.size();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == -1 && wild == lengths.size()) {
      wild = i;
      continue;
    }
    if (lengths[i] < 0 || lengths[i] > left)
      fail(Code::InvalidArgument, "size_splits[", i, "] = ", lengths[i],
           " is negative or more than is left of dimension ", axis, " of size ", in.dim(axis));
    left -= lengths[i];
  }
  if (wild != lengths.size())
    lengths[wild] = left;
  else if (left != 0)
    fail(Code::InvalidArgument, "size_splits leave ", left, " of dimension ", axis, " of size ",
         in.dim(axis));
  cut(c, in, axis, lengths, true);
}

DGRAPH_DECL void run_tile(KernelContext& c) {
  const Tensor& in = c.input(0);
  const Dims multiples = integers_argument(c.input(1), "multiples");
  if (multiples.size() != in.rank())
    fail(Code::InvalidArgument, "Expected multiples argument to be a vector of length ", in.rank(),
         " but got length ", multiples.size());
  Dims dims, sizes, from;
  const Dims strides = row_major_strides(in.shape().dims());
  bool once = true;
  for (std::size_t i = 0; i < in.rank(); ++i) {
    std::int64_t n = 0;
    if (multiples[i] < 0 || __builtin_mul_overflow(multiples[i], in.dim(i), &n))
      fail(Code::InvalidArgument, "Expected multiples[", i,
           "] >= 0 and a size below 2^63, but got ", multiples[i]);
    dims.push_back(n);
    sizes.push_back(multiples[i]);
    sizes.push_back(in.dim(i));
    from.push_back(0);
    from.push_back(strides[i]);
    once = once && multiples[i] == 1;
  }
  if (once) {
    c.set_output(0, c.take_input(0));
    return;
  }
  Tensor& out = c.allocate_output(0, Shape(std::move(dims)));
  if (out.elements() != 0)
    copy_strided(c, in.dtype(), sizes, in.raw(), from, out.mutable_raw(), row_major_strides(sizes));
}

DGRAPH_DECL StridedSliceMasks strided_slice_masks(const KernelRequest& r) {
  const auto mask = [&](std::string_view name) { return r.attr<std::int64_t>(name); };
  return {mask("begin_mask"), mask("end_mask"), mask("ellipsis_mask"), mask("new_axis_mask"),
          mask("shrink_axis_mask")};
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Transpose>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_transpose);
}
DGRAPH_DECL Kernel Kernels<ops::InvertPermutation>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_invert_permutation);
}
DGRAPH_DECL Kernel Kernels<ops::ConcatV2>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_concat);
}
DGRAPH_DECL Kernel Kernels<ops::ConcatOffset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_concat_offset);
}
DGRAPH_DECL Kernel Kernels<ops::Pack>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_pack).with(r.attr<std::int64_t>("axis"));
}
DGRAPH_DECL Kernel Kernels<ops::Unpack>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_unpack).with(r.attr<std::int64_t>("axis"));
}
DGRAPH_DECL Kernel Kernels<ops::Split>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_split);
}
DGRAPH_DECL Kernel Kernels<ops::SplitV>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_split_v);
}
DGRAPH_DECL Kernel Kernels<ops::Slice>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_slice);
}
DGRAPH_DECL Kernel Kernels<ops::StridedSlice>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_strided_slice).with(detail::strided_slice_masks(r));
}
DGRAPH_DECL Kernel Kernels<ops::StridedSliceGrad>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_strided_slice_grad).with(detail::strided_slice_masks(r));
}
DGRAPH_DECL Kernel Kernels<ops::Tile>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_tile);
}

}  // namespace dgraph

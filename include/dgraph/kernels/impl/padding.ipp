#pragma once
#include <dgraph/kernels/padding.hpp>

#include <string>

#include <dgraph/kernels/accumulate.hpp>
#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

// The paddings, and the shape of what lies around a tensor of shape `in`, or inside it.
struct Paddings {
  Dims before, after;
  Shape result;
};

DGRAPH_DECL Paddings read_paddings(const Shape& in, const Tensor& paddings, bool inside) {
  const auto rank = static_cast<std::int64_t>(in.rank());
  if (!(paddings.shape() == Shape{rank, 2}) && !(rank == 0 && paddings.elements() == 0))
    fail(Code::InvalidArgument, "paddings must be the rows [before, after] of ", rank,
         " dimensions, not of shape ", paddings.shape());
  Paddings out;
  Dims dims;
  for (std::int64_t i = 0; i < rank; ++i) {
    const std::int64_t a = integer_at(paddings, 2 * i, "paddings"),
                       b = integer_at(paddings, 2 * i + 1, "paddings");
    std::int64_t n = in[static_cast<std::size_t>(i)];
    bool bad = a < 0 || b < 0;
    if (!bad && inside) {
      bad = a > n || b > n - a;
      n -= bad ? 0 : a + b;
    } else if (!bad) {
      bad = __builtin_add_overflow(n, a, &n) || __builtin_add_overflow(n, b, &n);
    }
    if (bad)
      fail(Code::InvalidArgument, "paddings ", a, " and ", b, " of dimension ", i, " of shape ", in,
           " are negative or too large");
    dims.push_back(n);
    out.before.push_back(a);
    out.after.push_back(b);
  }
  out.result = Shape(std::move(dims));
  return out;
}

DGRAPH_DECL std::int64_t offset_of(const Dims& place, const Dims& strides) {
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < place.size(); ++i) offset += place[i] * strides[i];
  return offset;
}

// Copies `in` to where it belongs in a larger tensor.
DGRAPH_DECL void copy_inside(KernelContext& c, const Tensor& in, const Dims& before, Tensor& out) {
  const Dims strides = row_major_strides(out.shape().dims());
  copy_strided(c, in.dtype(), in.shape().dims(), in.raw(), row_major_strides(in.shape().dims()),
               element_at(in.dtype(), out.mutable_raw(), offset_of(before, strides)), strides);
}

DGRAPH_DECL void run_pad(KernelContext& c) {
  const Tensor& in = c.input(0);
  const Paddings paddings = read_paddings(in.shape(), c.input(1), false);
  const Tensor value = c.num_inputs() > 2 ? c.input(2) : Tensor::zeros(in.dtype(), Shape());
  if (value.rank() != 0)
    fail(Code::InvalidArgument, "constant_values must be a scalar, not of shape ", value.shape());
  if (paddings.result == in.shape()) {
    c.set_output(0, c.take_input(0));
    return;
  }
  Tensor& out = c.allocate_output(0, paddings.result);
  if (out.elements() == 0) return;
  fill_elements(out.dtype(), value.raw(), out.mutable_raw(), out.elements());
  if (in.elements() != 0) copy_inside(c, in, paddings.before, out);
}

// Throws where more is to be mirrored than there is.
DGRAPH_DECL void check_mirrors(const Paddings& paddings, const Shape& shape, std::int64_t skipped) {
  for (std::size_t i = 0; i < shape.rank(); ++i)
    if (paddings.before[i] > shape[i] - skipped || paddings.after[i] > shape[i] - skipped)
      fail(Code::InvalidArgument, "paddings must be no greater than the dimension size",
           skipped ? " - 1" : "", ": ", paddings.before[i], ", ", paddings.after[i],
           " for dimension ", i, " of shape ", shape);
}

// `skipped`: 1 where the outermost elements are not mirrored.
DGRAPH_DECL void run_mirror_pad(KernelContext& c) {
  const Tensor& in = c.input(0);
  const std::int64_t skipped = c.config<std::int64_t>();
  const Paddings paddings = read_paddings(in.shape(), c.input(1), false);
  check_mirrors(paddings, in.shape(), skipped);
  if (paddings.result == in.shape()) {
    c.set_output(0, c.take_input(0));
    return;
  }
  Tensor& out = c.allocate_output(0, paddings.result);
  if (out.elements() == 0) return;
  copy_inside(c, in, paddings.before, out);
  // Axis by axis: what is filled so far is mirrored along the next one, the last first.
  const DType dtype = in.dtype();
  const Dims strides = row_major_strides(out.shape().dims());
  Dims sizes = in.shape().dims(), start = paddings.before;
  for (std::size_t axis = in.rank(); axis-- > 0;) {
    const std::int64_t n = in.dim(axis), before = paddings.before[axis];
    Dims backwards = strides;
    backwards[axis] = -strides[axis];
    const auto mirror = [&](std::int64_t count, std::int64_t from, std::int64_t to) {
      if (count == 0) return;
      sizes[axis] = count;
      start[axis] = from;
      const std::byte* source = element_at(dtype, out.raw(), offset_of(start, strides));
      start[axis] = to;
      copy_strided(c, dtype, sizes, source, backwards,
                   element_at(dtype, out.mutable_raw(), offset_of(start, strides)), strides);
    };
    mirror(before, before + before - 1 + skipped, 0);
    mirror(paddings.after[axis], before + n - 1 - skipped, before + n);
    sizes[axis] = out.dim(axis);
    start[axis] = 0;
  }
}

struct MirrorGradConfig {
  RowSum add;
  std::int64_t skipped;
};

// Adds up all places of the padded tensor that have come from one row of the inner one.
struct MirrorSources {
  const Paddings& paddings;
  const Dims& strides;  // of the padded tensor
  const MirrorGradConfig& config;
  const DType dtype;
  const std::byte* const from;
  const Dims& row;  // the row's position, without the last axis
  std::byte* const to;

  void add(std::size_t axis, std::int64_t offset) const {
    const std::int64_t before = paddings.before[axis], after = paddings.after[axis],
                       n = paddings.result[axis], skipped = config.skipped;
    if (axis + 1 < strides.size()) {
      const std::int64_t i = row[axis], low = before - i - 1 + skipped, high = n - 1 - skipped - i;
      add(axis + 1, offset + (before + i) * strides[axis]);
      if (low >= 0 && low < before) add(axis + 1, offset + low * strides[axis]);
      if (high >= 0 && high < after) add(axis + 1, offset + (before + n + high) * strides[axis]);
      return;
    }
    sum(0, offset + before, n);
    for (std::int64_t j = 0; j < before; ++j) sum(before - 1 + skipped - j, offset + j, 1);
    for (std::int64_t j = 0; j < after; ++j) sum(n - 1 - skipped - j, offset + before + n + j, 1);
  }
  void sum(std::int64_t at, std::int64_t source, std::int64_t count) const {
    std::byte* const place = element_at(dtype, to, at);
    config.add(place, place, element_at(dtype, from, source), count);
  }
};

DGRAPH_DECL void run_mirror_pad_grad(KernelContext& c) {
  const Tensor& in = c.input(0);
  const auto& config = c.config<MirrorGradConfig>();
  const Paddings paddings = read_paddings(in.shape(), c.input(1), true);
  check_mirrors(paddings, paddings.result, config.skipped);
  if (paddings.result == in.shape()) {
    c.set_output(0, c.take_input(0));
    return;
  }
  Tensor out = Tensor::zeros(in.dtype(), paddings.result);
  if (out.elements() != 0) {
    const std::size_t rank = in.rank();
    const Dims strides = row_major_strides(in.shape().dims());
    const std::int64_t columns = out.dim(rank - 1), rows = out.elements() / columns;
    const double ns_each = 20 + static_cast<double>(columns);
    c.parallel_for(rows, ns_each, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t at = begin; at < end; ++at) {
        Dims row(rank - 1, 0);
        std::int64_t rest = at;
        for (std::size_t i = rank - 1; i-- > 0; rest /= out.dim(i)) row[i] = rest % out.dim(i);
        MirrorSources{paddings,
                      strides,
                      config,
                      in.dtype(),
                      in.raw(),
                      row,
                      element_at(in.dtype(), out.mutable_raw(), at * columns)}
            .add(0, 0);
      }
    });
  }
  c.set_output(0, std::move(out));
}

DGRAPH_DECL std::int64_t skipped_by(const KernelRequest& r) {
  return r.attr<std::string>("mode") == "REFLECT" ? 1 : 0;
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Pad>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_pad);
}
DGRAPH_DECL Kernel Kernels<ops::PadV2>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_pad);
}
DGRAPH_DECL Kernel Kernels<ops::MirrorPad>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_mirror_pad).with(detail::skipped_by(r));
}
DGRAPH_DECL Kernel Kernels<ops::MirrorPadGrad>::make(const KernelRequest& r) {
  const auto add = detail::RowSum::add(r.dtype("T"));
  if (!add) detail::no_kernel_for(r, r.dtype("T"));
  return detail::plain_kernel(&detail::run_mirror_pad_grad)
      .with(detail::MirrorGradConfig{add, detail::skipped_by(r)});
}

}  // namespace dgraph

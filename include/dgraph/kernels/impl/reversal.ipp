#pragma once
#include <dgraph/kernels/reversal.hpp>

#include <vector>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL void run_reverse(KernelContext& c) {
  const Tensor& in = c.input(0);
  const Dims axes = integers_argument(c.input(1), "axis");
  Dims from = row_major_strides(in.shape().dims());
  const Dims to = from;
  std::vector<bool> taken(in.rank(), false);
  std::int64_t offset = 0;
  for (const std::int64_t wanted : axes) {
    const std::size_t axis = axis_of(wanted, in.rank(), "axis");
    if (taken[axis]) fail(Code::InvalidArgument, "axis ", axis, " is to be reversed twice");
    taken[axis] = true;
    if (in.dim(axis) < 2) continue;
    offset += (in.dim(axis) - 1) * from[axis];
    from[axis] = -from[axis];
  }
  if (in.elements() == 0 || from == to) {
    c.set_output(0, c.take_input(0));
    return;
  }
  Tensor& out = c.allocate_output(0, in.shape());
  copy_strided(c, in.dtype(), in.shape().dims(), element_at(in.dtype(), in.raw(), offset), from,
               out.mutable_raw(), to);
}

struct SequenceAxes {
  std::int64_t sequence, batch;
};

DGRAPH_DECL void run_reverse_sequence(KernelContext& c) {
  const Tensor &in = c.input(0), &lengths = c.input(1);
  const auto& axes = c.config<SequenceAxes>();
  const auto rank = static_cast<std::int64_t>(in.rank());
  if (axes.sequence < 0 || axes.batch < 0 || axes.sequence == axes.batch || axes.sequence >= rank ||
      axes.batch >= rank)
    fail(Code::InvalidArgument, "seq_dim ", axes.sequence, " and batch_dim ", axes.batch,
         " must be two dimensions of shape ", in.shape());
  const auto along = static_cast<std::size_t>(axes.sequence),
             batch = static_cast<std::size_t>(axes.batch);
  const std::int64_t rows = in.dim(batch), longest = in.dim(along);
  if (!(lengths.shape() == Shape{rows}))
    fail(Code::InvalidArgument, "Length of seq_lengths != input.dims(", batch, "), (shape ",
         lengths.shape(), " vs. ", rows, ")");
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t length = integer_at(lengths, i, "seq_lengths");
    if (length < 0 || length > longest)
      fail(Code::InvalidArgument, "seq_lengths[", i, "] = ", length, " is not in [0, ", longest,
           "]");
  }
  Tensor& out = c.allocate_output(0, in.shape());
  if (out.elements() == 0) return;
  const Dims strides = row_major_strides(in.shape().dims());
  Dims backwards = strides, sizes = in.shape().dims();
  backwards[along] = -strides[along];
  sizes[batch] = 1;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t length = integer_at(lengths, i, "seq_lengths"), at = i * strides[batch];
    const auto copy = [&](std::int64_t count, std::int64_t from, std::int64_t to,
                          const Dims& step) {
      sizes[along] = count;
      copy_strided(c, in.dtype(), sizes,
                   element_at(in.dtype(), in.raw(), at + from * strides[along]), step,
                   element_at(in.dtype(), out.mutable_raw(), at + to * strides[along]), strides);
    };
    if (length > 0) copy(length, length - 1, 0, backwards);
    if (length < longest) copy(longest - length, length, length, strides);
  }
}

// Copies in two parts along each axis that moves: what stays in front of the end, and what goes round.
struct RolledCopy {
  const KernelContext& context;
  const Tensor& in;
  Tensor& out;
  const Dims& shifts;
  const Dims strides;
  Dims sizes;

  void run(std::size_t axis, std::int64_t from, std::int64_t to) {
    while (axis < sizes.size() && shifts[axis] == 0) ++axis;
    if (axis == sizes.size()) {
      copy_strided(context, in.dtype(), sizes, element_at(in.dtype(), in.raw(), from), strides,
                   element_at(in.dtype(), out.mutable_raw(), to), strides);
      return;
    }
    const std::int64_t whole = sizes[axis], shift = shifts[axis], step = strides[axis];
    sizes[axis] = whole - shift;
    run(axis + 1, from, to + shift * step);
    sizes[axis] = shift;
    run(axis + 1, from + (whole - shift) * step, to);
    sizes[axis] = whole;
  }
};

DGRAPH_DECL void run_roll(KernelContext& c) {
  const Tensor& in = c.input(0);
  const Dims shift = integers_argument(c.input(1), "shift"),
             axes = integers_argument(c.input(2), "axis");
  if (in.rank() == 0) fail(Code::InvalidArgument, "input must be 1-D or higher");
  if (shift.size() != axes.size())
    fail(Code::InvalidArgument, "shift and axis must have the same size, not ", shift.size(),
         " and ", axes.size());
  Dims shifts(in.rank(), 0);
  bool moves = false;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = axis_of(axes[i], in.rank(), "axis");
    const std::int64_t n = in.dim(axis);
    if (n < 2) continue;
    // Both are below n in size, so that nothing overflows.
    const std::int64_t by = (shift[i] % n + n) % n;
    shifts[axis] = by >= n - shifts[axis] ? by - (n - shifts[axis]) : by + shifts[axis];
  }
  for (const std::int64_t by : shifts) moves = moves || by != 0;
  if (!moves || in.elements() == 0) {
    c.set_output(0, c.take_input(0));
    return;
  }
  Tensor& out = c.allocate_output(0, in.shape());
  RolledCopy{c, in, out, shifts, row_major_strides(in.shape().dims()), in.shape().dims()}.run(0, 0,
                                                                                              0);
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::ReverseV2>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_reverse);
}
DGRAPH_DECL Kernel Kernels<ops::ReverseSequence>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_reverse_sequence)
      .with(
          detail::SequenceAxes{r.attr<std::int64_t>("seq_dim"), r.attr<std::int64_t>("batch_dim")});
}
DGRAPH_DECL Kernel Kernels<ops::Roll>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_roll);
}

}  // namespace dgraph

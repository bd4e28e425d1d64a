#pragma once
#include <dgraph/kernels/einsum.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <dgraph/kernels/accumulate.hpp>
#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/matrix_product.hpp>
#include <dgraph/kernels/strided.hpp>
#include <dgraph/ops/einsum.hpp>

namespace dgraph {
namespace detail {

struct EinsumConfig {
  std::string equation;
  DType compute;
};

// A tensor seen with one dimension a label: a label that it has twice runs along the diagonal.
struct LabelledView {
  Tensor tensor;
  std::vector<int> labels;
  Dims sizes, strides;

  std::size_t find(int label) const {
    return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) -
                                    labels.begin());
  }
  bool has(int label) const { return find(label) < labels.size(); }
  std::int64_t size(int label) const { return sizes[find(label)]; }
  std::int64_t count(const std::vector<int>& of) const {
    std::int64_t n = 1;
    for (const int label : of) n *= size(label);
    return n;
  }
};

DGRAPH_DECL LabelledView labelled_view(Tensor tensor, const std::vector<int>& labels,
                                       std::string_view equation) {
  LabelledView out;
  const Dims strides = row_major_strides(tensor.shape().dims());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t at = out.find(labels[i]);
    const std::int64_t size = tensor.dim(i);
    if (at == out.labels.size()) {
      out.labels.push_back(labels[i]);
      out.sizes.push_back(size);
      out.strides.push_back(strides[i]);
      continue;
    }
    if (out.sizes[at] != size)
      fail(Code::InvalidArgument, "dimension ", i, " of shape ", tensor.shape(), " should be ",
           out.sizes[at], " for equation '", equation, "'");
    out.strides[at] += strides[i];
  }
  out.tensor = std::move(tensor);
  return out;
}

// Contiguous memory with the labels in that order; the tensor itself where it is that.
DGRAPH_DECL LabelledView ordered(const KernelContext& c, const LabelledView& from,
                                 const std::vector<int>& labels) {
  LabelledView out;
  Dims from_strides;
  for (const int label : labels) {
    out.sizes.push_back(from.size(label));
    from_strides.push_back(from.strides[from.find(label)]);
  }
  out.labels = labels;
  out.strides = row_major_strides(out.sizes);
  Shape shape(out.sizes);
  bool same = shape.elements() == from.tensor.elements();
  for (std::size_t i = 0; i < labels.size(); ++i)
    same = same && (out.sizes[i] == 1 || from_strides[i] == out.strides[i]);
  if (same) {
    out.tensor = from.tensor.reshaped(std::move(shape));
    return out;
  }
  out.tensor = Tensor(from.tensor.dtype(), std::move(shape));
  if (out.tensor.elements() > 0)
    copy_strided(c, out.tensor.dtype(), out.sizes, from.tensor.raw(), from_strides,
                 out.tensor.mutable_raw(), out.strides);
  return out;
}

// Summed over the labels that are not kept, in pairs.
DGRAPH_DECL LabelledView summed(const KernelContext& c, const LabelledView& from,
                                const std::vector<int>& kept) {
  std::vector<int> order;
  for (const int label : from.labels)
    if (std::find(kept.begin(), kept.end(), label) == kept.end()) order.push_back(label);
  if (order.empty()) return from;
  std::int64_t rows = from.count(order);
  std::vector<int> left;
  for (const int label : from.labels)
    if (std::find(kept.begin(), kept.end(), label) != kept.end()) left.push_back(label);
  order.insert(order.end(), left.begin(), left.end());
  LabelledView all = ordered(c, from, order);
  const std::int64_t row = from.count(left);
  const DType dtype = all.tensor.dtype();
  LabelledView out;
  for (const int label : left) {
    out.labels.push_back(label);
    out.sizes.push_back(from.size(label));
  }
  out.strides = row_major_strides(out.sizes);
  out.tensor = Tensor::zeros(dtype, Shape(out.sizes));
  if (rows == 0 || row == 0) return out;
  Tensor work = all.tensor.clone();
  std::byte* const at = work.mutable_raw();
  const RowSum add = RowSum::add(dtype);
  while (rows > 1) {
    const std::int64_t rest = (rows + 1) / 2;
    add(at, at, element_at(dtype, at, rest * row), (rows - rest) * row);
    rows = rest;
  }
  std::memcpy(out.tensor.mutable_raw(), at, out.tensor.bytes());
  return out;
}

// The view laid out as the labels of an output say: one that is there twice runs along its diagonal, around
// which there are zeros.
DGRAPH_DECL Tensor laid_out(const KernelContext& c, const LabelledView& from,
                            const std::vector<int>& labels) {
  std::vector<int> unique;
  for (const int label : labels)
    if (std::find(unique.begin(), unique.end(), label) == unique.end()) unique.push_back(label);
  LabelledView values = ordered(c, from, unique);
  if (unique.size() == labels.size()) return values.tensor;
  Dims sizes;
  for (const int label : labels) sizes.push_back(from.size(label));
  Tensor out = Tensor::zeros(from.tensor.dtype(), Shape(sizes));
  const Dims strides = row_major_strides(sizes);
  Dims to_strides(unique.size(), 0);
  for (std::size_t i = 0; i < labels.size(); ++i) to_strides[values.find(labels[i])] += strides[i];
  if (values.tensor.elements() > 0)
    copy_strided(c, out.dtype(), values.sizes, values.tensor.raw(), values.strides,
                 out.mutable_raw(), to_strides);
  return out;
}

// The product of two views as one of stacks of matrices: labels of both that stay count the stack, labels of
// both that go are summed over.
DGRAPH_DECL LabelledView multiplied(const KernelContext& c, DType compute, LabelledView a,
                                    LabelledView b, const std::vector<int>& output) {
  const auto stays = [&](int label) {
    return std::find(output.begin(), output.end(), label) != output.end();
  };
  std::vector<int> stack, a_free, b_free, gone;
  for (const int label : a.labels)
    (!b.has(label) ? a_free : stays(label) ? stack : gone).push_back(label);
  for (const int label : b.labels)
    if (!a.has(label)) b_free.push_back(label);
  const auto joined = [](std::vector<int> x, const std::vector<int>& y, const std::vector<int>& z) {
    x.insert(x.end(), y.begin(), y.end());
    x.insert(x.end(), z.begin(), z.end());
    return x;
  };
  const LabelledView left = ordered(c, a, joined(stack, a_free, gone));
  const LabelledView right = ordered(c, b, joined(stack, gone, b_free));
  GemmBatch batch;
  batch.m = a.count(a_free);
  batch.n = b.count(b_free);
  batch.k = a.count(gone);
  batch.a_strides = {batch.k, 1};
  batch.b_strides = {batch.n, 1};
  std::vector<std::int64_t> a_offsets, b_offsets;
  for (std::int64_t i = 0; i < a.count(stack); ++i) {
    a_offsets.push_back(i * batch.m * batch.k);
    b_offsets.push_back(i * batch.k * batch.n);
  }
  batch.a_offsets = a_offsets;
  batch.b_offsets = b_offsets;
  LabelledView out;
  out.labels = joined(stack, a_free, b_free);
  for (const int label : out.labels) out.sizes.push_back((a.has(label) ? a : b).size(label));
  out.strides = row_major_strides(out.sizes);
  out.tensor = Tensor(a.tensor.dtype(), Shape(out.sizes));
  multiply_tensors(c, compute, batch, left.tensor, right.tensor, false, false, out.tensor);
  return out;
}

// Dimensions of "..." that are 1 in one operand and not in the other are none of the former's.
DGRAPH_DECL void drop_broadcast(LabelledView& view, const LabelledView& other) {
  LabelledView out;
  for (std::size_t i = 0; i < view.labels.size(); ++i) {
    const int label = view.labels[i];
    if (label >= EinsumEquation::kEllipsis && view.sizes[i] == 1 && other.has(label) &&
        other.size(label) != 1)
      continue;
    out.labels.push_back(label);
    out.sizes.push_back(view.sizes[i]);
    out.strides.push_back(view.strides[i]);
  }
  out.tensor = view.tensor;
  view = std::move(out);
}

DGRAPH_DECL void run_einsum(KernelContext& c) {
  const auto& config = c.config<EinsumConfig>();
  const DType dtype = c.input(0).dtype();
  std::vector<std::size_t> ranks;
  for (const Tensor& input : c.inputs()) ranks.push_back(input.rank());
  const EinsumEquation equation = parse_einsum(config.equation, ranks);
  // Small numbers are widened; others stay, for sums and products of their own width.
  const bool widens = dtype_size(dtype) != dtype_size(config.compute);
  std::vector<LabelledView> views;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    views.push_back(labelled_view(widens ? cast_tensor(c.input(i), config.compute) : c.input(i),
                                  equation.inputs[i], config.equation));
  const auto keep = [&](std::size_t i) {
    std::vector<int> kept = equation.output;
    if (views.size() == 2)
      kept.insert(kept.end(), views[1 - i].labels.begin(), views[1 - i].labels.end());
    return kept;
  };
  LabelledView result;
  if (views.size() == 1) {
    result = summed(c, views[0], keep(0));
  } else {
    for (const int label : views[0].labels)
      if (views[1].has(label) && views[0].size(label) != views[1].size(label) &&
          (label < EinsumEquation::kEllipsis ||
           (views[0].size(label) != 1 && views[1].size(label) != 1)))
        fail(Code::InvalidArgument, "shapes ", c.input(0).shape(), " and ", c.input(1).shape(),
             " do not fit equation '", config.equation, "': ", views[0].size(label), " and ",
             views[1].size(label), " elements of one label");
    const std::vector<int> keep_a = keep(0), keep_b = keep(1);
    LabelledView a = summed(c, views[0], keep_a), b = summed(c, views[1], keep_b);
    drop_broadcast(a, b);
    drop_broadcast(b, a);
    result = multiplied(c, config.compute, std::move(a), std::move(b), equation.output);
  }
  Tensor out = laid_out(c, result, equation.output);
  c.set_output(0, widens ? cast_tensor(out, dtype) : std::move(out));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Einsum>::make(const KernelRequest& r) {
  const DType dtype = r.dtype("T"), compute = detail::product_dtype(dtype);
  if (compute == DType::Invalid) detail::no_kernel_for(r, dtype);
  return detail::plain_kernel(&detail::run_einsum)
      .with(detail::EinsumConfig{r.attr<std::string>("equation"), compute});
}

}  // namespace dgraph

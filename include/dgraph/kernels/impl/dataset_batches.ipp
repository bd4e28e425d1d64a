#pragma once
#include <dgraph/kernels/dataset.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <dgraph/kernels/arguments.hpp>

// Elements side by side: batches, padded or not.

namespace dgraph {
namespace detail {

// What is made of a few elements.
using MakeBatch = Tensor (*)(const std::vector<DatasetElement>& elements, std::size_t component, const Dims& padded,
                             const Tensor& padding);

class BatchedDataset final : public DatasetNode {
 public:
  struct Options {
    std::int64_t size = 1;
    bool drop_remainder = false;
    std::vector<Dims> padded = {};        // of each component; empty: no padding
    std::vector<Tensor> padding = {};
    MakeBatch make = nullptr;
  };
  BatchedDataset(Ref<DatasetNode> input, Options options) : input_(std::move(input)), options_(std::move(options)) {
    if (options_.size < 1) fail(Code::InvalidArgument, "Batch size must be greater than zero, not ", options_.size);
  }
  Ref<ElementSource> iterate(IterationContext& c) const override {
    return make_ref<Source>(input_->iterate(c), Ref<const BatchedDataset>::share(this));
  }

 private:
  class Source final : public ElementSource {
   public:
    Source(Ref<ElementSource> input, Ref<const BatchedDataset> dataset) noexcept
        : input_(std::move(input)), dataset_(std::move(dataset)) {}
    Pull next(DatasetElement& out) override {
      const Options& options = dataset_->options_;
      while (!ended_ && static_cast<std::int64_t>(held_.size()) < options.size) {
        DatasetElement element;
        try {
          const bool came = co_await input_->next(element);
          ended_ = !came;
        } catch (const Error&) {
          held_.clear();
          throw;
        }
        if (!ended_) held_.push_back(std::move(element));
      }
      const std::vector<DatasetElement> elements = std::move(held_);
      held_.clear();
      if (elements.empty()) co_return false;
      if (options.drop_remainder && static_cast<std::int64_t>(elements.size()) < options.size) co_return false;
      const std::size_t components = elements[0].size();
      if (!options.padded.empty() && options.padded.size() != components)
        fail(Code::InvalidArgument, "elements have ", components, " components, but there are ", options.padded.size(),
             " padded shapes");
      for (std::size_t i = 0; i < components; ++i)
        out.push_back(options.make(elements, i, options.padded.empty() ? Dims() : options.padded[i],
                                   options.padding.empty() ? Tensor() : options.padding[i]));
      co_return true;
    }

   private:
    const Ref<ElementSource> input_;
    const Ref<const BatchedDataset> dataset_;
    std::vector<DatasetElement> held_;
    bool ended_ = false;
  };
  const Ref<DatasetNode> input_;
  const Options options_;
};

DGRAPH_DECL Shape batch_shape(std::size_t count, std::span<const std::int64_t> element) {
  Dims dims(1, static_cast<std::int64_t>(count));
  for (const std::int64_t d : element) dims.push_back(d);
  return Shape(dims);
}

DGRAPH_DECL Tensor stack_elements(const std::vector<DatasetElement>& elements, std::size_t component, const Dims&,
                                  const Tensor&) {
  const Tensor& first = elements[0][component];
  Tensor out(first.dtype(), batch_shape(elements.size(), first.shape().dims()));
  const auto size = static_cast<std::size_t>(first.elements());
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const Tensor& value = elements[k][component];
    if (!(value.shape() == first.shape()) || value.dtype() != first.dtype())
      fail(Code::InvalidArgument, "Cannot batch tensors with different shapes in component ", component,
           ". First element had shape ", first.shape(), " and element ", k, " had shape ", value.shape());
    if (first.dtype() == DType::String)
      std::copy_n(value.data<std::string>(), size, out.mutable_data<std::string>() + k * size);
    else if (first.bytes())
      std::memcpy(out.mutable_raw() + k * first.bytes(), value.raw(), first.bytes());
  }
  return out;
}

// Copies the rows of an element into its place in a larger one.
DGRAPH_DECL void copy_block(const Tensor& from, std::byte* to, const Dims& to_dims) {
  const std::size_t rank = from.rank();
  const std::size_t width = from.dtype() == DType::String ? sizeof(std::string) : dtype_size(from.dtype());
  if (from.elements() == 0) return;
  const auto run = rank ? static_cast<std::size_t>(from.shape()[rank - 1]) : 1;
  const auto runs = static_cast<std::size_t>(from.elements()) / run;
  Dims at(rank, 0);
  for (std::size_t k = 0; k < runs; ++k) {
    std::size_t offset = 0;
    for (std::size_t d = 0; d < rank; ++d)
      offset = offset * static_cast<std::size_t>(to_dims[d]) + static_cast<std::size_t>(at[d]);
    const std::byte* source = from.raw() + k * run * width;
    if (from.dtype() == DType::String)
      std::copy_n(reinterpret_cast<const std::string*>(source), run, reinterpret_cast<std::string*>(to) + offset);
    else
      std::memcpy(to + offset * width, source, run * width);
    for (std::size_t d = rank < 2 ? 0 : rank - 1; d-- > 0;) {
      if (++at[d] < from.shape()[d]) break;
      at[d] = 0;
    }
  }
}

DGRAPH_DECL void fill_with(Tensor& out, const Tensor& value) {
  const auto count = static_cast<std::size_t>(out.elements());
  if (out.dtype() == DType::String) {
    std::fill_n(out.mutable_data<std::string>(), count, *value.data<std::string>());
    return;
  }
  const std::size_t width = dtype_size(out.dtype());
  for (std::size_t i = 0; i < count; ++i) std::memcpy(out.mutable_raw() + i * width, value.raw(), width);
}

DGRAPH_DECL Tensor pad_elements(const std::vector<DatasetElement>& elements, std::size_t component, const Dims& padded,
                                const Tensor& padding) {
  const Tensor& first = elements[0][component];
  Dims dims = padded;
  for (const DatasetElement& element : elements) {
    const Tensor& value = element[component];
    if (value.rank() != padded.size() || value.dtype() != padding.dtype())
      fail(Code::InvalidArgument, "All elements in a batch must have the same rank as the padded shape for component ",
           component, ": expected rank ", padded.size(), " of ", dtype_name(padding.dtype()), " but got ",
           dtype_name(value.dtype()), value.shape());
    for (std::size_t d = 0; d < padded.size(); ++d) {
      if (padded[d] < 0)
        dims[d] = std::max(dims[d], value.shape()[d]);
      else if (value.shape()[d] > padded[d])
        fail(Code::DataLoss, "Attempted to pad to a smaller size than the input element: ", value.shape(),
             " in component ", component, " to ", padded[d], " in dimension ", d);
    }
  }
  Tensor out(first.dtype(), batch_shape(elements.size(), dims));
  fill_with(out, padding);
  const std::size_t width = out.dtype() == DType::String ? sizeof(std::string) : dtype_size(out.dtype());
  const std::size_t stride = static_cast<std::size_t>(out.elements()) / elements.size() * width;
  for (std::size_t k = 0; k < elements.size(); ++k)
    copy_block(elements[k][component], out.mutable_raw() + k * stride, dims);
  return out;
}

DGRAPH_DECL void run_batch_dataset(KernelContext& c) {
  BatchedDataset::Options options;
  options.size = integer_argument(c.input(1), "batch_size");
  options.drop_remainder = c.input(2).item<bool>();
  options.make = &stack_elements;
  c.set_output(0, dataset_value(make_ref<BatchedDataset>(dataset_in(c.input(0)), std::move(options))));
}

DGRAPH_DECL void run_padded_batch_dataset(KernelContext& c) {
  const auto n = static_cast<std::size_t>(c.config<std::int64_t>());
  if (c.num_inputs() != 3 + 2 * n)
    fail(Code::InvalidArgument, "there are ", n, " padded shapes, but ", c.num_inputs() - 3 - n, " padding values");
  BatchedDataset::Options options;
  options.size = integer_argument(c.input(1), "batch_size");
  for (std::size_t i = 0; i < n; ++i) {
    options.padded.push_back(integers_argument(c.input(2 + i), "padded_shapes"));
    for (const std::int64_t d : options.padded.back())
      if (d < -1) fail(Code::InvalidArgument, "a padded shape has a size of ", d);
    options.padding.push_back(c.input(2 + n + i));
    if (options.padding.back().rank() != 0)
      fail(Code::InvalidArgument, "All padding values must be scalars; but at component ", i, " saw shape ",
           options.padding.back().shape());
  }
  options.drop_remainder = c.input(2 + 2 * n).item<bool>();
  options.make = &pad_elements;
  c.set_output(0, dataset_value(make_ref<BatchedDataset>(dataset_in(c.input(0)), std::move(options))));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::BatchDatasetV2>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_batch_dataset, true);
}
DGRAPH_DECL Kernel Kernels<ops::PaddedBatchDatasetV2>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_padded_batch_dataset, true).with(r.attr<std::int64_t>("N"));
}

}  // namespace dgraph

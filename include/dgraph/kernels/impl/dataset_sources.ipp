#pragma once
#include <dgraph/kernels/dataset.hpp>

#include <utility>

#include <dgraph/graph/function_body.hpp>
#include <dgraph/kernels/arguments.hpp>

// Datasets of tensors, of numbers, and of what a function of the host gives.

namespace dgraph {
namespace detail {

class DatasetBuffer final : public Buffer {
 public:
  explicit DatasetBuffer(Ref<DatasetNode> d) noexcept : Buffer(nullptr, 0), dataset(std::move(d)) {}
  const Ref<DatasetNode> dataset;
};

DGRAPH_DECL Tensor dataset_value(Ref<DatasetNode> dataset) {
  return Tensor(DType::Variant, Shape(), make_ref<DatasetBuffer>(std::move(dataset)));
}

DGRAPH_DECL Ref<DatasetNode> dataset_in(const Tensor& value) {
  const auto* buffer = value.dtype() == DType::Variant ? dynamic_cast<const DatasetBuffer*>(value.buffer()) : nullptr;
  if (!buffer) fail(Code::InvalidArgument, "a tensor of ", dtype_name(value.dtype()), " was given where a dataset is needed");
  return buffer->dataset;
}

DGRAPH_DECL Pull ElementSource::skip(std::int64_t count) {
  DatasetElement out;
  for (; count > 0; --count) {
    out.clear();
    const bool came = co_await next(out);
    if (!came) co_return false;
  }
  co_return true;
}

// Elements by number: whole tensors, rows, numbers of a range.
class NumberedDataset : public DatasetNode {
 public:
  virtual std::int64_t size() const = 0;
  virtual void element(std::int64_t at, DatasetElement& out) const = 0;
  Ref<ElementSource> iterate(IterationContext&) const override {
    return make_ref<Source>(Ref<const NumberedDataset>::share(this));
  }

 private:
  class Source final : public ElementSource {
   public:
    explicit Source(Ref<const NumberedDataset> dataset) : dataset_(std::move(dataset)) {}
    Pull next(DatasetElement& out) override {
      if (at_ >= dataset_->size()) co_return false;
      dataset_->element(at_++, out);
      co_return true;
    }
    Pull skip(std::int64_t count) override {
      const bool enough = count <= dataset_->size() - at_;
      at_ = enough ? at_ + count : dataset_->size();
      co_return enough;
    }

   private:
    const Ref<const NumberedDataset> dataset_;
    std::int64_t at_ = 0;
  };
};

class WholeTensors final : public NumberedDataset {
 public:
  explicit WholeTensors(DatasetElement all) : all_(std::move(all)) {}
  std::int64_t size() const override { return 1; }
  void element(std::int64_t, DatasetElement& out) const override { out = all_; }

 private:
  const DatasetElement all_;
};

class TensorRows final : public NumberedDataset {
 public:
  explicit TensorRows(DatasetElement all) : all_(std::move(all)) {
    for (const Tensor& value : all_) {
      if (value.rank() == 0) fail(Code::InvalidArgument, "a scalar has no rows to be the elements of a dataset");
      if (value.shape()[0] != all_[0].shape()[0])
        fail(Code::InvalidArgument, "components of ", all_[0].shape()[0], " and of ", value.shape()[0],
             " rows are no elements of one dataset");
      Dims dims;
      for (std::size_t i = 1; i < value.rank(); ++i) dims.push_back(value.shape()[i]);
      rows_.emplace_back(dims);
    }
  }
  std::int64_t size() const override { return all_[0].shape()[0]; }
  void element(std::int64_t at, DatasetElement& out) const override {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Tensor row = all_[i].rows(at, 1).reshaped(rows_[i]);
      // Small rows of their own do not keep the whole.
      out.push_back(row.bytes() <= 256 || row.dtype() == DType::String ? row.clone() : row);
    }
  }

 private:
  const DatasetElement all_;
  std::vector<Shape> rows_;
};

class NumberRange final : public NumberedDataset {
 public:
  NumberRange(std::int64_t start, std::int64_t stop, std::int64_t step) : start_(start), step_(step) {
    if (step == 0) fail(Code::InvalidArgument, "the step of a range must not be 0");
    // In unsigned numbers no difference overflows.
    const auto a = static_cast<std::uint64_t>(start), b = static_cast<std::uint64_t>(stop);
    const std::uint64_t by = step > 0 ? static_cast<std::uint64_t>(step) : std::uint64_t{0} - static_cast<std::uint64_t>(step);
    const std::uint64_t span = step > 0 ? (stop > start ? b - a : 0) : (start > stop ? a - b : 0);
    const std::uint64_t count = span / by + (span % by != 0);
    size_ = static_cast<std::int64_t>(std::min<std::uint64_t>(count, INT64_MAX));
  }
  std::int64_t size() const override { return size_; }
  void element(std::int64_t at, DatasetElement& out) const override {
    out.push_back(Tensor::scalar(static_cast<std::int64_t>(
        static_cast<std::uint64_t>(start_) + static_cast<std::uint64_t>(at) * static_cast<std::uint64_t>(step_))));
  }

 private:
  const std::int64_t start_, step_;
  std::int64_t size_;
};

class HostGenerator final : public DatasetNode {
 public:
  HostGenerator(std::shared_ptr<const FunctionBody> function, std::vector<DType> dtypes)
      : function_(std::move(function)), dtypes_(std::move(dtypes)) {}
  Ref<ElementSource> iterate(IterationContext&) const override {
    return make_ref<Source>(function_->produce(), dtypes_);
  }

 private:
  class Source final : public ElementSource {
   public:
    Source(FunctionBody::Produce next, std::vector<DType> dtypes) : next_(std::move(next)), dtypes_(std::move(dtypes)) {}
    Pull next(DatasetElement& out) override {
      if (!next_ || !next_(out)) {
        next_ = nullptr;
        co_return false;
      }
      if (out.size() != dtypes_.size()) fail(Code::InvalidArgument, "a generator gave another number of components");
      co_return true;
    }

   private:
    FunctionBody::Produce next_;
    const std::vector<DType> dtypes_;
  };
  const std::shared_ptr<const FunctionBody> function_;
  const std::vector<DType> dtypes_;
};

DGRAPH_DECL DatasetElement all_inputs(KernelContext& c) { return {c.inputs().begin(), c.inputs().end()}; }

DGRAPH_DECL void run_tensor_dataset(KernelContext& c) { c.set_output(0, dataset_value(make_ref<WholeTensors>(all_inputs(c)))); }
DGRAPH_DECL void run_tensor_slice_dataset(KernelContext& c) {
  c.set_output(0, dataset_value(make_ref<TensorRows>(all_inputs(c))));
}
DGRAPH_DECL void run_range_dataset(KernelContext& c) {
  c.set_output(0, dataset_value(make_ref<NumberRange>(integer_argument(c.input(0), "start"),
                                                      integer_argument(c.input(1), "stop"),
                                                      integer_argument(c.input(2), "step"))));
}

struct GeneratorConfig {
  std::shared_ptr<const FunctionBody> function;
  std::vector<DType> dtypes;
};
DGRAPH_DECL void run_host_generator(KernelContext& c) {
  const auto& config = c.config<GeneratorConfig>();
  c.set_output(0, dataset_value(make_ref<HostGenerator>(config.function, config.dtypes)));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::TensorDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_tensor_dataset, true);
}
DGRAPH_DECL Kernel Kernels<ops::TensorSliceDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_tensor_slice_dataset, true);
}
DGRAPH_DECL Kernel Kernels<ops::RangeDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_range_dataset, true);
}
DGRAPH_DECL Kernel Kernels<ops::HostGeneratorDataset>::make(const KernelRequest& r) {
  detail::GeneratorConfig config{function_in(r.attr<Tensor>("f")), r.attr<std::vector<DType>>("output_types")};
  if (!config.function || !config.function->produce) fail(Code::InvalidArgument, "f is no function of this process");
  return detail::plain_kernel(&detail::run_host_generator, true).with(std::move(config));
}

}  // namespace dgraph

#pragma once
#include <dgraph/kernels/dataset.hpp>

#include <deque>
#include <mutex>
#include <utility>

#include <dgraph/kernels/arguments.hpp>

// Datasets that call a function for each element.

namespace dgraph {
namespace detail {

// The function of a node, planned when the node first runs.
struct DatasetFunction {
  struct Bound {
    std::mutex mutex;
    Ref<CalledFunction> function;
  };
  Tensor value;
  std::shared_ptr<Bound> bound = std::make_shared<Bound>();
  std::vector<DType> dtypes = {};

  Ref<CalledFunction> in(KernelContext& c) const {
    std::lock_guard lock(bound->mutex);
    if (!bound->function) bound->function = c.services().task().bind(value);
    return bound->function;
  }
};

// A function with what it took from outside.
struct CapturedFunction final : Counted {
  CapturedFunction(Ref<CalledFunction> f, DatasetElement more) noexcept : function(std::move(f)), captured(std::move(more)) {}
  DatasetElement arguments(DatasetElement element) const {
    element.insert(element.end(), captured.begin(), captured.end());
    return element;
  }
  const Ref<CalledFunction> function;
  const DatasetElement captured;
};

DGRAPH_DECL void check_components(const DatasetElement& element, const std::vector<DType>& dtypes) {
  bool right = element.size() == dtypes.size();
  for (std::size_t i = 0; right && i < dtypes.size(); ++i) right = element[i].dtype() == dtypes[i];
  if (!right) fail(Code::InvalidArgument, "the function of a dataset gave components of other dtypes than output_types");
}

class FunctionDataset : public DatasetNode {
 public:
  FunctionDataset(Ref<DatasetNode> input, Ref<CapturedFunction> f, std::vector<DType> dtypes)
      : input_(std::move(input)), function_(std::move(f)), dtypes_(std::move(dtypes)) {}

 protected:
  const Ref<DatasetNode> input_;
  const Ref<CapturedFunction> function_;
  const std::vector<DType> dtypes_;
};

class MappedDataset final : public FunctionDataset {
 public:
  using FunctionDataset::FunctionDataset;
  Ref<ElementSource> iterate(IterationContext& c) const override {
    return make_ref<Source>(input_->iterate(c), function_, dtypes_);
  }

 private:
  class Source final : public ElementSource {
   public:
    Source(Ref<ElementSource> input, Ref<CapturedFunction> f, std::vector<DType> dtypes)
        : input_(std::move(input)), function_(std::move(f)), dtypes_(std::move(dtypes)) {}
    Pull next(DatasetElement& out) override {
      DatasetElement element;
      const bool came = co_await input_->next(element);
      if (!came) co_return false;
      Called call(*function_->function, function_->arguments(std::move(element)));
      out = co_await call;
      check_components(out, dtypes_);
      co_return true;
    }
    Pull skip(std::int64_t count) override { return input_->skip(count); }

   private:
    const Ref<ElementSource> input_;
    const Ref<CapturedFunction> function_;
    const std::vector<DType> dtypes_;
  };
};

class ParallelMappedDataset final : public FunctionDataset {
 public:
  ParallelMappedDataset(Ref<DatasetNode> input, Ref<CapturedFunction> f, std::vector<DType> dtypes, std::int64_t calls)
      : FunctionDataset(std::move(input), std::move(f), std::move(dtypes)), calls_(calls) {
    if (calls < 1) fail(Code::InvalidArgument, "num_parallel_calls must be greater than zero, not ", calls);
  }
  Ref<ElementSource> iterate(IterationContext& c) const override {
    return make_ref<Source>(input_->iterate(c), function_, dtypes_, calls_, c.task);
  }

 private:
  struct Call {
    std::shared_ptr<DatasetElement> result;
    Pull pull;
  };
  // All it needs is its own: it may be let go while it runs.
  static Pull call(Ref<TaskServices> task, Ref<CapturedFunction> f, DatasetElement element,
                   std::shared_ptr<DatasetElement> result) {
    co_await OnPool(*task);
    Called call(*f->function, f->arguments(std::move(element)));
    *result = co_await call;
    co_return true;
  }
  class Source final : public ElementSource {
   public:
    Source(Ref<ElementSource> input, Ref<CapturedFunction> f, std::vector<DType> dtypes, std::int64_t calls,
           Ref<TaskServices> task)
        : input_(std::move(input)), function_(std::move(f)), dtypes_(std::move(dtypes)), calls_(calls),
          task_(std::move(task)) {}
    Pull next(DatasetElement& out) override {
      while (!ended_ && !failed_ && static_cast<std::int64_t>(running_.size()) < calls_) {
        DatasetElement element;
        try {
          const bool came = co_await input_->next(element);
          ended_ = !came;
        } catch (...) {
          failed_ = std::current_exception();
        }
        if (ended_ || failed_) break;
        auto result = std::make_shared<DatasetElement>();
        running_.push_back({result, ParallelMappedDataset::call(task_, function_, std::move(element), result)});
      }
      if (running_.empty()) {
        if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
        co_return false;
      }
      Call first = std::move(running_.front());
      running_.pop_front();
      co_await first.pull;
      out = std::move(*first.result);
      check_components(out, dtypes_);
      co_return true;
    }

   private:
    const Ref<ElementSource> input_;
    const Ref<CapturedFunction> function_;
    const std::vector<DType> dtypes_;
    const std::int64_t calls_;
    const Ref<TaskServices> task_;
    std::deque<Call> running_;
    bool ended_ = false;
    std::exception_ptr failed_;  // of the input, after all that came before
  };
  const std::int64_t calls_;
};

class FilteredDataset final : public FunctionDataset {
 public:
  using FunctionDataset::FunctionDataset;
  Ref<ElementSource> iterate(IterationContext& c) const override {
    return make_ref<Source>(input_->iterate(c), function_, c);
  }

 private:
  class Source final : public ElementSource {
   public:
    Source(Ref<ElementSource> input, Ref<CapturedFunction> f, const IterationContext& context)
        : input_(std::move(input)), function_(std::move(f)), context_(context) {}
    Pull next(DatasetElement& out) override {
      for (;;) {
        context_.check();
        out.clear();
        const bool came = co_await input_->next(out);
        if (!came) co_return false;
        Called call(*function_->function, function_->arguments(out));
        const DatasetElement keep = co_await call;
        if (keep.size() != 1 || keep[0].dtype() != DType::Bool || keep[0].elements() != 1)
          fail(Code::InvalidArgument, "the predicate of a filter must give one bool");
        if (*keep[0].data<bool>()) co_return true;
      }
    }

   private:
    const Ref<ElementSource> input_;
    const Ref<CapturedFunction> function_;
    const IterationContext context_;
  };
};

// Up to `cycle` datasets in turn, `block` elements of each; one that ends makes room for the next.
class InterleavedDatasets final : public FunctionDataset {
 public:
  InterleavedDatasets(Ref<DatasetNode> input, Ref<CapturedFunction> f, std::vector<DType> dtypes, std::int64_t cycle,
                      std::int64_t block)
      : FunctionDataset(std::move(input), std::move(f), std::move(dtypes)), cycle_(cycle), block_(block) {
    if (cycle < 1) fail(Code::InvalidArgument, "cycle_length must be greater than zero, not ", cycle);
    if (block < 1) fail(Code::InvalidArgument, "block_length must be greater than zero, not ", block);
  }
  Ref<ElementSource> iterate(IterationContext& c) const override {
    return make_ref<Source>(input_->iterate(c), function_, dtypes_, cycle_, block_, c);
  }

 private:
  class Source final : public ElementSource {
   public:
    Source(Ref<ElementSource> input, Ref<CapturedFunction> f, std::vector<DType> dtypes, std::int64_t cycle,
           std::int64_t block, const IterationContext& context)
        : input_(std::move(input)), function_(std::move(f)), dtypes_(std::move(dtypes)), cycle_(cycle), block_(block),
          context_(context) {}
    Pull next(DatasetElement& out) override {
      for (;;) {
        context_.check();
        // Places are filled as the turn comes to them.
        if (at_ < open_.size() && open_[at_]) {
          out.clear();
          bool came = false;
          if (taken_ < block_) came = co_await open_[at_]->next(out);
          if (came) {
            ++taken_;
            check_components(out, dtypes_);
            co_return true;
          }
          const bool over = taken_ < block_;
          if (over) open_[at_] = nullptr;
          taken_ = 0;
          at_ = (at_ + 1) % static_cast<std::size_t>(cycle_);
          continue;
        }
        if (!ended_) {
          DatasetElement element;
          const bool came = co_await input_->next(element);
          if (came) {
            Called call(*function_->function, function_->arguments(std::move(element)));
            const DatasetElement made = co_await call;
            if (made.size() != 1) fail(Code::InvalidArgument, "the function must give one dataset");
            context_.round += 0x9e3779b97f4a7c15ull;
            if (open_.size() <= at_) open_.resize(at_ + 1);
            open_[at_] = dataset_in(made[0])->iterate(context_);
            continue;
          }
          ended_ = true;
        }
        bool any = false;
        for (const auto& one : open_) any = any || one;
        if (!any) co_return false;
        taken_ = 0;
        at_ = (at_ + 1) % static_cast<std::size_t>(cycle_);
      }
    }

   private:
    const Ref<ElementSource> input_;
    const Ref<CapturedFunction> function_;
    const std::vector<DType> dtypes_;
    const std::int64_t cycle_, block_;
    IterationContext context_;
    std::vector<Ref<ElementSource>> open_;
    std::size_t at_ = 0;
    std::int64_t taken_ = 0;
    bool ended_ = false;
  };
  const std::int64_t cycle_, block_;
};

// Inputs 1 to the last but `after` are what the function took from outside.
DGRAPH_DECL Ref<CapturedFunction> element_function(KernelContext& c, std::size_t after) {
  DatasetElement captured(c.inputs().begin() + 1, c.inputs().end() - static_cast<std::ptrdiff_t>(after));
  return make_ref<CapturedFunction>(c.config<DatasetFunction>().in(c), std::move(captured));
}

template <class Node>
void run_function_dataset(KernelContext& c) {
  c.set_output(0, dataset_value(make_ref<Node>(dataset_in(c.input(0)), element_function(c, 0),
                                               c.config<DatasetFunction>().dtypes)));
}
DGRAPH_DECL void run_parallel_map_dataset(KernelContext& c) {
  const std::int64_t calls = integer_argument(c.input(c.num_inputs() - 1), "num_parallel_calls");
  c.set_output(0, dataset_value(make_ref<ParallelMappedDataset>(dataset_in(c.input(0)), element_function(c, 1),
                                                                c.config<DatasetFunction>().dtypes, calls)));
}
DGRAPH_DECL void run_flat_map_dataset(KernelContext& c) {
  c.set_output(0, dataset_value(make_ref<InterleavedDatasets>(dataset_in(c.input(0)), element_function(c, 0),
                                                              c.config<DatasetFunction>().dtypes, 1, INT64_MAX)));
}
DGRAPH_DECL void run_interleave_dataset(KernelContext& c) {
  const std::size_t n = c.num_inputs();
  const std::int64_t cycle = integer_argument(c.input(n - 2), "cycle_length"),
                     block = integer_argument(c.input(n - 1), "block_length");
  c.set_output(0, dataset_value(make_ref<InterleavedDatasets>(dataset_in(c.input(0)), element_function(c, 2),
                                                              c.config<DatasetFunction>().dtypes, cycle, block)));
}

DGRAPH_DECL Kernel function_kernel(const KernelRequest& r, void (*run)(KernelContext&), const char* attr) {
  DatasetFunction function{r.attr<Tensor>(attr)};
  function.dtypes = r.attr<std::vector<DType>>("output_types");
  return plain_kernel(run, true).with(std::move(function));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::MapDataset>::make(const KernelRequest& r) {
  return detail::function_kernel(r, &detail::run_function_dataset<detail::MappedDataset>, "f");
}
DGRAPH_DECL Kernel Kernels<ops::ParallelMapDataset>::make(const KernelRequest& r) {
  return detail::function_kernel(r, &detail::run_parallel_map_dataset, "f");
}
DGRAPH_DECL Kernel Kernels<ops::FilterDataset>::make(const KernelRequest& r) {
  return detail::function_kernel(r, &detail::run_function_dataset<detail::FilteredDataset>, "predicate");
}
DGRAPH_DECL Kernel Kernels<ops::FlatMapDataset>::make(const KernelRequest& r) {
  return detail::function_kernel(r, &detail::run_flat_map_dataset, "f");
}
DGRAPH_DECL Kernel Kernels<ops::InterleaveDataset>::make(const KernelRequest& r) {
  return detail::function_kernel(r, &detail::run_interleave_dataset, "f");
}

}  // namespace dgraph

#pragma once
#include <dgraph/kernels/dataset.hpp>

#include <algorithm>
#include <charconv>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <dgraph/kernels/arguments.hpp>

// Iterators: resources that steps take elements from.

namespace dgraph {
namespace detail {

/// At most one pull runs, on the pool; steps wait in a queue and hold no thread. What a cancelled step had asked for is kept for
/// the next one.
class IteratorResource final : public Resource {
 public:
  explicit IteratorResource(std::vector<DType> dtypes) : dtypes_(std::move(dtypes)) {}
  ~IteratorResource() override { context_.interrupt->store(true); }
  std::string_view kind() const override { return "iterator"; }
  const std::vector<DType>& dtypes() const noexcept { return dtypes_; }

  void begin(Ref<DatasetNode> dataset, Ref<TaskServices> task) {
    start(std::move(dataset), IterationContext(std::move(task)), 0);
  }
  /// The dataset is made when the first element is asked for.
  void begin_with(Ref<CalledFunction> factory, Ref<TaskServices> task) {
    std::lock_guard lock(mutex_);
    if (dataset_ || factory_) return;
    factory_ = std::move(factory);
    const std::uint64_t entropy = task->random_id();
    context_ = IterationContext(std::move(task), entropy);
  }

  void next(KernelContext& c) {
    auto request = std::make_shared<Request>();
    request->context = &c;
    request->services = &c.services();
    {
      std::lock_guard lock(mutex_);
      if (!source_ && !factory_)
        fail(Code::FailedPrecondition,
             "GetNext() failed because the iterator has not been initialized. Ensure that you have run the initializer "
             "operation for this iterator before getting the next element.");
    }
    request->done = c.take_done();
    const Ref<IteratorResource> self = Ref<IteratorResource>::share(this);
    request->cancel = c.services().on_cancel([self, request] { self->give_up(request); });
    Ref<TaskServices> task;
    {
      std::lock_guard lock(mutex_);
      if (request->taken) return;
      waiting_.push_back(request);
      if (!std::exchange(pulling_, true)) task = context_.task;
    }
    if (task) pump(self, task);
  }

  /// "dgraph-iterator 1 ENTROPY COUNT"
  std::string save() {
    std::lock_guard lock(mutex_);
    if (!source_ && !factory_) fail(Code::FailedPrecondition, "the iterator has not been initialized: there is nothing to save");
    return errors::text(kSaved, context_.entropy, " ", given_);
  }
  void restore(const std::string& saved) {
    std::uint64_t entropy = 0;
    std::int64_t given = -1;
    const std::string_view text = saved;
    if (text.starts_with(kSaved)) {
      const char* const end = text.data() + text.size();
      const auto first = std::from_chars(text.data() + kSaved.size(), end, entropy);
      if (first.ec == std::errc() && first.ptr != end) {
        const auto second = std::from_chars(first.ptr + 1, end, given);
        if (second.ec != std::errc() || second.ptr != end) given = -1;
      }
    }
    if (given < 0) fail(Code::DataLoss, "this is not where an iterator was: ", text.substr(0, 64));
    Ref<DatasetNode> dataset;
    IterationContext context;
    {
      std::lock_guard lock(mutex_);
      dataset = dataset_;
      context.task = context_.task;
      context.entropy = entropy;
      if (!dataset && factory_) {
        context_ = context;
        skip_ = given_ = given;
        return;
      }
    }
    if (!dataset) fail(Code::FailedPrecondition, "the iterator has not been initialized: run its initializer before");
    start(std::move(dataset), std::move(context), given);
  }

  void abandon() override {
    std::deque<std::shared_ptr<Request>> waiting;
    Ref<ElementSource> gone;
    Ref<CalledFunction> factory;
    {
      std::lock_guard lock(mutex_);
      waiting.swap(waiting_);
      for (const auto& request : waiting) request->taken = true;
      gone = std::move(source_);
      source_ = nullptr;
      factory = std::move(factory_);
      factory_ = nullptr;
      dataset_ = nullptr;
      ready_.clear();
      context_.interrupt->store(true);
      ++epoch_;
    }
    for (const auto& request : waiting) finish(*request, errors::Aborted("the container of the iterator was cleared"));
  }

 private:
  static constexpr std::string_view kSaved = "dgraph-iterator 1 ";
  struct Request {
    KernelContext* context = nullptr;
    KernelServices* services = nullptr;
    KernelDone done;
    std::uint64_t cancel = 0;
    bool taken = false;  // somebody answers it
  };
  struct Outcome {
    bool came = false;
    Status status;
    DatasetElement element;
  };

  void start(Ref<DatasetNode> dataset, IterationContext context, std::int64_t given) {
    if (context.entropy == 0) context.entropy = context.task->random_id();
    IterationContext copy = context;
    Ref<ElementSource> source = dataset->iterate(copy);
    std::lock_guard lock(mutex_);
    dataset_ = std::move(dataset);
    std::swap(source_, source);
    factory_ = nullptr;
    context_.interrupt->store(true);
    context_ = std::move(context);
    skip_ = given_ = given;
    ready_.clear();
    ++epoch_;
  }

  static void finish(Request& request, Status status) {
    request.services->forget_cancel(request.cancel);
    request.done(std::move(status));
  }
  void give_up(const std::shared_ptr<Request>& request) {
    {
      std::lock_guard lock(mutex_);
      if (std::exchange(request->taken, true)) return;
      std::erase(waiting_, request);
      if (waiting_.empty()) context_.interrupt->store(true);
    }
    request->done(errors::Cancelled("the step was cancelled while it waited for an element"));
  }
  void answer(Request& request, Outcome outcome) const {
    if (outcome.status.ok() && !outcome.came) outcome.status = errors::OutOfRange("End of sequence");
    if (outcome.status.ok()) {
      bool right = outcome.element.size() == request.context->num_outputs();
      for (std::size_t i = 0; right && i < outcome.element.size(); ++i)
        right = outcome.element[i].dtype() == request.context->output_dtype(i);
      if (!right)
        outcome.status = errors::InvalidArgument("the dataset has elements of other dtypes than the iterator");
      for (std::size_t i = 0; right && i < outcome.element.size(); ++i)
        request.context->set_output(i, std::move(outcome.element[i]));
    }
    finish(request, std::move(outcome.status));
  }

  // Pulls as long as somebody waits.
  static Pull pump(Ref<IteratorResource> self, Ref<TaskServices> task) {
    co_await OnPool(*task);
    for (;;) {
      Outcome outcome;
      std::shared_ptr<Request> request;
      Ref<ElementSource> source;
      Ref<CalledFunction> factory;
      std::uint64_t epoch = 0;
      std::int64_t skip = 0;
      {
        std::lock_guard lock(self->mutex_);
        if (self->waiting_.empty()) {
          self->pulling_ = false;
          co_return true;
        }
        if (!self->ready_.empty()) {
          outcome = std::move(self->ready_.front());
          self->ready_.pop_front();
          request = self->take_request(outcome);
        } else {
          source = self->source_;
          factory = self->factory_;
          epoch = self->epoch_;
          self->context_.interrupt->store(false);
          if (source) skip = std::exchange(self->skip_, 0);
        }
      }
      if (!request) {
        try {
          if (source) {
            bool left = true;
            if (skip > 0) left = co_await source->skip(skip);
            if (left) outcome.came = co_await source->next(outcome.element);
          } else if (factory) {
            Called call(*factory, {});
            const DatasetElement made = co_await call;
            if (made.size() != 1) fail(Code::InvalidArgument, "the factory of a one-shot iterator must give one dataset");
            self->adopt(dataset_in(made[0]), epoch);
            continue;
          } else {
            fail(Code::FailedPrecondition, "the iterator has no dataset any more");
          }
        } catch (const Interrupted&) {
          if (!task->stopped()) {
            if (skip > 0) self->begin_again(epoch, skip);
            continue;
          }
          outcome.status = errors::Cancelled("the task is being stopped");
        } catch (...) {
          outcome.status = current_exception_status();
        }
        std::lock_guard lock(self->mutex_);
        if (self->epoch_ != epoch) continue;
        request = self->take_request(outcome);
        if (!request) {
          self->ready_.push_back(std::move(outcome));
          continue;
        }
      }
      self->answer(*request, std::move(outcome));
    }
  }
  // Under the mutex.
  std::shared_ptr<Request> take_request(const Outcome& outcome) {
    if (waiting_.empty()) return nullptr;
    std::shared_ptr<Request> out = std::move(waiting_.front());
    waiting_.pop_front();
    out->taken = true;
    if (outcome.came || !outcome.status.ok()) ++given_;
    return out;
  }
  // Leaving out what came before a saved state was interrupted.
  void begin_again(std::uint64_t epoch, std::int64_t skip) {
    std::lock_guard lock(mutex_);
    if (epoch_ != epoch) return;
    context_.interrupt->store(false);
    IterationContext context = context_;
    source_ = dataset_->iterate(context);
    skip_ = skip;
  }
  void adopt(Ref<DatasetNode> dataset, std::uint64_t epoch) {
    IterationContext context;
    {
      std::lock_guard lock(mutex_);
      if (epoch_ != epoch) return;
      context = context_;
    }
    Ref<ElementSource> source = dataset->iterate(context);
    std::lock_guard lock(mutex_);
    if (epoch_ != epoch) return;
    source_ = std::move(source);
    dataset_ = std::move(dataset);
    factory_ = nullptr;
  }

  const std::vector<DType> dtypes_;
  std::mutex mutex_;
  Ref<DatasetNode> dataset_;
  Ref<ElementSource> source_;
  Ref<CalledFunction> factory_;
  IterationContext context_;
  std::int64_t given_ = 0, skip_ = 0;
  std::uint64_t epoch_ = 0;
  bool pulling_ = false;
  std::deque<std::shared_ptr<Request>> waiting_;
  std::deque<Outcome> ready_;
};

struct IteratorConfig {
  std::string container, name;  // an empty name: the node's own
  std::vector<DType> dtypes;
  Tensor factory;               // of a one-shot iterator
};

// The handle that a node of a session gave last; found by name anew once its task has forgotten resources.
struct FoundIterator final : Counted {
  std::mutex mutex;
  std::uint64_t generation = 0;
  Tensor handle;
};

DGRAPH_DECL Ref<Counted> make_found_iterator(const KernelRequest&, std::uint64_t) { return make_ref<FoundIterator>(); }

DGRAPH_DECL void run_iterator(KernelContext& c) {
  const auto& config = c.config<IteratorConfig>();
  auto& found = c.state<FoundIterator>();
  std::lock_guard lock(found.mutex);
  const bool own = config.name.empty();
  const std::uint64_t generation = own ? 1 : c.services().resources().generation();
  if (found.generation != generation) {
    Ref<IteratorResource> iterator;
    const auto make = [&] { return make_ref<IteratorResource>(config.dtypes); };
    if (own) {
      iterator = make();
    } else {
      const std::string& container = config.container.empty() ? c.services().default_container() : config.container;
      iterator = c.services().resources().find_or_create<IteratorResource>(container, config.name, make);
      if (iterator->dtypes() != config.dtypes)
        fail(Code::InvalidArgument, "iterator ", config.name, " in container ", container,
             " of this server has elements of other dtypes than in this graph");
    }
    if (config.factory.has_value()) {
      TaskServices& task = c.services().task();
      iterator->begin_with(task.bind(config.factory), Ref<TaskServices>::share(&task));
    }
    found.handle = make_handle(std::move(iterator));
    found.generation = generation;
  }
  c.set_output(0, found.handle);
}

DGRAPH_DECL Kernel iterator_kernel(const KernelRequest& r, bool one_shot) {
  IteratorConfig config{r.attr<std::string>("container"), r.attr<std::string>("shared_name"),
                        r.attr<std::vector<DType>>("output_types"), Tensor()};
  if (one_shot)
    config.factory = r.attr<Tensor>("dataset_factory");
  else if (config.name.empty())
    config.name = r.name;
  Kernel kernel = plain_kernel(&run_iterator, true);
  kernel.make_state = &make_found_iterator;
  return kernel.with(std::move(config));
}

DGRAPH_DECL void run_make_iterator(KernelContext& c) {
  resource_as<IteratorResource>(c.input(1)).begin(dataset_in(c.input(0)), Ref<TaskServices>::share(&c.services().task()));
}
DGRAPH_DECL void run_iterator_get_next(KernelContext& c) { resource_as<IteratorResource>(c.input(0)).next(c); }
DGRAPH_DECL void run_serialize_iterator(KernelContext& c) {
  c.set_output(0, Tensor::scalar(resource_as<IteratorResource>(c.input(0)).save()));
}
DGRAPH_DECL void run_deserialize_iterator(KernelContext& c) {
  resource_as<IteratorResource>(c.input(0)).restore(c.input(1).item<std::string>());
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Iterator>::make(const KernelRequest& r) { return detail::iterator_kernel(r, false); }
DGRAPH_DECL Kernel Kernels<ops::IteratorV2>::make(const KernelRequest& r) { return detail::iterator_kernel(r, false); }
DGRAPH_DECL Kernel Kernels<ops::OneShotIterator>::make(const KernelRequest& r) { return detail::iterator_kernel(r, true); }
DGRAPH_DECL Kernel Kernels<ops::MakeIterator>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_make_iterator, true);
}
DGRAPH_DECL Kernel Kernels<ops::IteratorGetNext>::make(const KernelRequest&) {
  Kernel kernel = detail::plain_kernel(&detail::run_iterator_get_next, true);
  kernel.async = true;
  return kernel;
}
DGRAPH_DECL Kernel Kernels<ops::SerializeIterator>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_serialize_iterator, true);
}
DGRAPH_DECL Kernel Kernels<ops::DeserializeIterator>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_deserialize_iterator, true);
}

}  // namespace dgraph

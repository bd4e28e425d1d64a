#pragma once
#include <dgraph/kernels/dataset.hpp>

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include <dgraph/kernels/arguments.hpp>

// Datasets that choose, order or keep the elements of others.

namespace dgraph {
namespace detail {

// A dataset made of one other.
class DerivedDataset : public DatasetNode {
 public:
  explicit DerivedDataset(Ref<DatasetNode> input) noexcept : input_(std::move(input)) {}

 protected:
  const Ref<DatasetNode> input_;
};

class TakenElements final : public DerivedDataset {
 public:
  TakenElements(Ref<DatasetNode> input, std::int64_t count) noexcept : DerivedDataset(std::move(input)), count_(count) {}
  Ref<ElementSource> iterate(IterationContext& c) const override { return make_ref<Source>(input_->iterate(c), count_); }

 private:
  class Source final : public ElementSource {
   public:
    Source(Ref<ElementSource> input, std::int64_t count) noexcept : input_(std::move(input)), left_(count) {}
    Pull next(DatasetElement& out) override {
      if (left_ == 0) co_return false;
      const bool came = co_await input_->next(out);
      if (came && left_ > 0) --left_;
      co_return came;
    }

   private:
    const Ref<ElementSource> input_;
    std::int64_t left_;
  };
  const std::int64_t count_;
};

class SkippedElements final : public DerivedDataset {
 public:
  SkippedElements(Ref<DatasetNode> input, std::int64_t count) noexcept : DerivedDataset(std::move(input)), count_(count) {}
  Ref<ElementSource> iterate(IterationContext& c) const override { return make_ref<Source>(input_->iterate(c), count_); }

 private:
  class Source final : public ElementSource {
   public:
    Source(Ref<ElementSource> input, std::int64_t count) noexcept : input_(std::move(input)), left_(count) {}
    Pull next(DatasetElement& out) override {
      for (; left_ > 0; --left_) {
        const bool skipped = co_await input_->skip(1);
        if (!skipped) co_return false;
      }
      const bool came = co_await input_->next(out);
      co_return came;
    }

   private:
    const Ref<ElementSource> input_;
    std::int64_t left_;
  };
  const std::int64_t count_;
};

class RepeatedDataset final : public DerivedDataset {
 public:
  RepeatedDataset(Ref<DatasetNode> input, std::int64_t count) noexcept : DerivedDataset(std::move(input)), count_(count) {}
  Ref<ElementSource> iterate(IterationContext& c) const override { return make_ref<Source>(input_, count_, c); }

 private:
  class Source final : public ElementSource {
   public:
    Source(Ref<DatasetNode> dataset, std::int64_t count, const IterationContext& context)
        : dataset_(std::move(dataset)), left_(count), context_(context) {}
    Pull next(DatasetElement& out) override {
      for (;;) {
        context_.check();
        if (!input_) {
          if (left_ == 0) co_return false;
          IterationContext round = context_;
          round.round = context_.round * 0x9e3779b97f4a7c15ull + rounds_++;
          input_ = dataset_->iterate(round);
          any_ = false;
        }
        const bool came = co_await input_->next(out);
        if (came) {
          any_ = true;
          co_return true;
        }
        input_ = nullptr;
        if (left_ > 0) --left_;
        // An empty dataset without end would never give anything.
        if (!any_ && left_ < 0) left_ = 0;
      }
    }

   private:
    const Ref<DatasetNode> dataset_;
    std::int64_t left_;
    const IterationContext context_;
    std::uint64_t rounds_ = 0;
    bool any_ = false;
    Ref<ElementSource> input_;
  };
  const std::int64_t count_;
};

class ShardedDataset final : public DerivedDataset {
 public:
  ShardedDataset(Ref<DatasetNode> input, std::int64_t shards, std::int64_t index, bool some)
      : DerivedDataset(std::move(input)), shards_(shards), index_(index), some_(some) {
    if (shards < 1) fail(Code::InvalidArgument, "num_shards must be at least 1, not ", shards);
    if (index < 0 || index >= shards) fail(Code::InvalidArgument, "index ", index, " is not in [0, ", shards, ")");
  }
  Ref<ElementSource> iterate(IterationContext& c) const override {
    return make_ref<Source>(input_->iterate(c), shards_, index_, some_);
  }

 private:
  class Source final : public ElementSource {
   public:
    Source(Ref<ElementSource> input, std::int64_t shards, std::int64_t index, bool some) noexcept
        : input_(std::move(input)), shards_(shards), ahead_(index), some_(some) {}
    Pull next(DatasetElement& out) override {
      bool came = true;
      for (; came && ahead_ > 0; --ahead_) came = co_await input_->skip(1);
      if (came) came = co_await input_->next(out);
      if (!came && some_)
        fail(Code::InvalidArgument, "a shard has no elements: there are fewer of them than ", shards_, " shards");
      ahead_ = came ? shards_ - 1 : 0;
      some_ = false;
      co_return came;
    }

   private:
    const Ref<ElementSource> input_;
    const std::int64_t shards_;
    std::int64_t ahead_;
    bool some_;
  };
  const std::int64_t shards_, index_;
  const bool some_;
};

class ZippedDatasets final : public DatasetNode {
 public:
  explicit ZippedDatasets(std::vector<Ref<DatasetNode>> all) : all_(std::move(all)) {}
  Ref<ElementSource> iterate(IterationContext& c) const override {
    std::vector<Ref<ElementSource>> sources;
    for (const auto& one : all_) sources.push_back(one->iterate(c));
    return make_ref<Source>(std::move(sources));
  }

 private:
  class Source final : public ElementSource {
   public:
    explicit Source(std::vector<Ref<ElementSource>> all) noexcept : all_(std::move(all)) {}
    Pull next(DatasetElement& out) override {
      // Parts that came before an error of another are kept for the next call.
      while (!ended_ && parts_.size() < all_.size()) {
        DatasetElement part;
        const bool came = co_await all_[parts_.size()]->next(part);
        ended_ = !came;
        parts_.push_back(std::move(part));
      }
      if (ended_) co_return false;
      for (DatasetElement& part : parts_)
        for (Tensor& value : part) out.push_back(std::move(value));
      parts_.clear();
      co_return true;
    }

   private:
    const std::vector<Ref<ElementSource>> all_;
    std::vector<DatasetElement> parts_;
    bool ended_ = false;
  };
  const std::vector<Ref<DatasetNode>> all_;
};

class ConcatenatedDatasets final : public DatasetNode {
 public:
  ConcatenatedDatasets(Ref<DatasetNode> first, Ref<DatasetNode> second) noexcept
      : first_(std::move(first)), second_(std::move(second)) {}
  Ref<ElementSource> iterate(IterationContext& c) const override {
    Ref<ElementSource> first = first_->iterate(c);
    return make_ref<Source>(std::move(first), second_->iterate(c));
  }

 private:
  class Source final : public ElementSource {
   public:
    Source(Ref<ElementSource> first, Ref<ElementSource> second) noexcept
        : first_(std::move(first)), second_(std::move(second)) {}
    Pull next(DatasetElement& out) override {
      bool came = false;
      if (first_) came = co_await first_->next(out);
      if (came) co_return true;
      first_ = nullptr;
      came = co_await second_->next(out);
      co_return came;
    }

   private:
    Ref<ElementSource> first_;
    const Ref<ElementSource> second_;
  };
  const Ref<DatasetNode> first_, second_;
};

// Whoever reads all of the input first leaves it here for the others.
class CachedDataset final : public DerivedDataset {
 public:
  explicit CachedDataset(Ref<DatasetNode> input) noexcept
      : DerivedDataset(std::move(input)), memory_(std::make_shared<Memory>()) {}
  Ref<ElementSource> iterate(IterationContext& c) const override {
    return make_ref<Source>(input_->iterate(c), memory_);
  }

 private:
  struct Memory {
    std::mutex mutex;
    std::shared_ptr<const std::vector<DatasetElement>> all;
  };
  class Source final : public ElementSource {
   public:
    Source(Ref<ElementSource> input, std::shared_ptr<Memory> memory) : input_(std::move(input)), memory_(std::move(memory)) {
      std::lock_guard lock(memory_->mutex);
      all_ = memory_->all;
    }
    Pull next(DatasetElement& out) override {
      if (all_) {
        if (at_ >= all_->size()) co_return false;
        out = (*all_)[at_++];
        co_return true;
      }
      const bool came = co_await input_->next(out);
      if (came) {
        read_.push_back(out);
        ++at_;
        co_return true;
      }
      all_ = std::make_shared<const std::vector<DatasetElement>>(std::move(read_));
      std::lock_guard lock(memory_->mutex);
      if (!memory_->all) memory_->all = all_;
      co_return false;
    }

   private:
    const Ref<ElementSource> input_;
    const std::shared_ptr<Memory> memory_;
    std::shared_ptr<const std::vector<DatasetElement>> all_;
    std::vector<DatasetElement> read_;
    std::size_t at_ = 0;
  };
  const std::shared_ptr<Memory> memory_;
};

class ShuffledDataset final : public DerivedDataset {
 public:
  ShuffledDataset(Ref<DatasetNode> input, std::int64_t buffer, std::int64_t seed, std::int64_t seed2, bool again)
      : DerivedDataset(std::move(input)), buffer_(buffer), seed_(static_cast<std::uint64_t>(seed)),
        seed2_(static_cast<std::uint64_t>(seed2)), again_(again) {
    if (buffer < 1) fail(Code::InvalidArgument, "buffer_size must be at least 1, not ", buffer);
  }
  Ref<ElementSource> iterate(IterationContext& c) const override {
    IterationContext first = c;
    first.round = again_ ? c.round : 0;
    const std::uint64_t drawn = c.draw();
    const std::uint64_t seed = seed_ || seed2_ ? seed_ : first.draw() ^ (again_ ? drawn : 0);
    return make_ref<Source>(input_->iterate(c), buffer_,
                            Philox::stateless(seed ^ (again_ ? c.round << 1 : 0), seed2_ + (again_ ? c.round : 0)));
  }

 private:
  class Source final : public ElementSource {
   public:
    Source(Ref<ElementSource> input, std::int64_t buffer, const Philox& random) noexcept
        : input_(std::move(input)), buffer_(buffer), random_(random) {}
    Pull next(DatasetElement& out) override {
      while (!ended_ && static_cast<std::int64_t>(held_.size()) < buffer_) {
        DatasetElement more;
        const bool came = co_await input_->next(more);
        if (came)
          held_.push_back(std::move(more));
        else
          ended_ = true;
      }
      if (held_.empty()) co_return false;
      // The high half of a product: without bias that could be seen.
      const Philox::Block bits = random_();
      const auto wide = static_cast<unsigned __int128>(Philox::join(bits[0], bits[1])) * held_.size();
      const auto at = static_cast<std::size_t>(wide >> 64);
      out = std::move(held_[at]);
      if (at + 1 != held_.size()) held_[at] = std::move(held_.back());
      held_.pop_back();
      co_return true;
    }

   private:
    const Ref<ElementSource> input_;
    const std::int64_t buffer_;
    Philox random_;
    std::vector<DatasetElement> held_;
    bool ended_ = false;
  };
  const std::int64_t buffer_;
  const std::uint64_t seed_, seed2_;
  const bool again_;
};

class PrefetchedDataset final : public DerivedDataset {
 public:
  PrefetchedDataset(Ref<DatasetNode> input, std::int64_t size) : DerivedDataset(std::move(input)), size_(size) {
    if (size < -1) fail(Code::InvalidArgument, "buffer_size must be at least 0, or -1, not ", size);
  }
  Ref<ElementSource> iterate(IterationContext& c) const override {
    Ref<ElementSource> input = input_->iterate(c);
    if (size_ == 0) return input;
    return make_ref<Source>(std::move(input), size_ < 0 ? 8 : size_, c);
  }

 private:
  // The reader ahead shares it with the source, and stops once the source is gone.
  struct Ahead final : Counted {
    Ahead(Ref<ElementSource> i, std::int64_t s, Ref<TaskServices> t) noexcept
        : input(std::move(i)), size(s), task(std::move(t)) {}
    struct Item {
      bool came = false;
      std::exception_ptr error;
      DatasetElement element;
    };
    const Ref<ElementSource> input;
    const std::int64_t size;
    const Ref<TaskServices> task;
    std::mutex mutex;
    std::deque<Item> items;
    bool reading = false, ended = false, stopped = false, waiting = false;
    Signal came;

    // Under the mutex.
    bool should_read() const { return !reading && !ended && !stopped && static_cast<std::int64_t>(items.size()) < size; }
    static Pull read(Ref<Ahead> self) {
      co_await OnPool(*self->task);
      for (;;) {
        Item item;
        bool interrupted = false;
        try {
          item.came = co_await self->input->next(item.element);
        } catch (const Interrupted&) {
          interrupted = true;
        } catch (...) {
          item.error = std::current_exception();
        }
        bool wake = false, go_on = false;
        {
          std::lock_guard lock(self->mutex);
          self->reading = false;
          if (!interrupted) {
            self->ended = !item.came && !item.error;
            self->items.push_back(std::move(item));
            go_on = self->should_read();
          }
          self->reading = go_on;
          wake = std::exchange(self->waiting, false);
        }
        if (wake) self->task->compute([self] { self->came.wake(); });
        if (!go_on) co_return true;
      }
    }
    static void start(const Ref<Ahead>& self) {
      {
        std::lock_guard lock(self->mutex);
        if (!self->should_read()) return;
        self->reading = true;
      }
      read(self);
    }
  };
  class Source final : public ElementSource {
   public:
    Source(Ref<ElementSource> input, std::int64_t size, const IterationContext& context)
        : ahead_(make_ref<Ahead>(std::move(input), size, context.task)), context_(context) {
      Ahead::start(ahead_);
    }
    ~Source() override {
      std::lock_guard lock(ahead_->mutex);
      ahead_->stopped = true;
    }
    Pull next(DatasetElement& out) override {
      Ahead::Item item;
      for (;;) {
        {
          std::lock_guard lock(ahead_->mutex);
          if (!ahead_->items.empty()) {
            item = std::move(ahead_->items.front());
            ahead_->items.pop_front();
            break;
          }
          if (ahead_->ended) co_return false;
          ahead_->waiting = true;
        }
        Ahead::start(ahead_);
        co_await ahead_->came;
        context_.check();
      }
      Ahead::start(ahead_);
      if (item.error) std::rethrow_exception(item.error);
      out = std::move(item.element);
      co_return item.came;
    }

   private:
    const Ref<Ahead> ahead_;
    const IterationContext context_;
  };
  const std::int64_t size_;
};

template <class Node>
void run_counted_dataset(KernelContext& c) {
  c.set_output(0, dataset_value(make_ref<Node>(dataset_in(c.input(0)), integer_argument(c.input(1), "count"))));
}
// Below 0: nothing is skipped, everything taken.
DGRAPH_DECL void run_skip_dataset(KernelContext& c) {
  const std::int64_t count = std::max<std::int64_t>(integer_argument(c.input(1), "count"), 0);
  c.set_output(0, dataset_value(make_ref<SkippedElements>(dataset_in(c.input(0)), count)));
}
DGRAPH_DECL void run_shard_dataset(KernelContext& c) {
  c.set_output(0, dataset_value(make_ref<ShardedDataset>(dataset_in(c.input(0)), integer_argument(c.input(1), "num_shards"),
                                                         integer_argument(c.input(2), "index"), c.config<bool>())));
}
DGRAPH_DECL void run_zip_dataset(KernelContext& c) {
  std::vector<Ref<DatasetNode>> all;
  for (const Tensor& input : c.inputs()) all.push_back(dataset_in(input));
  c.set_output(0, dataset_value(make_ref<ZippedDatasets>(std::move(all))));
}
DGRAPH_DECL void run_concatenate_dataset(KernelContext& c) {
  c.set_output(0, dataset_value(make_ref<ConcatenatedDatasets>(dataset_in(c.input(0)), dataset_in(c.input(1)))));
}
DGRAPH_DECL void run_cache_dataset(KernelContext& c) {
  if (!c.input(1).item<std::string>().empty())
    fail(Code::Unimplemented, "a dataset is cached in memory only, not in the file ", c.input(1).item<std::string>());
  c.set_output(0, dataset_value(make_ref<CachedDataset>(dataset_in(c.input(0)))));
}
DGRAPH_DECL void run_shuffle_dataset(KernelContext& c) {
  c.set_output(0, dataset_value(make_ref<ShuffledDataset>(
                      dataset_in(c.input(0)), integer_argument(c.input(1), "buffer_size"),
                      integer_argument(c.input(2), "seed"), integer_argument(c.input(3), "seed2"), c.config<bool>())));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::TakeDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_counted_dataset<detail::TakenElements>, true);
}
DGRAPH_DECL Kernel Kernels<ops::SkipDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_skip_dataset, true);
}
DGRAPH_DECL Kernel Kernels<ops::RepeatDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_counted_dataset<detail::RepeatedDataset>, true);
}
DGRAPH_DECL Kernel Kernels<ops::PrefetchDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_counted_dataset<detail::PrefetchedDataset>, true);
}
DGRAPH_DECL Kernel Kernels<ops::ShardDataset>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_shard_dataset, true).with(r.attr<bool>("require_non_empty"));
}
DGRAPH_DECL Kernel Kernels<ops::ZipDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_zip_dataset, true);
}
DGRAPH_DECL Kernel Kernels<ops::ConcatenateDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_concatenate_dataset, true);
}
DGRAPH_DECL Kernel Kernels<ops::CacheDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_cache_dataset, true);
}
DGRAPH_DECL Kernel Kernels<ops::ShuffleDataset>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_shuffle_dataset, true).with(r.attr<bool>("reshuffle_each_iteration"));
}

}  // namespace dgraph

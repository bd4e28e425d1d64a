#pragma once
// QueueResource: elements, tuples of tensors, and the executions that wait to put some in or take some out.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <dgraph/base/random.hpp>
#include <dgraph/kernels/resource.hpp>
#include <dgraph/kernels/waiting.hpp>

namespace dgraph {

enum class QueueKind : std::uint8_t { Fifo, PaddingFifo, RandomShuffle, Priority };
/// "FIFOQueue", ...
std::string_view queue_kind_name(QueueKind kind) noexcept;

/// What a queue is made with.
struct QueueOptions {
  QueueKind kind = QueueKind::Fifo;
  std::string op_type, name;
  std::int64_t capacity = -1;        ///< below 0: any number
  std::vector<DType> types;          ///< of the components, of a priority queue with the priority
  std::vector<PartialShape> shapes;  ///< of the components; empty: any
  std::int64_t min_after_dequeue = 0;
  std::int64_t seed = 0, seed2 = 0;  ///< as given
  std::uint64_t entropy = 0;         ///< instead of seeds that are 0
};

namespace detail {

using QueueElement = std::vector<Tensor>;

/// The elements of a queue in the order in which they will be taken.
class QueueElements {
 public:
  explicit QueueElements(const QueueOptions& options);
  std::size_t size() const noexcept {
    return kind_ == QueueKind::Priority ? by_priority_.size() : in_line_.size();
  }
  void push(QueueElement element);
  QueueElement pop();
  /// Puts back what was taken last.
  void restore(QueueElement element);

 private:
  QueueKind kind_;
  Philox random_;
  Philox::Block drawn_{};
  std::size_t unused_ = 0;  // of the block drawn last
  std::deque<QueueElement> in_line_;
  std::multimap<std::int64_t, QueueElement> by_priority_;
};

}  // namespace detail

/// Puts are served in the order in which they came, and so are takes. All calls are safe from any thread; kernels that call them
/// are asynchronous and done when their turn has come.
class QueueResource final : public Resource {
 public:
  explicit QueueResource(QueueOptions options)
      : options_(std::move(options)), elements_(options_) {}

  std::string_view kind() const override { return "queue"; }
  const QueueOptions& options() const noexcept { return options_; }
  std::int64_t size() const;
  bool closed() const;
  /// Throws InvalidArgument naming what differs where the queue is not what these options say.
  void check_same(const QueueOptions& wanted) const;
  /// Wakes all that wait, with Aborted.
  void abandon() override;

  /// Puts in the components, inputs from 1 on: as one element, or their rows as one element each.
  void enqueue(KernelContext& c, bool many);
  /// Takes one element.
  void dequeue(KernelContext& c);
  /// Takes `count`, or what is left of a closed queue where `up_to`; stacked.
  void dequeue_many(KernelContext& c, std::int64_t count, bool up_to);
  /// Takes its place among the puts, unless these are to be cancelled.
  void close(KernelContext& c, bool cancel_pending);

 private:
  struct Attempt;
  using Line = std::deque<std::shared_ptr<Attempt>>;

  std::string title() const;
  std::size_t capacity() const noexcept;
  void check_element(const std::vector<Tensor>& element, std::size_t first_axis) const;
  void check_outputs(const KernelContext& c) const;
  /// Lets it wait its turn, which may be now.
  void submit(Line& line, std::shared_ptr<Attempt> attempt);
  void cancel(Line& line, const std::shared_ptr<Attempt>& attempt);
  // Under the lock. True where the attempt is done.
  void advance(detail::WaitingOps& finished);
  bool try_put(Attempt& attempt);
  bool try_take(Attempt& attempt);
  bool short_of(Attempt& attempt);
  void put_back(Attempt& attempt);
  static bool advance_line(Line& line, detail::WaitingOps& finished,
                           FunctionRef<bool(Attempt&)> run);
  void fail_line(Line& line, detail::WaitingOps& finished, const Status& status);
  Tensor stacked(const Attempt& attempt, std::size_t component) const;

  const QueueOptions options_;
  mutable std::mutex mutex_;
  detail::QueueElements elements_;
  bool closed_ = false;
  Line puts_, takes_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/queue_resource.ipp>
#endif

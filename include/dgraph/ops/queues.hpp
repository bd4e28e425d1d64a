#pragma once
// FIFOQueue<T...> and the other queues: elements that steps put in and take out, waiting for each other.

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/ops/queue.hpp>
#include <dgraph/ops/random.hpp>
#include <dgraph/ops/value_arg.hpp>

namespace dgraph {
namespace detail {

/// A queue as the nodes on it see it.
class QueueNode {
 public:
  QueueNode(const OpDef& def, std::vector<DType> types, std::vector<PartialShape> shapes,
            std::vector<AttrArg> attrs, std::int64_t capacity, std::string_view shared_name,
            const OpName& name);

  const Output& handle() const noexcept { return handle_; }
  Output enqueue(bool many, const std::vector<const AnyValueArg*>& values,
                 const OpName& name) const;
  std::vector<Output> dequeue(const OpName& name) const;
  std::vector<Output> dequeue_many(bool up_to, const AnyValueArg& n, const OpName& name) const;
  Output close(bool cancel_pending_enqueues, const OpName& name) const;
  Output size(const OpName& name) const;
  Output is_closed(const OpName& name) const;

 private:
  Output handle_;
  std::vector<DType> types_;
  std::vector<PartialShape> shapes_;  // of the components; empty: any
};

std::vector<PartialShape> partial_shapes(const std::vector<Shape>& shapes);
std::vector<AttrArg> shuffle_attrs(std::int64_t min_after_dequeue, Seed seed);

}  // namespace detail

/// What all queues of elements of T... have in common. A queue with a shared name is one for all sessions on the task of its node and
/// outlives them; one without belongs to its session. What waits holds no thread, and ends with its step: Cancelled, or
/// DeadlineExceeded.
template <class... T>
class Queue {
 public:
  static_assert(sizeof...(T) > 0,
                "dgraph: a queue's elements have one component or more: FIFOQueue<float, int>");
  /// The value, or a tuple of the values of several components.
  using Element =
      std::conditional_t<sizeof...(T) == 1, std::tuple_element_t<0, std::tuple<Op<T>...>>,
                         std::tuple<Op<T>...>>;

  const Output& handle() const noexcept { return node_.handle(); }
  /// Puts one element in; waits while the queue is full. Cancelled where it is closed, InvalidArgument for other shapes than the
  /// queue's.
  Op<void> enqueue(const ValueArg<T>&... values, OpName name = {}) const {
    return Op<void>(node_.enqueue(false, {&values...}, name));
  }
  /// Puts the rows of the values in, as many elements, each as soon as there is room.
  Op<void> enqueue_many(const ValueArg<T>&... values, OpName name = {}) const {
    return Op<void>(node_.enqueue(true, {&values...}, name));
  }
  /// Takes one element; waits for one. OutOfRange where the queue is closed and empty.
  Element dequeue(OpName name = {}) const { return element(node_.dequeue(name)); }
  /// Takes `n` elements, an int32, stacked along a new first axis; the queue must have been given shapes. OutOfRange where it is
  /// closed and has fewer.
  Element dequeue_many(const ValueArg<std::int32_t>& n, OpName name = {}) const {
    return element(node_.dequeue_many(false, n, name));
  }
  /// The same; what is left of a closed queue, if that is fewer. OutOfRange where nothing is.
  Element dequeue_up_to(const ValueArg<std::int32_t>& n, OpName name = {}) const {
    return element(node_.dequeue_many(true, n, name));
  }
  /// Closes the queue once what waits to be put in is in, or at once, these being Cancelled. Elements can still be taken.
  Op<void> close(bool cancel_pending_enqueues = false, OpName name = {}) const {
    return Op<void>(node_.close(cancel_pending_enqueues, name));
  }
  Op<std::int32_t> size(OpName name = {}) const { return Op<std::int32_t>(node_.size(name)); }
  Op<bool> is_closed(OpName name = {}) const { return Op<bool>(node_.is_closed(name)); }

 protected:
  explicit Queue(detail::QueueNode node) : node_(std::move(node)) {}
  static std::vector<DType> types() { return {dtype_of<T>...}; }

 private:
  static Element element(const std::vector<Output>& outputs) {
    return with_index(outputs, std::index_sequence_for<T...>{});
  }
  template <std::size_t... I>
  static Element with_index(const std::vector<Output>& outputs, std::index_sequence<I...>) {
    return Element(Op<T>(outputs[I])...);
  }
  detail::QueueNode node_;
};

/// First in, first out. `capacity` below 0: as many elements as memory holds. `shapes`, one for each component or none: those that
/// elements must have.
template <class... T>
class FIFOQueue : public Queue<T...> {
 public:
  explicit FIFOQueue(std::int64_t capacity, const std::vector<Shape>& shapes = {},
                     std::string_view shared_name = {}, OpName name = "fifo_queue")
      : Queue<T...>({definition<ops::FIFOQueueV2>(),
                     Queue<T...>::types(),
                     detail::partial_shapes(shapes),
                     {},
                     capacity,
                     shared_name,
                     name}) {}
};

/// First in, first out; elements may differ in the dimensions that are -1 in `shapes`. Several that are taken at once are padded with
/// zeros or empty strings to the largest.
template <class... T>
class PaddingFIFOQueue : public Queue<T...> {
 public:
  PaddingFIFOQueue(std::int64_t capacity, std::vector<PartialShape> shapes,
                   std::string_view shared_name = {}, OpName name = "padding_fifo_queue")
      : Queue<T...>({definition<ops::PaddingFIFOQueueV2>(),
                     Queue<T...>::types(),
                     std::move(shapes),
                     {},
                     capacity,
                     shared_name,
                     name}) {}
};

/// Elements are taken in random order. Taking waits until more than min_after_dequeue elements are there, or the queue is closed.
template <class... T>
class RandomShuffleQueue : public Queue<T...> {
 public:
  RandomShuffleQueue(std::int64_t capacity, std::int64_t min_after_dequeue,
                     const std::vector<Shape>& shapes = {}, Seed seed = {},
                     std::string_view shared_name = {}, OpName name = "random_shuffle_queue")
      : Queue<T...>({definition<ops::RandomShuffleQueueV2>(), Queue<T...>::types(),
                     detail::partial_shapes(shapes), detail::shuffle_attrs(min_after_dequeue, seed),
                     capacity, shared_name, name}) {}
};

/// The element with the smallest priority, an int64 that comes before the components, is taken first.
template <class... T>
class PriorityQueue : public Queue<std::int64_t, T...> {
 public:
  explicit PriorityQueue(std::int64_t capacity, const std::vector<Shape>& shapes = {},
                         std::string_view shared_name = {}, OpName name = "priority_queue")
      : Queue<std::int64_t, T...>({definition<ops::PriorityQueueV2>(),
                                   Queue<std::int64_t, T...>::types(),
                                   detail::partial_shapes(shapes),
                                   {},
                                   capacity,
                                   shared_name,
                                   name}) {}
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/queues.ipp>
#endif

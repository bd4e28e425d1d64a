#pragma once
// The ops of queues: elements, tuples of tensors, that steps put in and take out, waiting for each other (D7).

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {
namespace detail {

void queue_handle_shape(ShapeContext& c);
/// Components of one element, of `n` elements, of up to `n` elements: from the queue's own attributes where its node is known.
void dequeue_shape(ShapeContext& c);
void dequeue_many_shape(ShapeContext& c);
void dequeue_up_to_shape(ShapeContext& c);
/// The handle's rank, and of enqueue_many that all components have a first axis of one size.
void enqueue_many_shape(ShapeContext& c);
void queue_scalar_shape(ShapeContext& c);

}  // namespace detail

namespace ops {

/// A handle of a queue of elements in the order in which they came, made where there is none of that (container, shared_name);
/// a queue without a shared_name belongs to its session. capacity below 0: as many as memory holds.
struct FIFOQueueV2 {
  static constexpr auto signature =
      "FIFOQueueV2() -> (handle: resource); component_types: list(type) >= 1; shapes: list(shape) "
      "= []; "
      "capacity: int = -1; container: string = ''; shared_name: string = ''; stateful";
  static void shape(ShapeContext& c) { detail::queue_handle_shape(c); }
};

struct FIFOQueue {
  static constexpr auto signature =
      "FIFOQueue() -> (handle: Ref(string)); component_types: list(type) >= 1; shapes: list(shape) "
      "= []; "
      "capacity: int = -1; container: string = ''; shared_name: string = ''; stateful";
  static void shape(ShapeContext& c) { detail::queue_handle_shape(c); }
};

/// The same, whose elements may differ in the dimensions that `shapes` leaves open: several taken at once are padded with zeros.
struct PaddingFIFOQueueV2 {
  static constexpr auto signature =
      "PaddingFIFOQueueV2() -> (handle: resource); component_types: list(type) >= 1; shapes: "
      "list(shape) = []; "
      "capacity: int = -1; container: string = ''; shared_name: string = ''; stateful";
  static void shape(ShapeContext& c) { detail::queue_handle_shape(c); }
};

struct PaddingFIFOQueue {
  static constexpr auto signature =
      "PaddingFIFOQueue() -> (handle: Ref(string)); component_types: list(type) >= 1; shapes: "
      "list(shape) = []; "
      "capacity: int = -1; container: string = ''; shared_name: string = ''; stateful";
  static void shape(ShapeContext& c) { detail::queue_handle_shape(c); }
};

/// The same, taken out in random order; taking waits until more than min_after_dequeue elements are there, or it is closed.
struct RandomShuffleQueueV2 {
  static constexpr auto signature =
      "RandomShuffleQueueV2() -> (handle: resource); component_types: list(type) >= 1; shapes: "
      "list(shape) = "
      "[]; capacity: int = -1; min_after_dequeue: int = 0; seed: int = 0; seed2: int = 0; "
      "container: string = "
      "''; shared_name: string = ''; stateful";
  static void shape(ShapeContext& c) { detail::queue_handle_shape(c); }
};

struct RandomShuffleQueue {
  static constexpr auto signature =
      "RandomShuffleQueue() -> (handle: Ref(string)); component_types: list(type) >= 1; shapes: "
      "list(shape) = "
      "[]; capacity: int = -1; min_after_dequeue: int = 0; seed: int = 0; seed2: int = 0; "
      "container: string = "
      "''; shared_name: string = ''; stateful";
  static void shape(ShapeContext& c) { detail::queue_handle_shape(c); }
};

/// The same, taken out by a first component, an int64 scalar that component_types does not count: the smallest first.
struct PriorityQueueV2 {
  static constexpr auto signature =
      "PriorityQueueV2() -> (handle: resource); component_types: list(type) = []; shapes: "
      "list(shape); "
      "capacity: int = -1; container: string = ''; shared_name: string = ''; stateful";
  static void shape(ShapeContext& c) { detail::queue_handle_shape(c); }
};

struct PriorityQueue {
  static constexpr auto signature =
      "PriorityQueue() -> (handle: Ref(string)); component_types: list(type) = []; shapes: "
      "list(shape); "
      "capacity: int = -1; container: string = ''; shared_name: string = ''; stateful";
  static void shape(ShapeContext& c) { detail::queue_handle_shape(c); }
};

/// Puts one element into the queue; waits while it is full. Cancelled where it is closed.
struct QueueEnqueueV2 {
  static constexpr auto signature =
      "QueueEnqueueV2(handle: resource, components: Tcomponents) -> (); Tcomponents: list(type) >= "
      "1; "
      "timeout_ms: int = -1; stateful";
  static void shape(ShapeContext&) {}
};

struct QueueEnqueue {
  static constexpr auto signature =
      "QueueEnqueue(handle: Ref(string), components: Tcomponents) -> (); Tcomponents: list(type) "
      ">= 1; "
      "timeout_ms: int = -1; stateful";
  static void shape(ShapeContext&) {}
};

/// Puts the rows of the components, as many elements, into the queue, each as soon as there is room.
struct QueueEnqueueManyV2 {
  static constexpr auto signature =
      "QueueEnqueueManyV2(handle: resource, components: Tcomponents) -> (); Tcomponents: "
      "list(type) >= 1; "
      "timeout_ms: int = -1; stateful";
  static void shape(ShapeContext& c) { detail::enqueue_many_shape(c); }
};

struct QueueEnqueueMany {
  static constexpr auto signature =
      "QueueEnqueueMany(handle: Ref(string), components: Tcomponents) -> (); Tcomponents: "
      "list(type) >= 1; "
      "timeout_ms: int = -1; stateful";
  static void shape(ShapeContext& c) { detail::enqueue_many_shape(c); }
};

/// Takes one element; waits for one. OutOfRange where the queue is closed and empty.
struct QueueDequeueV2 {
  static constexpr auto signature =
      "QueueDequeueV2(handle: resource) -> (components: component_types); component_types: "
      "list(type) >= 1; "
      "timeout_ms: int = -1; stateful";
  static void shape(ShapeContext& c) { detail::dequeue_shape(c); }
};

struct QueueDequeue {
  static constexpr auto signature =
      "QueueDequeue(handle: Ref(string)) -> (components: component_types); component_types: "
      "list(type) >= 1; "
      "timeout_ms: int = -1; stateful";
  static void shape(ShapeContext& c) { detail::dequeue_shape(c); }
};

/// Takes `n` elements, stacked along a new first axis. OutOfRange where the queue is closed and has fewer.
struct QueueDequeueManyV2 {
  static constexpr auto signature =
      "QueueDequeueManyV2(handle: resource, n: int32) -> (components: component_types); "
      "component_types: "
      "list(type) >= 1; timeout_ms: int = -1; stateful";
  static void shape(ShapeContext& c) { detail::dequeue_many_shape(c); }
};

struct QueueDequeueMany {
  static constexpr auto signature =
      "QueueDequeueMany(handle: Ref(string), n: int32) -> (components: component_types); "
      "component_types: "
      "list(type) >= 1; timeout_ms: int = -1; stateful";
  static void shape(ShapeContext& c) { detail::dequeue_many_shape(c); }
};

/// The same; what is left of a closed queue, if that is fewer. OutOfRange where nothing is.
struct QueueDequeueUpToV2 {
  static constexpr auto signature =
      "QueueDequeueUpToV2(handle: resource, n: int32) -> (components: component_types); "
      "component_types: "
      "list(type) >= 1; timeout_ms: int = -1; stateful";
  static void shape(ShapeContext& c) { detail::dequeue_up_to_shape(c); }
};

struct QueueDequeueUpTo {
  static constexpr auto signature =
      "QueueDequeueUpTo(handle: Ref(string), n: int32) -> (components: component_types); "
      "component_types: "
      "list(type) >= 1; timeout_ms: int = -1; stateful";
  static void shape(ShapeContext& c) { detail::dequeue_up_to_shape(c); }
};

/// Closes the queue once what waits to be put in is in, or, with cancel_pending_enqueues, at once: these are Cancelled then. A
/// queue that is closed takes no more elements. Cancelled where it is closed already.
struct QueueCloseV2 {
  static constexpr auto signature =
      "QueueCloseV2(handle: resource) -> (); cancel_pending_enqueues: bool = false; stateful";
  static void shape(ShapeContext&) {}
};

struct QueueClose {
  static constexpr auto signature =
      "QueueClose(handle: Ref(string)) -> (); cancel_pending_enqueues: bool = false; stateful";
  static void shape(ShapeContext&) {}
};

/// How many elements are in the queue.
struct QueueSizeV2 {
  static constexpr auto signature = "QueueSizeV2(handle: resource) -> (size: int32); stateful";
  static void shape(ShapeContext& c) { detail::queue_scalar_shape(c); }
};

struct QueueSize {
  static constexpr auto signature = "QueueSize(handle: Ref(string)) -> (size: int32); stateful";
  static void shape(ShapeContext& c) { detail::queue_scalar_shape(c); }
};

/// Whether the queue is closed.
struct QueueIsClosedV2 {
  static constexpr auto signature =
      "QueueIsClosedV2(handle: resource) -> (is_closed: bool); stateful";
  static void shape(ShapeContext& c) { detail::queue_scalar_shape(c); }
};

struct QueueIsClosed {
  static constexpr auto signature =
      "QueueIsClosed(handle: Ref(string)) -> (is_closed: bool); stateful";
  static void shape(ShapeContext& c) { detail::queue_scalar_shape(c); }
};

}  // namespace ops

using QueueOps =
    OpSet<ops::FIFOQueueV2, ops::FIFOQueue, ops::PaddingFIFOQueueV2, ops::PaddingFIFOQueue,
          ops::RandomShuffleQueueV2, ops::RandomShuffleQueue, ops::PriorityQueueV2,
          ops::PriorityQueue, ops::QueueEnqueueV2, ops::QueueEnqueue, ops::QueueEnqueueManyV2,
          ops::QueueEnqueueMany, ops::QueueDequeueV2, ops::QueueDequeue, ops::QueueDequeueManyV2,
          ops::QueueDequeueMany, ops::QueueDequeueUpToV2, ops::QueueDequeueUpTo, ops::QueueCloseV2,
          ops::QueueClose, ops::QueueSizeV2, ops::QueueSize, ops::QueueIsClosedV2,
          ops::QueueIsClosed>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/queue.ipp>
#endif

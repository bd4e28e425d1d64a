#pragma once
#include <dgraph/kernels/queue.hpp>

#include <string>
#include <utility>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/queue_resource.hpp>

namespace dgraph {
namespace detail {

struct QueueConfig {
  std::string container, shared_name;
  QueueOptions options;
};

// What a node of a session keeps: its own queue where that has no shared name.
struct QueueState final : Counted {
  Ref<QueueResource> own;
  std::uint64_t entropy = 0;
};

DGRAPH_DECL QueueOptions queue_options(const KernelRequest& r) {
  QueueOptions out;
  out.op_type = r.def.name;
  const std::string_view type = out.op_type;
  out.kind = type.starts_with("Padding")         ? QueueKind::PaddingFifo
             : type.starts_with("RandomShuffle") ? QueueKind::RandomShuffle
             : type.starts_with("Priority")      ? QueueKind::Priority
                                                 : QueueKind::Fifo;
  const auto& shared_name = r.attr<std::string>("shared_name");
  out.name = shared_name.empty() ? std::string(r.name) : shared_name;
  out.capacity = r.attr<std::int64_t>("capacity");
  out.types = r.attr<std::vector<DType>>("component_types");
  out.shapes = r.attr<std::vector<PartialShape>>("shapes");
  if (!out.shapes.empty() && out.shapes.size() != out.types.size())
    fail(Code::InvalidArgument, out.shapes.size(), " shapes are given for ", out.types.size(),
         " components");
  const bool padding = out.kind == QueueKind::PaddingFifo;
  if (padding && out.shapes.empty())
    fail(Code::InvalidArgument,
         "a PaddingFIFOQueue needs a shape for each component, open dimensions being -1");
  for (const PartialShape& shape : out.shapes)
    if (padding ? !shape.has_rank() : !shape.fully_known())
      fail(Code::InvalidArgument, "the shape of a component of a ", queue_kind_name(out.kind),
           " must be ", padding ? "of known rank" : "fully known", ", not ", shape);
  if (out.kind == QueueKind::Priority) {
    out.types.insert(out.types.begin(), DType::Int64);
    if (!out.shapes.empty() || out.types.size() == 1)
      out.shapes.insert(out.shapes.begin(), PartialShape::scalar());
  }
  if (out.kind == QueueKind::RandomShuffle) {
    out.min_after_dequeue = r.attr<std::int64_t>("min_after_dequeue");
    out.seed = r.attr<std::int64_t>("seed");
    out.seed2 = r.attr<std::int64_t>("seed2");
    if (out.min_after_dequeue < 0)
      fail(Code::InvalidArgument, "min_after_dequeue must be at least 0, not ",
           out.min_after_dequeue);
    if (out.capacity >= 0 && out.min_after_dequeue >= out.capacity)
      fail(Code::InvalidArgument, "min_after_dequeue, ", out.min_after_dequeue,
           ", must be less than the capacity, ", out.capacity);
  }
  return out;
}

DGRAPH_DECL Ref<Counted> make_queue_state(const KernelRequest& r, std::uint64_t entropy) {
  Ref<QueueState> state = make_ref<QueueState>();
  state->entropy = entropy;
  if (r.attr<std::string>("shared_name").empty()) {
    QueueOptions options = queue_options(r);
    options.entropy = entropy;
    state->own = make_ref<QueueResource>(std::move(options));
  }
  return state;
}

DGRAPH_DECL void run_queue(KernelContext& c) {
  const auto& config = c.config<QueueConfig>();
  const auto& state = c.state<QueueState>();
  if (state.own) return c.set_output(0, make_handle(state.own));
  const std::string& container =
      config.container.empty() ? c.services().default_container() : config.container;
  // A queue and a variable may have one name.
  Ref<QueueResource> queue = c.services().resources().find_or_create<QueueResource>(
      container, "queue:" + config.shared_name, [&] {
        QueueOptions options = config.options;
        options.entropy = state.entropy;
        return make_ref<QueueResource>(std::move(options));
      });
  queue->check_same(config.options);
  c.set_output(0, make_handle(std::move(queue)));
}

DGRAPH_DECL Kernel queue_kernel(const KernelRequest& r) {
  Kernel kernel = plain_kernel(&run_queue, true);
  kernel.make_state = &make_queue_state;
  return kernel.with(QueueConfig{r.attr<std::string>("container"),
                                 r.attr<std::string>("shared_name"), queue_options(r)});
}

DGRAPH_DECL QueueResource& queue_input(KernelContext& c) {
  return resource_as<QueueResource>(c.input(0));
}

DGRAPH_DECL void run_enqueue(KernelContext& c) { queue_input(c).enqueue(c, c.config<bool>()); }
DGRAPH_DECL void run_dequeue(KernelContext& c) { queue_input(c).dequeue(c); }
DGRAPH_DECL void run_dequeue_many(KernelContext& c) {
  queue_input(c).dequeue_many(c, integer_argument(c.input(1), "n"), c.config<bool>());
}
DGRAPH_DECL void run_queue_close(KernelContext& c) { queue_input(c).close(c, c.config<bool>()); }
DGRAPH_DECL void run_queue_size(KernelContext& c) {
  c.set_output(0, Tensor::scalar(static_cast<std::int32_t>(queue_input(c).size())));
}
DGRAPH_DECL void run_queue_is_closed(KernelContext& c) {
  c.set_output(0, Tensor::scalar(queue_input(c).closed()));
}

DGRAPH_DECL Kernel waiting_kernel(void (*run)(KernelContext&), bool flag) {
  Kernel kernel = plain_kernel(run, true);
  kernel.async = true;
  return kernel.with(flag);
}

}  // namespace detail

// Each op has two names: one on a resource and, in old graphs, one on a reference.
#define DGRAPH_DETAIL_QUEUE_OP(op, kernel)                                                 \
  DGRAPH_DECL Kernel Kernels<ops::op>::make([[maybe_unused]] const KernelRequest& r) {     \
    return kernel;                                                                         \
  }                                                                                        \
  DGRAPH_DECL Kernel Kernels<ops::op##V2>::make([[maybe_unused]] const KernelRequest& r) { \
    return kernel;                                                                         \
  }
DGRAPH_DETAIL_QUEUE_OP(FIFOQueue, detail::queue_kernel(r))
DGRAPH_DETAIL_QUEUE_OP(PaddingFIFOQueue, detail::queue_kernel(r))
DGRAPH_DETAIL_QUEUE_OP(RandomShuffleQueue, detail::queue_kernel(r))
DGRAPH_DETAIL_QUEUE_OP(PriorityQueue, detail::queue_kernel(r))
DGRAPH_DETAIL_QUEUE_OP(QueueEnqueue, detail::waiting_kernel(&detail::run_enqueue, false))
DGRAPH_DETAIL_QUEUE_OP(QueueEnqueueMany, detail::waiting_kernel(&detail::run_enqueue, true))
DGRAPH_DETAIL_QUEUE_OP(QueueDequeue, detail::waiting_kernel(&detail::run_dequeue, false))
DGRAPH_DETAIL_QUEUE_OP(QueueDequeueMany, detail::waiting_kernel(&detail::run_dequeue_many, false))
DGRAPH_DETAIL_QUEUE_OP(QueueDequeueUpTo, detail::waiting_kernel(&detail::run_dequeue_many, true))
DGRAPH_DETAIL_QUEUE_OP(QueueClose, detail::waiting_kernel(&detail::run_queue_close,
                                                          r.attr<bool>("cancel_pending_enqueues")))
DGRAPH_DETAIL_QUEUE_OP(QueueSize, detail::plain_kernel(&detail::run_queue_size, true))
DGRAPH_DETAIL_QUEUE_OP(QueueIsClosed, detail::plain_kernel(&detail::run_queue_is_closed, true))
#undef DGRAPH_DETAIL_QUEUE_OP

}  // namespace dgraph

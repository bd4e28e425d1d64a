#pragma once
#include <dgraph/kernels/accumulator.hpp>

#include <string>
#include <utility>

#include <dgraph/kernels/accumulator_resource.hpp>
#include <dgraph/kernels/arguments.hpp>

namespace dgraph {
namespace detail {

struct AccumulatorConfig {
  std::string container, shared_name;
  AccumulatorOptions options;
};

// What a node of a session keeps: its own accumulator where that has no shared name.
struct AccumulatorState final : Counted {
  Ref<AccumulatorResource> own;
};

DGRAPH_DECL AccumulatorOptions accumulator_options(const KernelRequest& r) {
  AccumulatorOptions out;
  out.op_type = r.def.name;
  const auto& shared_name = r.attr<std::string>("shared_name");
  out.name = shared_name.empty() ? std::string(r.name) : shared_name;
  out.dtype = r.dtype("dtype");
  out.shape = r.attr<PartialShape>("shape");
  out.sparse = out.op_type.starts_with("Sparse");
  out.mean = r.attr<std::string>("reduction_type") == "MEAN";
  if (!RowSum::add(out.dtype)) no_kernel_for(r, out.dtype);
  return out;
}

DGRAPH_DECL Ref<Counted> make_accumulator_state(const KernelRequest& r, std::uint64_t) {
  Ref<AccumulatorState> state = make_ref<AccumulatorState>();
  if (r.attr<std::string>("shared_name").empty())
    state->own = make_ref<AccumulatorResource>(accumulator_options(r));
  return state;
}

DGRAPH_DECL void run_accumulator(KernelContext& c) {
  const auto& config = c.config<AccumulatorConfig>();
  const auto& state = c.state<AccumulatorState>();
  if (state.own) return c.set_output(0, make_handle(state.own));
  const std::string& container =
      config.container.empty() ? c.services().default_container() : config.container;
  // An accumulator and a variable may have one name.
  Ref<AccumulatorResource> accumulator =
      c.services().resources().find_or_create<AccumulatorResource>(
          container, "accumulator:" + config.shared_name,
          [&] { return make_ref<AccumulatorResource>(config.options); });
  accumulator->check_same(config.options);
  c.set_output(0, make_handle(std::move(accumulator)));
}

DGRAPH_DECL Kernel accumulator_kernel(const KernelRequest& r) {
  Kernel kernel = plain_kernel(&run_accumulator, true);
  kernel.make_state = &make_accumulator_state;
  return kernel.with(AccumulatorConfig{r.attr<std::string>("container"),
                                       r.attr<std::string>("shared_name"), accumulator_options(r)});
}

DGRAPH_DECL AccumulatorResource& accumulator_input(KernelContext& c) {
  return resource_as<AccumulatorResource>(c.input(0));
}

DGRAPH_DECL void run_apply_gradient(KernelContext& c) {
  const std::int64_t step = integer_argument(c.input(1), "local_step");
  AccumulatorResource& accumulator = accumulator_input(c);
  accumulator.apply(step, c.take_input(2));
}

DGRAPH_DECL void run_sparse_apply_gradient(KernelContext& c) {
  const std::int64_t step = integer_argument(c.input(1), "local_step");
  PartialShape shape;
  if (c.config<bool>()) shape = PartialShape(integers_argument(c.input(4), "gradient_shape"));
  AccumulatorResource& accumulator = accumulator_input(c);
  accumulator.apply_rows(step, c.input(2), c.take_input(3), shape);
}

DGRAPH_DECL void run_take_gradient(KernelContext& c) {
  accumulator_input(c).take(c, integer_argument(c.input(1), "num_required"));
}
DGRAPH_DECL void run_num_accumulated(KernelContext& c) {
  c.set_output(0, Tensor::scalar(static_cast<std::int32_t>(accumulator_input(c).accumulated())));
}
DGRAPH_DECL void run_set_global_step(KernelContext& c) {
  accumulator_input(c).set_step(integer_argument(c.input(1), "new_global_step"));
}

DGRAPH_DECL Kernel take_gradient_kernel() {
  Kernel kernel = plain_kernel(&run_take_gradient, true);
  kernel.async = true;
  return kernel;
}

}  // namespace detail

#define DGRAPH_DETAIL_ACCUMULATOR_KERNEL(op, kernel)                                   \
  DGRAPH_DECL Kernel Kernels<ops::op>::make([[maybe_unused]] const KernelRequest& r) { \
    return kernel;                                                                     \
  }
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(ConditionalAccumulator, detail::accumulator_kernel(r))
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(ResourceConditionalAccumulator, detail::accumulator_kernel(r))
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(SparseConditionalAccumulator, detail::accumulator_kernel(r))
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(AccumulatorApplyGradient,
                                 detail::plain_kernel(&detail::run_apply_gradient))
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(ResourceAccumulatorApplyGradient,
                                 detail::plain_kernel(&detail::run_apply_gradient))
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(
    SparseAccumulatorApplyGradient,
    detail::plain_kernel(&detail::run_sparse_apply_gradient).with(r.attr<bool>("has_known_shape")))
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(AccumulatorTakeGradient, detail::take_gradient_kernel())
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(ResourceAccumulatorTakeGradient, detail::take_gradient_kernel())
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(SparseAccumulatorTakeGradient, detail::take_gradient_kernel())
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(AccumulatorNumAccumulated,
                                 detail::plain_kernel(&detail::run_num_accumulated, true))
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(ResourceAccumulatorNumAccumulated,
                                 detail::plain_kernel(&detail::run_num_accumulated, true))
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(AccumulatorSetGlobalStep,
                                 detail::plain_kernel(&detail::run_set_global_step, true))
DGRAPH_DETAIL_ACCUMULATOR_KERNEL(ResourceAccumulatorSetGlobalStep,
                                 detail::plain_kernel(&detail::run_set_global_step, true))
#undef DGRAPH_DETAIL_ACCUMULATOR_KERNEL

}  // namespace dgraph

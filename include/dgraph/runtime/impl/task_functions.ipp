#pragma once
#include <dgraph/runtime/task_functions.hpp>

#include <utility>

#include <dgraph/runtime/step_plan.hpp>
#include <dgraph/wire/graph_codec.hpp>

namespace dgraph {

DGRAPH_DECL TaskFunctions::TaskFunctions(TaskEnvironment environment, KernelLookup kernels)
    : environment_(std::move(environment)), kernels_(kernels) {
  environment_.task = this;
}

DGRAPH_DECL void TaskFunctions::compute(Task work) { environment_.host->compute(std::move(work)); }

DGRAPH_DECL std::uint64_t TaskFunctions::random_id() { return environment_.host->random_id(); }

DGRAPH_DECL Ref<CalledFunction> TaskFunctions::bind(const Tensor& function) {
  const std::shared_ptr<const FunctionBody> body = function_in(function);
  if (!body) fail(Code::InvalidArgument, "an attribute holds no function");
  if (body->produce) fail(Code::InvalidArgument, "function ", body->name, " of the host is called by its dataset alone");
  std::shared_ptr<const GraphCore> graph = body->graph;
  if (!graph && !environment_.ops) fail(Code::Internal, "this task cannot read functions");
  if (!graph) {
    auto decoded = std::make_shared<GraphCore>();
    wire::decode_graph(*decoded, {0, body->nodes, body->encoded, body->bodies}, environment_.ops);
    graph = std::move(decoded);
  }
  PlanOptions options;
  options.kernels = kernels_;
  options.config.allow_soft_placement = true;
  TaskDevices& here = options.tasks.emplace_back();
  here.task = DeviceSpec::parse(environment_.task_name);
  here.devices.push_back(DeviceSpec::parse(environment_.task_name + "/device:CPU:0"));
  std::vector<DType> dtypes;
  for (const Endpoint& at : body->arguments) {
    if (at.node >= graph->size() || at.index >= graph->node(at.node).num_outputs)
      fail(Code::InvalidArgument, "function ", body->name, " has no such argument");
    dtypes.push_back(graph->info(at).dtype);
  }
  StepPlan plan = plan_step(graph, graph->size(), {body->arguments, body->results, body->effects}, options);
  return make_ref<detail::BoundFunction>(Ref<TaskFunctions>::share(this), std::move(plan), kernels_, body->name,
                                         std::move(dtypes));
}

namespace detail {

DGRAPH_DECL BoundFunction::BoundFunction(Ref<TaskFunctions> task, StepPlan plan, KernelLookup kernels, std::string name,
                                         std::vector<DType> arguments)
    : task_(std::move(task)), plan_(std::move(plan)), name_(std::move(name)), argument_dtypes_(std::move(arguments)) {
  if (!plan_.partitions.empty())
    partition_ = std::make_shared<const CompiledPartition>(std::move(plan_.partitions[0]), kernels, states_,
                                                           *task_->environment().host);
}

DGRAPH_DECL void BoundFunction::call(std::vector<Tensor> arguments, Done done) {
  bool right = arguments.size() == argument_dtypes_.size();
  for (std::size_t i = 0; right && i < arguments.size(); ++i) right = arguments[i].dtype() == argument_dtypes_[i];
  if (!right)
    return done(errors::InvalidArgument("function ", name_, " is called with ", arguments.size(),
                                        " arguments that are not its ", argument_dtypes_.size()),
                {});
  std::unique_ptr<Run> run;
  {
    std::lock_guard lock(mutex_);
    if (!spare_.empty()) {
      run = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  if (!run) {
    run = std::make_unique<Run>();
    run->function = this;
    if (partition_) run->execution = std::make_shared<StepExecution>(partition_, task_->environment());
  }
  run->arguments = std::move(arguments);
  if (!partition_) return done(Status(), results(*run, Status()));
  run->done = std::move(done);
  run->hold = Ref<BoundFunction>::share(this);
  std::vector<std::pair<std::uint32_t, Tensor>> feeds;
  for (std::size_t i = 0; i < run->arguments.size(); ++i)
    for (const PlanPort& port : plan_.feeds[i]) feeds.emplace_back(port.number, run->arguments[i]);
  Run* const running = run.release();
  const StepId step = ++running->steps;
  running->execution->prepare(step, *running, feeds);
  running->execution->run(step);
}

DGRAPH_DECL std::vector<Tensor> BoundFunction::results(Run& run, const Status& status) const {
  std::vector<Tensor> out;
  if (!status.ok()) return out;
  for (const StepPlan::Fetch& fetch : plan_.fetches)
    out.push_back(fetch.is_feed ? run.arguments[fetch.feed] : run.execution->fetches()[fetch.port.number]);
  return out;
}

DGRAPH_DECL bool BoundFunction::Run::finished(StepExecution& step, const Status& status) {
  std::vector<Tensor> out = function->results(*this, status);
  const Status result = status;
  Done call = std::move(done);
  arguments.clear();
  step.reset();
  const Ref<BoundFunction> held = std::move(hold);
  {
    std::lock_guard lock(held->mutex_);
    held->spare_.emplace_back(this);
  }
  call(result, std::move(out));
  return false;
}

}  // namespace detail
}  // namespace dgraph

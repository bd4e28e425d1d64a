#pragma once
#include <dgraph/graph/gradient.hpp>

#include <algorithm>
#include <optional>

#include <dgraph/graph/gradient_walk.hpp>

namespace dgraph {

DGRAPH_DECL Output GradientContext::dy(std::size_t i) const {
  const Gradient& gradient = dys_[i];
  if (!gradient) return ops_.zeros_like(y(i));
  return gradient.is_sparse() ? ops_.to_dense(gradient.slices()) : gradient.values();
}

namespace detail {

DGRAPH_DECL GradientWalk::GradientWalk(GraphCore& core, const GradientOptions& options, const GradientOps& ops,
                                       std::string source)
    : core_(core), options_(options), ops_(ops), source_(std::move(source)), end_(core.size()) {}

DGRAPH_DECL std::vector<Gradient> GradientWalk::run(const std::vector<Output>& ys, const std::vector<Output>& xs) {
  for (const Output& y : ys) core_.check_mine(y);
  for (const Output& x : xs) core_.check_mine(x);
  base_ = need_build_context().scope.flow;
  for (const Output& y : ys) check_level(y);
  mark(ys, xs);
  pending_.assign(end_, {});
  for (std::size_t i = 0; i < ys.size(); ++i) seed(ys[i], i);
  // Every node on a path has a higher id than what it depends on, so falling ids are a reverse order.
  for (NodeId id = static_cast<NodeId>(end_); id-- > 0;)
    if (visible_at_base(core_.node(id).flow)) visit_node_or_inner(core_.node(id));
  std::vector<Gradient> out;
  for (const Output& x : xs) out.push_back(finish(x));
  return out;
}

DGRAPH_DECL void GradientWalk::check_level(const Output& y) const {
  if (visible_at_base(y.node().flow)) return;
  fail(Code::InvalidArgument, "no gradient of ", y.name(), " (", y.op_type(),
       ") here: it is computed inside a branch or loop that has ended");
}

DGRAPH_DECL bool GradientWalk::is_stopped(Endpoint at) const {
  return std::any_of(options_.stop_gradients.begin(), options_.stop_gradients.end(),
                     [at](const Output& stop) { return stop.endpoint() == at; });
}

DGRAPH_DECL bool GradientWalk::carries(Endpoint at) const {
  const OutputInfo& info = core_.info(at);
  return is_differentiable(info.dtype) || info.dtype == DType::Resource || info.dtype == DType::Variant;
}

DGRAPH_DECL bool GradientWalk::on_path(Endpoint at) const {
  return at.node < end_ && from_x_[at.node] && to_y_[at.node] && carries(at) && !is_stopped(at);
}

DGRAPH_DECL void GradientWalk::find_memories() {
  const FlowContext* last = nullptr;
  std::vector<const FlowContext*> seen;
  for (NodeId id = 0; id < end_; ++id) {
    const FlowContext* const flow = core_.node(id).flow;
    if (!flow || flow == last) continue;
    last = flow;
    has_flow_ = true;
    if (flow->memories().empty() || std::find(seen.begin(), seen.end(), flow) != seen.end()) continue;
    seen.push_back(flow);
    for (const FlowContext::Memory& memory : flow->memories())
      if (memory.popped.node < end_) memories_.push_back(memory);
  }
}

DGRAPH_DECL bool GradientWalk::spread_from_x() {
  bool changed = false;
  for (NodeId id = 0; id < end_; ++id) {
    if (from_x_[id]) continue;
    const Node& node = core_.node(id);
    for (const Endpoint& in : node.input_span())
      if (in.node < end_ && from_x_[in.node] && carries(in) && !is_stopped(in)) {
        changed = from_x_[id] = true;
        break;
      }
  }
  for (const FlowContext::Memory& memory : memories_)
    if (from_x_[memory.value.node] && carries(memory.value) && !from_x_[memory.popped.node])
      changed = from_x_[memory.popped.node] = true;
  return changed;
}

DGRAPH_DECL bool GradientWalk::spread_to_y() {
  bool changed = false;
  for (NodeId id = static_cast<NodeId>(end_); id-- > 0;) {
    if (!to_y_[id] || !from_x_[id]) continue;
    for (const Endpoint& in : core_.node(id).input_span())
      if (in.node < end_ && !to_y_[in.node]) changed = to_y_[in.node] = true;
  }
  for (const FlowContext::Memory& memory : memories_)
    if (to_y_[memory.popped.node] && from_x_[memory.popped.node] && !to_y_[memory.value.node])
      changed = to_y_[memory.value.node] = true;
  return changed;
}

DGRAPH_DECL void GradientWalk::mark(const std::vector<Output>& ys, const std::vector<Output>& xs) {
  find_memories();
  // Ids rise along edges but for the back edges of loops: one more round for each loop that a path goes round.
  from_x_.assign(end_, false);
  for (const Output& x : xs) from_x_[x.node_id()] = true;
  while (spread_from_x() && has_flow_) continue;
  to_y_.assign(end_, false);
  for (const Output& y : ys) to_y_[y.node_id()] = true;
  while (spread_to_y() && has_flow_) continue;
}

DGRAPH_DECL void GradientWalk::seed(const Output& y, std::size_t i) {
  if (!is_differentiable(y.dtype()))
    fail(Code::InvalidArgument, "no gradient of ", y.name(), " (", y.op_type(), "): it is of ", dtype_name(y.dtype()));
  Output grad = i < options_.grad_ys.size() ? options_.grad_ys[i] : Output();
  if (grad) {
    if (grad.dtype() != y.dtype() || !grad.shape().compatible_with(y.shape()))
      fail(Code::InvalidArgument, "the gradient given for ", y.name(), " is ", dtype_name(grad.dtype()), grad.shape(),
           ", not ", dtype_name(y.dtype()), y.shape());
  } else {
    grad = ops_.ones_like(y);
  }
  arrive(y.endpoint(), grad);
}

DGRAPH_DECL void GradientWalk::arrive(Endpoint at, const Gradient& gradient) {
  if (at.node >= end_) return;
  auto& outputs = pending_[at.node];
  if (outputs.empty()) outputs.resize(core_.node(at.node).num_outputs);
  outputs[at.index].push_back(gradient);
}

DGRAPH_DECL Gradient GradientWalk::take(Endpoint at) {
  if (at.node >= end_ || pending_[at.node].empty()) return {};
  const Gradient out = sum(pending_[at.node][at.index]);
  pending_[at.node][at.index].clear();
  return out;
}

DGRAPH_DECL Output GradientWalk::take_dense(Endpoint at) {
  const Gradient gradient = take(at);
  return gradient.is_sparse() ? ops_.to_dense(gradient.slices()) : gradient.values();
}

DGRAPH_DECL bool GradientWalk::any_within(const FlowContext& context) const {
  // Contexts within have their nodes before those by which the outer one is left.
  for (NodeId id = context.begin(); id < std::min<NodeId>(context.end(), static_cast<NodeId>(end_)); ++id) {
    const Node& node = core_.node(id);
    if (!node.flow || !node.flow->is_within(&context)) continue;
    for (const auto& parts : pending_[id])
      if (!parts.empty()) return true;
  }
  return false;
}

DGRAPH_DECL void GradientWalk::visit_inside(const FlowContext& context) {
  const NodeId end = std::min<NodeId>(context.end(), static_cast<NodeId>(end_));
  for (NodeId id = end; id-- > context.begin();) {
    const Node& node = core_.node(id);
    if (node.flow == &context && !context.is_border(node)) visit_node_or_inner(node);
  }
}

DGRAPH_DECL FlowContext* GradientWalk::inner_context(const Node& node) const {
  if (node.num_inputs == 0 || !(node.is("Merge") || node.is("Exit"))) return nullptr;
  FlowContext* const inside = core_.node(node.inputs[0].node).flow;
  return inside && inside != node.flow && inside->is_within(node.flow) ? inside : nullptr;
}

DGRAPH_DECL void GradientWalk::visit_node_or_inner(const Node& node) {
  FlowContext* const inner = has_flow_ ? inner_context(node) : nullptr;
  if (inner) {
    // All that uses what the others give has been visited, too.
    if (node.id == inner->first_output()) ops_.flow(*this, *inner);
  } else if (from_x_[node.id] && to_y_[node.id]) {
    visit(node);
  }
}

DGRAPH_DECL Gradient GradientWalk::sum(std::vector<Gradient>& parts) {
  if (parts.empty()) return {};
  if (parts.size() > 1) {
    if (std::all_of(parts.begin(), parts.end(), [](const Gradient& g) { return g.is_sparse(); })) {
      std::vector<IndexedSlices> slices;
      for (const Gradient& g : parts) slices.push_back(g.slices());
      parts.assign(1, Gradient(ops_.concat(slices)));
    } else {
      std::vector<Output> dense;
      for (const Gradient& g : parts) dense.push_back(g.is_sparse() ? ops_.to_dense(g.slices()) : g.values());
      parts.assign(1, Gradient(ops_.add_n(dense)));
    }
  }
  return parts[0];
}

DGRAPH_DECL void GradientWalk::visit(const Node& node) {
  auto& outputs = pending_[node.id];
  if (outputs.empty() || node.num_inputs == 0) return;
  std::vector<bool> needs(node.num_inputs);
  bool any = false;
  for (std::uint32_t i = 0; i < node.num_inputs; ++i) {
    needs[i] = on_path(node.inputs[i]);
    any = any || needs[i];
  }
  if (!any) return;
  std::optional<ScopeGuard> device;
  if (options_.colocate_gradients_with_ops) device.emplace(colocate_with(Output(&core_, node.id, 0)));
  std::vector<Gradient> dys(node.num_outputs), dxs(node.num_inputs);
  for (std::uint32_t i = 0; i < node.num_outputs; ++i) dys[i] = sum(outputs[i]);
  const auto* const own = core_.own_gradient(node.id);
  if (!own && !node.def->gradient) {
    Status status = errors::InvalidArgument("op type ", node.def->name, " has no gradient");
    throw Error(status.at(node.place()));
  }
  const auto scope = name_scope(std::string(node.name) + "_grad");
  GradientContext context(core_, node, dys, needs, dxs, ops_, source_);
  if (own)
    (*own)(context);
  else
    node.def->gradient(context);
  for (std::uint32_t i = 0; i < node.num_inputs; ++i)
    if (dxs[i] && needs[i]) arrive(node.inputs[i], dxs[i]);
}

DGRAPH_DECL Gradient GradientWalk::finish(const Output& x) {
  auto& outputs = pending_[x.node_id()];
  Gradient out = outputs.empty() ? Gradient() : sum(outputs[x.index()]);
  if (!out && options_.unconnected_gradients == UnconnectedGradients::Zero) return ops_.zeros_like(x);
  return out;
}

}  // namespace detail

DGRAPH_DECL std::vector<Gradient> walk_gradients(const std::vector<Output>& ys, const std::vector<Output>& xs,
                                                 const GradientOptions& options, const GradientOps& ops) {
  if (ys.empty()) fail(Code::InvalidArgument, "gradients need at least one y");
  if (!ys[0]) fail(Code::InvalidArgument, "y 0 is an empty handle");
  GraphCore& core = *ys[0].core();
  std::optional<DefaultGraph> building;
  if (!build_context() || build_context()->core != &core) building.emplace(core);
  const auto scope = name_scope("gradients");
  std::string source = need_build_context().scope.name_prefix;
  source.pop_back();
  return detail::GradientWalk(core, options, ops, std::move(source)).run(ys, xs);
}

}  // namespace dgraph

#pragma once
#include <dgraph/graph/gradient.hpp>

#include <algorithm>
#include <optional>

namespace dgraph {

DGRAPH_DECL Output GradientContext::dy(std::size_t i) const {
  const Gradient& gradient = dys_[i];
  if (!gradient) return ops_.zeros_like(y(i));
  return gradient.is_sparse() ? ops_.to_dense(gradient.slices()) : gradient.values();
}

namespace detail {

// One walk: marks what lies between xs and ys, then visits it in reverse order of dependence.
class GradientWalk {
 public:
  GradientWalk(GraphCore& core, const GradientOptions& options, const GradientOps& ops)
      : core_(core), options_(options), ops_(ops), end_(core.size()) {}

  std::vector<Gradient> run(const std::vector<Output>& ys, const std::vector<Output>& xs) {
    for (const Output& y : ys) core_.check_mine(y);
    for (const Output& x : xs) core_.check_mine(x);
    mark(ys, xs);
    pending_.assign(end_, {});
    for (std::size_t i = 0; i < ys.size(); ++i) seed(ys[i], i);
    visit_all();
    std::vector<Gradient> out;
    for (const Output& x : xs) out.push_back(finish(x));
    return out;
  }

 private:
  bool is_stopped(Endpoint at) const {
    return std::any_of(options_.stop_gradients.begin(), options_.stop_gradients.end(),
                       [at](const Output& stop) { return stop.endpoint() == at; });
  }

  void mark(const std::vector<Output>& ys, const std::vector<Output>& xs) {
    // Ids rise along edges but for the back edges of loops, which carry no gradient of their own here.
    from_x_.assign(end_, false);
    for (const Output& x : xs) from_x_[x.node_id()] = true;
    for (NodeId id = 0; id < end_; ++id) {
      const Node& node = core_.node(id);
      for (const Endpoint& in : node.input_span())
        if (!from_x_[id] && from_x_[in.node] && carries(in) && !is_stopped(in)) from_x_[id] = true;
    }
    to_y_.assign(end_, false);
    for (const Output& y : ys) to_y_[y.node_id()] = true;
    for (NodeId id = static_cast<NodeId>(end_); id-- > 0;) {
      if (!to_y_[id] || !from_x_[id]) continue;
      for (const Endpoint& in : core_.node(id).input_span()) to_y_[in.node] = true;
    }
  }

  bool on_path(NodeId id) const { return from_x_[id] && to_y_[id]; }
  bool carries(Endpoint at) const {
    const OutputInfo& info = core_.info(at);
    return is_differentiable(info.dtype) || info.dtype == DType::Resource || info.dtype == DType::Variant;
  }

  void seed(const Output& y, std::size_t i) {
    if (!is_differentiable(y.dtype()))
      fail(Code::InvalidArgument, "no gradient of ", y.name(), " (", y.op_type(), "): it is of ",
           dtype_name(y.dtype()));
    Output grad = i < options_.grad_ys.size() ? options_.grad_ys[i] : Output();
    if (grad) {
      if (grad.dtype() != y.dtype() || !grad.shape().compatible_with(y.shape()))
        fail(Code::InvalidArgument, "the gradient given for ", y.name(), " is ", dtype_name(grad.dtype()),
             grad.shape(), ", not ", dtype_name(y.dtype()), y.shape());
    } else {
      grad = ops_.ones_like(y);
    }
    arrive(y.endpoint(), grad);
  }

  void arrive(Endpoint at, const Gradient& gradient) {
    auto& outputs = pending_[at.node];
    if (outputs.empty()) outputs.resize(core_.node(at.node).num_outputs);
    outputs[at.index].push_back(gradient);
  }

  void visit_all() {
    // Every node on a path has a higher id than what it depends on, so falling ids are a reverse order.
    for (NodeId id = static_cast<NodeId>(end_); id-- > 0;)
      if (on_path(id)) visit(core_.node(id));
  }

  Gradient sum(std::vector<Gradient>& parts) {
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

  void visit(const Node& node) {
    auto& outputs = pending_[node.id];
    if (outputs.empty() || node.num_inputs == 0) return;
    std::vector<bool> needs(node.num_inputs);
    bool any = false;
    for (std::uint32_t i = 0; i < node.num_inputs; ++i) {
      const Endpoint in = node.inputs[i];
      needs[i] = from_x_[in.node] && to_y_[in.node] && carries(in) && !is_stopped(in);
      any = any || needs[i];
    }
    if (!any) return;
    std::optional<ScopeGuard> device;
    if (options_.colocate_gradients_with_ops) device.emplace(colocate_with(Output(&core_, node.id, 0)));
    std::vector<Gradient> dys(node.num_outputs), dxs(node.num_inputs);
    for (std::uint32_t i = 0; i < node.num_outputs; ++i) dys[i] = sum(outputs[i]);
    if (!node.def->gradient) {
      Status status = errors::InvalidArgument("op type ", node.def->name, " has no gradient");
      throw Error(status.at(node.place()));
    }
    const auto scope = name_scope(std::string(node.name) + "_grad");
    GradientContext context(core_, node, dys, needs, dxs, ops_);
    node.def->gradient(context);
    for (std::uint32_t i = 0; i < node.num_inputs; ++i)
      if (dxs[i] && needs[i]) arrive(node.inputs[i], dxs[i]);
  }

  Gradient finish(const Output& x) {
    auto& outputs = pending_[x.node_id()];
    Gradient out = outputs.empty() ? Gradient() : sum(outputs[x.index()]);
    if (!out && options_.unconnected_gradients == UnconnectedGradients::Zero) return ops_.zeros_like(x);
    return out;
  }

  GraphCore& core_;
  const GradientOptions& options_;
  const GradientOps& ops_;
  const std::size_t end_;
  std::vector<bool> from_x_, to_y_;
  std::vector<std::vector<std::vector<Gradient>>> pending_;  // by node, by output: the parts
};

}  // namespace detail

DGRAPH_DECL std::vector<Gradient> walk_gradients(const std::vector<Output>& ys, const std::vector<Output>& xs,
                                                 const GradientOptions& options, const GradientOps& ops) {
  if (ys.empty()) fail(Code::InvalidArgument, "gradients need at least one y");
  if (!ys[0]) fail(Code::InvalidArgument, "y 0 is an empty handle");
  GraphCore& core = *ys[0].core();
  std::optional<DefaultGraph> building;
  if (!build_context() || build_context()->core != &core) building.emplace(core);
  const auto scope = name_scope("gradients");
  return detail::GradientWalk(core, options, ops).run(ys, xs);
}

}  // namespace dgraph

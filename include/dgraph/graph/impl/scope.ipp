#pragma once
#include <dgraph/graph/scope.hpp>

#include <algorithm>

#include <dgraph/graph/core.hpp>
#include <dgraph/graph/output.hpp>

namespace dgraph {

DGRAPH_DECL BuildContext*& build_context() noexcept {
  static thread_local BuildContext* current = nullptr;
  return current;
}

DGRAPH_DECL BuildContext& need_build_context() {
  BuildContext* context = build_context();
  if (!context)
    fail(Code::FailedPrecondition, "no default graph in this thread: hold the result of graph.as_default()");
  return *context;
}

DGRAPH_DECL ScopeGuard::ScopeGuard(Scope changed) : context_(&need_build_context()), saved_(std::move(changed)) {
  std::swap(context_->scope, saved_);
}

DGRAPH_DECL ScopeGuard::~ScopeGuard() {
  if (context_) std::swap(context_->scope, saved_);
}

DGRAPH_DECL ScopeGuard device(const DeviceSpec& spec) {
  Scope scope = need_build_context().scope;
  if (scope.colocation.empty()) scope.device = scope.device.overridden_by(spec);
  return ScopeGuard(std::move(scope));
}

DGRAPH_DECL ScopeGuard device(std::string_view name) { return device(DeviceSpec::parse(name)); }

DGRAPH_DECL ScopeGuard device(DeviceFunction choose) {
  Scope scope = need_build_context().scope;
  if (!scope.colocation.empty()) return ScopeGuard(std::move(scope));
  scope.device_function = std::make_shared<const DeviceFunction>(
      [choose = std::move(choose), around = scope.device, outer = scope.device_function](const NodeDraft& node,
                                                                                        const DeviceSpec& asked) {
        const DeviceSpec chosen = around.overridden_by(choose(node, asked));
        return outer ? (*outer)(node, chosen) : chosen;
      });
  scope.device = DeviceSpec();
  return ScopeGuard(std::move(scope));
}

DGRAPH_DECL ScopeGuard device(std::nullptr_t) {
  Scope scope = need_build_context().scope;
  if (scope.colocation.empty()) {
    scope.device = DeviceSpec();
    scope.device_function = nullptr;
  }
  return ScopeGuard(std::move(scope));
}

DGRAPH_DECL ScopeGuard name_scope(std::string_view name) {
  BuildContext& context = need_build_context();
  Scope scope = context.scope;
  if (name.empty() || name.back() == '/') {
    if (!name.empty()) detail::check_node_name(name);
    scope.name_prefix = name;
  } else {
    const std::string full = scope.name_prefix + std::string(name);
    detail::check_node_name(full);
    scope.name_prefix = context.core->unique_name(full) + "/";
  }
  return ScopeGuard(std::move(scope));
}

DGRAPH_DECL ScopeGuard control_dependencies(const std::vector<Output>& after) {
  BuildContext& context = need_build_context();
  Scope scope = context.scope;
  for (const Output& output : after) {
    context.core->check_mine(output);
    if (std::find(scope.controls.begin(), scope.controls.end(), output.node_id()) == scope.controls.end())
      scope.controls.push_back(output.node_id());
  }
  return ScopeGuard(std::move(scope));
}

DGRAPH_DECL ScopeGuard no_control_dependencies() {
  Scope scope = need_build_context().scope;
  scope.controls.clear();
  return ScopeGuard(std::move(scope));
}

DGRAPH_DECL ScopeGuard colocate_with(const Output& node) {
  BuildContext& context = need_build_context();
  context.core->check_mine(node);
  Scope scope = context.scope;
  const DeviceSpec& device = node.node().device->spec;
  if (!device.empty() || scope.colocation.empty()) scope.device = device;
  scope.device_function = nullptr;
  const std::string name(node.node().name);
  if (std::find(scope.colocation.begin(), scope.colocation.end(), name) == scope.colocation.end())
    scope.colocation.push_back(name);
  return ScopeGuard(std::move(scope));
}

DGRAPH_DECL ScopeGuard colocate_with(std::nullptr_t) {
  Scope scope = need_build_context().scope;
  scope.colocation.clear();
  scope.device = DeviceSpec();
  scope.device_function = nullptr;
  return ScopeGuard(std::move(scope));
}

DGRAPH_DECL ScopeGuard container(std::string_view name) {
  Scope scope = need_build_context().scope;
  scope.container = name;
  return ScopeGuard(std::move(scope));
}

DGRAPH_DECL ScopeGuard flow_scope(FlowContext* context) {
  Scope scope = need_build_context().scope;
  scope.flow = context;
  scope.controls.clear();
  return ScopeGuard(std::move(scope));
}

DGRAPH_DECL DefaultGraph::DefaultGraph(GraphCore& core) : context_{&core, {}, build_context()} {
  build_context() = &context_;
}

DGRAPH_DECL DefaultGraph::~DefaultGraph() { build_context() = context_.outer; }

}  // namespace dgraph

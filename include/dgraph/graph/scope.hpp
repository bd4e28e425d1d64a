#pragma once
// Scope: what surrounds a node where it is built (device, names, control dependencies, colocation, container).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/device.hpp>
#include <dgraph/base/source_location.hpp>
#include <dgraph/graph/endpoint.hpp>

namespace dgraph {

class GraphCore;
class FlowContext;
struct OpDef;
class Output;

/// What a device function sees of a node that is about to be added.
struct NodeDraft {
  const OpDef* def;
  std::string_view name;
};
/// Chooses a device by node (as a replica device setter does); the spec given is what other scopes ask for.
using DeviceFunction = std::function<DeviceSpec(const NodeDraft&, const DeviceSpec&)>;

/// The state that scope guards change and `GraphCore::add` reads.
struct Scope {
  DeviceSpec device;                                      ///< what names within the innermost device function ask
  std::shared_ptr<const DeviceFunction> device_function;  ///< makes of that what is outside too, for each node, if set
  std::string name_prefix;                                ///< "outer/inner/" or empty
  std::vector<NodeId> controls;                           ///< every node built here runs after these
  std::vector<std::string> colocation;                    ///< names of nodes whose device this one shares
  std::string container;                                  ///< for stateful ops that do not name one
  FlowContext* flow = nullptr;                            ///< the branch or loop that is being built
};

/// The graph that this thread builds into, with its scope; guards form a stack.
struct BuildContext {
  GraphCore* core = nullptr;
  Scope scope;
  BuildContext* outer = nullptr;
};

/// This thread's innermost context; null outside `as_default`.
BuildContext*& build_context() noexcept;
/// The same; throws FailedPrecondition where there is no default graph.
BuildContext& need_build_context();

/// Restores what it changed when it goes; to be destroyed in the thread that made it, the last made first.
class [[nodiscard]] ScopeGuard {
 public:
  ScopeGuard(ScopeGuard&& other) noexcept
      : context_(std::exchange(other.context_, nullptr)), saved_(std::move(other.saved_)) {}
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;
  ~ScopeGuard();

 private:
  friend ScopeGuard device(std::string_view);
  friend ScopeGuard device(const DeviceSpec&);
  friend ScopeGuard device(DeviceFunction);
  friend ScopeGuard device(std::nullptr_t);
  friend ScopeGuard name_scope(std::string_view);
  friend ScopeGuard control_dependencies(const std::vector<Output>&);
  friend ScopeGuard no_control_dependencies();
  friend ScopeGuard colocate_with(const Output&);
  friend ScopeGuard colocate_with(std::nullptr_t);
  friend ScopeGuard container(std::string_view);
  friend ScopeGuard flow_scope(FlowContext*);
  explicit ScopeGuard(Scope changed);
  BuildContext* context_;
  Scope saved_;
};

/// Nodes built under the guard ask for this device; inner scopes override outer ones part by part. An empty name
/// changes nothing. Throws InvalidArgument for a malformed name.
ScopeGuard device(std::string_view name);
ScopeGuard device(const DeviceSpec& spec);
/// Scopes within tell the function what they ask; what it returns is the device, but for parts that it leaves open and scopes
/// outside give.
ScopeGuard device(DeviceFunction choose);
/// Forgets the device scopes outside.
ScopeGuard device(std::nullptr_t);
/// Names of nodes built under the guard begin with `name/`, made unique in the graph ("name_1/"). A name that ends in '/' is
/// taken whole, outer scopes left out, to return to an earlier scope; an empty one is the outermost.
ScopeGuard name_scope(std::string_view name);
/// Nodes built under the guard run after all these, on top of what outer scopes ask.
ScopeGuard control_dependencies(const std::vector<Output>& after);
/// Nodes built under the guard run after nothing but their inputs.
ScopeGuard no_control_dependencies();
/// Nodes built under the guard are placed where that node is, whatever `device` scopes say; nested, where all those nodes are.
ScopeGuard colocate_with(const Output& node);
/// Forgets the colocation and device scopes outside.
ScopeGuard colocate_with(std::nullptr_t);
/// Stateful ops built under the guard keep their state in this container; "" is the default one.
ScopeGuard container(std::string_view name);

/// Nodes built under the guard are in that branch or loop, null: in none; control dependencies asked for around it are left out.
ScopeGuard flow_scope(FlowContext* context);

/// Makes a graph this thread's default until it goes; the scope within begins empty.
class [[nodiscard]] DefaultGraph {
 public:
  explicit DefaultGraph(GraphCore& core);
  DefaultGraph(const DefaultGraph&) = delete;
  DefaultGraph& operator=(const DefaultGraph&) = delete;
  ~DefaultGraph();

 private:
  BuildContext context_;
};

}  // namespace dgraph

// Scope, GraphCore and Output know each other: output.hpp, brought by core.hpp, has the bodies of all three.
#include <dgraph/graph/core.hpp>

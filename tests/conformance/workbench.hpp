#pragma once
// A graph that is built by name, and a session on it.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dgraph/cluster/session_core.hpp>
#include <dgraph/graph/graph.hpp>
#include <dgraph/graph/output.hpp>
#include <dgraph/ops/standard.hpp>

#include "conformance/runner.hpp"
#include "conformance/values.hpp"

namespace conformance {

/// An op type that the op set lacks; also where the case wants an error.
struct UnknownOp {
  std::string op;
};

class Workbench {
 public:
  explicit Workbench(const RunnerOptions& options) : options_(options) {}

  dgraph::BasicGraph<dgraph::StandardOps>& graph() noexcept { return graph_; }

  /// An input node with that value: fed at each run, or a constant.
  dgraph::Output input(const std::string& name, const dgraph::Tensor& value);
  /// Adds a node by NodeDef. Inputs are handles; throws UnknownOp, and Error where the node is
  /// refused.
  dgraph::Output node(const std::string& name, const std::string& op, const Json& attrs,
                      const std::vector<dgraph::Output>& inputs);
  /// Every output of a node.
  static std::vector<dgraph::Output> outputs_of(const dgraph::Output& node);

  /// Runs the fetches, and nodes for their effect, and feeds the inputs that they need; throws
  /// Error.
  std::vector<dgraph::Tensor> run(const std::vector<dgraph::Output>& fetches,
                                  const std::vector<dgraph::Output>& targets = {});

 private:
  dgraph::SessionCore& session();
  std::vector<std::size_t> needed_feeds(std::span<const dgraph::Output> fetches,
                                        std::span<const dgraph::Output> targets) const;

  RunnerOptions options_;
  dgraph::BasicGraph<dgraph::StandardOps> graph_;
  std::vector<std::pair<dgraph::Output, dgraph::Tensor>> feeds_;
  std::shared_ptr<void> owner_;
  dgraph::SessionCore* session_ = nullptr;
};

/// The definition; throws UnknownOp.
const dgraph::OpDef& definition_of(const std::string& op);
/// The argument that each input of a node belongs to; shorter lists where the node has too many
/// inputs.
std::vector<const dgraph::ArgDef*> arguments_of(const dgraph::OpDef& def, const Json& attrs,
                                                std::size_t inputs);

}  // namespace conformance

#pragma once
// BasicGraph<Ops>: what a user builds into.

#include <memory>
#include <string_view>

#include <dgraph/graph/core.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/output.hpp>
#include <dgraph/graph/scope.hpp>

namespace dgraph {

/// A graph whose by-name door knows the ops of `Ops`. Handles of its nodes are valid while it, or a session on it, lives.
/// Not copied; moving keeps all handles valid.
template <class Ops>
class BasicGraph {
 public:
  using op_set = Ops;
  BasicGraph() : core_(std::make_shared<GraphCore>()) {}
  BasicGraph(BasicGraph&&) noexcept = default;
  BasicGraph& operator=(BasicGraph&&) noexcept = default;

  /// Functions called in this thread build into this graph until the returned guard goes.
  DefaultGraph as_default() { return DefaultGraph(*core_); }
  /// No node can be added any more.
  void finalize() noexcept { core_->finalize(); }
  std::size_t size() const noexcept { return core_->size(); }
  /// Output 0 of "loss", output 1 of "loss:1"; throws NotFound.
  Output output(std::string_view name) { return core_->output(name); }
  GraphCore& core() noexcept { return *core_; }
  const GraphCore& core() const noexcept { return *core_; }
  const std::shared_ptr<GraphCore>& shared_core() const noexcept { return core_; }
  /// Finds the definition of an op type of this graph's op set by name; null where there is none.
  static const OpDef* find_op(std::string_view name) { return find_definition<Ops>(name); }

 private:
  std::shared_ptr<GraphCore> core_;
};

}  // namespace dgraph

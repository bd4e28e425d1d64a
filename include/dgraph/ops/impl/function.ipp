#pragma once
#include <dgraph/ops/function.hpp>

#include <algorithm>

#include <dgraph/graph/builder.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph::detail {

DGRAPH_DECL FunctionEntry*& entered_function() noexcept {
  thread_local FunctionEntry* innermost = nullptr;
  return innermost;
}

DGRAPH_DECL FunctionEntry::FunctionEntry(const void* function, const std::string& name)
    : function_(function), outer_(entered_function()) {
  for (const FunctionEntry* at = outer_; at; at = at->outer_)
    if (at->function_ == function)
      fail(Code::InvalidArgument, "function ", name, " calls itself, which would never end: use while_loop");
  entered_function() = this;
}

DGRAPH_DECL FunctionEntry::~FunctionEntry() { entered_function() = outer_; }

// The function that is being built: its arguments and what it took from outside.
class FunctionBuilder final : public CaptureScope {
 public:
  FunctionBuilder(FunctionBody& body, const std::string& name) : body_(body), name_(name), outer_(capture_scope()) {
    capture_scope() = this;
  }
  ~FunctionBuilder() override { capture_scope() = outer_; }

  Output argument(DType dtype, const PartialShape& shape, const std::string& name) {
    NodeBuilder builder(definition<ops::Placeholder>(), OpName(name));
    builder.attr("dtype", dtype);
    builder.attr("shape", shape);
    const ScopeGuard controls = no_control_dependencies();
    const Output out = builder.add();
    body_.arguments.push_back(out.endpoint());
    return out;
  }

  Output capture(const Output& outside) override {
    for (std::size_t i = 0; i < captured.size(); ++i)
      if (captured[i] == outside) return inside_[i];
    if (outside.is_ref() || outside.dtype() == DType::Resource)
      fail(Code::InvalidArgument, "function ", name_, " uses ", outside.name(),
           ", a handle outside it: give it the value, or make the variable inside");
    const ScopeGuard outermost = name_scope("");
    const Output out = argument(outside.dtype(), outside.shape(), "captured");
    captured.push_back(outside);
    inside_.push_back(out);
    return out;
  }
  GraphCore& graph() noexcept override { return *body_.graph; }

  std::vector<Output> captured;

 private:
  FunctionBody& body_;
  const std::string& name_;
  CaptureScope* outer_;
  std::vector<Output> inside_;
};

DGRAPH_DECL TracedFunction trace_function(const std::string& name, const std::vector<DType>& dtypes,
                                          const std::vector<PartialShape>& shapes, FunctionTrace build,
                                          SourceLocation at) {
  auto body = std::make_shared<FunctionBody>();
  body->name = name;
  body->graph = std::make_shared<GraphCore>();
  TracedFunction out;
  {
    const DefaultGraph building(*body->graph);
    FunctionBuilder builder(*body, name);
    std::vector<Output> arguments;
    for (std::size_t i = 0; i < dtypes.size(); ++i) arguments.push_back(builder.argument(dtypes[i], shapes[i], "argument"));
    for (Output result : build(arguments)) {
      if (result.core() != body->graph.get()) result = builder.capture(result);
      if (result.is_ref())
        throw Error(errors::InvalidArgument("function ", name, " returns the handle ", result.name(), ", not a value")
                        .at({"", "", "", "", at.to_string()}));
      body->results.push_back(result.endpoint());
      out.result_dtypes.push_back(result.dtype());
      out.result_shapes.push_back(result.shape());
    }
    out.captured = std::move(builder.captured);
  }
  for (NodeId id = 0; id < body->graph->size(); ++id) {
    const Node& node = body->graph->node(id);
    const bool handle = std::any_of(node.outputs, node.outputs + node.num_outputs, [](const OutputInfo& o) {
      return o.ref || o.dtype == DType::Resource || o.dtype == DType::Variant;
    });
    // What runs in a branch or loop runs with that.
    if (node.def->stateful && !handle && !node.flow) body->effects.push_back(id);
  }
  body->graph->finalize();
  out.value = function_value(std::move(body));
  return out;
}

}  // namespace dgraph::detail

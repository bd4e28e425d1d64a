#pragma once
#include <dgraph/ops/control_flow.hpp>

#include <dgraph/graph/flow.hpp>
#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL void switch_shape(ShapeContext& c) {
  c.with_rank(1, 0);
  c.set_output(0, c.input(0));
  c.set_output(1, c.input(0));
}

// What is known of all inputs alike: one of them passes, and in a loop a later one may be no subset of the first.
DGRAPH_DECL void merge_shape(ShapeContext& c) {
  c.set_output(1, PartialShape::scalar());
  PartialShape all = c.input(0);
  for (std::size_t i = 1; i < c.num_inputs(); ++i) {
    const PartialShape& in = c.input(i);
    if (!all.has_rank() || !in.has_rank() || in.rank() != all.rank()) return;
    Dims dims = all.dims();
    for (std::size_t k = 0; k < dims.size(); ++k)
      if (dims[k] != in[k]) dims[k] = PartialShape::kUnknown;
    all = PartialShape(std::move(dims));
  }
  c.set_output(0, std::move(all));
}

// `gradients` called inside a branch or loop goes back to where values come in, and on from there.
DGRAPH_DECL bool is_border(const Node& node) { return node.flow && node.flow->is_border(node); }

DGRAPH_DECL void switch_gradient(GradientContext& g) {
  if (is_border(g.node())) {
    if (!g.node().flow->is_loop()) g.set(0, g.has_dy(1) ? g.raw_dy(1) : g.raw_dy(0));
    return;
  }
  // The side that is not taken is dead, and what is made of it.
  const Output no = g.add<ops::Switch>(g.dy(0), g.x(1)), yes = g.add<ops::Switch>(g.dy(1), g.x(1));
  const std::vector<Output> sides{no, Output(yes.core(), yes.node_id(), 1)};
  g.set(0, g.add<ops::Merge>(sides));
}

DGRAPH_DECL void merge_gradient(GradientContext& g) {
  if (is_border(g.node())) return;
  for (std::size_t i = 0; i < g.num_inputs(); ++i) {
    if (!g.needs(i)) continue;
    const Output number = add_constant(Tensor::scalar(static_cast<std::int32_t>(i)), OpName(g.node().location), g.y().core());
    const Output chosen = g.add<ops::Switch>(g.dy(), g.add<ops::Equal>(g.y(1), number));
    g.set(i, Output(chosen.core(), chosen.node_id(), 1));
  }
}

DGRAPH_DECL void enter_gradient(GradientContext& g) {
  if (g.attr<bool>("is_constant")) g.set(0, g.raw_dy());
}

DGRAPH_DECL void no_loop_gradient() {
  fail(Code::InvalidArgument, "only loops made by while_loop have a gradient: this one is made of single ops");
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Switch::shape(ShapeContext& c) { detail::switch_shape(c); }
DGRAPH_DECL void RefSwitch::shape(ShapeContext& c) { detail::switch_shape(c); }
DGRAPH_DECL void Merge::shape(ShapeContext& c) { detail::merge_shape(c); }
DGRAPH_DECL void RefMerge::shape(ShapeContext& c) { detail::merge_shape(c); }
DGRAPH_DECL void Switch::gradient(GradientContext& g) { detail::switch_gradient(g); }
DGRAPH_DECL void RefSwitch::gradient(GradientContext& g) { detail::switch_gradient(g); }
DGRAPH_DECL void Merge::gradient(GradientContext& g) { detail::merge_gradient(g); }
DGRAPH_DECL void RefMerge::gradient(GradientContext& g) { detail::merge_gradient(g); }
DGRAPH_DECL void Enter::gradient(GradientContext& g) { detail::enter_gradient(g); }
DGRAPH_DECL void RefEnter::gradient(GradientContext& g) { detail::enter_gradient(g); }
DGRAPH_DECL void Exit::gradient(GradientContext&) { detail::no_loop_gradient(); }
DGRAPH_DECL void RefExit::gradient(GradientContext&) { detail::no_loop_gradient(); }
DGRAPH_DECL void NextIteration::gradient(GradientContext&) { detail::no_loop_gradient(); }
DGRAPH_DECL void RefNextIteration::gradient(GradientContext&) { detail::no_loop_gradient(); }

}  // namespace ops

namespace detail {

DGRAPH_DECL Output run_all(const std::vector<Output>& nodes, const OpName& name) {
  NodeBuilder builder(definition<ops::NoOp>(), name);
  for (const Output& node : nodes) {
    if (!node) fail(Code::InvalidArgument, "an empty handle is no node that could run");
    builder.control(node);
  }
  return builder.add();
}

DGRAPH_DECL Output run_all_named(const std::vector<Output>& nodes, const std::string& full_name, SourceLocation at) {
  BuildContext& context = need_build_context();
  std::vector<NodeId> controls;
  for (const Output& node : nodes) controls.push_back(node.node_id());
  AddOptions options;
  options.name = full_name;
  options.exact_name = true;
  options.location = at;
  options.scope = &context.scope;
  options.controls = controls;
  return Output(context.core, context.core->add(definition<ops::NoOp>(), {}, {}, options), 0);
}

DGRAPH_DECL std::vector<Output> gated(const std::vector<Output>& values, const std::vector<Output>& also,
                                      const OpName& name) {
  std::vector<Output> all = also;
  all.insert(all.end(), values.begin(), values.end());
  const Output gate = all.size() > 1 ? run_all(all, OpName("group_deps", name.location)) : all.at(0);
  std::vector<Output> out;
  for (const Output& value : values) {
    const auto on = colocate_with(value);
    NodeBuilder builder(definition<ops::Identity>(), name.name.empty() ? OpName("control_dependency", name.location) : name);
    builder.input(value);
    builder.control(gate);
    out.push_back(builder.add());
  }
  return out;
}

}  // namespace detail

DGRAPH_DECL Op<void> no_op(OpName name) { return Op<void>(add_op<ops::NoOp>(name)); }

DGRAPH_DECL Op<void> group(const std::vector<Output>& nodes, OpName name) {
  return Op<void>(detail::run_all(nodes, name.name.empty() ? OpName("group_deps", name.location) : name));
}

DGRAPH_DECL std::vector<Output> tuple(const std::vector<Output>& values, const std::vector<Output>& control_inputs,
                                      OpName name) {
  if (values.empty()) fail(Code::InvalidArgument, "a tuple of no values");
  return detail::gated(values, control_inputs, name);
}

}  // namespace dgraph

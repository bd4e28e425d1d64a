#pragma once
#include <dgraph/graph/builder.hpp>

#include <dgraph/graph/function_body.hpp>

namespace dgraph {

DGRAPH_DECL NodeBuilder::NodeBuilder(const OpDef& def, const OpName& name)
    : def_(def), name_(name), core_(build_context() ? build_context()->core : nullptr) {}

DGRAPH_DECL void NodeBuilder::input(const Output& value) {
  if (!core_) core_ = value.core();
  if (DGRAPH_UNLIKELY(value.core() != core_ || !core_)) {
    CaptureScope* const function = capture_scope();
    if (value && function && &function->graph() == core_) return input(function->capture(value));
    Status status = value ? errors::InvalidArgument("input ", num_inputs_, ", node ", value.name(), " (",
                                                    value.op_type(), "), belongs to another graph")
                          : errors::InvalidArgument("input ", num_inputs_, " is an empty handle");
    throw Error(status.at({std::string(name_.name), def_.name, "", "", name_.location.to_string()}));
  }
  if (num_inputs_ < kFew) {
    few_inputs_[num_inputs_] = value.endpoint();
  } else {
    if (num_inputs_ == kFew) many_inputs_.assign(few_inputs_, few_inputs_ + kFew);
    many_inputs_.push_back(value.endpoint());
  }
  ++num_inputs_;
}

DGRAPH_DECL void NodeBuilder::inputs(std::span<const Output> values) {
  for (const Output& value : values) input(value);
}

DGRAPH_DECL void NodeBuilder::attr(std::string_view name, AttrValue value) {
  if (num_attrs_ < kFew) {
    few_attrs_[num_attrs_] = {name, std::move(value)};
  } else {
    if (num_attrs_ == kFew)
      many_attrs_.assign(std::make_move_iterator(few_attrs_), std::make_move_iterator(few_attrs_ + kFew));
    many_attrs_.push_back({name, std::move(value)});
  }
  ++num_attrs_;
}

DGRAPH_DECL void NodeBuilder::control(const Output& node) {
  if (!core_) core_ = node.core();
  core_->check_mine(node);
  controls_.push_back(node.node_id());
}

DGRAPH_DECL Output NodeBuilder::add() {
  BuildContext* context = build_context();
  if (!core_) core_ = need_build_context().core;
  AddOptions options;
  options.name = name_.name;
  options.location = name_.location;
  options.scope = context && context->core == core_ ? &context->scope : nullptr;
  options.controls = controls_;
  options.shapes = shapes_;
  const std::span<const Endpoint> inputs =
      num_inputs_ <= kFew ? std::span<const Endpoint>(few_inputs_, num_inputs_) : std::span<const Endpoint>(many_inputs_);
  const std::span<AttrArg> attrs =
      num_attrs_ <= kFew ? std::span<AttrArg>(few_attrs_, num_attrs_) : std::span<AttrArg>(many_attrs_);
  return Output(core_, core_->add(def_, inputs, attrs, options), 0);
}

}  // namespace dgraph

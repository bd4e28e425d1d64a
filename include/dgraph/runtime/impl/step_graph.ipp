#pragma once
#include <dgraph/runtime/step_graph.hpp>

#include <string_view>

namespace dgraph::detail {

DGRAPH_DECL OpClass op_class(std::string_view type) {
  static const std::unordered_map<std::string_view, OpClass> classes = {
      {"Const", OpClass::Const},
      {"NoOp", OpClass::NoOp},
      {"Identity", OpClass::Identity},
      {"StopGradient", OpClass::Identity},
      {"PreventGradient", OpClass::Identity},
      {"Placeholder", OpClass::Placeholder},
      {"PlaceholderV2", OpClass::Placeholder},
      {"Shape", OpClass::Shape},
      {"ShapeN", OpClass::Shape},
      {"Size", OpClass::Size},
      {"Rank", OpClass::Rank},
      {"BroadcastGradientArgs", OpClass::BroadcastGradientArgs},
      {"ReadVariableOp", OpClass::ReadVariable},
      {"Switch", OpClass::Switch},
      {"RefSwitch", OpClass::Switch},
      {"Merge", OpClass::Merge},
      {"RefMerge", OpClass::Merge},
      {"Enter", OpClass::Enter},
      {"RefEnter", OpClass::Enter},
      {"Exit", OpClass::Exit},
      {"RefExit", OpClass::Exit},
      {"NextIteration", OpClass::OtherControlFlow},
      {"RefNextIteration", OpClass::OtherControlFlow},
      {"LoopCond", OpClass::OtherControlFlow},
      {"ControlTrigger", OpClass::OtherControlFlow},
  };
  const auto at = classes.find(type);
  return at == classes.end() ? OpClass::Plain : at->second;
}

DGRAPH_DECL const OpFacts& StepGraph::facts_of(const OpDef& def) {
  const auto [at, fresh] = facts.try_emplace(&def);
  OpFacts& out = at->second;
  if (!fresh) return out;
  out.kind = op_class(def.name);
  out.stateful = def.stateful;
  out.control_flow = out.kind >= OpClass::Switch;
  for (const ArgDef& arg : def.inputs) out.takes_refs |= arg.ref;
  if (kernels) out.kernel = kernels(def.name);
  return out;
}

DGRAPH_DECL bool takes_ref(const Node& node, std::uint32_t input) {
  std::size_t end = 0;
  for (const ArgDef& arg : node.def->inputs) {
    std::size_t length = 1;
    if (arg.number_attr >= 0)
      length = static_cast<std::size_t>(
          (*node.attrs)[static_cast<std::size_t>(arg.number_attr)].get<std::int64_t>());
    else if (arg.type_list_attr >= 0)
      length = (*node.attrs)[static_cast<std::size_t>(arg.type_list_attr)]
                   .get<std::vector<DType>>()
                   .size();
    end += length;
    if (input < end) return arg.ref;
  }
  return false;
}

}  // namespace dgraph::detail

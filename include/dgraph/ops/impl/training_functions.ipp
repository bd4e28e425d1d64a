#pragma once
#include <dgraph/ops/training_functions.hpp>

namespace dgraph::detail {

DGRAPH_DECL Output add_update(const OpDef& def, const OpName& name, const Output& ref,
                              std::initializer_list<Output> slots,
                              std::initializer_list<UpdateArg> values, const AttrArg& attr) {
  need_variable(ref);
  std::vector<Output> inputs;
  for (const Output& slot : slots) {
    need_variable(slot);
    inputs.push_back(slot);
  }
  for (const UpdateArg& value : values) inputs.push_back(value.node(name.location, ref.core()));
  AttrArg attrs[] = {attr};
  return add_at_variable(def, name, ref, inputs, std::span(attrs, attr.name.empty() ? 0 : 1));
}

}  // namespace dgraph::detail

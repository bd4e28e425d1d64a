#pragma once
// Values of a graph without a session: constants, what is fed, and one kernel after another. For tests of what graphs compute.

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <dgraph/graph/core.hpp>
#include <dgraph/graph/output.hpp>
#include <dgraph/kernels/eager.hpp>
#include <dgraph/kernels/standard_table.hpp>

namespace dgraph::test {

class Evaluator {
 public:
  void feed(const Output& output, Tensor value) { values_[{output.node_id(), output.index()}] = std::move(value); }

  Tensor operator()(const Output& output) {
    const std::pair<NodeId, std::uint32_t> key{output.node_id(), output.index()};
    if (const auto found = values_.find(key); found != values_.end()) return found->second;
    const Node& node = output.node();
    if (node.is("Const")) return values_[key] = node.attr<Tensor>("value");
    std::vector<Tensor> inputs;
    for (const Endpoint& in : node.input_span()) inputs.push_back((*this)(Output(output.core(), in.node, in.index)));
    NamedAttrs attrs;
    for (std::size_t i = 0; i < node.def->attrs.size(); ++i)
      if (!node.def->attrs[i].inferred) attrs.emplace_back(node.def->attrs[i].name, (*node.attrs)[i]);
    const std::vector<Tensor> outputs = run_op(&find_standard_kernel, node.def->name, attrs, std::move(inputs));
    for (std::uint32_t i = 0; i < outputs.size(); ++i) values_[{node.id, i}] = outputs[i];
    return values_.at(key);
  }

  template <class T>
  std::vector<T> flat(const Output& output) {
    const Tensor value = (*this)(output);
    const auto elements = value.flat<T>();
    return {elements.begin(), elements.end()};
  }

 private:
  std::map<std::pair<NodeId, std::uint32_t>, Tensor> values_;
};

inline Tensor evaluate(const Output& output) { return Evaluator()(output); }
template <class T>
std::vector<T> evaluate(const Output& output) {
  return Evaluator().flat<T>(output);
}

}  // namespace dgraph::test

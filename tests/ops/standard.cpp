#include <dgraph/ops/standard.hpp>

#include "support/catch.hpp"

#include <dgraph/graph.hpp>

#include <set>
#include <string>

using namespace dgraph;

TEST_CASE("every op of the standard set has a signature that can be read, and a name of its own") {
  std::set<std::string> names;
  for_each_op<StandardOps>([&]<class Op>() {
    const OpDef& def = signature<Op>();
    CHECK(names.insert(def.name).second);
    CHECK(def.fingerprint != 0);
  });
  CHECK(names.size() > 130);
}

TEST_CASE("the families can be used alone") {
  CHECK(find_definition<ArrayOps>("Reshape") != nullptr);
  CHECK(find_definition<ArrayOps>("MatMul") == nullptr);
  CHECK(find_definition<StandardOps>("MatMul") != nullptr);
  using Few = OpSet<ShapeOps, StateOps>;
  CHECK(find_definition<Few>("VariableV2") == &definition<ops::VariableV2>());
}

TEST_CASE("a default graph of the standard ops finds them by name") {
  CHECK(Graph::find_op("ApplyGradientDescent") != nullptr);
  CHECK(Graph::find_op("NoSuchOp") == nullptr);
  CHECK(std::is_same_v<Graph, BasicGraph<StandardOps>>);
}

#include <dgraph/runtime/step_graph.hpp>

#include "runtime/plan_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

struct Mixed {
  static constexpr auto signature =
      "Mixed(a: N * float32, v: Ref(float32), b: T, w: Ref(float32)) -> (); N: int >= 0; T: "
      "list(type)";
};

}  // namespace

TEST_CASE("takes_ref counts lists of inputs") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = scalar(1);
  const Output v = add_op<ops::VariableV2>("v", "shape", PartialShape{}, "dtype", DType::Float32);
  const Output node =
      add_op<Mixed>("mixed", std::vector<Output>{x, x}, v, std::vector<Output>{x, x, x}, v, "N", 2,
                    "T", std::vector<DType>(3, DType::Float32));
  for (std::uint32_t i = 0; i < 7; ++i)
    CHECK(detail::takes_ref(node.node(), i) == (i == 2 || i == 6));
  CHECK_FALSE(detail::takes_ref(node.node(), 7));
}

TEST_CASE("facts_of knows control flow by name and kernels by table") {
  detail::StepGraph step;
  step.kernels = &find_kernel<PlanOps>;
  const detail::OpFacts& exit = step.facts_of(definition<ops::RefExit>());
  CHECK(exit.control_flow);
  CHECK(exit.takes_refs);
  CHECK(exit.kind == detail::OpClass::Exit);
  CHECK(&exit == &step.facts_of(definition<ops::RefExit>()));
  const detail::OpFacts& add = step.facts_of(definition<ops::AddV2>());
  CHECK_FALSE(add.control_flow);
  CHECK(add.kernel == find_kernel<PlanOps>("AddV2"));
  CHECK(step.facts_of(definition<ops::Assign>()).stateful);
}

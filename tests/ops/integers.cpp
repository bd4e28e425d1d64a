#include <dgraph/ops/integers.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/standard.hpp>

#include <limits>

#include "graph_text.hpp"

using namespace dgraph;
using dgraph::test::expression_of;

TEST_CASE("numbers become an int32 constant, an int64 one where they need it") {
  GraphCore core;
  const DefaultGraph building(core);
  const Output small = IntegersArg({2, -1}).node({}, nullptr);
  CHECK(expression_of(small) == "[2,-1]");
  CHECK(small.dtype() == DType::Int32);
  const std::int64_t large = std::int64_t{1} << 40;
  CHECK(IntegersArg({large}).node({}, nullptr).dtype() == DType::Int64);
  CHECK(expression_of(IntegersArg(Shape{3, 4}).node({}, nullptr)) == "[3,4]");
  CHECK(expression_of(IntegersArg(std::vector<std::int64_t>{5}).node({}, nullptr)) == "[5]");
}

TEST_CASE("a value of the graph is used as it is") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto dims = placeholder<std::int64_t>({2}, "dims");
  const IntegersArg arg(dims);
  CHECK(arg.known() == nullptr);
  const auto before = core.size();
  CHECK(arg.node({}, nullptr) == dims);
  CHECK(core.size() == before);
  CHECK(IntegersArg(variable("v", std::int64_t{3})).node({}, nullptr).op_type() == "Identity");
}

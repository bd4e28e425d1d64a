#include <dgraph/graph/op_set.hpp>

#include "graph/mini_ops.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using dgraph::test::contains;

namespace {
struct Extra {
  static constexpr auto signature = "Extra() -> ()";
};
struct MulAgain {
  static constexpr auto signature = "Mul() -> ()";
};
using More = OpSet<test::MiniOps, Extra>;
}  // namespace

TEST_CASE("nested sets are one set") {
  std::vector<std::string> names;
  for_each_op<More>([&]<class Op>() { names.push_back(definition<Op>().name); });
  CHECK(names.front() == "Const");
  CHECK(names.back() == "Extra");
  CHECK(find_definition<More>("Extra") == &definition<Extra>());
  CHECK(find_definition<More>("Mul") == &definition<test::Mul>());
  CHECK(find_definition<More>("Nothing") == nullptr);
  CHECK(find_definition<More>("") == nullptr);
  CHECK(find_definition<test::MiniOps>("Extra") == nullptr);
}

TEST_CASE("every op of a set is found by its name") {
  for_each_op<More>([]<class Op>() {
    const std::string name = definition<Op>().name;
    INFO(name);
    CHECK(find_definition<More>(name) == &definition<Op>());
    CHECK(find_signature<More>(name) == &signature<Op>());
  });
}

TEST_CASE("two ops of one name are an error that names it") {
  using Twice = OpSet<test::MiniOps, MulAgain>;
  REQUIRE_THROWS_WITH(find_definition<Twice>("Mul"), contains("two ops named Mul"));
}

#include <dgraph/graph/op_def.hpp>

#include "graph/mini_ops.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using dgraph::test::contains;

TEST_CASE("a signature is read in all its parts") {
  const OpDef def = parse_op(
      "Op(a: T, b: N * T, c: Types, d: Ref(T), e: int32) -> (y: T, z: Types); T: {floating, int32} = float32; N: int >= 2; "
      "Types: list(type) >= 1; s: {'A', 'B'} = 'A'; f: float = -0.5; on: bool = true; dims: list(int) = [1, -2]; "
      "shape: shape = {}; fixed: shape = [2, -1]; value: tensor; stateful; commutative");
  CHECK(def.name == "Op");
  REQUIRE(def.inputs.size() == 5);
  REQUIRE(def.outputs.size() == 2);
  CHECK(def.inputs[0].type_attr == def.attr_index("T"));
  CHECK(def.inputs[1].number_attr == def.attr_index("N"));
  CHECK(def.inputs[1].is_list());
  CHECK(def.inputs[2].type_list_attr == def.attr_index("Types"));
  CHECK(def.inputs[3].ref);
  CHECK(def.inputs[4].dtype == DType::Int32);
  CHECK(def.outputs[1].type_list_attr == def.attr_index("Types"));
  const auto attr = [&](const char* name) { return def.attrs[static_cast<std::size_t>(def.attr_index(name))]; };
  CHECK(attr("T").inferred);
  CHECK(attr("T").allowed_types.contains(DType::BFloat16));
  CHECK_FALSE(attr("T").allowed_types.contains(DType::Int64));
  CHECK(attr("N").minimum == 2);
  CHECK(attr("Types").list);
  CHECK(attr("s").allowed_strings == std::vector<std::string>{"A", "B"});
  CHECK(attr("s").default_value == AttrValue("A"));
  CHECK(attr("f").default_value == AttrValue(-0.5f));
  CHECK(attr("on").default_value == AttrValue(true));
  CHECK(attr("dims").default_value == AttrValue(std::vector<std::int64_t>{1, -2}));
  CHECK(attr("shape").default_value == AttrValue(PartialShape()));
  CHECK(attr("fixed").default_value == AttrValue(PartialShape{2, -1}));
  CHECK_FALSE(attr("value").default_value.has_value());
  CHECK_FALSE(attr("value").inferred);
  CHECK(def.stateful);
  CHECK(def.commutative);
  CHECK(def.attr_index("none") == -1);
}

TEST_CASE("mistakes in a signature name it and the place") {
  for (const char* text :
       {"", "Op", "Op(", "Op(a) -> ()", "Op(a: Nothing) -> ()", "Op() -> (); x: what", "Op() -> (); x: int = z",
        "Op() -> (); wild", "Op() -> (); T: {nothing}", "Op(a: N * float32) -> ()", "Op() -> () junk", "Op() -> (); s: string = 'a"}) {
    INFO(text);
    try {
      parse_op(text);
      FAIL("read");
    } catch (const Error& error) {
      CHECK(error.code() == Code::Internal);
      CHECK(error.status().message().find(std::string("op signature \"") + text) != std::string::npos);
    }
  }
}

TEST_CASE("the fingerprint is that of the signature, whatever the blanks") {
  const auto of = [](const char* text) { return parse_op(text).fingerprint; };
  CHECK(of("Op(a: T) -> (b: T); T: type") == of("Op( a : T )->( b: T ) ;  T:type"));
  CHECK(of("Op(a: T) -> (b: T); T: type") != of("Op2(a: T) -> (b: T); T: type"));
  CHECK(of("Op() -> (); x: int = 1") != of("Op() -> (); x: int = 2"));
  CHECK(of("Op() -> (); x: int = 1") != of("Op() -> (); x: float = 1"));
  CHECK(of("Op() -> ()") != of("Op() -> (); stateful"));
}

TEST_CASE("definitions have the rules of their struct, signatures have none") {
  CHECK(definition<test::Mul>().shape != nullptr);
  CHECK(definition<test::Mul>().gradient != nullptr);
  CHECK(definition<test::Round>().gradient == nullptr);
  CHECK(signature<test::Mul>().shape == nullptr);
  CHECK(signature<test::Mul>().fingerprint == definition<test::Mul>().fingerprint);
  CHECK(&definition<test::Mul>() == &definition<test::Mul>());
}

#include <dgraph/kernels/strings.hpp>

#include <dgraph/kernels/string_patterns.hpp>
#include <dgraph/ops/strings.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::text;

namespace {

std::vector<Tensor> run(std::string_view op, std::vector<Tensor> inputs,
                        const NamedAttrs& attrs = {}) {
  return test::run<StringOps>(op, attrs, std::move(inputs));
}
Tensor strings(std::initializer_list<std::string> values) {
  return Tensor::vector<std::string>(values);
}
Tensor one(std::string value) { return Tensor::scalar(std::move(value)); }
Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}

}  // namespace

TEST_CASE("Strings are joined by place and along axes") {
  CHECK(text(run("StringJoin", {one("<"), strings({"a", "b"})}, {{"separator", "."}})) ==
        R"(string[2]: "<.a" "<.b")");
  CHECK(code_of([] {
          run("StringJoin", {strings({"a"}), strings({"b", "c"})});
        }) == Code::InvalidArgument);
  const Tensor cube = Tensor::of<std::string>({2, 1, 2}, {"a", "b", "c", "d"});
  CHECK(text(run("ReduceJoin", {cube, ints({2, 0})}, {{"separator", "-"}})) ==
        R"(string[1]: "a-b-c-d")");
  CHECK(text(run("ReduceJoin", {cube, ints({0, -1})}, {{"keep_dims", true}})) ==
        R"(string[1,1,1]: "acbd")");
  CHECK(text(run("ReduceJoin", {Tensor(DType::String, Shape{2, 0}), ints({1})})) ==
        R"(string[2]: "" "")");
  CHECK(code_of([&] { run("ReduceJoin", {cube, ints({3})}); }) == Code::OutOfRange);
}

TEST_CASE("Strings are split into rows") {
  CHECK(text(run("StringSplitV2", {strings({" a b ", ""}), one("")}, {{"maxsplit", 1}})) ==
        R"(int64[2,2]: 0 0 0 1; string[2]: "a" "b "; int64[2]: 2 2)");
  CHECK(text(run("StringSplitV2", {strings({"a b"}), one("")}, {{"maxsplit", 2}})[1]) ==
        R"(string[3]: "a" "b" "")");
  CHECK(text(run("StringSplitV2", {strings({",a,,"}), one(",")})[1]) ==
        R"(string[4]: "" "a" "" "")");
  CHECK(text(run("StringSplit", {strings({"a,b;;c"}), one(",;")})[1]) ==
        R"(string[3]: "a" "b" "c")");
  CHECK(text(run("StringSplit", {strings({"a,;"}), one(",;")}, {{"skip_empty", false}})[1]) ==
        R"(string[3]: "a" "" "")");
  CHECK(text(run("StringSplit", {strings({"ab"}), one("")})[1]) == R"(string[2]: "a" "b")");
  CHECK(code_of([] { run("StringSplitV2", {one("a"), one(",")}); }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("StringSplitV2", {strings({"a"}), strings({","})});
        }) == Code::InvalidArgument);
}

TEST_CASE("Parts of strings, in bytes or characters") {
  const NamedAttrs characters{{"unit", "UTF8_CHAR"}};
  const Tensor words = Tensor::of<std::string>({2, 1}, {"añb", "日本語"});
  CHECK(text(run("Substr", {words, ints({0, -2}), ints({1, INT32_MAX})}, characters)) ==
        R"(string[2,2]: "a" "ñb" "日" "本語")");
  CHECK(text(run("Substr", {one("abc"), Tensor::scalar(std::int64_t{1}),
                            Tensor::scalar(std::int64_t{-1})})) == R"(string[]: "bc")");
  CHECK(code_of([&] {
          run("Substr", {words, ints({4}), ints({1})}, characters);
        }) == Code::InvalidArgument);
  CHECK(code_of([&] { run("Substr", {words, ints({0}), ints({1, 1})}); }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("Substr", {one("a"), Tensor::scalar(INT64_MIN), Tensor::scalar(INT64_MAX)});
        }) == Code::InvalidArgument);
  CHECK(text(run("StringLength", {words}, characters)) == "int32[2,1]: 3 3");
}

TEST_CASE("Case beyond ASCII") {
  const NamedAttrs all{{"encoding", "utf-8"}};
  CHECK(text(run("StringUpper", {one("straße ŉ ǆ я")}, all)) == R"(string[]: "STRASSE ʼN Ǆ Я")");
  CHECK(text(run("StringLower", {one("ΟΔΟΣ ΣΑ Ж")}, all)) == R"(string[]: "οδος σα ж")");
  CHECK(text(run("StringLower", {one("ÉA")})) == R"(string[]: "Éa")");
  CHECK(text(run("StringStrip", {one("\v\f a b \r\n")})) == R"(string[]: "a b")");
}

TEST_CASE("Patterns as inputs and as attributes") {
  CHECK(text(run("StaticRegexReplace", {strings({"a1", "b22"})},
                 {{"pattern", "\\d"}, {"rewrite", "#"}})) == R"(string[2]: "a#" "b##")");
  CHECK(text(run("RegexFullMatch", {strings({"a1", "1a"}), one("[a-z]\\d")})) ==
        "bool[2]: true false");
  CHECK(text(run("StaticRegexFullMatch", {strings({"a1", "a11"})}, {{"pattern", "[a-z]\\d"}})) ==
        "bool[2]: true false");
  CHECK(code_of([] {
          run("StaticRegexFullMatch", {strings({"a"})}, {{"pattern", "("}});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("RegexReplace", {strings({"a"}), strings({"a"}), one("")});
        }) == Code::InvalidArgument);
}

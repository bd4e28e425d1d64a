#include <dgraph/ops/strings.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/standard.hpp>

#include "evaluate.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::evaluate;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
};
using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("functions on strings") {
  Building b;
  const Op<std::string> words = constant<std::string>(Strings{"Ab c", " d"});
  CHECK(evaluate<std::string>(string_join({words, words}, "+")) == Strings{"Ab c+Ab c", " d+ d"});
  CHECK(evaluate<std::string>(reduce_join(words, {0})) == Strings{"Ab c d"});
  CHECK(evaluate<std::string>(string_split(words).values) == Strings{"Ab", "c", "d"});
  CHECK(evaluate<std::int64_t>(string_split(words, " ").dense_shape) ==
        std::vector<std::int64_t>{2, 2});
  CHECK(evaluate<std::string>(substr(words, 1, 2)) == Strings{"b ", "d"});
  CHECK(evaluate<std::int32_t>(string_length(words, StringUnit::Utf8Char)) ==
        std::vector<std::int32_t>{4, 2});
  CHECK(evaluate<std::string>(string_upper(string_strip(words))) == Strings{"AB C", "D"});
  CHECK(evaluate<std::string>(regex_replace(words, "(\\w)", "<\\1>", false)) ==
        Strings{"<A>b c", " <d>"});
  CHECK(evaluate<bool>(regex_full_match(words, ".*d"))[1]);
  CHECK(evaluate<std::string>(as_string(constant(1.5f), {.precision = 2})) == Strings{"1.50"});
  CHECK(evaluate<std::int32_t>(string_to_number<std::int32_t>(std::string(" 7"))) ==
        std::vector<std::int32_t>{7});
  CHECK(evaluate<std::string>(decode_base64(encode_base64(words, true))) == Strings{"Ab c", " d"});
  CHECK(evaluate<std::uint8_t>(decode_raw<std::uint8_t>(std::string("AB"))) ==
        std::vector<std::uint8_t>{65, 66});
  CHECK(string_to_hash_bucket_fast(words, 10).shape() == PartialShape{2});
}

TEST_CASE("shapes of what becomes of strings") {
  Building b;
  const auto any = placeholder<std::string>();
  const auto rows = placeholder<std::string>({-1, 2});
  CHECK(string_join({any, any}).shape() == PartialShape());
  CHECK(string_join({constant(std::string("a")), rows}).shape() == PartialShape{-1, 2});
  CHECK_THROWS_WITH(string_join({rows, placeholder<std::string>({3})}),
                    contains("one shape or be scalars"));
  CHECK(reduce_join(rows, {1}).shape() == PartialShape{-1});
  CHECK_THROWS_WITH(reduce_join(rows, {2}), contains("Invalid reduction dimension 2"));
  CHECK(decode_raw<float>(rows).shape() == PartialShape{-1, 2, -1});
  CHECK(substr(placeholder<std::string>({3, 1}), std::vector<int>{0, 1}, std::vector<int>{1, 1})
            .shape() == PartialShape{3, 2});
  CHECK(string_split(placeholder<std::string>({4})).indices.shape() == PartialShape{-1, 2});
  CHECK_THROWS_WITH(string_split(rows), contains("must have rank 1"));
}

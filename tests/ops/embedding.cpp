#include <dgraph/ops/embedding.hpp>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {
struct Building {
  GraphCore core;
  DefaultGraph building{core};
};
using Floats = std::vector<float>;

// Row i of the whole table is {i, -i}; of its shards one after another the rows `ids`.
Op<float> shard(std::initializer_list<int> ids) {
  Tensor out(DType::Float32, Shape{static_cast<std::int64_t>(ids.size()), 2});
  float* to = out.mutable_data<float>();
  for (const int id : ids) {
    *to++ = static_cast<float>(id);
    *to++ = static_cast<float>(-id);
  }
  return Op<float>(constant_output(out));
}
}  // namespace

TEST_CASE("rows of a table in shards") {
  Building b;
  const auto ids = constant<int>({{5, 0, 6}, {3, 5, 2}});
  const Floats want{5, -5, 0, 0, 6, -6, 3, -3, 5, -5, 2, -2};
  const std::vector<Op<float>> mod{shard({0, 3, 6}), shard({1, 4}), shard({2, 5})};
  const auto found = embedding_lookup(mod, ids);
  CHECK(found.shape().to_string() == "[2,3,2]");
  CHECK(evaluate<float>(found) == want);
  const std::vector<Op<float>> div{shard({0, 1, 2}), shard({3, 4}), shard({5, 6})};
  CHECK(evaluate<float>(embedding_lookup(div, ids, {.partition_strategy = "div"})) == want);
  const auto wide = constant<std::int64_t>({6});
  CHECK(evaluate<float>(embedding_lookup(div, wide, {.partition_strategy = "div"})) ==
        Floats{6, -6});
  CHECK(evaluate<float>(embedding_lookup(shard({0, 1, 2}), constant<int>({2, 0}))) ==
        Floats{2, -2, 0, 0});
  // More shards than rows.
  const std::vector<Op<float>> few{shard({0}), shard({1}), shard({})};
  CHECK(evaluate<float>(embedding_lookup(few, constant<int>({1, 0}),
                                         {.partition_strategy = "div"})) == Floats{1, -1, 0, 0});
}

TEST_CASE("rows of shards whose sizes are not known") {
  Building b;
  std::vector<Op<float>> shards;
  Evaluator run;
  for (const Op<float>& rows : {shard({0, 1}), shard({2})}) {
    const Output any =
        add_op<ops::Placeholder>({}, "dtype", DType::Float32, "shape", PartialShape());
    shards.emplace_back(any);
    run.feed(any, evaluate(rows));
  }
  const auto found = embedding_lookup(shards, constant<int>({2, 1}), {.partition_strategy = "div"});
  CHECK(run.flat<float>(found) == Floats{2, -2, 1, -1});
}

TEST_CASE("gradients of shards are sparse") {
  Building b;
  const std::vector<Op<float>> shards{shard({0, 2}), shard({1, 3})};
  const auto loss = reduce_sum(embedding_lookup(shards, constant<int>({3, 1, 3})));
  const auto found = sparse_gradients({loss}, {shards[0], shards[1]});
  CHECK(found[1].is_sparse());
  CHECK(evaluate<float>(gradients(loss, shards[1])) == Floats{1, 1, 2, 2});
}

TEST_CASE("rows that are too long, and ids and words that are wrong") {
  Building b;
  const auto table = constant<float>({{3, 4}, {0.3f, 0.4f}});
  const Floats found =
      evaluate<float>(embedding_lookup(table, constant<int>({0, 1}), {.max_norm = 1}));
  CHECK(found[0] == test::Approx(0.6));
  CHECK(found[2] == test::Approx(0.3));
  CHECK_THROWS_WITH(embedding_lookup(table, constant<int>({0}), {.partition_strategy = "hash"}),
                    contains("hash"));
  const std::vector<Op<float>> two{shard({0}), shard({1})};
  CHECK_THROWS_WITH(evaluate(embedding_lookup(two, constant<int>({2}))), contains("[0, 1)"));
}

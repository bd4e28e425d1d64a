#include <dgraph/kernels/segment.hpp>

#include <dgraph/ops/segment.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::text;

namespace {

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<SegmentOps>(op, attrs, std::move(inputs));
}
Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}
Tensor number(std::int32_t value) { return Tensor::scalar(value); }
const Tensor kRows = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});

}  // namespace

TEST_CASE("UnsortedSegmentSum adds rows with the same id and drops negative ids") {
  CHECK(text(run("UnsortedSegmentSum", {}, {kRows, ints({1, -5, 1}), number(3)})) ==
        "float32[3,2]: 0 0 6 8 0 0");
  CHECK(text(run("UnsortedSegmentSum", {},
                 {kRows, Tensor::of<std::int64_t>({3, 2}, {0, 1, 0, 1, 0, 1}), number(2)})) ==
        "float32[2]: 9 12");
  CHECK(text(run("UnsortedSegmentSum", {},
                 {Tensor::vector<std::uint8_t>({200, 100}), ints({0, 0}),
                  Tensor::scalar(std::int64_t{1})})) == "uint8[1]: 44");
  CHECK(run("UnsortedSegmentSum", {},
            {Tensor::zeros(DType::Float32, {0, 2}), Tensor(DType::Int32, Shape{0}), number(2)})[0]
            .shape() == Shape{2, 2});
  CHECK_THROWS_WITH(run("UnsortedSegmentSum", {}, {kRows, ints({0, 3, 0}), number(3)}),
                    contains("segment_ids[1] = 3 is out of range [0, 3)"));
  CHECK(code_of([] {
          run("UnsortedSegmentSum", {}, {kRows, ints({0}), number(3)});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("UnsortedSegmentSum", {}, {kRows, ints({0, 0, 0}), number(-1)});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("UnsortedSegmentSum", {},
              {kRows, ints({0, 0, 0}), Tensor::scalar(std::int64_t{1} << 59)});
        }) == Code::ResourceExhausted);
}

TEST_CASE("sorted segments") {
  CHECK(text(run("SegmentSum", {}, {kRows, ints({0, 0, 2})})) == "float32[3,2]: 4 6 0 0 5 6");
  CHECK(text(run("SegmentProd", {}, {kRows, ints({1, 1, 1})})) == "float32[2,2]: 1 1 15 48");
  CHECK(text(run("SegmentMax", {}, {Tensor::vector<std::uint8_t>({3, 250, 7}), ints({0, 0, 2})})) ==
        "uint8[3]: 250 0 7");
  CHECK(text(run("SegmentMin", {}, {Tensor::vector<std::int8_t>({-3, 50}), ints({0, 0})})) ==
        "int8[1]: -3");
  CHECK_THROWS_WITH(run("SegmentSum", {}, {kRows, ints({0, 1, 0})}), contains("not increasing"));
  CHECK_THROWS_WITH(run("SegmentMax", {}, {kRows, ints({-1, 0, 0})}),
                    contains("segment_ids[0] = -1"));
  CHECK(
      code_of([] {
        run("SegmentSum", {}, {kRows, Tensor::vector<std::int64_t>({0, 1, std::int64_t{1} << 55})});
      }) == Code::ResourceExhausted);
}

TEST_CASE("means of integers neither wrap nor divide by a count that did") {
  const std::int32_t most = INT32_MAX;
  CHECK(text(run("SegmentMean", {}, {ints({most, most, -7, 2}), ints({0, 0, 1, 1})})) ==
        "int32[2]: 2147483647 -2");
  Tensor ids = Tensor::zeros(DType::Int32, {256});
  CHECK(text(run("SegmentMean", {}, {Tensor::zeros(DType::UInt8, {256}), ids})) == "uint8[1]: 0");
}

TEST_CASE("small floats are summed in float") {
  Tensor ones(DType::Float16, {5000});
  for (half& x : ones.mutable_flat<half>()) x = half(1.0f);
  CHECK(text(run("SegmentSum", {}, {ones, Tensor::zeros(DType::Int64, {5000})})) ==
        "float16[1]: 5000");
}

TEST_CASE("large segments are split, and give the same") {
  const std::int64_t rows = 4000, columns = 64;
  Tensor data(DType::Float32, {rows, columns}), ids(DType::Int32, {rows});
  for (std::int64_t i = 0; i < data.elements(); ++i)
    data.mutable_data<float>()[i] = 1.0f / static_cast<float>(i + 1);
  for (std::int64_t i = 0; i < rows; ++i)
    ids.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(i / 7);
  test::ShardedServices sharded;
  const Tensor once = run("SegmentSum", {}, {data, ids})[0];
  const Tensor split = run_op(find_kernel<SegmentOps>, "SegmentSum", {}, {data, ids}, sharded)[0];
  CHECK(sharded.most_shards > 1);
  CHECK(std::memcmp(once.raw(), split.raw(), once.bytes()) == 0);
  sharded.most_shards = 0;
  const Tensor count = number(600);
  const Tensor all = run("UnsortedSegmentSum", {}, {data, ids, count})[0];
  const Tensor parts =
      run_op(find_kernel<SegmentOps>, "UnsortedSegmentSum", {}, {data, ids, count}, sharded)[0];
  CHECK(sharded.most_shards > 1);
  CHECK(std::memcmp(all.raw(), parts.raw(), all.bytes()) == 0);
}

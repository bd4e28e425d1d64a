#include <dgraph/kernels/space.hpp>

#include <numeric>

#include <dgraph/ops/space.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::text;

namespace {

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<SpaceOps>(op, attrs, std::move(inputs));
}
Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}

// 0, 1, 2, ... of any shape.
Tensor counting(Shape shape) {
  Tensor out(DType::Int32, std::move(shape));
  std::iota(out.mutable_data<std::int32_t>(), out.mutable_data<std::int32_t>() + out.elements(), 0);
  return out;
}

}  // namespace

TEST_CASE("SpaceToBatchND and back") {
  const Tensor x = counting({1, 3, 4, 1}), block = ints({2, 2});
  const Tensor around = Tensor::of<std::int32_t>({2, 2}, {0, 1, 2, 0});
  const Tensor batch = run("SpaceToBatchND", {}, {x, block, around})[0];
  CHECK(text(batch) == "int32[4,2,3,1]: 0 0 2 0 8 10 0 1 3 0 9 11 0 4 6 0 0 0 0 5 7 0 0 0");
  CHECK(text(run("BatchToSpaceND", {}, {batch, block, around})) == text(x));
  CHECK(run("SpaceToBatchND", {},
            {counting({0, 4}), ints({1 << 30}),
             Tensor::of<std::int32_t>({1, 2}, {(1 << 30) - 4, 0})})[0]
            .shape() == Shape{0, 1});
  CHECK(text(run("SpaceToBatchND", {},
                 {Tensor::of<std::string>({1, 1}, {"a"}), ints({3}),
                  Tensor::of<std::int32_t>({1, 2}, {1, 1})})) == R"(string[3,1]: "" "a" "")");
  CHECK(code_of([&] {
          run("SpaceToBatchND", {}, {x, ints({2, 0}), around});
        }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("SpaceToBatchND", {}, {x, block, Tensor::zeros(DType::Int32, {2, 2})});
        }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("SpaceToBatchND", {},
              {x, ints({1, 1}), Tensor::of<std::int64_t>({2, 2}, {INT64_MAX, 0, 0, 0})});
        }) == Code::InvalidArgument);
}

TEST_CASE("SpaceToDepth in both data formats") {
  const Tensor x = counting({1, 2, 2, 2});
  const NamedAttrs last{{"block_size", 2}},
      first{{"block_size", 2}, {"data_format", std::string("NCHW")}};
  CHECK(text(run("SpaceToDepth", last, {x})) == "int32[1,1,1,8]: 0 1 2 3 4 5 6 7");
  // Two channels, each of rows 0 1 / 2 3 and 4 5 / 6 7.
  CHECK(text(run("SpaceToDepth", first, {x})) == "int32[1,8,1,1]: 0 4 1 5 2 6 3 7");
  for (const NamedAttrs& format : {last, first}) {
    const Tensor image = counting({2, 4, 4, 4});
    CHECK(text(run("DepthToSpace", format, run("SpaceToDepth", format, {image}))) == text(image));
  }
  CHECK(code_of([&] { run("DepthToSpace", last, {x}); }) == Code::InvalidArgument);
}

TEST_CASE("ExtractImagePatches") {
  const auto patches = [](const Tensor& x, std::int64_t size, std::int64_t stride,
                          std::int64_t rate, const char* padding) {
    const auto four = [](std::int64_t n) { return std::vector<std::int64_t>{1, n, n, 1}; };
    return run("ExtractImagePatches",
               {{"ksizes", four(size)},
                {"strides", four(stride)},
                {"rates", four(rate)},
                {"padding", std::string(padding)}},
               {x})[0];
  };
  const Tensor x = counting({1, 3, 3, 1});
  CHECK(text(patches(x, 2, 1, 1, "VALID")) == "int32[1,2,2,4]: 0 1 3 4 1 2 4 5 3 4 6 7 4 5 7 8");
  CHECK(text(patches(x, 2, 2, 1, "SAME")) == "int32[1,2,2,4]: 0 1 3 4 2 0 5 0 6 7 0 0 8 0 0 0");
  CHECK(text(patches(x, 2, 1, 2, "VALID")) == "int32[1,1,1,4]: 0 2 6 8");
  CHECK(patches(x, 4, 1, 1, "VALID").shape() == Shape{1, 0, 0, 16});
  CHECK(code_of([&] { patches(x, 9, 1, 1, "VALID"); }) == Code::InvalidArgument);
  CHECK(code_of([&] { patches(x, std::int64_t{1} << 40, 1, std::int64_t{1} << 40, "SAME"); }) ==
        Code::InvalidArgument);
}

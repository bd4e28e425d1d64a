#include <dgraph/kernels/movement.hpp>

#include <numeric>

#include <dgraph/ops/movement.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::text;

namespace {

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<MovementOps>(op, attrs, std::move(inputs));
}
Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}
Tensor longs(std::initializer_list<std::int64_t> values) {
  return Tensor::vector<std::int64_t>(values);
}
Tensor axis(std::int32_t value) { return Tensor::scalar(value); }
const std::int64_t kHuge = std::int64_t{1} << 62;

// 0, 1, 2, ... of any shape.
Tensor counting(Shape shape) {
  Tensor out(DType::Int32, std::move(shape));
  std::iota(out.mutable_data<std::int32_t>(), out.mutable_data<std::int32_t>() + out.elements(), 0);
  return out;
}

}  // namespace

TEST_CASE("Transpose") {
  CHECK(text(run("Transpose", {}, {counting({2, 3}), ints({1, 0})})) == "int32[3,2]: 0 3 1 4 2 5");
  CHECK(text(run("Transpose", {}, {counting({2, 2, 2}), longs({2, 0, 1})})) ==
        "int32[2,2,2]: 0 2 4 6 1 3 5 7");
  CHECK(text(run("Transpose", {}, {counting({2, 2, 2}), ints({-1, 0, 1})})) ==
        "int32[2,2,2]: 0 2 4 6 1 3 5 7");
  CHECK(text(run("Transpose", {},
                 {Tensor::of<std::string>({2, 2}, {"a", "b", "c", "d"}), ints({1, 0})})) ==
        R"(string[2,2]: "a" "c" "b" "d")");
  CHECK(text(run("Transpose", {},
                 {Tensor::of<std::complex<double>>({1, 2}, {{1, 2}, {3, 4}}), ints({1, 0})})) ==
        "complex128[2,1]: (1,2) (3,4)");
  CHECK(run("Transpose", {}, {counting({0, 3}), ints({1, 0})})[0].shape() == Shape{3, 0});
  const Tensor x = counting({1, 50, 1, 2});
  CHECK(run("Transpose", {}, {x, ints({1, 0, 3, 2})})[0].raw() == x.raw());
  for (const Tensor& bad : {ints({0}), ints({0, 0}), ints({0, 2}), ints({0, -3})})
    CHECK(code_of([&] { run("Transpose", {}, {counting({2, 3}), bad}); }) == Code::InvalidArgument);
}

TEST_CASE("InvertPermutation") {
  CHECK(text(run("InvertPermutation", {}, {ints({3, 4, 0, 2, 1})})) == "int32[5]: 2 4 3 0 1");
  CHECK(text(run("InvertPermutation", {}, {longs({1, 0})})) == "int64[2]: 1 0");
  CHECK(text(run("InvertPermutation", {}, {Tensor(DType::Int32, Shape{0})})) == "int32[0]:");
  CHECK_THROWS_WITH(run("InvertPermutation", {}, {ints({0, 0})}),
                    contains("x[1] = 0 is duplicated"));
  CHECK_THROWS_WITH(run("InvertPermutation", {}, {ints({0, 2})}),
                    contains("x[1] = 2 is not in [0, 2)"));
  CHECK_THROWS_WITH(run("InvertPermutation", {}, {ints({0, -1})}), contains("x[1] = -1"));
}

TEST_CASE("ConcatV2 and ConcatOffset") {
  CHECK(text(run("ConcatV2", {}, {counting({2, 2}), counting({2, 1}), axis(-1)})) ==
        "int32[2,3]: 0 1 0 2 3 1");
  CHECK(text(run("ConcatV2", {}, {counting({1, 2}), counting({2, 2}), axis(0)})) ==
        "int32[3,2]: 0 1 0 1 2 3");
  CHECK(text(run("ConcatV2", {},
                 {Tensor::vector<std::string>({"a"}), Tensor::vector<std::string>({"b", "c"}),
                  axis(0)})) == R"(string[3]: "a" "b" "c")");
  const Tensor x = counting({20});
  CHECK(run("ConcatV2", {}, {counting({0}), x, axis(0)})[0].raw() == x.raw());
  CHECK(run("ConcatV2", {}, {counting({0, 2}), counting({0, 3}), axis(1)})[0].shape() ==
        Shape{0, 5});
  CHECK_THROWS_WITH(run("ConcatV2", {}, {counting({2, 3}), counting({2, 2}), axis(0)}),
                    contains("[2,3] and [2,2]"));
  for (const std::int32_t bad : {1, -2})
    CHECK(code_of([&] {
            run("ConcatV2", {}, {counting({2}), counting({2}), axis(bad)});
          }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("ConcatV2", {}, {counting({}), counting({}), axis(0)});
        }) == Code::InvalidArgument);
  const Tensor wide = Tensor::zeros(DType::Int32, {0, kHuge});
  CHECK(code_of([&] { run("ConcatV2", {}, {wide, wide, axis(1)}); }) == Code::InvalidArgument);

  CHECK(text(run("ConcatOffset", {}, {axis(1), ints({2, 3}), ints({2, 5}), ints({2, 1})})) ==
        "int32[2]: 0 0; int32[2]: 0 3; int32[2]: 0 8");
  CHECK(text(run("ConcatOffset", {}, {axis(-1), longs({4}), longs({1})})) ==
        "int64[1]: 0; int64[1]: 4");
  CHECK(code_of([] {
          run("ConcatOffset", {}, {axis(0), ints({2, 3}), ints({2, 4})});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("ConcatOffset", {}, {axis(0), longs({kHuge}), longs({-1})});
        }) == Code::InvalidArgument);
}

TEST_CASE("Pack and Unpack") {
  CHECK(text(run("Pack", {}, {counting({2}), counting({2})})) == "int32[2,2]: 0 1 0 1");
  CHECK(text(run("Pack", {{"axis", 1}}, {counting({2}), counting({2}), counting({2})})) ==
        "int32[2,3]: 0 0 0 1 1 1");
  CHECK(text(run("Pack", {{"axis", -1}}, {Tensor::scalar(true), Tensor::scalar(false)})) ==
        "bool[2]: true false");
  CHECK(run("Pack", {{"axis", -2}}, {counting({3})})[0].shape() == Shape{1, 3});
  CHECK_THROWS_WITH(run("Pack", {}, {counting({2}), counting({3})}),
                    contains("values[1].shape = [3]"));
  CHECK(code_of([] { run("Pack", {{"axis", 2}}, {counting({2})}); }) == Code::InvalidArgument);

  CHECK(text(run("Unpack", {{"num", 2}}, {counting({2, 2})})) == "int32[2]: 0 1; int32[2]: 2 3");
  CHECK(text(run("Unpack", {{"num", 2}, {"axis", -1}}, {counting({2, 2})})) ==
        "int32[2]: 0 2; int32[2]: 1 3");
  CHECK(text(run("Unpack", {{"num", 3}}, {Tensor::vector<std::string>({"a", "b", "c"})})) ==
        R"(string[]: "a"; string[]: "b"; string[]: "c")");
  CHECK(run("Unpack", {{"num", 0}}, {counting({0, 2})}).empty());
  CHECK(code_of([] { run("Unpack", {{"num", 2}}, {counting({3})}); }) == Code::InvalidArgument);
  CHECK(code_of([] { run("Unpack", {{"num", 1}}, {counting({})}); }) == Code::InvalidArgument);
}

TEST_CASE("Split and SplitV") {
  CHECK(text(run("Split", {{"num_split", 2}}, {axis(0), counting({4})})) ==
        "int32[2]: 0 1; int32[2]: 2 3");
  CHECK(text(run("Split", {{"num_split", 2}}, {axis(-1), counting({2, 2})})) ==
        "int32[2,1]: 0 2; int32[2,1]: 1 3");
  const Tensor large = counting({4, 1000});
  const auto halves = run("Split", {{"num_split", 2}}, {axis(0), large});
  CHECK(halves[1].raw() == large.raw() + 8000);
  CHECK(code_of([] {
          run("Split", {{"num_split", 2}}, {axis(0), counting({5})});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("Split", {{"num_split", 1}}, {axis(1), counting({5})});
        }) == Code::InvalidArgument);

  const auto split = [](const Tensor& sizes) {
    return text(run("SplitV", {{"num_split", static_cast<int>(sizes.elements())}},
                    {counting({5}), sizes, axis(0)}));
  };
  CHECK(split(ints({2, 3})) == "int32[2]: 0 1; int32[3]: 2 3 4");
  CHECK(split(longs({1, -1, 0})) == "int32[1]: 0; int32[4]: 1 2 3 4; int32[0]:");
  for (const Tensor& bad :
       {ints({2, 2}), ints({-1, -1}), ints({6, -1}), ints({-2, 7}), longs({kHuge, kHuge})})
    CHECK(code_of([&] { split(bad); }) == Code::InvalidArgument);
}

TEST_CASE("Slice") {
  const auto slice = [](const Tensor& x, const Tensor& begin, const Tensor& size) {
    return text(run("Slice", {}, {x, begin, size}));
  };
  CHECK(slice(counting({3, 4}), ints({1, 1}), ints({2, 2})) == "int32[2,2]: 5 6 9 10");
  CHECK(slice(counting({3, 4}), longs({1, 0}), longs({-1, -1})) == "int32[2,4]: 4 5 6 7 8 9 10 11");
  CHECK(slice(counting({3}), ints({3}), ints({0})) == "int32[0]:");
  CHECK(slice(Tensor::vector<std::string>({"a", "b"}), ints({1}), ints({1})) ==
        R"(string[1]: "b")");
  CHECK(slice(counting({}), Tensor(DType::Int32, Shape{0}), Tensor(DType::Int32, Shape{0})) ==
        "int32[]: 0");
  const Tensor large = counting({100, 100});
  CHECK(run("Slice", {}, {large, ints({50, 0}), ints({25, 100})})[0].raw() == large.raw() + 20000);
  CHECK(run("Slice", {}, {large, ints({50, 0}), ints({1, 100})})[0].buffer() != large.buffer());
  CHECK_THROWS_WITH(slice(counting({3}), ints({4}), ints({0})),
                    contains("Expected begin[0] in [0, 3], but got 4"));
  CHECK_THROWS_WITH(slice(counting({3}), ints({1}), ints({3})),
                    contains("Expected size[0] in [0, 2], but got 3"));
  for (const std::int64_t bad : {INT64_MIN, INT64_MAX, std::int64_t{-2}}) {
    CHECK(code_of([&] { slice(counting({3}), longs({bad}), longs({1})); }) ==
          Code::InvalidArgument);
    CHECK(code_of([&] { slice(counting({3}), longs({1}), longs({bad})); }) ==
          Code::InvalidArgument);
  }
  CHECK(code_of([&] {
          slice(counting({3}), ints({0, 0}), ints({1, 1}));
        }) == Code::InvalidArgument);
}

TEST_CASE("StridedSlice has Python's slices") {
  struct Masks {
    int begin = 0, end = 0, ellipsis = 0, new_axis = 0, shrink = 0;
  };
  const auto slice = [](const Tensor& x, const Tensor& begin, const Tensor& end,
                        const Tensor& strides, Masks m) {
    return text(run("StridedSlice",
                    {{"begin_mask", m.begin},
                     {"end_mask", m.end},
                     {"ellipsis_mask", m.ellipsis},
                     {"new_axis_mask", m.new_axis},
                     {"shrink_axis_mask", m.shrink}},
                    {x, begin, end, strides}));
  };
  const Tensor six = counting({6}), square = counting({3, 3});
  CHECK(slice(six, ints({1}), ints({5}), ints({2}), {}) == "int32[2]: 1 3");
  CHECK(slice(six, ints({-1}), ints({0}), ints({-2}), {}) == "int32[3]: 5 3 1");
  CHECK(slice(six, ints({0}), ints({0}), ints({-1}), {.begin = 1, .end = 1}) ==
        "int32[6]: 5 4 3 2 1 0");
  CHECK(slice(six, ints({4}), ints({2}), ints({1}), {}) == "int32[0]:");
  CHECK(slice(six, ints({-100}), ints({100}), ints({4}), {}) == "int32[2]: 0 4");
  CHECK(slice(six, longs({INT64_MIN}), longs({INT64_MAX}), longs({INT64_MAX}), {}) ==
        "int32[1]: 0");
  CHECK(slice(six, longs({INT64_MAX}), longs({INT64_MIN}), longs({INT64_MIN}), {}) ==
        "int32[1]: 5");
  CHECK(slice(six, ints({-1}), ints({0}), ints({1}), {.shrink = 1}) == "int32[]: 5");
  CHECK(slice(square, ints({0, 1}), ints({0, 2}), ints({1, 1}),
              {.begin = 1, .end = 1, .shrink = 2}) == "int32[3]: 1 4 7");
  CHECK(slice(square, ints({0, 0, 1}), ints({0, 0, 3}), ints({1, 1, 1}),
              {.ellipsis = 1, .new_axis = 2}) == "int32[3,1,2]: 1 2 4 5 7 8");
  CHECK(slice(square, ints({1}), ints({3}), ints({1}), {}) == "int32[2,3]: 3 4 5 6 7 8");
  CHECK(slice(counting({}), ints({0}), ints({0}), ints({1}), {.new_axis = 1}) == "int32[1]: 0");
  CHECK(slice(square, Tensor::vector<std::int16_t>({0, 2}), Tensor::vector<std::int16_t>({2, 0}),
              Tensor::vector<std::int16_t>({1, -1}), {}) == "int32[2,2]: 2 1 5 4");
  CHECK(slice(Tensor::vector<std::string>({"a", "b", "c"}), ints({2}), ints({0}), ints({-1}), {}) ==
        R"(string[2]: "c" "b")");
  CHECK_THROWS_WITH(slice(six, ints({0}), ints({1}), ints({0}), {}),
                    contains("strides[0] must be non-zero"));
  CHECK_THROWS_WITH(slice(six, ints({6}), ints({7}), ints({1}), {.shrink = 1}),
                    contains("slice index 6 of dimension 0"));
  CHECK(code_of([&] { slice(six, ints({-7}), ints({0}), ints({1}), {.shrink = 1}); }) ==
        Code::InvalidArgument);
  CHECK(code_of([&] { slice(six, ints({0}), ints({1}), ints({-1}), {.shrink = 1}); }) ==
        Code::InvalidArgument);
  CHECK(code_of([&] {
          slice(six, ints({0, 0}), ints({1, 1}), ints({1, 1}), {});
        }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          slice(six, ints({0, 0}), ints({1, 1}), ints({1, 1}), {.ellipsis = 3});
        }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          slice(six, ints({0, 1}), ints({1}), ints({1}), {});
        }) == Code::InvalidArgument);
}

TEST_CASE("StridedSliceGrad puts a gradient where the slice came from") {
  CHECK(text(run("StridedSliceGrad", {},
                 {ints({6}), ints({-1}), ints({0}), ints({-2}), counting({3})})) ==
        "int32[6]: 0 2 0 1 0 0");
  CHECK(text(run("StridedSliceGrad", {{"shrink_axis_mask", 2}},
                 {ints({2, 2}), ints({0, 1}), ints({2, 2}), ints({1, 1}),
                  Tensor::vector<float>({5, 6})})) == "float32[2,2]: 0 5 0 6");
  CHECK(code_of([] {
          run("StridedSliceGrad", {}, {ints({6}), ints({0}), ints({2}), ints({1}), counting({3})});
        }) == Code::InvalidArgument);
}

TEST_CASE("Tile") {
  CHECK(text(run("Tile", {}, {counting({2, 2}), ints({2, 1})})) == "int32[4,2]: 0 1 2 3 0 1 2 3");
  CHECK(text(run("Tile", {}, {counting({2, 2}), longs({1, 2})})) == "int32[2,4]: 0 1 0 1 2 3 2 3");
  CHECK(text(run("Tile", {}, {Tensor::vector<std::string>({"a", "b"}), ints({2})})) ==
        R"(string[4]: "a" "b" "a" "b")");
  CHECK(run("Tile", {}, {counting({2, 3}), ints({0, 2})})[0].shape() == Shape{0, 6});
  CHECK(code_of([] { run("Tile", {}, {counting({2}), ints({-1})}); }) == Code::InvalidArgument);
  CHECK(code_of([] { run("Tile", {}, {counting({2}), ints({1, 1})}); }) == Code::InvalidArgument);
  CHECK(code_of([] { run("Tile", {}, {counting({4}), longs({kHuge})}); }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("Tile", {}, {counting({1}), longs({kHuge / 8})});
        }) == Code::ResourceExhausted);
}

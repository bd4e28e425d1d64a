#include <dgraph/kernels/padding.hpp>

#include <numeric>

#include <dgraph/ops/padding.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::text;

namespace {

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<PaddingOps>(op, attrs, std::move(inputs));
}
const std::int64_t kHuge = std::int64_t{1} << 62;
Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}

// 0, 1, 2, ... of any shape.
Tensor counting(Shape shape) {
  Tensor out(DType::Int32, std::move(shape));
  std::iota(out.mutable_data<std::int32_t>(), out.mutable_data<std::int32_t>() + out.elements(), 0);
  return out;
}

Tensor mirrored(const char* op, const char* mode, const Tensor& x, const Tensor& paddings) {
  return run(op, {{"mode", std::string(mode)}}, {x, paddings})[0];
}

}  // namespace

TEST_CASE("Pad") {
  const auto pairs = [](std::int64_t rows, std::initializer_list<std::int64_t> values) {
    return Tensor::of<std::int64_t>({rows, 2}, values);
  };
  CHECK(text(run("Pad", {}, {counting({2, 2}), pairs(2, {1, 0, 0, 1})})) ==
        "int32[3,3]: 0 0 0 0 1 0 2 3 0");
  CHECK(text(run("Pad", {},
                 {Tensor::vector<bool>({true}), Tensor::of<std::int32_t>({1, 2}, {0, 2})})) ==
        "bool[3]: true false false");
  CHECK(text(run("Pad", {}, {Tensor::vector<std::string>({"a"}), pairs(1, {1, 0})})) ==
        R"(string[2]: "" "a")");
  CHECK(text(run("Pad", {}, {counting({0}), pairs(1, {1, 1})})) == "int32[2]: 0 0");
  const Tensor x = counting({20});
  CHECK(run("Pad", {}, {x, pairs(1, {0, 0})})[0].raw() == x.raw());
  CHECK(code_of([&] { run("Pad", {}, {x, pairs(1, {-1, 0})}); }) == Code::InvalidArgument);
  CHECK(code_of([&] { run("Pad", {}, {x, pairs(2, {1, 1, 0, 0})}); }) == Code::InvalidArgument);
  CHECK(code_of([&] { run("Pad", {}, {x, pairs(1, {kHuge, kHuge})}); }) == Code::InvalidArgument);
  CHECK(code_of([&] { run("Pad", {}, {x, pairs(1, {kHuge / 8, 0})}); }) == Code::ResourceExhausted);
}

TEST_CASE("PadV2 takes any scalar") {
  const Tensor around = Tensor::of<std::int32_t>({1, 2}, {1, 1});
  CHECK(text(run("PadV2", {}, {ints({5}), around, Tensor::scalar(-7)})) == "int32[3]: -7 5 -7");
  CHECK(code_of([&] {
          run("PadV2", {}, {ints({5}), around, ints({1, 2})});
        }) == Code::InvalidArgument);
}

TEST_CASE("MirrorPad leaves the outermost element out, or not") {
  const Tensor around = Tensor::of<std::int32_t>({1, 2}, {2, 1});
  CHECK(text(mirrored("MirrorPad", "REFLECT", ints({1, 2, 3}), around)) == "int32[6]: 3 2 1 2 3 2");
  CHECK(text(mirrored("MirrorPad", "SYMMETRIC", ints({1, 2, 3}), around)) ==
        "int32[6]: 2 1 1 2 3 3");
  CHECK(text(mirrored("MirrorPad", "SYMMETRIC", counting({2, 2}),
                      Tensor::of<std::int32_t>({2, 2}, {1, 0, 0, 2}))) ==
        "int32[3,4]: 0 1 1 0 0 1 1 0 2 3 3 2");
  CHECK(text(mirrored("MirrorPad", "REFLECT", Tensor::vector<std::string>({"a", "b"}),
                      Tensor::of<std::int32_t>({1, 2}, {1, 0}))) == R"(string[3]: "b" "a" "b")");
  CHECK(text(mirrored("MirrorPad", "SYMMETRIC", counting({0}),
                      Tensor::of<std::int32_t>({1, 2}, {0, 0}))) == "int32[0]:");
  CHECK(code_of([&] {
          mirrored("MirrorPad", "REFLECT", ints({1, 2}), around);
        }) == Code::InvalidArgument);
  CHECK(
      code_of([&] {
        mirrored("MirrorPad", "SYMMETRIC", ints({1}), Tensor::of<std::int64_t>({1, 2}, {kHuge, 0}));
      }) == Code::InvalidArgument);
}

TEST_CASE("MirrorPadGrad adds up what was mirrored") {
  const Tensor around = Tensor::of<std::int32_t>({1, 2}, {2, 1});
  CHECK(text(mirrored("MirrorPadGrad", "REFLECT", ints({1, 2, 4, 8, 16, 32}), around)) ==
        "int32[3]: 4 42 17");
  CHECK(text(mirrored("MirrorPadGrad", "SYMMETRIC", ints({1, 2, 4, 8, 16, 32}), around)) ==
        "int32[3]: 6 9 48");
  CHECK(code_of([&] {
          mirrored("MirrorPadGrad", "SYMMETRIC", ints({1, 2, 3}), around);
        }) == Code::InvalidArgument);
}

#include <dgraph/kernels/variable_scatter.hpp>

#include <dgraph/ops/variable_scatter.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"
#include "support/variables.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::floats;
using dgraph::test::Holder;
using dgraph::test::ints;

namespace {

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<VariableScatterOps>(op, attrs, std::move(inputs));
}

}  // namespace

TEST_CASE("Scattered rows") {
  Holder x(Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6}));
  run("ScatterUpdate", {}, {x.handle, ints({2, 0}), Tensor::of<float>({2, 2}, {10, 20, 30, 40})});
  CHECK(x.now() == "float32[3,2]: 30 40 3 4 10 20");
  run("ScatterAdd", {},
      {x.handle, Tensor::of<std::int64_t>({2, 1}, {1, 1}),
       Tensor::of<float>({2, 1, 2}, {1, 1, 2, 2})});
  CHECK(x.now() == "float32[3,2]: 30 40 6 7 10 20");
  run("ScatterSub", {}, {x.handle, ints({0, 2}), Tensor::scalar(10.0f)});
  CHECK(x.now() == "float32[3,2]: 20 30 6 7 0 10");
  CHECK_THROWS_WITH(run("ScatterAdd", {}, {x.handle, ints({0, 7}), Tensor::scalar(1.0f)}),
                    contains("indices[1] = 7 is not in [0, 3)"));
  CHECK(code_of([&] {
          run("ScatterUpdate", {}, {x.handle, ints({-1}), Tensor::scalar(1.0f)});
        }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("ScatterUpdate", {}, {x.handle, ints({0}), floats({1, 2})});
        }) == Code::InvalidArgument);
  CHECK(x.now() == "float32[3,2]: 20 30 6 7 0 10");
  run("ScatterUpdate", {},
      {x.handle, Tensor(DType::Int32, Shape{0}), Tensor(DType::Float32, Shape{0, 2})});
  CHECK(x.now() == "float32[3,2]: 20 30 6 7 0 10");
  Holder names(Tensor::vector<std::string>({"a", "b"}));
  run("ScatterUpdate", {}, {names.handle, ints({1}), Tensor::vector<std::string>({"c"})});
  CHECK(names.now() == R"(string[2]: "a" "c")");
  Holder flags(Tensor::vector<bool>({false, false}));
  run("ScatterUpdate", {}, {flags.handle, ints({1}), Tensor::scalar(true)});
  CHECK(flags.now() == "bool[2]: false true");
  Holder scalar(Tensor::scalar(1.0f));
  CHECK(code_of([&] {
          run("ScatterAdd", {}, {scalar.handle, ints({0}), Tensor::scalar(1.0f)});
        }) == Code::InvalidArgument);
}

TEST_CASE("Rows are multiplied, divided and compared") {
  Holder x(Tensor::vector<std::int32_t>({6, INT32_MIN, 2000000000}));
  run("ScatterMul", {}, {x.handle, ints({2, 0}), ints({3, -2})});
  CHECK(x.now() == "int32[3]: -12 -2147483648 1705032704");
  run("ScatterDiv", {}, {x.handle, ints({1, 0, 0}), ints({-1, -5, 2})});
  CHECK(x.now() == "int32[3]: 1 -2147483648 1705032704");
  CHECK_THROWS_WITH(run("ScatterDiv", {}, {x.handle, ints({0, 1}), ints({4, 0})}),
                    contains("updates[1] is 0"));
  CHECK(x.now() == "int32[3]: 1 -2147483648 1705032704");
  run("ScatterMax", {}, {x.handle, ints({1, 0}), Tensor::scalar(5)});
  CHECK(x.now() == "int32[3]: 5 5 1705032704");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Holder y(floats({1, nan, 3}));
  run("ScatterMin", {}, {y.handle, ints({0, 1, 2}), floats({nan, 1, 2})});
  CHECK(y.now() == "float32[3]: nan nan 2");
  Holder h(Tensor::vector<half>({half(3.f), half(1.f)}));
  run("ScatterDiv", {}, {h.handle, ints({0}), Tensor::vector<half>({half(2.f)})});
  CHECK(h.now() == "float16[2]: 1.5 1");
  Holder z(Tensor::vector<std::complex<float>>({{0, 1}}));
  run("ScatterMul", {}, {z.handle, ints({0}), Tensor::scalar(std::complex<float>(0, 1))});
  CHECK(z.now() == "complex64[1]: (-1,0)");
  CHECK(code_of([&] {
          run("ScatterMul", {},
              {Holder(Tensor::vector<bool>({true})).handle, ints({0}), Tensor::scalar(true)});
        }) != Code::Ok);
}

TEST_CASE("Slices anywhere in a variable") {
  Holder x(Tensor::of<float>({2, 2}, {1, 2, 3, 4}));
  run("ScatterNdAdd", {},
      {x.handle, Tensor::of<std::int32_t>({3, 2}, {0, 1, 1, 0, 0, 1}), floats({10, 20, 30})});
  CHECK(x.now() == "float32[2,2]: 1 42 23 4");
  run("ScatterNdUpdate", {},
      {x.handle, Tensor::of<std::int64_t>({1, 1}, {1}), Tensor::of<float>({1, 2}, {7, 8})});
  CHECK(x.now() == "float32[2,2]: 1 42 7 8");
  // No place at all names the whole.
  run("ScatterNdSub", {},
      {x.handle, Tensor(DType::Int32, Shape{1, 0}), Tensor::of<float>({1, 2, 2}, {1, 1, 1, 1})});
  CHECK(x.now() == "float32[2,2]: 0 41 6 7");
  run("ScatterNdMax", {}, {x.handle, Tensor::of<std::int32_t>({1}, {0}), floats({50, 1})});
  run("ScatterNdMin", {}, {x.handle, Tensor::of<std::int32_t>({1}, {1}), floats({0, 9})});
  CHECK(x.now() == "float32[2,2]: 50 41 0 7");
  CHECK_THROWS_WITH(run("ScatterNdAdd", {},
                        {x.handle, Tensor::of<std::int32_t>({2, 2}, {0, 0, 0, 2}), floats({1, 1})}),
                    contains("indices[1,1] = 2 is not in [0, 2)"));
  CHECK(code_of([&] {
          run("ScatterNdUpdate", {},
              {x.handle, Tensor::of<std::int32_t>({1, 3}, {0, 0, 0}), floats({1})});
        }) == Code::InvalidArgument);
  CHECK(
      code_of([&] {
        run("ScatterNdUpdate", {}, {x.handle, Tensor::of<std::int32_t>({1, 1}, {0}), floats({1})});
      }) == Code::InvalidArgument);
  CHECK(x.now() == "float32[2,2]: 50 41 0 7");
}

#include <dgraph/kernels/compare.hpp>

#include "support/catch.hpp"

#include <limits>

#include "support/kernels.hpp"
#include "support/operations.hpp"

using namespace dgraph;
using test::run_one;
using test::values;

namespace {

template <class T>
void check_order() {
  const Tensor a = test::numbers<T>({4, 50}, 0, 20, 1), b = test::numbers<T>({50}, 0, 20, 2);
  const Tensor less = run_one("Less", {a, b}), less_equal = run_one("LessEqual", {a, b});
  const Tensor greater = run_one("Greater", {a, b}), greater_equal = run_one("GreaterEqual", {a, b});
  const Tensor equal = run_one("Equal", {a, b}), different = run_one("NotEqual", {a, b});
  for (std::size_t i = 0; i < 200; ++i) {
    const T x = a.data<T>()[i], y = b.data<T>()[i % 50];
    REQUIRE(less.data<bool>()[i] == (x < y));
    REQUIRE(less_equal.data<bool>()[i] == (x <= y));
    REQUIRE(greater.data<bool>()[i] == (x > y));
    REQUIRE(greater_equal.data<bool>()[i] == (x >= y));
    REQUIRE(equal.data<bool>()[i] == (x == y));
    REQUIRE(different.data<bool>()[i] == (x != y));
  }
}

template <class T>
void check_select(T yes, T no) {
  const Tensor condition = Tensor::vector<bool>({true, false, true});
  const Tensor t = Tensor::vector<T>({yes, yes, yes}), e = Tensor::vector<T>({no, no, no});
  const Tensor out = run_one("Select", {condition, t, e});
  CHECK(out.data<T>()[0] == yes);
  CHECK(out.data<T>()[1] == no);
  CHECK(out.data<T>()[2] == yes);
  const Tensor rows = run_one("Select", {condition, Tensor::of<T>({3, 2}, {yes, yes, yes, yes, yes, yes}),
                                         Tensor::of<T>({3, 2}, {no, no, no, no, no, no})});
  CHECK(rows.shape() == Shape{3, 2});
  CHECK(rows.data<T>()[1] == yes);
  CHECK(rows.data<T>()[2] == no);
  CHECK(rows.data<T>()[3] == no);
  CHECK(rows.data<T>()[4] == yes);
  CHECK(run_one("Select", {Tensor::scalar(false), t, e}).data<T>()[0] == no);
}

}  // namespace

TEST_CASE("comparisons of every real dtype") {
  check_order<float>();
  check_order<double>();
  check_order<half>();
  check_order<bfloat16>();
  check_order<std::int8_t>();
  check_order<std::int16_t>();
  check_order<std::int32_t>();
  check_order<std::int64_t>();
  check_order<std::uint8_t>();
  check_order<std::uint16_t>();
  check_order<std::uint32_t>();
  check_order<std::uint64_t>();
}

TEST_CASE("NaN is equal to nothing, zeros are equal") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor a = Tensor::vector<float>({nan, 0.f}), b = Tensor::vector<float>({nan, -0.f});
  CHECK(values(run_one("Equal", {a, b})) == std::vector<double>{0, 1});
  CHECK(values(run_one("NotEqual", {a, b})) == std::vector<double>{1, 0});
  CHECK(values(run_one("LessEqual", {a, b})) == std::vector<double>{0, 1});
  CHECK(values(run_one("Greater", {a, b})) == std::vector<double>{0, 0});
}

TEST_CASE("signs of integers count") {
  const Tensor a = Tensor::vector<std::int8_t>({-1, -128}), b = Tensor::vector<std::int8_t>({1, 127});
  CHECK(values(run_one("Less", {a, b})) == std::vector<double>{1, 1});
  const Tensor c = Tensor::vector<std::uint64_t>({~std::uint64_t{0}}), d = Tensor::vector<std::uint64_t>({1});
  CHECK(values(run_one("Less", {c, d})) == std::vector<double>{0});
}

TEST_CASE("equality of bools, strings and complex numbers") {
  CHECK(values(run_one("Equal", {Tensor::vector<bool>({true, false}), Tensor::scalar(true)})) == std::vector<double>{1, 0});
  const Tensor words = Tensor::vector<std::string>({"a", "", "a longer one that is on the heap"});
  CHECK(values(run_one("Equal", {words, Tensor::scalar<std::string>("a")})) == std::vector<double>{1, 0, 0});
  CHECK(values(run_one("NotEqual", {words, words})) == std::vector<double>{0, 0, 0});
  using C = std::complex<double>;
  CHECK(values(run_one("Equal", {Tensor::vector<C>({{1, 2}, {1, 3}}), Tensor::vector<C>({{1, 2}, {1, 2}})})) ==
        std::vector<double>{1, 0});
}

TEST_CASE("shapes that do not fit are an error, or unequal where the attribute says so") {
  const Tensor a(DType::Float32, {2}), b(DType::Float32, {3});
  CHECK(test::code_of([&] { run_one("Equal", {a, b}); }) == Code::InvalidArgument);
  const NamedAttrs attrs{{"incompatible_shape_error", false}};
  const Tensor equal = run_one("Equal", {a, b}, attrs);
  CHECK(equal.shape() == Shape{});
  CHECK_FALSE(equal.item<bool>());
  CHECK(run_one("NotEqual", {a, b}, attrs).item<bool>());
  CHECK(run_one("Equal", {a, Tensor::scalar<float>(1)}, attrs).shape() == Shape{2});
}

TEST_CASE("logic of bools") {
  const Tensor a = Tensor::vector<bool>({false, false, true, true}), b = Tensor::vector<bool>({false, true, false, true});
  CHECK(values(run_one("LogicalAnd", {a, b})) == std::vector<double>{0, 0, 0, 1});
  CHECK(values(run_one("LogicalOr", {a, b})) == std::vector<double>{0, 1, 1, 1});
  CHECK(values(run_one("LogicalNot", {a})) == std::vector<double>{1, 1, 0, 0});
  CHECK(values(run_one("LogicalAnd", {a, Tensor::scalar(true)})) == std::vector<double>{0, 0, 1, 1});
}

TEST_CASE("Select by element, row and scalar, of every size of element") {
  check_select<float>(1.5f, -2);
  check_select<double>(1.5, -2);
  check_select<std::int8_t>(1, -2);
  check_select<half>(half(1.5), half(-2));
  check_select<std::complex<float>>({1, 2}, {3, 4});
  check_select<std::complex<double>>({1, 2}, {3, 4});
  check_select<bool>(true, false);
  check_select<std::string>("yes, a string that is on the heap", "no");
}

TEST_CASE("Select takes nothing from the branch that is not picked") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor out = run_one("Select", {Tensor::vector<bool>({true, false}), Tensor::vector<float>({1, nan}),
                                        Tensor::vector<float>({nan, 2})});
  CHECK(values(out) == std::vector<double>{1, 2});
}

TEST_CASE("Select by a scalar copies nothing") {
  const Tensor t = test::numbers<float>({100}, 0, 1), e = test::numbers<float>({100}, 1, 2);
  CHECK(run_one("Select", {Tensor::scalar(true), t, e}).raw() == t.raw());
  CHECK(run_one("Select", {Tensor::scalar(false), t, e}).raw() == e.raw());
}

TEST_CASE("Select refuses shapes that do not fit") {
  const Tensor two(DType::Float32, {2}), three(DType::Float32, {3}), matrix(DType::Float32, {2, 2});
  const Tensor condition = Tensor::vector<bool>({true, false}), one = Tensor::vector<bool>({true});
  CHECK(test::code_of([&] { run_one("Select", {condition, two, three}); }) == Code::InvalidArgument);
  CHECK(test::code_of([&] { run_one("Select", {condition, three, three}); }) == Code::InvalidArgument);
  CHECK(test::code_of([&] { run_one("Select", {one, matrix, matrix}); }) == Code::InvalidArgument);
  const Tensor scalar = Tensor::scalar<float>(1);
  CHECK(test::code_of([&] { run_one("Select", {condition, scalar, scalar}); }) == Code::InvalidArgument);
}

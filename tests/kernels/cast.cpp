#include <dgraph/kernels/cast.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include "support/kernels.hpp"
#include "support/operations.hpp"

using namespace dgraph;
using test::values;

namespace {

const DType kReal[] = {DType::Float16, DType::BFloat16, DType::Float32, DType::Float64, DType::Int8, DType::Int16,
                       DType::Int32, DType::Int64, DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64, DType::Bool};

template <class To>
To cast_one(double x) {
  return cast_tensor(Tensor::scalar<double>(x), dtype_of<To>).template item<To>();
}

}  // namespace

TEST_CASE("small whole numbers survive every pair of dtypes") {
  std::vector<float> small(600);
  for (std::size_t i = 0; i < small.size(); ++i) small[i] = static_cast<float>(i % 100);
  const Tensor start = Tensor::of<float>({600}, small);
  for (const DType from : kReal) {
    const Tensor source = cast_tensor(start, from);
    const std::vector<double> want = values(source);
    for (const DType to : kReal) {
      INFO(dtype_name(from) << " to " << dtype_name(to));
      std::vector<double> expected = want;
      if (to == DType::Bool)
        for (double& x : expected) x = x != 0;
      const Tensor out = cast_tensor(source, to);
      CHECK(out.dtype() == to);
      CHECK(values(out) == expected);
    }
    for (const DType to : {DType::Complex64, DType::Complex128}) {
      INFO(dtype_name(from) << " to " << dtype_name(to));
      CHECK(values(cast_tensor(cast_tensor(source, to), from)) == want);
    }
  }
}

TEST_CASE("fractions are cut towards zero, integers to their low bits") {
  CHECK(cast_one<std::int32_t>(2.9) == 2);
  CHECK(cast_one<std::int32_t>(-2.9) == -2);
  CHECK(cast_one<std::uint8_t>(200.9) == 200);
  CHECK(cast_one<bool>(0.1));
  CHECK_FALSE(cast_one<bool>(-0.0));
  const Tensor wide = Tensor::vector<std::int64_t>({-1, 300, 0x100000002, std::numeric_limits<std::int64_t>::min()});
  CHECK(values(cast_tensor(wide, DType::UInt8)) == std::vector<double>{255, 44, 2, 0});
  CHECK(values(cast_tensor(wide, DType::Int8)) == std::vector<double>{-1, 44, 2, 0});
  CHECK(values(cast_tensor(wide, DType::Int32)) == std::vector<double>{-1, 300, 2, 0});
  CHECK(cast_tensor(wide, DType::UInt64).data<std::uint64_t>()[0] == ~std::uint64_t{0});
  // A sign is carried into wider integers, even unsigned ones.
  CHECK(cast_tensor(Tensor::scalar<std::int8_t>(-2), DType::UInt64).item<std::uint64_t>() == ~std::uint64_t{1});
}

TEST_CASE("floats that an integer cannot hold give its bounds, NaN gives 0") {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(cast_one<std::int32_t>(3e9) == std::numeric_limits<std::int32_t>::max());
  CHECK(cast_one<std::int32_t>(-3e9) == std::numeric_limits<std::int32_t>::min());
  CHECK(cast_one<std::int32_t>(2147483647.0) == 2147483647);
  CHECK(cast_one<std::int32_t>(-2147483648.0) == std::numeric_limits<std::int32_t>::min());
  CHECK(cast_one<std::int64_t>(9.3e18) == std::numeric_limits<std::int64_t>::max());
  CHECK(cast_one<std::int64_t>(-infinity) == std::numeric_limits<std::int64_t>::min());
  CHECK(cast_one<std::uint64_t>(infinity) == std::numeric_limits<std::uint64_t>::max());
  CHECK(cast_one<std::uint64_t>(-5) == 0);
  CHECK(cast_one<std::uint8_t>(256) == 255);
  CHECK(cast_one<std::int8_t>(-129) == -128);
  CHECK(cast_one<std::int16_t>(nan) == 0);
  CHECK(cast_one<std::uint32_t>(nan) == 0);
  CHECK(cast_one<bool>(nan));
  const Tensor floats = Tensor::vector<float>({3e9f, -3e9f, std::numeric_limits<float>::quiet_NaN(), 1e30f});
  CHECK(values(cast_tensor(floats, DType::Int32)) == std::vector<double>{2147483647, -2147483648.0, 0, 2147483647});
}

TEST_CASE("floats round to the nearest, ties to even") {
  CHECK(cast_one<float>(1 + 0x1p-24) == 1.0f);
  CHECK(cast_one<float>(1 + 0x1.8p-23) == 1.0f + 0x1p-22f);
  CHECK(float(cast_one<half>(2049)) == 2048.0f);
  CHECK(float(cast_one<half>(70000)) == std::numeric_limits<float>::infinity());
  CHECK(float(cast_one<bfloat16>(257)) == 256.0f);
  CHECK(cast_tensor(Tensor::scalar<std::int32_t>(16777217), DType::Float32).item<float>() == 16777216.0f);
  CHECK(cast_tensor(Tensor::scalar<std::uint64_t>(~std::uint64_t{0}), DType::Float32).item<float>() == 0x1p64f);
}

TEST_CASE("complex numbers: the real part remains, zero is added") {
  using C = std::complex<float>;
  using Z = std::complex<double>;
  const Tensor x = Tensor::vector<C>({{1.5f, 2}, {0, 1}, {0, 0}});
  CHECK(values(cast_tensor(x, DType::Int32)) == std::vector<double>{1, 0, 0});
  CHECK(values(cast_tensor(x, DType::Float64)) == std::vector<double>{1.5, 0, 0});
  CHECK(values(cast_tensor(x, DType::Bool)) == std::vector<double>{1, 1, 0});
  CHECK(cast_tensor(x, DType::Complex128).data<Z>()[0] == Z(1.5, 2));
  CHECK(cast_tensor(cast_tensor(x, DType::Complex128), DType::Complex64).data<C>()[1] == C(0, 1));
  CHECK(cast_tensor(Tensor::vector<half>({half(2.5)}), DType::Complex64).data<C>()[0] == C(2.5f, 0));
  CHECK(cast_tensor(Tensor::vector<bool>({true}), DType::Complex128).data<Z>()[0] == Z(1, 0));
}

TEST_CASE("the op: same dtypes share memory, empty tensors, no strings") {
  const Tensor x = test::numbers<float>({100}, 0, 1);
  CHECK(test::run_one("Cast", {x}, {{"DstT", DType::Float32}}).raw() == x.raw());
  CHECK(values(test::run_one("Cast", {Tensor::vector<float>({1.7f, -1.7f})}, {{"DstT", DType::Int16}})) ==
        std::vector<double>{1, -1});
  CHECK(test::run_one("Cast", {Tensor(DType::Int8, {0, 2})}, {{"DstT", DType::Float16}}).shape() == Shape{0, 2});
  CHECK(test::code_of([] { test::run_one("Cast", {Tensor::scalar<std::string>("1")}, {{"DstT", DType::Int32}}); }) ==
        Code::Unimplemented);
  CHECK(test::code_of([] { cast_tensor(Tensor::scalar<std::string>("1"), DType::Int32); }) == Code::Unimplemented);
}

TEST_CASE("a cast is the same however the work is split") {
  const Tensor x = test::numbers<std::int16_t>({1'000'001}, -30000, 30000);
  test::ShardedServices services;
  const Tensor split = test::run_one("Cast", {x}, {{"DstT", DType::Float16}}, services);
  CHECK(services.most_shards > 1);
  CHECK(test::same_bits(split, cast_tensor(x, DType::Float16)));
}

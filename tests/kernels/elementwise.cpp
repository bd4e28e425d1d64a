#include <dgraph/kernels/elementwise.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <limits>

#include "support/kernels.hpp"
#include "support/operations.hpp"

using namespace dgraph;
using test::run_one;

TEST_CASE("float16 and bfloat16 convert as the element types do, all 65536 patterns") {
  std::vector<half> halves(65536);
  std::vector<bfloat16> brains(65536);
  std::vector<float> from_halves(65536), from_brains(65536);
  for (std::uint32_t i = 0; i < 65536; ++i) {
    halves[i] = half::from_bits(static_cast<std::uint16_t>(i));
    brains[i] = bfloat16::from_bits(static_cast<std::uint16_t>(i));
  }
  detail::widen(halves.data(), from_halves.data(), 65536);
  detail::widen(brains.data(), from_brains.data(), 65536);
  std::vector<half> halves_again(65536);
  std::vector<bfloat16> brains_again(65536);
  detail::narrow(from_halves.data(), halves_again.data(), 65536);
  detail::narrow(from_brains.data(), brains_again.data(), 65536);
  int wrong = 0;
  for (std::size_t i = 0; i < 65536; ++i) {
    const float h = halves[i], b = brains[i];
    wrong += std::isnan(h) ? !std::isnan(from_halves[i]) : std::bit_cast<std::uint32_t>(h) != std::bit_cast<std::uint32_t>(from_halves[i]);
    wrong += std::isnan(b) ? !std::isnan(from_brains[i]) : std::bit_cast<std::uint32_t>(b) != std::bit_cast<std::uint32_t>(from_brains[i]);
    wrong += std::isnan(h) ? !std::isnan(float(halves_again[i])) : halves[i].bits != halves_again[i].bits;
    wrong += std::isnan(b) ? !std::isnan(float(brains_again[i])) : brains[i].bits != brains_again[i].bits;
  }
  CHECK(wrong == 0);
}

TEST_CASE("narrowing rounds as the element types do") {
  std::vector<float> x;
  // Values around each tie, the ends of the ranges, and many bit patterns.
  for (std::uint32_t bits = 0; bits < 0xffff0000u; bits += 65521) x.push_back(std::bit_cast<float>(bits));
  for (const float f : {65504.f, 65519.99f, 65520.f, 65536.f, 0x1p-24f, 0x1p-25f, 0x1.8p-25f, 0x1.000002p-25f, 0x1.ffcp-15f,
                        2049.f, 2051.f, 1.00390625f, 3.4e38f, 0x1.ffp127f})
    x.insert(x.end(), {f, -f, std::nextafter(f, 0.f), std::nextafter(f, 1e38f)});
  std::vector<half> halves(x.size());
  std::vector<bfloat16> brains(x.size());
  detail::narrow(x.data(), halves.data(), static_cast<std::int64_t>(x.size()));
  detail::narrow(x.data(), brains.data(), static_cast<std::int64_t>(x.size()));
  int wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) {
      wrong += !std::isnan(float(halves[i])) || !std::isnan(float(brains[i]));
      continue;
    }
    wrong += halves[i].bits != half(x[i]).bits;
    wrong += brains[i].bits != bfloat16(x[i]).bits;
  }
  CHECK(wrong == 0);
}

TEST_CASE("an input that nobody else holds gives its memory to the result") {
  const std::size_t n = 1000;
  const auto make = [&] { return test::numbers<float>({static_cast<std::int64_t>(n)}, 0, 1); };
  SECTION("the first") {
    Tensor a = make();
    const std::byte* at = a.raw();
    const Tensor b = make();
    std::vector<Tensor> inputs{Tensor(), b};
    inputs[0] = std::move(a);
    CHECK(run_one("AddV2", std::move(inputs)).raw() == at);
  }
  SECTION("the second, where the first is shared") {
    const Tensor a = make();
    Tensor b = make();
    const std::byte* at = b.raw();
    std::vector<Tensor> inputs{a, Tensor()};
    inputs[1] = std::move(b);
    const Tensor sum = run_one("AddV2", std::move(inputs));
    CHECK(sum.raw() == at);
    CHECK(sum.data<float>()[5] == a.data<float>()[5] * 2);
  }
  SECTION("not one that is shared") {
    const Tensor a = make(), b = make();
    const Tensor sum = run_one("Sub", {a, b});
    CHECK(sum.raw() != a.raw());
    CHECK(sum.raw() != b.raw());
    CHECK(test::same_bits(a, make()));
  }
  SECTION("not one that is broadcast") {
    Tensor a = test::numbers<float>({1}, 0, 1);
    CHECK(run_one("AddV2", {std::move(a), make()}).shape() == Shape{1000});
  }
}

TEST_CASE("an elementwise result is the same however the work is split") {
  const Tensor x = test::numbers<float>({100'003}, -3, 3), y = test::numbers<float>({1}, 1, 2);
  for (const char* op : {"Mul", "Maximum", "Pow"}) {
    test::ShardedServices services;
    const Tensor split = run_one(op, {x, y}, {}, services);
    CHECK(test::same_bits(split, run_one(op, {x, y})));
  }
  test::ShardedServices services;
  CHECK(test::same_bits(run_one("Tanh", {test::numbers<float>({1'000'003}, -3, 3)}, {}, services),
                        run_one("Tanh", {test::numbers<float>({1'000'003}, -3, 3)})));
  CHECK(services.most_shards > 1);
}

TEST_CASE("a block of small floats rounds once at the end") {
  const Tensor x = test::numbers<half>({5000}, -8, 8), y = test::numbers<half>({5000}, 0.5, 3, 9);
  const Tensor product = run_one("Mul", {x, y}), order = run_one("Less", {x, y});
  for (std::size_t i = 0; i < 5000; ++i) {
    const float a = x.data<half>()[i], b = y.data<half>()[i];
    REQUIRE(product.data<half>()[i].bits == half(a * b).bits);
    REQUIRE(order.data<bool>()[i] == (a < b));
  }
}

TEST_CASE("a kernel says what an element costs") {
  const auto ns_each = [](const char* op, DType dtype) {
    const KernelEntry* entry = find_kernel<test::NumericOps>(op);
    REQUIRE(entry);
    const AttrList attrs{AttrValue(dtype)};
    const Kernel kernel = entry->make({entry->signature(), attrs, "n", {&dtype, 1}, {&dtype, 1}});
    CHECK(!kernel.cost);
    return kernel.ns_each;
  };
  CHECK(ns_each("Neg", DType::Float32) > 0);
  CHECK(ns_each("Exp", DType::Float32) > ns_each("Neg", DType::Float32));
  CHECK(ns_each("Exp", DType::Complex128) > ns_each("Exp", DType::Float64));
}

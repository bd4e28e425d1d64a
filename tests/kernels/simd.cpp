#include <dgraph/kernels/simd.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <vector>

#include "support/operations.hpp"

using namespace dgraph;

namespace {

struct Scale {
  DGRAPH_INLINE static std::int64_t run(const float* x, float* y, std::int64_t n) {
    DGRAPH_NO_CONTRACTION
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] * 1.1f + x[i];
    return n;
  }
};

const SimdLevel kLevels[] = {SimdLevel::Baseline, SimdLevel::Avx2, SimdLevel::Avx512};

}  // namespace

TEST_CASE("a limit holds in its scope and in its thread") {
  const SimdLevel all = simd_level();
  {
    SimdLimit limit(SimdLevel::Baseline);
    CHECK(simd_level() == SimdLevel::Baseline);
    // A limit inside a limit cannot raise it.
    SimdLimit inner(SimdLevel::Avx512);
    CHECK(simd_level() == SimdLevel::Baseline);
  }
  CHECK(simd_level() == all);
}

TEST_CASE("a body gives the same bits at every level: nothing is contracted") {
  std::vector<float> x(1003), want(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.1f + 0.37f * static_cast<float>(i);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const volatile float product = x[i] * 1.1f;
    want[i] = product + x[i];
  }
  for (const SimdLevel level : kLevels) {
    SimdLimit limit(level);
    std::vector<float> best(x.size()), narrow(x.size());
    CHECK(simd_best<Scale>()(x.data(), best.data(), 1003) == 1003);
    simd_up_to_avx2<Scale>()(x.data(), narrow.data(), 1003);
    CHECK(best == want);
    CHECK(narrow == want);
  }
}

TEST_CASE("levels bind different functions, up to what the CPU has") {
  const auto best = simd_best<Scale>();
  SimdLimit limit(SimdLevel::Baseline);
  CHECK(simd_best<Scale>() == simd_baseline<Scale>());
  CHECK(simd_up_to_avx2<Scale>() == simd_baseline<Scale>());
#if defined(DGRAPH_DETAIL_X86)
  CHECK((best != simd_baseline<Scale>()) == (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")));
#endif
}

TEST_CASE("no op's result depends on the SIMD level") {
  struct Case {
    const char* op;
    std::vector<Tensor> inputs;
    NamedAttrs attrs = {};
  };
  std::vector<Case> cases;
  const Tensor axis = Tensor::vector<std::int32_t>({0}), both = Tensor::vector<std::int32_t>({0, 1});
  const auto add_float_cases = [&]<class T>(T) {
    const Tensor x = test::numbers<T>({37, 53}, -4, 4, 3), y = test::numbers<T>({37, 53}, 0.1, 3, 4);
    for (const char* op : {"Exp", "Log", "Log1p", "Tanh", "Sigmoid", "Sqrt", "Rsqrt", "Square", "Neg", "Abs", "Sign", "Relu",
                           "Reciprocal"})
      cases.push_back({op, {op[0] == 'L' || op[1] == 'q' || op[1] == 's' ? y : x}});
    for (const char* op : {"AddV2", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "SquaredDifference", "FloorDiv", "FloorMod",
                           "TanhGrad", "SigmoidGrad", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "ReluGrad", "Greater",
                           "Equal"})
      cases.push_back({op, {x, y}});
    cases.push_back({"Pow", {y, x}});
    for (const char* op : {"Sum", "Mean", "Prod", "Max", "Min"}) {
      cases.push_back({op, {x, axis}});
      cases.push_back({op, {y, both}});
    }
    cases.push_back({"Cast", {x}, {{"DstT", DType::Int32}}});
    cases.push_back({"Cast", {x}, {{"DstT", DType::Float16}}});
  };
  add_float_cases(float{});
  add_float_cases(double{});
  add_float_cases(half{});
  add_float_cases(bfloat16{});
  const auto add_int_cases = [&]<class T>(T) {
    const Tensor x = test::numbers<T>({1009}, 0, 100, 3), y = test::numbers<T>({1009}, 1, 50, 4);
    for (const char* op : {"AddV2", "Sub", "Mul", "Div", "FloorMod", "Maximum", "Less", "NotEqual"})
      cases.push_back({op, {x, y}});
    cases.push_back({"Sum", {x, axis}});
    cases.push_back({"Max", {x, axis}});
  };
  add_int_cases(std::int32_t{});
  add_int_cases(std::int64_t{});
  add_int_cases(std::uint8_t{});
  for (const Case& c : cases) {
    std::vector<Tensor> results;
    for (const SimdLevel level : kLevels) {
      SimdLimit limit(level);
      results.push_back(test::run_one(c.op, c.inputs, c.attrs));
    }
    INFO(c.op << " of " << dtype_name(c.inputs[0].dtype()));
    CHECK(test::same_bits(results[0], results[1]));
    CHECK(test::same_bits(results[0], results[2]));
  }
}

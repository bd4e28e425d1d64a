#include <dgraph/kernels/random.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <dgraph/base/random.hpp>
#include <dgraph/ops/random.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::Bound;
using dgraph::test::code_of;
using dgraph::test::text;

namespace {

Tensor shape_of(std::initializer_list<std::int32_t> dims) {
  return Tensor::vector<std::int32_t>(dims);
}
const Tensor kTwoByThree = shape_of({2, 3});
const std::int64_t kHuge = std::int64_t{1} << 62;

template <class T>
void check_close(const Tensor& got, std::initializer_list<T> wanted) {
  REQUIRE(got.elements() == static_cast<std::int64_t>(wanted.size()));
  std::size_t i = 0;
  for (const T x : wanted)
    CHECK(static_cast<double>(got.flat<T>()[i++]) == Approx(static_cast<double>(x)).epsilon(1e-5));
}

}  // namespace

TEST_CASE("Executions give TensorFlow's numbers one after another") {
  Bound<ops::RandomUniform> uniform({{"seed", 1}, {"seed2", 2}, {"dtype", DType::Float32}},
                                    {kTwoByThree});
  const Tensor first = uniform({kTwoByThree})[0];
  CHECK(first.shape() == Shape{2, 3});
  const float wanted[] = {0.40639675f, 0.8575996f, 0.05539584f,
                          0.08587229f, 0.4121536f, 0.03663087f};
  CHECK(std::equal(wanted, wanted + 6, first.data<float>()));
  const float next[] = {0.49945498f, 0.06284702f, 0.46006584f,
                        0.20280075f, 0.08863032f, 0.9726002f};
  CHECK(std::equal(next, next + 6, uniform({kTwoByThree})[0].data<float>()));

  Bound<ops::RandomStandardNormal> normal({{"seed", 1}, {"seed2", 2}, {"dtype", DType::Float64}},
                                          {kTwoByThree});
  check_close<double>(normal({kTwoByThree})[0],
                      {0.58105877128258, -1.557429113677359, 1.555896998265924,
                       -0.07539950171215416, -0.27352397455564637, 0.14851612905214345});
  check_close<double>(normal({kTwoByThree})[0],
                      {-0.08471485746960353, -0.03952163245228468, 0.12374842047136117,
                       0.8199779740037257, -1.7891358492003036, 0.5542519111381996});
  Bound<ops::TruncatedNormal> truncated({{"seed", 1}, {"seed2", 2}, {"dtype", DType::Float32}},
                                        {kTwoByThree});
  check_close<float>(truncated({kTwoByThree})[0],
                     {-1.0467793f, 0.8397046f, 1.2358364f, 0.3037427f, 0.38869092f, 1.2367047f});
  check_close<float>(truncated({kTwoByThree})[0],
                     {0.45330226f, 1.0876547f, 1.1917063f, 0.36415315f, -0.9494025f, 0.8800335f});

  const auto number = [](auto x) { return Tensor::scalar(x); };
  Bound<ops::RandomUniformInt> whole({{"seed", 1}, {"seed2", 2}},
                                     {shape_of({5}), number(-3), number(9)});
  CHECK(text(whole({shape_of({5}), number(-3), number(9)})) == "int32[5]: 8 8 3 2 8");
  CHECK(text(whole({shape_of({5}), number(-3), number(9)})) == "int32[5]: 7 -1 -1 8 6");
  const Tensor low = number(std::int64_t{-3}), high = number(std::int64_t{1} << 40);
  Bound<ops::RandomUniformInt> wide({{"seed", 1}, {"seed2", 2}}, {shape_of({3}), low, high});
  CHECK(text(wide({shape_of({3}), low, high})) ==
        "int64[3]: 910089337725 950243227196 355226334048");
}

TEST_CASE("Streams belong to executions, not to sizes or splits") {
  const NamedAttrs seeds{{"seed", 5}, {"seed2", 0}, {"dtype", DType::Float32}};
  const Tensor large = shape_of({30'000});
  Bound<ops::RandomStandardNormal> whole(seeds, {large}), split(seeds, {large});
  test::ShardedServices services;
  const Tensor a = whole({large})[0], b = split({large}, services)[0];
  CHECK(services.most_shards > 1);
  CHECK(std::equal(a.data<float>(), a.data<float>() + 30'000, b.data<float>()));
  // Nothing was asked for, so nothing was taken.
  CHECK(split({shape_of({0, 2})})[0].shape() == Shape{0, 2});
  CHECK(text(whole({shape_of({3})})) == text(split({shape_of({3})})));
}

TEST_CASE("Without seeds the key comes from entropy") {
  const NamedAttrs attrs{{"dtype", DType::Float64}};
  const auto draw = [&](std::uint64_t entropy) {
    return text(Bound<ops::RandomUniform>(attrs, {kTwoByThree}, entropy)({kTwoByThree}));
  };
  CHECK(draw(1) == draw(1));
  CHECK(draw(1) != draw(2));
}

TEST_CASE("Every float dtype, and shapes that are none") {
  for (const DType dtype : {DType::Float16, DType::BFloat16, DType::Float32, DType::Float64}) {
    const NamedAttrs attrs{{"seed", 3}, {"dtype", dtype}};
    CHECK(Bound<ops::RandomUniform>(attrs, {kTwoByThree})({kTwoByThree})[0].dtype() == dtype);
    CHECK(Bound<ops::RandomStandardNormal>(attrs, {kTwoByThree})({kTwoByThree})[0].dtype() ==
          dtype);
    CHECK(Bound<ops::TruncatedNormal>(attrs, {kTwoByThree})({kTwoByThree})[0].dtype() == dtype);
  }
  const auto uniform = [](const Tensor& shape) {
    return Bound<ops::RandomUniform>({{"dtype", DType::Float32}}, {shape})({shape})[0];
  };
  CHECK(uniform(Tensor(DType::Int32, Shape{0})).rank() == 0);
  CHECK(code_of([&] { uniform(shape_of({-1})); }) == Code::InvalidArgument);
  CHECK(code_of([&] { uniform(Tensor::zeros(DType::Int32, {1, 1})); }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          uniform(Tensor::vector<std::int64_t>({kHuge, 8}));
        }) == Code::InvalidArgument);
  CHECK(code_of([&] { uniform(Tensor::vector<std::int64_t>({kHuge / 8})); }) ==
        Code::ResourceExhausted);
}

TEST_CASE("Ranges of whole numbers") {
  const auto draw = [](std::int64_t low, std::int64_t high, std::int32_t count) {
    const Tensor a = Tensor::scalar(low), b = Tensor::scalar(high);
    return Bound<ops::RandomUniformInt>({{"seed", 9}},
                                        {shape_of({count}), a, b})({shape_of({count}), a, b})[0];
  };
  const Tensor small = draw(-2, 3, 1000);
  const auto [least, most] =
      std::minmax_element(small.data<std::int64_t>(), small.data<std::int64_t>() + 1000);
  CHECK(*least == -2);
  CHECK(*most == 2);
  CHECK(text(draw(7, 8, 2)) == "int64[2]: 7 7");
  CHECK(draw(INT64_MIN, INT64_MAX, 10).elements() == 10);
  CHECK(code_of([&] { draw(3, 3, 1); }) == Code::InvalidArgument);
  CHECK(code_of([&] { draw(4, 3, 1); }) == Code::InvalidArgument);
  CHECK(draw(4, 3, 0).elements() == 0);
}

TEST_CASE("RandomShuffle permutes rows") {
  Tensor x(DType::Int32, Shape{100, 2});
  for (std::int32_t i = 0; i < 200; ++i) x.mutable_data<std::int32_t>()[i] = i;
  Bound<ops::RandomShuffle> shuffle({{"seed", 4}}, {x});
  const Tensor first = shuffle({x})[0], second = shuffle({x})[0];
  CHECK(text(first) != text(second));
  std::vector<std::int32_t> rows;
  for (int i = 0; i < 100; ++i) {
    rows.push_back(first.data<std::int32_t>()[2 * i]);
    CHECK(first.data<std::int32_t>()[2 * i + 1] == rows.back() + 1);
  }
  CHECK_FALSE(std::is_sorted(rows.begin(), rows.end()));
  std::sort(rows.begin(), rows.end());
  for (int i = 0; i < 100; ++i) CHECK(rows[static_cast<std::size_t>(i)] == 2 * i);
  // As many words as rows but one, each modulo the rows that are left.
  const Tensor letters = Tensor::vector<std::string>({"a", "b", "c", "d", "e"});
  std::vector<std::string> wanted{"a", "b", "c", "d", "e"};
  PhiloxWords words(Philox(6, 7));
  for (std::size_t i = 0; i < 4; ++i) std::swap(wanted[i], wanted[i + words() % (5 - i)]);
  Bound<ops::RandomShuffle> seeded({{"seed", 6}, {"seed2", 7}}, {letters});
  const Tensor got = seeded({letters})[0];
  CHECK(std::equal(wanted.begin(), wanted.end(), got.data<std::string>()));
  CHECK(text(shuffle({Tensor::scalar(1)})) == "int32[]: 1");
  CHECK(shuffle({Tensor(DType::Int32, Shape{0, 3})})[0].shape() == Shape{0, 3});
}

TEST_CASE("Classes of a row do not depend on how rows are split") {
  const NamedAttrs attrs{{"seed", 3}, {"seed2", 4}, {"output_dtype", DType::Int32}};
  const Tensor logits = Tensor::zeros(DType::Float64, {4000, 3}),
               count = Tensor::scalar(std::int32_t{5});
  Bound<ops::Multinomial> one(attrs, {logits, count}), other(attrs, {logits, count});
  test::ShardedServices services;
  const Tensor split = other({logits, count}, services)[0];
  CHECK(services.most_shards > 1);
  CHECK(text(one({logits, count})[0]) == text(split));
  CHECK(code_of([&] {
          one({Tensor::zeros(DType::Float64, {2, 0}), count});
        }) == Code::InvalidArgument);
}

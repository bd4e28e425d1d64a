#include <dgraph/base/random.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/catch.hpp"

using namespace dgraph;

TEST_CASE("Philox4x32-10 gives the published blocks") {
  // Known answers of the authors' Random123: zeros, ones, digits of pi.
  CHECK(Philox::block({0, 0, 0, 0}, {0, 0}) ==
        Philox::Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(Philox::block({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}) ==
        Philox::Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(Philox::block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Philox::Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  // And of TensorFlow's generator.
  CHECK(Philox::block({2032329983, 2198257139, 3243419750, 4082210491}, {149690573, 619160822}) ==
        Philox::Block{1187740450, 3803989665, 791438280, 3837249302});
  CHECK(Philox::block({266377029, 1204346445, 2139946102, 2083879367}, {502244941, 4212234199}) ==
        Philox::Block{3048349539, 3232385083, 423701016, 842216452});
}

TEST_CASE("A stream counts its blocks, and skips them") {
  Philox stepped(7, 8), skipped(7, 8);
  for (int i = 0; i < 1000; ++i) stepped();
  skipped.skip(1000);
  CHECK(stepped.counter() == skipped.counter());
  CHECK(stepped() == skipped());
  SECTION("a carry goes through all four words") {
    Philox low({~0u, 0, 5, 6}, {1, 2});
    low.skip(1);
    CHECK(low.counter() == Philox::Block{0, 1, 5, 6});
    Philox middle({~0u - 1, ~0u, 5, 6}, {1, 2});
    middle.skip(3);
    CHECK(middle.counter() == Philox::Block{1, 0, 6, 6});
    Philox high({~0u, ~0u, ~0u, 6}, {1, 2});
    high();
    CHECK(high.counter() == Philox::Block{0, 0, 0, 7});
  }
  SECTION("seeds of 64 bits are the key and the upper half of the counter") {
    const Philox stream(0x0000000200000001, 0x0000000400000003);
    CHECK(stream.key() == Philox::Key{1, 2});
    CHECK(stream.counter() == Philox::Block{0, 0, 3, 4});
  }
}

TEST_CASE("Uniform numbers take the mantissa's bits") {
  CHECK(uniform_float(0) == 0.0f);
  CHECK(uniform_float(0xff800000u) == 0.0f);
  CHECK(uniform_float(~0u) == 1.0f - 0x1p-23f);
  CHECK(uniform_float(0x400000u) == 0.5f);
  CHECK(uniform_double(0, 0) == 0.0);
  CHECK(uniform_double(~0u, ~0u) == 1.0 - 0x1p-52);
  CHECK(uniform_double(0x80000u, 0) == 0.5);
  CHECK(uniform_double(0, 1) == 0x1p-52);
  CHECK(static_cast<float>(uniform_half(~0u)) == 1.0f - 0x1p-10f);
  CHECK(static_cast<float>(uniform_bfloat16(~0u)) == 1.0f - 0x1p-7f);
}

namespace {

template <class T, class Fill>
std::vector<T> filled(std::int64_t size, Fill fill) {
  std::vector<T> out(static_cast<std::size_t>(size));
  fill(out.data(), size, std::int64_t{0}, (size + kPerBlock<T> - 1) / kPerBlock<T>);
  return out;
}

struct Moments {
  double mean, deviation;
};
Moments moments(const std::vector<double>& x) {
  double sum = 0, squares = 0;
  for (const double v : x) sum += v;
  const double mean = sum / static_cast<double>(x.size());
  for (const double v : x) squares += (v - mean) * (v - mean);
  return {mean, std::sqrt(squares / static_cast<double>(x.size()))};
}

}  // namespace

TEST_CASE("Numbers are TensorFlow's for the same seeds") {
  const Philox stateful(1, 2), stateless = Philox::stateless(1, 2);
  const auto uniform = [](const Philox& s) {
    return
        [s](auto* to, auto size, auto first, auto last) { fill_uniform(s, to, size, first, last); };
  };
  CHECK(filled<float>(6, uniform(stateful)) == std::vector<float>{0.40639675f, 0.8575996f,
                                                                  0.05539584f, 0.08587229f,
                                                                  0.4121536f, 0.03663087f});
  CHECK(filled<double>(3, uniform(stateful)) ==
        std::vector<double>{0.2511744980841868, 0.44316677020093853, 0.2972296290781924});
  CHECK(filled<float>(5, uniform(stateless)) ==
        std::vector<float>{0.8440604f, 0.19204533f, 0.9962232f, 0.1603874f, 0.27199018f});
  CHECK(filled<double>(5, uniform(stateless)) ==
        std::vector<double>{0.7524837538451801, 0.9697857725627486, 0.17592233912897481,
                            0.8555556648693279, 0.514811871731222});
  const auto small = filled<half>(9, uniform(Philox::stateless(7, 8)));
  const float wanted[] = {0.1533f, 0.06445f, 0.1221f, 0.71f,  0.587f,
                          0.1992f, 0.79f,    0.9707f, 0.6885f};
  for (std::size_t i = 0; i < 9; ++i) CHECK(small[i].bits == half(wanted[i]).bits);

  CHECK(filled<std::uint64_t>(5,
                              [&](auto* to, auto size, auto first, auto last) {
                                fill_uniform_integers(stateless, std::uint64_t{0}, std::uint64_t{0},
                                                      to, size, first, last);
                              }) ==
        std::vector<std::uint64_t>{7464880146280614444u, 1591045637757961278u,
                                   17389275318164050067u, 2524363516007002203u,
                                   6884554327646026923u});
  CHECK(filled<std::uint32_t>(5, [&](auto* to, auto size, auto first, auto last) {
          fill_uniform_integers(stateful, static_cast<std::uint32_t>(-3), 12u, to, size, first,
                                last);
        }) == std::vector<std::uint32_t>{8, 8, 3, 2, 8});

  const auto normal = filled<double>(6, [&](auto* to, auto size, auto first, auto last) {
    fill_normal(stateful, to, size, first, last);
  });
  const double normals[] = {0.58105877128258,     -1.557429113677359,   1.555896998265924,
                            -0.07539950171215416, -0.27352397455564637, 0.14851612905214345};
  const auto truncated = filled<float>(6, [&](auto* to, auto size, auto first, auto last) {
    fill_truncated_normal(stateful, to, size, first, last);
  });
  const float truncateds[] = {-1.0467793f, 0.8397046f,  1.2358364f,
                              0.3037427f,  0.38869092f, 1.2367047f};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(normal[i] == test::Approx(normals[i]).epsilon(1e-12));
    CHECK(truncated[i] == test::Approx(truncateds[i]).epsilon(1e-5));
  }
}

TEST_CASE("Numbers do not depend on how they are split") {
  const Philox stream(3, 5);
  const std::int64_t size = 1001;
  const auto check = [&](auto zero, auto fill) {
    using T = decltype(zero);
    const std::int64_t groups = (size + kPerBlock<T> - 1) / kPerBlock<T>;
    std::vector<T> whole(size), parts(size);
    fill(whole.data(), 0, groups);
    for (std::int64_t first = groups; first > 0; first -= 7)
      fill(parts.data(), std::max<std::int64_t>(0, first - 7), first);
    CHECK(whole == parts);
  };
  const auto all = [&](auto zero) {
    check(zero, [&](auto* to, auto a, auto b) { fill_uniform(stream, to, size, a, b); });
    check(zero, [&](auto* to, auto a, auto b) { fill_normal(stream, to, size, a, b); });
    check(zero, [&](auto* to, auto a, auto b) { fill_truncated_normal(stream, to, size, a, b); });
  };
  all(float{});
  all(double{});
  all(half{});
  all(bfloat16{});
}

TEST_CASE("Distributions have their mean and deviation") {
  const std::int64_t size = 200'000;
  const Philox stream(11, 13);
  const auto m = moments(filled<double>(
      size, [&](auto* to, auto n, auto a, auto b) { fill_uniform(stream, to, n, a, b); }));
  CHECK(m.mean == test::Approx(0.5).margin(0.005));
  CHECK(m.deviation == test::Approx(std::sqrt(1.0 / 12)).margin(0.005));
  const auto n = moments(filled<double>(
      size, [&](auto* to, auto c, auto a, auto b) { fill_normal(stream, to, c, a, b); }));
  CHECK(n.mean == test::Approx(0).margin(0.01));
  CHECK(n.deviation == test::Approx(1).margin(0.01));
  const auto cut = filled<double>(
      size, [&](auto* to, auto c, auto a, auto b) { fill_truncated_normal(stream, to, c, a, b); });
  CHECK(std::all_of(cut.begin(), cut.end(), [](double x) { return std::abs(x) < 2; }));
  // The variance of a normal number cut at 2 is 1 - 4 phi(2) / (2 Phi(2) - 1).
  const double inside = std::erf(std::sqrt(2.0)),
               density = std::exp(-2.0) / std::sqrt(2 * 3.14159265358979);
  const auto t = moments(cut);
  CHECK(t.mean == test::Approx(0).margin(0.01));
  CHECK(t.deviation == test::Approx(std::sqrt(1 - 4 * density / inside)).margin(0.01));
}

TEST_CASE("Words of a stream come in the order of its blocks") {
  Philox blocks(1, 1);
  PhiloxWords words(blocks);
  for (int i = 0; i < 3; ++i)
    for (const std::uint32_t word : blocks()) CHECK(words() == word);
}

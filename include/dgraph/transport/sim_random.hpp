#pragma once
// SimRandom: numbers from a seed, the same ones on every machine and with every standard library.

#include <cstdint>
#include <string_view>

#include <dgraph/base/host.hpp>

namespace dgraph::detail {

/// SplitMix64 (Steele, Lea, Flood 2014): a counter and a mixer.
class SimRandom {
 public:
  explicit SimRandom(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept { return mix(state_ += 0x9e3779b97f4a7c15u); }
  /// 0 to `most`, both included.
  std::uint64_t up_to(std::uint64_t most) noexcept {
    if (most == ~std::uint64_t{0}) return next();
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * (most + 1)) >> 64);
  }
  Duration between(Duration least, Duration most) noexcept {
    if (most <= least) return least;
    return least + Duration(static_cast<std::int64_t>(up_to(static_cast<std::uint64_t>((most - least).count()))));
  }

  static std::uint64_t mix(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  static std::uint64_t hash(std::string_view text, std::uint64_t seed) noexcept {
    for (const char c : text) seed = mix(seed ^ static_cast<unsigned char>(c)) + 0x9e3779b97f4a7c15u;
    return mix(seed);
  }

 private:
  __extension__ using Wide = unsigned __int128;

  std::uint64_t state_;
};

}  // namespace dgraph::detail

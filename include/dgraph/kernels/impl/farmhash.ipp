#pragma once
#include <dgraph/kernels/farmhash.hpp>

#include <bit>
#include <cstring>
#include <utility>

#include <dgraph/base/config.hpp>

namespace dgraph::detail {

// Arithmetic is modulo 2^64; words are read as little-endian, which all supported machines are.
struct FarmHash {
  using U = std::uint64_t;
  static constexpr U k0 = 0xc3a5c85c97cb3127u, k1 = 0xb492b66fbe98f273u, k2 = 0x9ae16a3b2f90404fu;
  struct Pair {
    U first, second;
  };

  static U word(const char* at) noexcept {
    U out;
    std::memcpy(&out, at, sizeof out);
    return out;
  }
  static U half_word(const char* at) noexcept {
    std::uint32_t out;
    std::memcpy(&out, at, sizeof out);
    return out;
  }
  static U turn(U x, int by) noexcept { return std::rotr(x, by); }
  static U mix(U x) noexcept { return x ^ (x >> 47); }
  static U join(U u, U v, U by) noexcept {
    const U a = mix((u ^ v) * by);
    return mix((v ^ a) * by) * by;
  }

  static U up_to_16(const char* s, std::size_t n) noexcept {
    const U by = k2 + n * 2;
    if (n >= 8) {
      const U a = word(s) + k2, b = word(s + n - 8);
      return join(turn(b, 37) * by + a, (turn(a, 25) + b) * by, by);
    }
    if (n >= 4) return join(n + (half_word(s) << 3), half_word(s + n - 4), by);
    if (n == 0) return k2;
    const auto byte = [s](std::size_t i) {
      return static_cast<U>(static_cast<unsigned char>(s[i]));
    };
    const U y = byte(0) + (byte(n >> 1) << 8), z = n + (byte(n - 1) << 2);
    return mix(y * k2 ^ z * k0) * k2;
  }
  static U up_to_32(const char* s, std::size_t n) noexcept {
    const U by = k2 + n * 2;
    const U a = word(s) * k1, b = word(s + 8), c = word(s + n - 8) * by, d = word(s + n - 16) * k2;
    return join(turn(a + b, 43) + turn(c, 30) + d, a + turn(b + k2, 18) + c, by);
  }
  static U up_to_64(const char* s, std::size_t n) noexcept {
    const U by = k2 + n * 2;
    const U a = word(s) * k2, b = word(s + 8), c = word(s + n - 8) * by, d = word(s + n - 16) * k2;
    const U y = turn(a + b, 43) + turn(c, 30) + d, z = join(y, a + turn(b + k2, 18) + c, by);
    const U e = word(s + 16) * by, f = word(s + 24);
    const U g = (y + word(s + n - 32)) * by, h = (z + word(s + n - 24)) * by;
    return join(turn(e + f, 43) + turn(g, 30) + h, e + turn(f + a, 18) + g, by);
  }
  // 32 bytes and two seeds.
  static Pair weak(const char* s, U a, U b) noexcept {
    a += word(s);
    b = turn(b + a + word(s + 24), 21);
    const U c = a;
    a += word(s + 8) + word(s + 16);
    b += turn(a, 44);
    return {a + word(s + 24), b + c};
  }
  static U longer(const char* s, std::size_t n) noexcept {
    constexpr U kSeed = 81;
    U x = kSeed * k2 + word(s), y = kSeed * k1 + 113, z = mix(y * k2 + 113) * k2;
    Pair v{0, 0}, w{0, 0};
    const char* const end = s + (n - 1) / 64 * 64;
    const char* const last = end + ((n - 1) & 63) - 63;
    for (; s != end; s += 64) {
      x = turn(x + y + v.first + word(s + 8), 37) * k1;
      y = turn(y + v.second + word(s + 48), 42) * k1;
      x ^= w.second;
      y += v.first + word(s + 40);
      z = turn(z + w.first, 33) * k1;
      v = weak(s, v.second * k1, x + w.first);
      w = weak(s + 32, z + w.second, y + word(s + 16));
      std::swap(z, x);
    }
    const U by = k1 + ((z & 0xff) << 1);
    s = last;
    w.first += (n - 1) & 63;
    v.first += w.first;
    w.first += v.first;
    x = turn(x + y + v.first + word(s + 8), 37) * by;
    y = turn(y + v.second + word(s + 48), 42) * by;
    x ^= w.second * 9;
    y += v.first * 9 + word(s + 40);
    z = turn(z + w.first, 33) * by;
    v = weak(s, v.second * by, x + w.first);
    w = weak(s + 32, z + w.second, y + word(s + 16));
    std::swap(z, x);
    return join(join(v.first, w.first, by) + mix(y) * k0 + z, join(v.second, w.second, by) + x, by);
  }
};

DGRAPH_DECL std::uint64_t farm_fingerprint64(std::string_view text) noexcept {
  const std::size_t n = text.size();
  if (n <= 16) return FarmHash::up_to_16(text.data(), n);
  if (n <= 32) return FarmHash::up_to_32(text.data(), n);
  if (n <= 64) return FarmHash::up_to_64(text.data(), n);
  return FarmHash::longer(text.data(), n);
}

}  // namespace dgraph::detail

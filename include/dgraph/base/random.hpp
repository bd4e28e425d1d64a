#pragma once
// Random numbers by counting: Philox4x32-10 and the numbers that TensorFlow's CPU kernels make of
// its blocks.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <type_traits>

#include <dgraph/base/half.hpp>

namespace dgraph {

/// Philox4x32-10: a block of four words is a function of a 128-bit counter and a 64-bit key, so
/// that any part of a stream can be computed by itself. J. K. Salmon, M. A. Moraes, R. O. Dror, D.
/// E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11.
class Philox {
 public:
  using Block = std::array<std::uint32_t, 4>;
  using Key = std::array<std::uint32_t, 2>;

  Philox(Block counter, Key key) noexcept : counter_(counter), key_(key) {}
  /// The stream of a node with these two seeds, as TensorFlow's stateful ops have it.
  Philox(std::uint64_t seed, std::uint64_t seed2) noexcept
      : counter_{0, 0, low(seed2), high(seed2)}, key_{low(seed), high(seed)} {}
  /// The stream of TensorFlow's stateless ops: the seeds are mixed by one block first.
  static Philox stateless(std::uint64_t seed, std::uint64_t seed2) noexcept {
    const Block mix =
        block({low(seed), high(seed), low(seed2), high(seed2)}, {0x3ec8f720u, 0x02461e29u});
    return Philox({0, 0, mix[2], mix[3]}, {mix[0], mix[1]});
  }

  /// The block of one counter.
  static constexpr Block block(Block c, Key k) noexcept {
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c[0];
      const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * c[2];
      c = {high(p1) ^ c[1] ^ k[0], low(p1), high(p0) ^ c[3] ^ k[1], low(p0)};
      k = {k[0] + 0x9E3779B9u, k[1] + 0xBB67AE85u};
    }
    return c;
  }

  /// The next block.
  Block operator()() noexcept {
    const Block out = block(counter_, key_);
    skip(1);
    return out;
  }
  /// Leaves out `blocks` blocks.
  void skip(std::uint64_t blocks) noexcept {
    const std::uint64_t before = join(counter_[0], counter_[1]), after = before + blocks;
    counter_[0] = low(after);
    counter_[1] = high(after);
    if (after < before && ++counter_[2] == 0) ++counter_[3];
  }

  const Block& counter() const noexcept { return counter_; }
  const Key& key() const noexcept { return key_; }

  static constexpr std::uint32_t low(std::uint64_t x) noexcept {
    return static_cast<std::uint32_t>(x);
  }
  static constexpr std::uint32_t high(std::uint64_t x) noexcept {
    return static_cast<std::uint32_t>(x >> 32);
  }
  static constexpr std::uint64_t join(std::uint32_t lo, std::uint32_t hi) noexcept {
    return lo | static_cast<std::uint64_t>(hi) << 32;
  }

 private:
  Block counter_;
  Key key_;
};

/// A number in [0, 1): random bits become the mantissa of a number in [1, 2), of which 1 is taken.
constexpr float uniform_float(std::uint32_t bits) noexcept {
  return std::bit_cast<float>(0x3f800000u | (bits & 0x7fffffu)) - 1.0f;
}
constexpr double uniform_double(std::uint32_t high_bits, std::uint32_t low_bits) noexcept {
  return std::bit_cast<double>(Philox::join(low_bits, 0x3ff00000u | (high_bits & 0xfffffu))) - 1.0;
}
constexpr half uniform_half(std::uint32_t bits) noexcept {
  return half::from_bits(static_cast<std::uint16_t>(0x3c00u | (bits & 0x3ffu))) - half(1.0f);
}
constexpr bfloat16 uniform_bfloat16(std::uint32_t bits) noexcept {
  return bfloat16::from_bits(static_cast<std::uint16_t>(0x3f80u | (bits & 0x7fu))) - bfloat16(1.0f);
}

/// Two normal numbers from two words. G. E. P. Box, M. E. Muller, "A note on the generation of
/// random normal deviates", 1958.
inline std::array<float, 2> box_muller(std::uint32_t x0, std::uint32_t x1) noexcept {
  constexpr float kLeast = 1.0e-7f;
  const float u = uniform_float(x0) < kLeast ? kLeast : uniform_float(x0);
  const float angle =
      static_cast<float>(2.0 * std::numbers::pi * static_cast<double>(uniform_float(x1)));
  const float radius = std::sqrt(-2.0f * std::log(u));
  return {std::sin(angle) * radius, std::cos(angle) * radius};
}
/// The same in double from four words.
inline std::array<double, 2> box_muller(const Philox::Block& x) noexcept {
  constexpr double kLeast = 1.0e-7;
  const double first = uniform_double(x[0], x[1]);
  const double angle = 2.0 * std::numbers::pi * uniform_double(x[2], x[3]);
  const double radius = std::sqrt(-2.0 * std::log(first < kLeast ? kLeast : first));
  return {std::sin(angle) * radius, std::cos(angle) * radius};
}

/// Numbers of type T made of one block: four, or two of 8 bytes.
template <class T>
inline constexpr int kPerBlock = sizeof(T) == 8 ? 2 : 4;

namespace detail {

// Calls `draw(block, numbers)` for blocks [first, last) and writes what it makes, cut at `size`.
template <class T, class Draw>
void fill_from_blocks(Philox stream, T* out, std::int64_t size, std::int64_t first,
                      std::int64_t last, Draw draw) {
  constexpr int kCount = kPerBlock<T>;
  stream.skip(static_cast<std::uint64_t>(first));
  for (std::int64_t group = first; group < last; ++group) {
    T numbers[kCount];
    draw(stream(), numbers);
    const std::int64_t at = group * kCount;
    for (int i = 0; i < kCount && at + i < size; ++i) out[at + i] = numbers[i];
  }
}

}  // namespace detail

// The `fill` functions write elements of an array of `size` numbers: those of groups [first, last),
// a group being kPerBlock<T> numbers in a row. The numbers do not depend on how the groups are
// split over calls.

/// Uniform in [0, 1), for float, double, half and bfloat16.
template <class T>
void fill_uniform(const Philox& stream, T* out, std::int64_t size, std::int64_t first,
                  std::int64_t last) {
  detail::fill_from_blocks(stream, out, size, first, last, [](const Philox::Block& x, T* to) {
    if constexpr (sizeof(T) == 8) {
      to[0] = uniform_double(x[0], x[1]);
      to[1] = uniform_double(x[2], x[3]);
    } else {
      for (int i = 0; i < 4; ++i) {
        if constexpr (std::is_same_v<T, half>)
          to[i] = uniform_half(x[static_cast<std::size_t>(i)]);
        else if constexpr (std::is_same_v<T, bfloat16>)
          to[i] = uniform_bfloat16(x[static_cast<std::size_t>(i)]);
        else
          to[i] = uniform_float(x[static_cast<std::size_t>(i)]);
      }
    }
  });
}

/// `low` + bits modulo `range`, for std::uint32_t and std::uint64_t (signed numbers as their bits);
/// range 0 takes the bits as they are.
template <class T>
void fill_uniform_integers(const Philox& stream, T low, T range, T* out, std::int64_t size,
                           std::int64_t first, std::int64_t last) {
  detail::fill_from_blocks(stream, out, size, first, last,
                           [low, range](const Philox::Block& x, T* to) {
                             const auto fit = [low, range](T bits) {
                               return static_cast<T>(low + (range == 0 ? bits : bits % range));
                             };
                             if constexpr (sizeof(T) == 8) {
                               to[0] = fit(Philox::join(x[0], x[1]));
                               to[1] = fit(Philox::join(x[2], x[3]));
                             } else {
                               for (std::size_t i = 0; i < 4; ++i) to[i] = fit(x[i]);
                             }
                           });
}

/// Normal with mean 0 and deviation 1, for float, double, half and bfloat16.
template <class T>
void fill_normal(const Philox& stream, T* out, std::int64_t size, std::int64_t first,
                 std::int64_t last) {
  detail::fill_from_blocks(stream, out, size, first, last, [](const Philox::Block& x, T* to) {
    if constexpr (sizeof(T) == 8) {
      const auto pair = box_muller(x);
      to[0] = pair[0];
      to[1] = pair[1];
    } else {
      const auto a = box_muller(x[0], x[1]), b = box_muller(x[2], x[3]);
      to[0] = T(a[0]);
      to[1] = T(a[1]);
      to[2] = T(b[0]);
      to[3] = T(b[1]);
    }
  });
}

/// Normal, but numbers of magnitude 2 and more are drawn again. Each group has a part of the stream
/// of its own: 64 blocks a number.
template <class T>
void fill_truncated_normal(const Philox& stream, T* out, std::int64_t size, std::int64_t first,
                           std::int64_t last) {
  constexpr int kCount = kPerBlock<T>;
  for (std::int64_t group = first; group < last; ++group) {
    Philox own = stream;
    own.skip(static_cast<std::uint64_t>(group) * (kCount * 64u));
    const std::int64_t at = group * kCount;
    int found = 0;
    const auto take = [&](auto number) {
      if (found == kCount || !(std::abs(number) < 2)) return;
      if (at + found < size) out[at + found] = T(number);
      ++found;
    };
    while (found < kCount) {
      const Philox::Block x = own();
      if constexpr (sizeof(T) == 8) {
        for (const double number : box_muller(x)) take(number);
      } else {
        for (const float number : box_muller(x[0], x[1])) take(number);
        for (const float number : box_muller(x[2], x[3])) take(number);
      }
    }
  }
}

/// One word after another of a stream.
class PhiloxWords {
 public:
  explicit PhiloxWords(const Philox& stream) noexcept : stream_(stream) {}
  std::uint32_t operator()() noexcept {
    if (used_ == 4) {
      block_ = stream_();
      used_ = 0;
    }
    return block_[used_++];
  }

 private:
  Philox stream_;
  Philox::Block block_{};
  std::size_t used_ = 4;
};

}  // namespace dgraph

#pragma once
// UTF-8, one code point at a time.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dgraph::detail {

/// A code point and the bytes that it takes; a byte that begins none is kNoRune of size 1.
struct Rune {
  std::uint32_t value;
  std::size_t size;
};
inline constexpr std::uint32_t kNoRune = 0xffffffffu;

/// The one at the beginning of `text`, which is not empty. Overlong forms, surrogates and what lies
/// beyond U+10FFFF are none.
inline Rune read_rune(std::string_view text) noexcept {
  const auto byte = [&text](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {kNoRune, 1};
  std::uint32_t value = lead & (0xffu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {kNoRune, 1};
    value = value << 6 | (byte(i) & 0x3f);
  }
  const std::uint32_t least = size == 4 ? 0x10000 : size == 3 ? 0x800 : 0x80;
  if (value < least || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return {kNoRune, 1};
  return {value, size};
}

inline void append_rune(std::string& to, std::uint32_t rune) {
  const auto add = [&to](std::uint32_t byte) { to.push_back(static_cast<char>(byte)); };
  if (rune < 0x80) {
    add(rune);
  } else if (rune < 0x800) {
    add(0xc0 | rune >> 6);
    add(0x80 | (rune & 0x3f));
  } else if (rune < 0x10000) {
    add(0xe0 | rune >> 12);
    add(0x80 | (rune >> 6 & 0x3f));
    add(0x80 | (rune & 0x3f));
  } else {
    add(0xf0 | rune >> 18);
    add(0x80 | (rune >> 12 & 0x3f));
    add(0x80 | (rune >> 6 & 0x3f));
    add(0x80 | (rune & 0x3f));
  }
}

/// True for bytes in the middle of a code point.
inline bool continues_rune(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

}  // namespace dgraph::detail

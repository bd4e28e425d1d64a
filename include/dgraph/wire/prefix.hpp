#pragma once
// The 8 bytes that every head begins with: the type of the message and the credit that rides on it
// (docs/wire.md).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <dgraph/base/config.hpp>
#include <dgraph/wire/messages.hpp>

namespace dgraph::wire {

/// A head begins with type (1 byte), flags (1), 2 zero bytes and credit (4): bytes of bodies that
/// the sender of this frame has consumed since it last said so. The channel fills the credit in.
inline constexpr std::size_t kPrefixBytes = 8;
/// A head that is longer travels as the frame's last body, but for Data.
inline constexpr std::size_t kLongestHead = 64 * 1024;

/// The type of a frame by its head; nothing where it is no message of this protocol version.
std::optional<MessageType> peek_type(std::span<const std::byte> head) noexcept;
/// "StartStep", ...; "unknown" for a number that is no type.
std::string_view message_name(MessageType type) noexcept;
std::uint32_t peek_credit(std::span<const std::byte> head) noexcept;
void patch_credit(std::span<std::byte> head, std::uint32_t credit) noexcept;

}  // namespace dgraph::wire

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/prefix.ipp>
#endif

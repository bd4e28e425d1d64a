#pragma once
// Reading protocol buffers with protozero, which is optional: what it throws becomes an Error.

#include <string_view>

#include <dgraph/base/error.hpp>

#if __has_include(<protozero/pbf_reader.hpp>)
#define DGRAPH_DETAIL_HAS_PROTOZERO 1
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

namespace dgraph::detail {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::pbf_writer;

inline std::string_view view_of(const protozero::data_view& view) noexcept {
  return {view.data(), view.size()};
}

/// A field's number and wire type, for `switch` over `tag_and_type()`: anything else is unknown and is skipped.
constexpr std::uint32_t field(std::uint32_t number, pbf_wire_type type) noexcept {
  return protozero::tag_and_type(number, type);
}
constexpr std::uint32_t varint_field(std::uint32_t number) noexcept {
  return field(number, pbf_wire_type::varint);
}
constexpr std::uint32_t bytes_field(std::uint32_t number) noexcept {
  return field(number, pbf_wire_type::length_delimited);
}
constexpr std::uint32_t fixed32_field(std::uint32_t number) noexcept {
  return field(number, pbf_wire_type::fixed32);
}
constexpr std::uint32_t fixed64_field(std::uint32_t number) noexcept {
  return field(number, pbf_wire_type::fixed64);
}

/// Calls `read`; throws InvalidArgument "WHAT ..." where the bytes are no protocol buffer.
template <class F>
void read_protobuf(const char* what, F&& read) {
  try {
    read();
  } catch (const protozero::end_of_buffer_exception&) {
    fail(Code::InvalidArgument, what, " is cut off: a length goes past the end of the bytes");
  } catch (const protozero::exception& error) {
    fail(Code::InvalidArgument, what, " is malformed: ", error.what());
  }
}

}  // namespace dgraph::detail
#endif

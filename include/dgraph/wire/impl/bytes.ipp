#pragma once
#include <dgraph/wire/bytes.hpp>

#include <algorithm>

namespace dgraph::wire {

DGRAPH_DECL void ByteWriter::put_text(std::string_view text) {
  if (text.size() > UINT32_MAX)
    fail(Code::InvalidArgument, "a text of ", text.size(), " bytes is too long to be sent");
  std::byte* to = take(4 + text.size());
  store(to, static_cast<std::uint32_t>(text.size()));
  if (!text.empty()) std::memcpy(to + 4, text.data(), text.size());
}

DGRAPH_DECL void ByteWriter::grow(std::size_t count) {
  to_.resize(std::max(size_ + count, 2 * to_.size()));
}

DGRAPH_DECL void ByteWriter::too_many(std::size_t count) {
  fail(Code::InvalidArgument, count, " elements are too many to be sent");
}

DGRAPH_DECL void ByteReader::wrong(std::string_view why) const {
  fail(Code::DataLoss, "malformed message, at byte ", position(), ": ", why);
}

DGRAPH_DECL void ByteReader::cut_short(std::size_t wanted) const {
  fail(Code::DataLoss, "malformed message, at byte ", position(), ": needs ", wanted,
       " bytes, has ", left());
}

DGRAPH_DECL void ByteReader::too_many(std::size_t count) const {
  fail(Code::DataLoss, "malformed message, at byte ", position(), ": ", count,
       " elements cannot lie in ", left(), " bytes");
}

}  // namespace dgraph::wire

#pragma once
// What graphs and partitions share on the wire: numbers for interned pointers, and the table of op
// types (D4).

#include <cstddef>
#include <cstdint>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/graph/op_def.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/wire/bytes.hpp>

namespace dgraph::wire::detail {

/// Numbers pointers from 0 in the order in which they are first seen.
class PointerIds {
 public:
  PointerIds() : slots_(64) {}
  std::uint32_t size() const noexcept { return size_; }
  /// The number of `pointer`, and whether it is new.
  std::pair<std::uint32_t, bool> id(const void* pointer) {
    if (pointer == last_ && size_ > 0) return {last_id_, false};
    std::size_t at = place(pointer);
    while (slots_[at].used && slots_[at].pointer != pointer) at = (at + 1) & (slots_.size() - 1);
    last_ = pointer;
    if (slots_[at].used) return {last_id_ = slots_[at].id, false};
    slots_[at] = {pointer, size_, true};
    last_id_ = size_++;
    if (2 * std::size_t{size_} > slots_.size()) grow();
    return {last_id_, true};
  }

 private:
  struct Slot {
    const void* pointer = nullptr;
    std::uint32_t id = 0;
    bool used = false;
  };
  std::size_t place(const void* pointer) const noexcept {
    return static_cast<std::size_t>(
               (reinterpret_cast<std::uintptr_t>(pointer) * 0x9e3779b97f4a7c15ull) >> 32) &
           (slots_.size() - 1);
  }
  void grow();
  std::vector<Slot> slots_;
  std::uint32_t size_ = 0, last_id_ = 0;
  const void* last_ = nullptr;
};

/// Name and fingerprint of an op type.
void write_op(ByteWriter& to, const OpDef& def);
/// Reads a table of these. Throws InvalidArgument that lists all op types which `ops` lacks or
/// knows with another signature.
std::vector<const OpDef*> read_ops(ByteReader& from, OpLookup ops);

/// Inputs or outputs that a node with these attributes has. Throws InvalidArgument where a count is
/// none.
std::size_t count_args(const std::vector<ArgDef>& args, const AttrList& attrs);

/// Appends a table that was written for itself.
void append(ByteWriter& to, std::uint32_t count, std::vector<std::byte>& table);

}  // namespace dgraph::wire::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/tables.ipp>
#endif

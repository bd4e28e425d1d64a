#pragma once
#include <dgraph/wire/tables.hpp>

#include <utility>

namespace dgraph::wire::detail {

DGRAPH_DECL void PointerIds::grow() {
  std::vector<Slot> old(4 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (!slot.used) continue;
    std::size_t at = place(slot.pointer);
    while (slots_[at].used) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

DGRAPH_DECL void write_op(ByteWriter& to, const OpDef& def) {
  to.put_text(def.name);
  to.put(def.fingerprint);
}

DGRAPH_DECL std::vector<const OpDef*> read_ops(ByteReader& from, OpLookup ops) {
  std::vector<const OpDef*> out;
  std::string unknown, other;
  for (std::size_t left = from.get_count(12); left > 0; --left) {
    const std::string_view name = from.get_text();
    const auto fingerprint = from.get<std::uint64_t>();
    const OpDef* def = out.emplace_back(ops(name));
    std::string* list = !def ? &unknown : def->fingerprint != fingerprint ? &other : nullptr;
    if (list) errors::detail::append(list->append(list->empty() ? "" : ", "), name);
  }
  if (unknown.empty() && other.empty()) return out;
  std::string why;
  if (!unknown.empty()) why = errors::text("this server lacks the op types ", unknown);
  if (!other.empty())
    why += errors::text(why.empty() ? "this server" : "; it",
                        " knows these op types with another signature: ", other);
  fail(Code::InvalidArgument, why);
}

DGRAPH_DECL std::size_t count_args(const std::vector<ArgDef>& args, const AttrList& attrs) {
  constexpr std::int64_t kMost = 1 << 20;
  std::size_t total = 0;
  for (const ArgDef& arg : args) {
    if (arg.type_list_attr >= 0) {
      total += attrs[static_cast<std::size_t>(arg.type_list_attr)].get<std::vector<DType>>().size();
    } else if (arg.number_attr >= 0) {
      const auto count = attrs[static_cast<std::size_t>(arg.number_attr)].get<std::int64_t>();
      if (count < 0 || count > kMost)
        fail(Code::InvalidArgument, "a node cannot have ", count, " ", arg.name);
      total += static_cast<std::size_t>(count);
    } else {
      ++total;
    }
  }
  return total;
}

DGRAPH_DECL void append(ByteWriter& to, std::uint32_t count, std::vector<std::byte>& table) {
  to.put(count);
  to.put_bytes(table.data(), table.size());
}

}  // namespace dgraph::wire::detail

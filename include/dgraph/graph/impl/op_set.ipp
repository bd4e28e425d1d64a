#pragma once
#include <dgraph/graph/op_set.hpp>

namespace dgraph::detail {

DGRAPH_DECL void sort_op_entries(std::vector<OpEntry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const OpEntry& a, const OpEntry& b) { return a.name < b.name; });
  const auto twice = std::adjacent_find(entries.begin(), entries.end(),
                                        [](const OpEntry& a, const OpEntry& b) { return a.name == b.name; });
  if (twice != entries.end()) fail(Code::Internal, "the op set has two ops named ", twice->name);
}

DGRAPH_DECL const OpEntry* find_op_entry(const std::vector<OpEntry>& entries, std::string_view name) noexcept {
  const auto at = std::lower_bound(entries.begin(), entries.end(), name,
                                   [](const OpEntry& entry, std::string_view n) { return entry.name < n; });
  return at != entries.end() && at->name == name ? &*at : nullptr;
}

}  // namespace dgraph::detail

#pragma once
// OpSet: a list of op structs, which may hold other sets; the tables that it makes name only what each user of it needs (D4).

#include <algorithm>
#include <string_view>
#include <vector>

#include <dgraph/graph/op_def.hpp>

namespace dgraph {

/// `using MyOps = OpSet<StandardOps, MyOp>;` An op struct has `static constexpr auto signature = "Name(...) -> (...); ...";`
/// and may have `static void shape(ShapeContext&)` and `static void gradient(GradientContext&)`.
template <class... Ops>
struct OpSet {};

/// Finds op definitions by name; null where there is none.
using OpLookup = const OpDef* (*)(std::string_view name);

namespace detail {

constexpr std::string_view op_name(std::string_view signature) { return signature.substr(0, signature.find('(')); }

template <class Op>
struct ForEachOp {
  template <class F>
  static void call(F& f) {
    f.template operator()<Op>();
  }
};
template <class... Ops>
struct ForEachOp<OpSet<Ops...>> {
  template <class F>
  static void call(F& f) {
    (ForEachOp<Ops>::call(f), ...);
  }
};

struct OpEntry {
  std::string_view name;
  const OpDef& (*get)();
};

/// Sorts by name; throws Internal where two ops share one.
void sort_op_entries(std::vector<OpEntry>& entries);
const OpEntry* find_op_entry(const std::vector<OpEntry>& entries, std::string_view name) noexcept;

}  // namespace detail

/// Calls `f.operator()<Op>()` for each op struct of the set, nested sets included.
template <class Ops, class F>
void for_each_op(F f) {
  detail::ForEachOp<Ops>::call(f);
}

/// The rules table: by-name building (import, NodeDef). Instantiates every shape and gradient rule of the set.
template <class Ops>
const OpDef* find_definition(std::string_view name) {
  static const std::vector<detail::OpEntry> table = [] {
    std::vector<detail::OpEntry> out;
    for_each_op<Ops>([&out]<class Op>() { out.push_back({detail::op_name(Op::signature), &definition<Op>}); });
    detail::sort_op_entries(out);
    return out;
  }();
  const detail::OpEntry* entry = detail::find_op_entry(table, name);
  return entry ? &entry->get() : nullptr;
}

/// The signatures table: what a server knows. Instantiates no rule.
template <class Ops>
const OpDef* find_signature(std::string_view name) {
  static const std::vector<detail::OpEntry> table = [] {
    std::vector<detail::OpEntry> out;
    for_each_op<Ops>([&out]<class Op>() { out.push_back({detail::op_name(Op::signature), &signature<Op>}); });
    detail::sort_op_entries(out);
    return out;
  }();
  const detail::OpEntry* entry = detail::find_op_entry(table, name);
  return entry ? &entry->get() : nullptr;
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/graph/impl/op_set.ipp>
#endif

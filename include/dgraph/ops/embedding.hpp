#pragma once
// embedding_lookup: rows of a table, which may be cut into shards. embedding_lookup_sparse is in sparse.hpp.

#include <string_view>
#include <vector>

#include <dgraph/ops/operand.hpp>

namespace dgraph {

struct EmbeddingOptions {
  /// Which shard has which ids: "mod": id i is row i / n of shard i % n. "div": the ids one after another, as
  /// many in each shard, and one more in the first ones where they do not divide.
  std::string_view partition_strategy = "mod";
  /// Rows that are longer come scaled down to this Euclidean norm; 0: as they are.
  double max_norm = 0;
};

namespace detail {
Output embedding_lookup(const std::vector<Output>& shards, const Output& ids,
                        const EmbeddingOptions& options, const OpName& name);
}  // namespace detail

/// The rows of the table that ids (int32 or int64, of any shape) name: shape ids.shape + table.shape[1:].
/// They are picked where the table is, and their gradient is sparse. A step fails with InvalidArgument for
/// an id out of range.
template <GraphValue P, AnyOperand I>
Op<element_of<P>> embedding_lookup(const P& table, I&& ids, const EmbeddingOptions& options = {},
                                   OpName name = {}) {
  using T = element_of<P>;
  const Output rows = detail::as_output<T>(table, name.location, nullptr);
  const Output at = detail::as_output<element_of<I>>(ids, name.location, rows.core());
  return Op<T>(detail::embedding_lookup({rows}, at, options, name));
}
/// The same of a table that is cut into shards (values or variables), each of which may be on a task of
/// its own.
template <GraphValue P, AnyOperand I>
Op<element_of<P>> embedding_lookup(const std::vector<P>& shards, I&& ids,
                                   const EmbeddingOptions& options = {}, OpName name = {}) {
  using T = element_of<P>;
  std::vector<Output> all;
  for (const P& shard : shards) all.push_back(detail::as_output<T>(shard, name.location, nullptr));
  GraphCore* const core = all.empty() ? nullptr : all[0].core();
  const Output at = detail::as_output<element_of<I>>(ids, name.location, core);
  return Op<T>(detail::embedding_lookup(all, at, options, name));
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/embedding.ipp>
#endif

#pragma once
#include <dgraph/kernels/kernel.hpp>

#include <algorithm>

namespace dgraph {

DGRAPH_DECL Tensor& KernelContext::forward_or_allocate(std::size_t i, const Shape& shape,
                                                       std::initializer_list<std::size_t> from) {
  const DType dtype = output_dtypes_[i];
  for (const std::size_t k : from) {
    Tensor& input = inputs_[k];
    if (input.dtype() == dtype && input.shape() == shape && input.unique() && is_plain(dtype) && !outputs_[i].has_value()) {
      // A copy of the handle: kernels go on reading input(k) while they write.
      return outputs_[i] = input;
    }
  }
  return allocate_output(i, shape);
}

DGRAPH_DECL void KernelContext::parallel_for(std::int64_t count, double ns_each,
                                             FunctionRef<void(std::int64_t, std::int64_t)> run) const {
  constexpr double kWorthwhile = 50'000, kShard = 25'000;
  if (count <= 0) return;
  const double total = static_cast<double>(count) * ns_each;
  if (total < kWorthwhile || services_->threads() == 1) {
    run(0, count);
    return;
  }
  const auto shards = static_cast<std::int64_t>(
      std::min({total / kShard, static_cast<double>(count), 64.0}));
  services_->parallel(static_cast<std::size_t>(shards), [&](std::size_t shard) {
    const auto s = static_cast<std::int64_t>(shard);
    run(count / shards * s + std::min(s, count % shards),
        count / shards * (s + 1) + std::min(s + 1, count % shards));
  });
}

namespace detail {

DGRAPH_DECL void sort_kernel_entries(std::vector<KernelEntry>& entries) {
  std::sort(entries.begin(), entries.end(),
            [](const KernelEntry& a, const KernelEntry& b) { return a.name < b.name; });
  const auto twice = std::adjacent_find(entries.begin(), entries.end(),
                                        [](const KernelEntry& a, const KernelEntry& b) { return a.name == b.name; });
  if (twice != entries.end()) fail(Code::Internal, "the op set has two ops named ", twice->name);
}

DGRAPH_DECL const KernelEntry* find_kernel_entry(const std::vector<KernelEntry>& entries,
                                                 std::string_view name) noexcept {
  const auto at = std::lower_bound(entries.begin(), entries.end(), name,
                                   [](const KernelEntry& entry, std::string_view n) { return entry.name < n; });
  return at != entries.end() && at->name == name ? &*at : nullptr;
}

DGRAPH_DECL void no_kernel_for(const KernelRequest& request, DType dtype) {
  fail(Code::Unimplemented, "op ", request.def.name, " has no CPU kernel for ", dtype_name(dtype));
}

}  // namespace detail
}  // namespace dgraph

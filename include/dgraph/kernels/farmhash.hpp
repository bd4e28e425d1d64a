#pragma once
// FarmHash's Fingerprint64 (G. Pike, J. Alakuijala, 2014): a hash that never changes.

#include <cstdint>
#include <string_view>

namespace dgraph::detail {

std::uint64_t farm_fingerprint64(std::string_view text) noexcept;

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/farmhash.ipp>
#endif

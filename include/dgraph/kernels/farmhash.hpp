#pragma once
// FarmHash's Fingerprint64: a hash of bytes that is the same always and everywhere. G. Pike, J. Alakuijala, "FarmHash", 2014.

#include <cstdint>
#include <string_view>

namespace dgraph::detail {

std::uint64_t farm_fingerprint64(std::string_view text) noexcept;

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/farmhash.ipp>
#endif

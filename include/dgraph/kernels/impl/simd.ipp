#pragma once
#include <dgraph/kernels/simd.hpp>

#include <algorithm>

namespace dgraph {
namespace detail {

DGRAPH_DECL SimdLevel cpu_simd_level() noexcept {
#if defined(DGRAPH_DETAIL_X86)
  static const SimdLevel level = [] {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return SimdLevel::Baseline;
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return wide ? SimdLevel::Avx512 : SimdLevel::Avx2;
  }();
  return level;
#else
  return SimdLevel::Baseline;
#endif
}

DGRAPH_DECL SimdLevel& simd_limit() noexcept {
  thread_local SimdLevel limit = SimdLevel::Avx512;
  return limit;
}

}  // namespace detail

DGRAPH_DECL SimdLevel simd_level() noexcept { return std::min(detail::cpu_simd_level(), detail::simd_limit()); }

DGRAPH_DECL SimdLimit::SimdLimit(SimdLevel most) noexcept : before_(detail::simd_limit()) {
  detail::simd_limit() = std::min(before_, most);
}

DGRAPH_DECL SimdLimit::~SimdLimit() { detail::simd_limit() = before_; }

}  // namespace dgraph

#pragma once
// SIMD chosen at run time: each loop is compiled for several levels of x86-64 and bound once, by what the CPU has.

#include <dgraph/base/config.hpp>

// In a body: its iterations are independent. Arrays that are the same array are fine, arrays that overlap otherwise are not.
#if defined(__clang__)
// A loop stays a plain one at -O1, under a sanitizer or where it calls the C library. clang would warn of each, at a place
// that may lie in any body included later: hence no push and pop.
#pragma clang diagnostic ignored "-Wpass-failed"
#define DGRAPH_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
// In a function: a * b + c is two roundings. g++ is told by `optimize` on the wrapper.
#define DGRAPH_NO_CONTRACTION _Pragma("clang fp contract(off)")
#define DGRAPH_DETAIL_OPTIMIZE
#elif defined(__GNUC__)
#define DGRAPH_INDEPENDENT _Pragma("GCC ivdep")
#define DGRAPH_NO_CONTRACTION
// g++ 12 vectorises next to nothing at -O2 without the cost model; comparisons and square roots need the other two.
#define DGRAPH_DETAIL_OPTIMIZE                                                             \
  [[gnu::optimize("vect-cost-model=dynamic", "fp-contract=off", "no-trapping-math", "no-math-errno")]]
#else
#define DGRAPH_INDEPENDENT
#define DGRAPH_NO_CONTRACTION
#define DGRAPH_DETAIL_OPTIMIZE
#endif

/// On every function that a body calls for each element: what is not inlined is not compiled for the level.
#define DGRAPH_INLINE [[gnu::always_inline]] inline

#if defined(__x86_64__) && defined(__GNUC__)
#define DGRAPH_DETAIL_X86 1
#endif

namespace dgraph {

enum class SimdLevel : unsigned char { Baseline, Avx2, Avx512 };

/// What loops are to be bound for: what the CPU has, or less within a SimdLimit.
SimdLevel simd_level() noexcept;

/// Within its scope this thread binds loops of no higher level: for tests and benchmarks.
class SimdLimit {
 public:
  explicit SimdLimit(SimdLevel most) noexcept;
  ~SimdLimit();
  SimdLimit(const SimdLimit&) = delete;
  SimdLimit& operator=(const SimdLimit&) = delete;

 private:
  SimdLevel before_;
};

namespace detail {

template <class Body, class Signature = decltype(&Body::run)>
struct SimdWrappers;

/// Body::run (static, DGRAPH_INLINE) as three functions.
template <class Body, class R, class... Args>
struct SimdWrappers<Body, R (*)(Args...)> {
  DGRAPH_DETAIL_OPTIMIZE static R baseline(Args... args) { return Body::run(args...); }
#if defined(DGRAPH_DETAIL_X86)
  [[gnu::target("avx2,fma")]] DGRAPH_DETAIL_OPTIMIZE static R avx2(Args... args) {
    return Body::run(args...);
  }
  [[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")]] DGRAPH_DETAIL_OPTIMIZE static R avx512(
      Args... args) {
    return Body::run(args...);
  }
#endif
};

}  // namespace detail

/// Body::run for this CPU. Names three instantiations; for loops bound by arithmetic.
template <class Body>
auto simd_best() noexcept -> decltype(&Body::run) {
  using Wrappers = detail::SimdWrappers<Body>;
#if defined(DGRAPH_DETAIL_X86)
  if (simd_level() == SimdLevel::Avx512) return &Wrappers::avx512;
  if (simd_level() == SimdLevel::Avx2) return &Wrappers::avx2;
#endif
  return &Wrappers::baseline;
}

/// The same up to AVX2: for loops bound by memory, where wider registers gain nothing.
template <class Body>
auto simd_up_to_avx2() noexcept -> decltype(&Body::run) {
  using Wrappers = detail::SimdWrappers<Body>;
#if defined(DGRAPH_DETAIL_X86)
  if (simd_level() >= SimdLevel::Avx2) return &Wrappers::avx2;
#endif
  return &Wrappers::baseline;
}

/// The baseline alone: for element types that no vector unit computes with, and functions of the C library.
template <class Body>
auto simd_baseline() noexcept -> decltype(&Body::run) {
  return &detail::SimdWrappers<Body>::baseline;
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/simd.ipp>
#endif

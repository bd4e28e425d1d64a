#pragma once
#include <dgraph/kernels/complex.hpp>

#include <dgraph/kernels/elementwise.hpp>

namespace dgraph {
namespace detail {

struct ConjF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    return T(x.real(), -x.imag());
  }
};

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Conj>::make(const KernelRequest& request) {
  using namespace detail;
  return elementwise_kernel(pick_loop<UnaryLoop, ConjF, Width::Baseline, Complexes>(request, 1));
}

}  // namespace dgraph

#pragma once
// DGRAPH_KERNEL: says that an op has a kernel, whose `make` is in an .ipp. The op struct need not
// be known.

#include <dgraph/kernels/kernel.hpp>

/// Inside namespace dgraph: DGRAPH_KERNEL(MatMul) declares Kernels<ops::MatMul>.
#define DGRAPH_KERNEL(op)                     \
  namespace ops {                             \
  struct op;                                  \
  }                                           \
  template <>                                 \
  struct Kernels<ops::op> {                   \
    static Kernel make(const KernelRequest&); \
  };

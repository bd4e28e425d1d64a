#pragma once
// DGRAPH_KERNELS: says that the ops named have kernels, whose `make` functions are in an .ipp. The op structs need not be known.

#include <dgraph/kernels/kernel.hpp>

/// Inside namespace dgraph: DGRAPH_KERNEL(MatMul) declares Kernels<ops::MatMul>.
#define DGRAPH_KERNEL(op)                        \
  namespace ops {                                \
  struct op;                                     \
  }                                              \
  template <>                                    \
  struct Kernels<ops::op> {                      \
    static Kernel make(const KernelRequest&);    \
  };

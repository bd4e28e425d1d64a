#pragma once
// CPU kernels of ops/control_flow.hpp. Most of the family is structure, which the executor itself
// knows: it has no kernel.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(NoOp);
DGRAPH_KERNEL(ControlTrigger);
DGRAPH_KERNEL(Assert);
DGRAPH_KERNEL(Print);
DGRAPH_KERNEL(Switch);
DGRAPH_KERNEL(RefSwitch);
DGRAPH_KERNEL(Merge);
DGRAPH_KERNEL(RefMerge);
DGRAPH_KERNEL(Enter);
DGRAPH_KERNEL(RefEnter);
DGRAPH_KERNEL(Exit);
DGRAPH_KERNEL(RefExit);
DGRAPH_KERNEL(NextIteration);
DGRAPH_KERNEL(RefNextIteration);
DGRAPH_KERNEL(LoopCond);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/control_flow.ipp>
#endif

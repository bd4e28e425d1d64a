#pragma once
// Kernels of ops/control_flow.hpp. Most ops of the family are structure: the executor itself knows what to do.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Const)
DGRAPH_KERNEL(Placeholder)
DGRAPH_KERNEL(PlaceholderWithDefault)
DGRAPH_KERNEL(NoOp)
DGRAPH_KERNEL(Switch)
DGRAPH_KERNEL(Merge)
DGRAPH_KERNEL(Enter)
DGRAPH_KERNEL(Exit)
DGRAPH_KERNEL(NextIteration)
DGRAPH_KERNEL(LoopCond)
DGRAPH_KERNEL(ControlTrigger)
DGRAPH_KERNEL(RefSwitch)
DGRAPH_KERNEL(RefMerge)
DGRAPH_KERNEL(RefEnter)
DGRAPH_KERNEL(RefExit)
DGRAPH_KERNEL(RefNextIteration)
DGRAPH_KERNEL(Assert)
DGRAPH_KERNEL(Print)

}  // namespace dgraph

#pragma once
// CPU kernels of ops/queue.hpp. Those that wait hold no thread.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(FIFOQueueV2);
DGRAPH_KERNEL(FIFOQueue);
DGRAPH_KERNEL(PaddingFIFOQueueV2);
DGRAPH_KERNEL(PaddingFIFOQueue);
DGRAPH_KERNEL(RandomShuffleQueueV2);
DGRAPH_KERNEL(RandomShuffleQueue);
DGRAPH_KERNEL(PriorityQueueV2);
DGRAPH_KERNEL(PriorityQueue);
DGRAPH_KERNEL(QueueEnqueueV2);
DGRAPH_KERNEL(QueueEnqueue);
DGRAPH_KERNEL(QueueEnqueueManyV2);
DGRAPH_KERNEL(QueueEnqueueMany);
DGRAPH_KERNEL(QueueDequeueV2);
DGRAPH_KERNEL(QueueDequeue);
DGRAPH_KERNEL(QueueDequeueManyV2);
DGRAPH_KERNEL(QueueDequeueMany);
DGRAPH_KERNEL(QueueDequeueUpToV2);
DGRAPH_KERNEL(QueueDequeueUpTo);
DGRAPH_KERNEL(QueueCloseV2);
DGRAPH_KERNEL(QueueClose);
DGRAPH_KERNEL(QueueSizeV2);
DGRAPH_KERNEL(QueueSize);
DGRAPH_KERNEL(QueueIsClosedV2);
DGRAPH_KERNEL(QueueIsClosed);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/queue.ipp>
#endif

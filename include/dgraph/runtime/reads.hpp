#pragma once
// insert_reads: every read of a ref variable becomes a node (D7).

#include <dgraph/runtime/step_graph.hpp>

namespace dgraph::detail {

/// An edge from a handle to an input that takes a value gets a Read, under the control inputs of
/// its consumer, which need not wait for them any more; an Identity of a handle is itself the Read;
/// a fetched handle gets one without control inputs. Consumers with the same control inputs share
/// it. Edges to inputs that take handles stay.
void insert_reads(StepGraph& graph);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/reads.ipp>
#endif

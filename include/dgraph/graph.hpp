#pragma once
// Building graphs: the graph, its ops, gradients and optimizers. No session, no kernel, no server.

#include <dgraph/graph/graph.hpp>
#include <dgraph/ops/standard.hpp>
#include <dgraph/train/gradient_descent.hpp>
#include <dgraph/train/optimizer.hpp>

namespace dgraph {

/// A graph of the standard ops.
using Graph = BasicGraph<StandardOps>;

}  // namespace dgraph

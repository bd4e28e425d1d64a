#pragma once
// Session<> without a target: graph, kernels, master and worker in one process.

#include <dgraph/cluster/embedded.hpp>
#include <dgraph/cluster/session.hpp>
#include <dgraph/graph.hpp>
#include <dgraph/kernels/standard.hpp>

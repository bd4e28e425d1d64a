#pragma once
// dgraph for clients: graph, ops, optimizers, sessions over TCP. No kernel and no server: see server.hpp and embedded.hpp.

// Random data for programs: xt::random.
#if __has_include(<xtensor/generators/xrandom.hpp>)
#include <xtensor/generators/xrandom.hpp>
#else
#include <xtensor/xrandom.hpp>
#endif

#include <dgraph/cluster/session.hpp>
#include <dgraph/graph.hpp>
#include <dgraph/transport/tcp.hpp>
#include <dgraph/version.hpp>

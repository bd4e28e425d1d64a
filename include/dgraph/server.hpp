#pragma once
// Servers: Server<Transport, Ops> with the standard kernels, over TCP or in one process.

#include <dgraph/cluster/cluster_spec.hpp>
#include <dgraph/cluster/server.hpp>
#include <dgraph/transport/local.hpp>
#include <dgraph/transport/tcp.hpp>

#pragma once
// For clients whose runs are asynchronous operations of Asio: session.async_run(loss, token). Includes Asio.

#include <dgraph/cluster/async_run.hpp>
#include <dgraph/dgraph.hpp>

#pragma once
// What the tests of behaviours share: sessions embedded and on servers, statuses, ops that fail.

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <dgraph/dgraph.hpp>
#include <dgraph/graph/graph_def.hpp>

#include "support/catch.hpp"
#include "support/process.hpp"

namespace dgraph::test {

using Tcp = transport::Tcp;
using namespace std::chrono_literals;
using namespace std::string_literals;
using Clock = std::chrono::steady_clock;

/// How a call ended.
template <class F>
Status status_of(F call) {
  try {
    call();
  } catch (const Error& error) {
    return error.status();
  }
  return {};
}

/// Checks code and parts of the text.
inline void check_status(const Status& status, Code code,
                         std::initializer_list<std::string> parts = {}) {
  INFO(status.to_string());
  CHECK(code_name(status.code()) == code_name(code));
  for (const std::string& part : parts) CHECK_THAT(status.to_string(), contains(part));
}

/// An int32 0 that no pass can see through.
inline Op<std::int32_t> opaque_zero() {
  return placeholder_with_default(std::int32_t{0}, PartialShape::scalar());
}
/// An int32 that fails with InvalidArgument on that device.
inline Op<std::int32_t> divide_by_zero(const std::string& on) {
  const auto there = device(on);
  return floordiv(constant(std::int32_t{1}), opaque_zero());
}

/// Calls `check(session)` with a session of this process, then with one on a server of its own.
template <class F>
void embedded_and_served(Graph& graph, F check) {
  {
    Session<> session(graph);
    check(session);
  }
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}});
  Session<Tcp> session(graph, servers.target(0));
  check(session);
}

/// The elements.
inline std::vector<float> flat(const xt::xarray<float>& x) { return {x.begin(), x.end()}; }

}  // namespace dgraph::test

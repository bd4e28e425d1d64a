#pragma once
#include <dgraph/wire/hello.hpp>

namespace dgraph {

DGRAPH_DECL std::string PeerIdentity::to_string() const {
  if (role == PeerRole::Client) return "client";
  return errors::text("/job:", job, "/replica:0/task:", task);
}

}  // namespace dgraph

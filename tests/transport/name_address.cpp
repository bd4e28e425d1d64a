#include <dgraph/transport/name_address.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using namespace std::chrono_literals;

TEST_CASE("names as addresses") {
  std::string name;
  CHECK(detail::parse_name_address("local://ps0", "local", name).ok());
  CHECK(name == "ps0");
  CHECK(detail::parse_name_address("worker:1", "local", name).ok());
  CHECK(name == "worker:1");
  CHECK(detail::parse_name_address("sim://", "sim", name).ok());
  CHECK(name.empty());
  CHECK(detail::parse_name_address("tcp://ps0", "local", name).code() == Code::InvalidArgument);
  CHECK(detail::parse_name_address("local://a/b", "local", name).code() == Code::InvalidArgument);
}

TEST_CASE("words for nobody") {
  CHECK(detail::nobody_there("tcp://h:1", 10s, "refused").message() == "nobody at tcp://h:1 within 10 s (refused)");
  CHECK(detail::nobody_there("sim://x", 1499999us).message() == "nobody at sim://x within 1.5 s");
  CHECK(detail::nobody_there("sim://x", -5s).code() == Code::Unavailable);
}

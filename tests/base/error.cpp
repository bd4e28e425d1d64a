#include <dgraph/base/error.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using dgraph::test::contains;

TEST_CASE("codes have the canonical numbers and names") {
  CHECK(static_cast<int>(Code::Cancelled) == 1);
  CHECK(static_cast<int>(Code::InvalidArgument) == 3);
  CHECK(static_cast<int>(Code::Unavailable) == 14);
  CHECK(static_cast<int>(Code::Unauthenticated) == 16);
  CHECK(code_name(Code::Ok) == "Ok");
  CHECK(code_name(Code::DeadlineExceeded) == "DeadlineExceeded");
  CHECK(code_name(static_cast<Code>(99)) == "Unknown");
}

TEST_CASE("a default status is ok and throws nothing") {
  const Status status;
  CHECK(status.ok());
  CHECK(status.code() == Code::Ok);
  CHECK(status.message().empty());
  CHECK_FALSE(status.derived());
  CHECK(status.to_string() == "Ok");
  CHECK_NOTHROW(status.throw_if_error());
  CHECK(Status(Code::Ok, "not kept").message().empty());
}

TEST_CASE("an error prints its code, message and place") {
  Status status = errors::NotFound("no node ", std::string("x"), " of ", 3, ' ', true, ' ', 0.5);
  CHECK(status.message() == "no node x of 3 true 0.5");
  CHECK(status.to_string() == "NotFound: no node x of 3 true 0.5");
  status.at({"layer/MatMul", "MatMul", "/job:ps/task:0", "", "model.cpp:12"});
  CHECK(status.to_string() ==
        "NotFound: no node x of 3 true 0.5 [node layer/MatMul (MatMul), device /job:ps/task:0, built at model.cpp:12]");
}

TEST_CASE("a place is filled once: the first who knows a field wins") {
  Status status = errors::Internal("x");
  status.at({"a", "", "", "", ""});
  status.at({"b", "Add", "", "", ""});
  CHECK(status.place().node == "a");
  CHECK(status.place().op_type == "Add");
}

TEST_CASE("copies of a status do not change each other") {
  Status first = errors::Aborted("gone");
  Status second = first;
  second.mark_derived().at({"n", "", "", "", ""});
  CHECK(second.derived());
  CHECK_FALSE(first.derived());
  CHECK(first.place().node.empty());
}

TEST_CASE("marking or placing an ok status leaves it ok") {
  Status status;
  status.mark_derived().at({"n", "", "", "", ""});
  CHECK(status.ok());
  CHECK(status.place().node.empty());
}

TEST_CASE("Error carries its status") {
  try {
    fail(Code::OutOfRange, "index ", 7, " of ", 3);
    FAIL("fail returned");
  } catch (const Error& error) {
    CHECK(error.code() == Code::OutOfRange);
    CHECK(error.status().message() == "index 7 of 3");
    CHECK(std::string(error.what()) == error.status().to_string());
  }
  REQUIRE_THROWS_WITH(errors::DataLoss("torn").throw_if_error(), contains("DataLoss: torn"));
}

TEST_CASE("an exception that is being handled becomes a status") {
  const auto status_of = [](auto thrown) {
    try {
      throw thrown;
    } catch (...) {
      return current_exception_status();
    }
  };
  CHECK(status_of(Error(Code::NotFound, "x")).code() == Code::NotFound);
  CHECK(status_of(std::bad_alloc()).code() == Code::ResourceExhausted);
  CHECK(status_of(std::runtime_error("why")).code() == Code::Internal);
  CHECK(status_of(std::runtime_error("why")).message() == "why");
  CHECK(status_of(5).code() == Code::Unknown);
}

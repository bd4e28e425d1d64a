#include <dgraph/base/source_location.hpp>

#include "support/catch.hpp"

using dgraph::SourceLocation;

namespace {
SourceLocation where(SourceLocation at = SourceLocation::current()) { return at; }
}  // namespace

TEST_CASE("a default argument gives the caller's line") {
  const int line = __LINE__ + 1;
  const SourceLocation at = where();
  CHECK(at.known());
  CHECK(at.line == line);
  CHECK(std::string(at.file).find("source_location.cpp") != std::string::npos);
  CHECK(at.to_string() == std::string(at.file) + ":" + std::to_string(line));
}

TEST_CASE("an unknown place prints as nothing") {
  CHECK_FALSE(SourceLocation{}.known());
  CHECK(SourceLocation{}.to_string().empty());
}

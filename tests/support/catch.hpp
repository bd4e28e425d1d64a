#pragma once
// Catch2 2.13 and 3 alike. A test includes the header that it tests, then this.

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_message.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#define DGRAPH_TEST_CATCH3 1
#else
#include <catch2/catch.hpp>
#endif

#include <string>

namespace dgraph::test {

#if defined(DGRAPH_TEST_CATCH3)
using Catch::Approx;
#else
using Approx = Catch::Detail::Approx;
#endif

/// Matches a string that holds `part`: REQUIRE_THROWS_WITH(f(), contains("shape")).
inline auto contains(const std::string& part) {
#if defined(DGRAPH_TEST_CATCH3)
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Matchers::Contains(part);
#endif
}

}  // namespace dgraph::test

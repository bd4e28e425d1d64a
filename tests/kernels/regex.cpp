#include <dgraph/kernels/regex.hpp>

#include <string>
#include <vector>

#include <dgraph/base/error.hpp>

#include "support/catch.hpp"

using dgraph::detail::Regex;
using dgraph::test::contains;

namespace {

// Begin and end of the match and its groups; empty where there is none.
std::vector<std::ptrdiff_t> places(const std::string& pattern, const std::string& text,
                                   bool whole = false) {
  const Regex regex(pattern);
  std::vector<std::ptrdiff_t> slots(2 * (regex.groups() + 1));
  if (!regex.search(text, 0, whole, slots)) slots.clear();
  return slots;
}
using Places = std::vector<std::ptrdiff_t>;

std::string replaced(const std::string& pattern, const std::string& text,
                     const std::string& rewrite, bool all = true) {
  return Regex(pattern).replace(text, rewrite, all);
}

}  // namespace

TEST_CASE("The leftmost match, by the preference of its parts") {
  CHECK(places("a|ab", "xab") == Places{1, 2});
  CHECK(places("(a+)(b*)", "caab") == Places{1, 4, 1, 3, 3, 4});
  CHECK(places("(a+?)(a*)", "aaa") == Places{0, 3, 0, 1, 1, 3});
  CHECK(places("(?U)a+", "aaa") == Places{0, 1});
  CHECK(places("a{2,3}", "aaaa") == Places{0, 3});
  CHECK(places("(x)?y", "y") == Places{0, 1, -1, -1});
  CHECK(places("b", "aaa").empty());
  CHECK(places("a|ab", "ab", true) == Places{0, 2});
  CHECK(places("(|a)*", "aa") == Places{0, 0, 0, 0});
  CHECK(places("(|a)+", "aa") == Places{0, 0, 0, 0});
}

TEST_CASE("Classes, escapes and places") {
  CHECK(places("[^[:alpha:]\\d]+", "ab1-_2") == Places{3, 5});
  CHECK(places("\\x41\\x{e9}\\101", "AéA") == Places{0, 4});
  CHECK(places(".", "é") == Places{0, 2});
  CHECK(places(".", "\n").empty());
  CHECK(places("(?s).", "\n") == Places{0, 1});
  CHECK(places("(?m)^b$", "a\nb\nc") == Places{2, 3});
  CHECK(places("^b$", "a\nb\nc").empty());
  CHECK(places("\\bb", "ab b") == Places{3, 4});
  CHECK(places("\\Qa.b\\E+", "a.bb") == Places{0, 4});
  CHECK(places("\\Qa*(", "aa*(") == Places{1, 4});
  CHECK(places("[]a-]+", "x]a-") == Places{1, 4});
  CHECK(places("(?i)straSSE[à-ö]", "STRAsseÉ") == Places{0, 9});
  CHECK(places("(?i)k", "\u212a") == Places{0, 3});
  CHECK(places("(?P<first>a)(?:b)(?i:C)c", "abcc") == Places{0, 4, 0, 1});
  CHECK(places("a{,2}", "a{,2}") == Places{0, 5});
  // A byte that is no code point matches nothing.
  CHECK(places("[^a]",
               "a\xff"
               "b") == Places{2, 3});
}

TEST_CASE("Replacing") {
  CHECK(replaced("(\\w+) (\\w+)", "ab cd ef", "\\2-\\1\\\\") == "cd-ab\\ ef");
  CHECK(replaced("a*", "baac", "x") == "xbxcx");
  CHECK(replaced("", "é1", "-") == "-é-1-");
  CHECK(replaced("a", "aaa", "b", false) == "baa");
  CHECK(replaced("^a", "aaa", "b") == "baa");
  CHECK(replaced("\\bx", "xx x", "y") == "yx y");
  CHECK(replaced("a", "aa", "\\3") == "aa");
  CHECK(replaced("a", "aa", "\\q", false) == "aa");
}

TEST_CASE("What is no pattern says why") {
  for (const char* pattern :
       {"(", ")", "[a", "a**", "*", "a{2}{3}", "[z-a]", "\\", "\\1", "\\pL", "\\C", "(?=a)",
        "a{1001}", "(?P<n>a)(?P<n>b)", "[[:nothing:]]", "\xff", "\\x{110000}", "x{2,1}"})
    CHECK_THROWS_WITH(Regex(pattern), contains("Invalid pattern"));
  CHECK_THROWS_WITH(Regex("((a{1000}){1000}){1000}"), contains("too large"));
  CHECK_THROWS_WITH(Regex("(?:(?:(?:){1000}){1000}){1000}"), contains("too large"));
  CHECK_THROWS_WITH(Regex(std::string(100'000, '(')), contains("too deeply"));
}

TEST_CASE("Time is linear where backtracking would take forever") {
  const std::string text(2000, 'a');
  CHECK(places("(a*)*b", text).empty());
  CHECK(places("(a|aa)+$", text).size() == 4);
  CHECK(places("(?:a?){500}a{500}", std::string(500, 'a')) == Places{0, 500});
}

// The order of the folders in include/dgraph, read from the #include lines, and what each folder must not do.
#include "support/catch.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

// A folder may include itself and the folders before it.
constexpr std::array<std::string_view, 10> kOrder = {
    "base", "graph", "ops", "interop", "train", "wire", "transport", "kernels", "runtime", "cluster"};

// Only the link and its host may make threads, read clocks, sleep or draw: Sim runs all else on virtual time.
constexpr std::array<std::string_view, 7> kOnlyInTransport = {
    "std::thread", "std::jthread", "sleep_for", "steady_clock::now",
    "system_clock::now", "random_device", "std::async"};

struct Source {
  std::string path;    // below include/, e.g. dgraph/graph/impl/core.ipp
  std::string folder;  // "" at the root
  std::vector<std::string> lines;
};

std::size_t rank(std::string_view folder) {
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    if (kOrder[i] == folder) return i;
  }
  return kOrder.size();
}

std::string folder_of(const std::string& path) {
  const auto first = path.find('/');
  const auto second = path.find('/', first + 1);
  return second == std::string::npos ? "" : path.substr(first + 1, second - first - 1);
}

std::vector<Source> sources() {
  const fs::path root = fs::path(DGRAPH_SOURCE_DIR) / "include";
  std::vector<Source> all;
  for (const auto& entry : fs::recursive_directory_iterator(root / "dgraph")) {
    const auto extension = entry.path().extension();
    if (extension != ".hpp" && extension != ".ipp") continue;
    Source source;
    source.path = fs::relative(entry.path(), root).generic_string();
    source.folder = folder_of(source.path);
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) source.lines.push_back(line);
    all.push_back(std::move(source));
  }
  return all;
}

// The header in <> or "" of an #include line, or "".
std::string included(const std::string& line) {
  static const std::regex pattern("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"].*");
  std::smatch match;
  return std::regex_match(line, match, pattern) ? match[1].str() : "";
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// True where `word` stands in `line` by itself: std::thread, but neither std::thread::id nor my_std::threads.
bool uses(std::string_view line, std::string_view word) {
  const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (auto at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool begins = at == 0 || !is_name(line[at - 1]);
    const bool ends = end == line.size() || (!is_name(line[end]) && line.substr(end, 2) != "::");
    if (begins && ends) return true;
  }
  return false;
}

TEST_CASE("a folder includes only folders above it") {
  for (const auto& source : sources()) {
    if (source.folder.empty()) continue;
    const auto own = rank(source.folder);
    INFO(source.path << " is in a folder that the layer list does not have");
    REQUIRE(own < kOrder.size());
    for (const auto& line : source.lines) {
      const auto header = included(line);
      if (!starts_with(header, "dgraph/") || header == "dgraph/version.hpp" ||
          header == "dgraph/fwd.hpp") {
        continue;
      }
      const auto other = folder_of(header);
      INFO(source.path << " includes " << header);
      CHECK(rank(other) <= own);
      if (source.folder == "transport") CHECK((other == "transport" || other == "base"));
    }
  }
}

TEST_CASE("Asio is included in transport and async.hpp alone, cereal in wire alone, and without its type headers") {
  for (const auto& source : sources()) {
    for (const auto& line : source.lines) {
      const auto header = included(line);
      INFO(source.path << " includes " << header);
      if (starts_with(header, "asio")) CHECK((source.folder == "transport" || source.path == "dgraph/async.hpp"));
      if (starts_with(header, "cereal/")) CHECK(source.folder == "wire");
      CHECK_FALSE(starts_with(header, "cereal/types/"));
      if (starts_with(header, "CLI/")) CHECK(source.path.find("server_main") != std::string::npos);
    }
  }
}

TEST_CASE("below the Host nothing makes a thread, reads a clock, sleeps or draws from a device") {
  for (const auto& source : sources()) {
    if (source.folder == "transport") continue;
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const auto code = source.lines[i].substr(0, source.lines[i].find("//"));
      for (const auto word : kOnlyInTransport) {
        INFO(source.path << ":" << i + 1 << " has " << word);
        CHECK_FALSE(uses(code, word));
      }
    }
  }
}

TEST_CASE("headers are laid out alike") {
  for (const auto& source : sources()) {
    INFO(source.path);
    REQUIRE(source.lines.size() > 1);
    CHECK(source.lines.size() <= 600);
    CHECK(source.lines[0] == "#pragma once");
    if (fs::path(source.path).extension() == ".hpp") {
      INFO("the second line is a comment that says what the header is for");
      CHECK(starts_with(source.lines[1], "//"));
    }
    for (const auto& line : source.lines) {
      INFO(line);
      CHECK(line.find("define XTENSOR_USE_XSIMD") == std::string::npos);
    }
  }
}

// dgraph::compiled starts each unit with the .ipp, so this makes every such unit a proof that its header stands alone.
TEST_CASE("an .ipp includes its own header first") {
  const fs::path root = fs::path(DGRAPH_SOURCE_DIR) / "include";
  for (const auto& source : sources()) {
    const fs::path path = source.path;
    if (path.extension() != ".ipp") continue;
    const auto header = path.parent_path().parent_path() / path.stem();
    if (!fs::exists(root / (header.string() + ".hpp"))) continue;
    INFO(source.path);
    std::string first;
    for (const auto& line : source.lines) {
      first = included(line);
      if (!first.empty()) break;
    }
    CHECK(first == header.generic_string() + ".hpp");
  }
}

TEST_CASE("the word test knows a use from a part of a name") {
  CHECK(uses("  std::thread t;", "std::thread"));
  CHECK(uses("std::this_thread::sleep_for(x)", "sleep_for"));
  CHECK_FALSE(uses("std::thread::id owner_;", "std::thread"));
  CHECK_FALSE(uses("not_sleep_for(x)", "sleep_for"));
}

}  // namespace

#include "conformance/cases.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace conformance {
namespace {

Case read_case(const std::string& text) {
  Case out;
  out.line = nlohmann::json::parse(text);
  out.name = out.line.at("case").get<std::string>();
  for (const char* list : {"nodes", "steps"})
    for (const auto& part : out.line.value(list, nlohmann::json::array()))
      out.ops.insert(part.at("op").get<std::string>());
  if (out.line.contains("op") && !out.line.contains("nodes"))
    out.ops.insert(out.line.at("op").get<std::string>());
  return out;
}

void read_file(const std::filesystem::path& path, std::vector<Case>& out) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path.string() + " cannot be opened");
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    if (text.empty()) continue;
    try {
      out.push_back(read_case(text));
    } catch (const std::exception& error) {
      throw std::runtime_error(path.string() + ":" + std::to_string(number) + ": " + error.what());
    }
  }
}

}  // namespace

std::vector<Case> read_cases(const std::vector<std::string>& paths) {
  std::vector<Case> out;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      read_file(path, out);
      continue;
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path))
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) read_file(file, out);
  }
  return out;
}

}  // namespace conformance

// Prints docs/ops.md from the standard op set, or, with --check, says whether a file is what it prints.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "op_table/probe.hpp"

namespace {

using namespace dgraph;
using op_table::GradientKind;

/// "Name" to "kernels/family.hpp", of all DGRAPH_KERNEL(Name).
std::map<std::string, std::string> kernel_files(const std::filesystem::path& include) {
  std::map<std::string, std::string> out;
  constexpr std::string_view kMark = "DGRAPH_KERNEL(";
  for (const auto& entry : std::filesystem::directory_iterator(include / "dgraph/kernels")) {
    if (entry.path().extension() != ".hpp" || entry.path().filename() == "declare.hpp") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(kMark))
        out[line.substr(kMark.size(), line.find(')') - kMark.size())] =
            entry.path().stem().string();
  }
  return out;
}

/// Groups by their names, others one by one: "floating, complex64, int32".
std::string dtypes_text(DTypeSet set) {
  static const std::pair<std::string_view, std::vector<DType>> groups[] = {
      {"floating", {DType::BFloat16, DType::Float16, DType::Float32, DType::Float64}},
      {"complex", {DType::Complex64, DType::Complex128}},
      {"integer",
       {DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8, DType::UInt16,
        DType::UInt32, DType::UInt64}}};
  std::string out;
  const auto add = [&out](std::string_view name) {
    out += (out.empty() ? "" : ", ") + std::string(name);
  };
  for (const auto& [name, members] : groups) {
    bool all = true;
    for (const DType dtype : members) all = all && set.contains(dtype);
    for (const DType dtype : members)
      if (!all && set.contains(dtype)) add(dtype_name(dtype));
    if (all) add(name);
  }
  for (const DType dtype : {DType::Bool, DType::String})
    if (set.contains(dtype)) add(dtype_name(dtype));
  return out;
}

std::string row(const OpDef& def, const std::map<std::string, std::string>& files) {
  std::string dtypes, note;
  const auto add_note = [&note](const std::string& text) {
    note += (note.empty() ? "" : "; ") + text;
  };
  if (def.stateful) add_note("stateful");
  const auto support = op_table::type_support(def);
  for (const auto& [attr, with, without] : support) {
    if (!dtypes.empty()) dtypes += "; ";
    dtypes += (support.size() > 1 ? attr + ": " : "") + dtypes_text(with);
    if (without.bits)
      add_note("no kernel for " + (support.size() > 1 ? attr + " " : std::string()) +
               dtypes_text(without));
  }
  std::string gradient = "–";
  switch (op_table::gradient_kind(def)) {
    case GradientKind::Flows:
      gradient = "yes";
      break;
    case GradientKind::NoneFlows:
      gradient = "none flows";
      break;
    case GradientKind::NoRule:
      gradient = "no";
      break;
    case GradientKind::Nowhere:
      break;
  }
  const auto file = files.find(def.name);
  const std::string kernel = file == files.end() ? "in the op" : "`" + file->second + "`";
  return "| " + def.name + " | " + dtypes + " | " + gradient + " | " + kernel + " | " + note +
         " |\n";
}

std::string table(const std::filesystem::path& source) {
  const auto files = kernel_files(source / "include");
  const auto ops = op_table::standard_ops();
  std::ostringstream out;
  out << "# The ops\n\n"
         "`StandardOps` has "
      << ops.size()
      << " op types. Names, attributes and the order of inputs are TensorFlow's, whose "
         "documentation says what each\n"
         "computes; the struct of that name in `include/dgraph/ops` says it too. `dgraph_op_table` "
         "printed this page from the op\n"
         "set, and a test holds it to what the program prints.\n\n"
         "- **dtypes**: those of each type attribute for which there is a kernel; *floating* is "
         "bfloat16, float16, float32 and\n"
         "  float64, *complex* both complex dtypes, *integer* all eight integers.\n"
         "- **gradient**: *yes*; *none flows*: asked for, it is none, as of a constant; *no*: "
         "asking is an error; –: no input or no\n"
         "  output is of a dtype that has gradients.\n"
         "- **kernel**: the file in `include/dgraph/kernels`.\n\n"
         "| op type | dtypes | gradient | kernel | note |\n| --- | --- | --- | --- | --- |\n";
  for (const OpDef* def : ops) out << row(*def, files);
  return out.str();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string printed = table(DGRAPH_SOURCE_DIR);
  if (argc == 1) {
    std::cout << printed;
    return 0;
  }
  if (argc != 3 || std::string_view(argv[1]) != "--check") {
    std::cerr << "usage: " << argv[0] << " [--check FILE]\n";
    return 2;
  }
  std::ifstream file(argv[2]);
  const std::string held((std::istreambuf_iterator<char>(file)), {});
  if (held == printed) return 0;
  std::istringstream a(held), b(printed);
  std::set<std::string> old;
  for (std::string line; std::getline(a, line);) old.insert(line);
  std::cerr << argv[2] << " is not what the op set gives; run: " << argv[0] << " > docs/ops.md\n";
  for (std::string line; std::getline(b, line);)
    if (!old.count(line)) std::cerr << "now: " << line << '\n';
  return 1;
}

// The gradient suite: each op type of the standard set that has a gradient is held against central
// differences in float64. An
// op type that has one and no sample fails the suite.

#include <algorithm>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <dgraph/base/error.hpp>
#include <nlohmann/json.hpp>

#include "gradients/check.hpp"
#include "gradients/flow.hpp"
#include "op_table/probe.hpp"

namespace {

/// Op types whose rule says that no gradient flows, on purpose. One that gives none and is not here
/// fails the suite.
const std::set<std::string> kNoneFlows = {
    "Ceil",         "Floor",     "FloorDiv",    "OnesLike",         "Range", "Rint", "Round",
    "StopGradient", "ZerosLike", "TruncateDiv", "ApproximateEqual", "OneHot", "LinSpace"};

/// Op types that gradients are made of and that have none of their own: second derivatives end there.
const std::set<std::string> kNoSecond = {"IgammaGradA", "CTCLoss"};

/// Op types of complex numbers alone: tests/ops/complex.cpp holds their gradients against derivatives.
const std::set<std::string> kComplex = {"Conj"};

/// Cases whose stated gradient is not the slope of what the op computes, and why.
struct Exception {
  std::string cases, why;
};
const std::vector<Exception> kExceptions = {
    {"^Cumprod/.*zero", "its second derivative by an element that is 0 is not complete"},
    {"^(Xlogy|Xdivy|Xlog1py)/.*zero", "TensorFlow's derivative by x is 0 where x is 0"},
    {"^Cholesky/", "the gradient is that of a symmetric matrix, of which the op reads one triangle"},
    {"^SoftmaxCrossEntropyWithLogits/.*add to 1", "the gradient is that of labels that add to 1"},
};

struct Tally {
  int first = 0, second = 0;
  std::set<std::string> missing;
};

std::string exception_for(const std::string& name) {
  for (const Exception& e : kExceptions)
    if (std::regex_search(name, std::regex(e.cases))) return e.why;
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths;
  std::regex filter("");
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--filter" && i + 1 < argc)
      filter = argv[++i];
    else
      paths.emplace_back(argv[i]);
  }
  if (paths.empty()) {
    std::cerr << "usage: " << argv[0] << " [--filter REGEX] FILE_OR_FOLDER...\n";
    return 2;
  }
  std::set<std::string> known;
  for (const dgraph::OpDef* def : op_table::standard_ops()) known.insert(def->name);
  std::map<std::string, Tally> tallies;
  int failures = 0;
  const auto fail = [&failures](const std::string& what) {
    ++failures;
    std::cout << "FAILED " << what << '\n';
  };
  const auto cases = conformance::read_cases(paths);
  const auto run = [&](const conformance::Case& sample, dgraph::DType from, dgraph::DType as) {
    const auto outcome = gradient_suite::check(sample, from, as);
    Tally& tally = tallies[sample.line.at("op").get<std::string>()];
    tally.first += outcome.first;
    tally.second += outcome.second;
    if (!outcome.missing.empty()) tally.missing.insert(outcome.missing);
    if (!outcome.wrong.empty()) fail(sample.name + ": " + outcome.wrong);
    return outcome.first > 0;
  };
  const auto wanted = [&](const conformance::Case& sample, dgraph::DType dtype) {
    return std::regex_search(sample.name, filter) && gradient_suite::is_checkable(sample, dtype) &&
           known.count(sample.line.at("op").get<std::string>()) &&
           exception_for(sample.name).empty();
  };
  constexpr auto kDouble = dgraph::DType::Float64, kFloat = dgraph::DType::Float32;
  for (const conformance::Case& sample : cases) {
    if (!wanted(sample, kDouble)) continue;
    try {
      run(sample, kDouble, kDouble);
    } catch (const std::exception& error) {
      fail(sample.name + ": " + error.what());
    }
  }
  // Ops with no vectors of float64: those of float32, as float64 where there is such a kernel.
  const auto doubles = tallies;
  for (const conformance::Case& sample : cases) {
    if (!wanted(sample, kFloat)) continue;
    const auto found = doubles.find(sample.line.at("op").get<std::string>());
    if (found != doubles.end() && found->second.first > 0) continue;
    bool compared = false;
    try {
      compared = run(sample, kFloat, kDouble);
    } catch (const dgraph::Error&) {
      compared = false;
    }
    // No such kernel, or an output that is float32 whatever the input is.
    if (compared) continue;
    try {
      run(sample, kFloat, kFloat);
    } catch (const std::exception& error) {
      fail(sample.name + ": " + error.what());
    }
  }
  if (std::regex_search("flow", filter)) {
    for (const auto& outcome : gradient_suite::check_flow()) {
      if (!outcome.wrong.empty()) fail(outcome.program + ": " + outcome.wrong);
      for (const std::string& op : outcome.ops) {
        tallies[op].first += outcome.first;
        tallies[op].second += outcome.second;
      }
    }
  }
  int checked = 0, first = 0, second = 0;
  for (const dgraph::OpDef* def : op_table::standard_ops()) {
    if (!std::regex_search(def->name, filter)) continue;
    const auto kind = op_table::gradient_kind(*def);
    const auto tally = tallies.find(def->name);
    if (kind == op_table::GradientKind::NoneFlows && !kNoneFlows.count(def->name))
      fail(def->name + ": its rule gives no gradient");
    if (kind != op_table::GradientKind::Flows || kComplex.count(def->name)) continue;
    if (tally == tallies.end() || tally->second.first == 0) {
      fail(def->name + ": has a gradient and no sample that checks it");
      continue;
    }
    for (const std::string& missing : tally->second.missing)
      if (!kNoSecond.count(missing))
        fail(def->name + ": its second derivative needs the gradient of " + missing);
    ++checked;
    first += tally->second.first;
    second += tally->second.second;
  }
  std::cout << checked << " op types, " << first << " first and " << second
            << " second derivatives; " << failures << " failed\n";
  return failures == 0 ? 0 : 1;
}

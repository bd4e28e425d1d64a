#include "conformance/runner.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <exception>
#include <map>

#include <dgraph/base/random.hpp>
#include <dgraph/ops/gradients.hpp>

#include "conformance/workbench.hpp"

namespace conformance {
namespace {

using dgraph::Output;
using dgraph::Tensor;

/// A difference that was found; ends the case.
struct Mismatch {
  Failure failure;
};

/// "INVALID_ARGUMENT" of "InvalidArgument".
std::string code_text(dgraph::Code code) {
  std::string out;
  for (const char c : dgraph::code_name(code)) {
    if (std::isupper(static_cast<unsigned char>(c)) && !out.empty()) out += '_';
    out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string error_text(const dgraph::Error& error) {
  return "error " + code_text(error.code()) + ": " + error.status().message();
}

void check(const std::string& what, const Json& wanted, const Tensor& got,
           const Tolerance& tolerance) {
  const Tensor want = read_tensor(wanted);
  if (const auto where = difference(want, got, tolerance))
    throw Mismatch{{what + " " + to_text(want), *where + " differs: " + to_text(got)}};
}

/// One case on its own graph and session.
class CaseRun {
 public:
  CaseRun(const Case& one, const RunnerOptions& options) : line_(one.line), bench_(options) {
    if (line_.contains("rtol"))
      tolerance_ = {line_["rtol"].get<double>(), line_["atol"].get<double>()};
  }

  void run() {
    if (line_.contains("counter")) return philox();
    if (line_.contains("steps")) return steps();
    if (line_.contains("nodes")) return graph();
    if (line_.contains("error")) return error();
    if (line_.contains("runs")) return runs();
    one_op();
  }

 private:
  void philox() {
    const auto output = dgraph::Philox::block(line_.at("counter").get<dgraph::Philox::Block>(),
                                              line_.at("key").get<dgraph::Philox::Key>());
    if (Json(output) != line_.at("output"))
      throw Mismatch{{line_["output"].dump(), Json(output).dump()}};
  }

  Output build() {
    std::vector<Output> inputs;
    for (const Json& value : line_.at("inputs"))
      inputs.push_back(bench_.input("x" + std::to_string(inputs.size()), read_tensor(value)));
    inputs_ = inputs;
    return bench_.node("op", line_.at("op").get<std::string>(), line_.at("attrs"), inputs);
  }

  void error() {
    definition_of(line_.at("op").get<std::string>());
    expect_error(line_.at("error").get<std::string>(), [&] {
      const Output op = build();
      const auto outputs = Workbench::outputs_of(op);
      return outputs.empty() ? bench_.run({}, {op}) : bench_.run(outputs);
    });
  }

  template <class Run>
  void expect_error(const std::string& code, Run run) {
    std::string got;
    try {
      for (const Tensor& value : run()) got += (got.empty() ? "" : "; ") + to_text(value);
    } catch (const dgraph::Error& error) {
      if (code_text(error.code()) == code) return;
      throw Mismatch{{"error " + code, error_text(error)}};
    }
    throw Mismatch{{"error " + code, got.empty() ? "success" : got}};
  }

  void runs() {
    const Output op = build();
    std::size_t number = 0;
    for (const Json& want : line_.at("runs"))
      check("run " + std::to_string(++number), want, bench_.run({op}).front(), tolerance_);
  }

  void one_op() {
    const Output op = build();
    const auto outputs = Workbench::outputs_of(op);
    const Json& wanted = line_.at("outputs");
    if (wanted.size() != outputs.size())
      throw Mismatch{{std::to_string(wanted.size()) + " outputs", std::to_string(outputs.size())}};
    std::vector<Output> inputs = inputs_;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      names.push_back("gradient of input " + std::to_string(i));
    std::vector<Json> grads;
    if (line_.contains("grads")) grads = line_["grads"].get<std::vector<Json>>();
    compare(outputs, inputs, names, grads);
  }

  void graph() {
    std::map<std::string, Output> by_name;
    std::vector<Output> inputs;
    std::vector<std::string> names;
    std::vector<Json> grads;
    for (const auto& [name, value] : line_.at("inputs").items()) {
      inputs.push_back(by_name[name] = bench_.input(name, read_tensor(value)));
      names.push_back("gradient of " + name);
      if (line_.contains("grads")) grads.push_back(line_["grads"].at(name));
    }
    const auto find = [&](const std::string& text) {
      const auto colon = text.rfind(':');
      const Output& node = by_name.at(text.substr(0, colon));
      if (colon == std::string::npos) return node;
      return Output(node.core(), node.node_id(),
                    static_cast<std::uint32_t>(std::stoul(text.substr(colon + 1))));
    };
    for (const Json& node : line_.at("nodes")) {
      std::vector<Output> from;
      for (const Json& input : node.at("inputs")) from.push_back(find(input.get<std::string>()));
      const std::string name = node.at("name").get<std::string>();
      by_name[name] = bench_.node(name, node.at("op").get<std::string>(), node.at("attrs"), from);
    }
    std::vector<Output> outputs;
    for (const Json& fetch : line_.at("fetches")) outputs.push_back(find(fetch.get<std::string>()));
    compare(outputs, inputs, names, grads);
  }

  /// Runs the outputs and the gradients that the line has, at once, and compares them.
  void compare(const std::vector<Output>& outputs, const std::vector<Output>& inputs,
               const std::vector<std::string>& names, const std::vector<Json>& grads) {
    std::vector<Output> fetches;
    std::vector<std::pair<std::string, const Json*>> wanted;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const Json& want = line_.at("outputs").at(i);
      if (want.is_null()) continue;
      fetches.push_back(outputs[i]);
      wanted.emplace_back("output " + std::to_string(i), &want);
    }
    std::vector<Output> xs;
    for (std::size_t i = 0; i < grads.size(); ++i) {
      if (grads[i].is_null()) continue;
      xs.push_back(inputs[i]);
      wanted.emplace_back(names[i], &grads[i]);
    }
    // Outputs first: where they are wrong, their gradients do not matter.
    if (!xs.empty()) {
      std::size_t at = fetches.size();
      for (const Output& gradient : build_gradients(outputs, xs)) {
        if (!gradient)
          throw Mismatch{
              {wanted[at].first + " " + to_text(read_tensor(*wanted[at].second)), "no gradient"}};
        fetches.push_back(gradient);
        ++at;
      }
    }
    const std::vector<Tensor> values = bench_.run(fetches);
    for (std::size_t i = 0; i < values.size(); ++i)
      check(wanted[i].first, *wanted[i].second, values[i], tolerance_);
  }

  std::vector<Output> build_gradients(const std::vector<Output>& outputs,
                                      const std::vector<Output>& xs) {
    const auto building = bench_.graph().as_default();
    dgraph::GradientOptions options;
    std::vector<Output> ys;
    const Json& cotangents = line_.at("cotangents");
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (cotangents.at(i).is_null()) continue;
      ys.push_back(outputs[i]);
      options.grad_ys.push_back(
          bench_.input("cotangent" + std::to_string(i), read_tensor(cotangents[i])));
    }
    return dgraph::gradients(ys, xs, options);
  }

  // Variables

  struct State {
    Output ref, handle, initialized;
  };

  void steps() {
    make_variables();
    std::size_t number = 0;
    for (const Json& step : line_.at("steps")) run_step(step, "step" + std::to_string(++number));
    const auto values = read_all();
    for (const auto& [name, want] : line_.at("final").items()) {
      const auto& got = values.at(name);
      if (want.is_null() && got)
        throw Mismatch{{"final " + name + " without a value", to_text(*got)}};
      if (!want.is_null() && !got)
        throw Mismatch{{"final " + name + " " + to_text(read_tensor(want)), "no value"}};
      if (got) check("final " + name, want, *got, tolerance_);
    }
  }

  void make_variables() {
    // Variables of a server outlive sessions: each case has names of its own there.
    static std::atomic<int> next{0};
    static const auto started = std::chrono::steady_clock::now().time_since_epoch().count();
    const std::string place =
        "conformance_" + std::to_string(started) + "_" + std::to_string(next++) + "_";
    std::vector<Output> assigns;
    for (const auto& [name, value] : line_.at("variable").items()) {
      const Json attrs = {{"dtype", value.at("dtype")},
                          {"shape", value.at("shape")},
                          {"shared_name", place + name}};
      State& state = states_[name];
      state.ref = bench_.node(name, "VariableV2", attrs, {});
      state.handle = bench_.node(name + "_handle", "VarHandleOp", attrs, {});
      state.initialized =
          bench_.node(name + "_initialized", "IsVariableInitialized", Json::object(), {state.ref});
      if (has_data(value)) {
        const Output initial = bench_.input(name + "_initial", read_tensor(value));
        assigns.push_back(
            bench_.node(name + "_assign", "Assign", Json::object(), {state.ref, initial}));
      }
    }
    if (!assigns.empty()) bench_.run({}, assigns);
  }

  std::map<std::string, std::optional<Tensor>> read_all() {
    std::map<std::string, std::optional<Tensor>> out;
    for (const auto& [name, state] : states_) {
      out[name];
      if (bench_.run({state.initialized}).front().item<bool>())
        out[name] = bench_.run({state.ref}).front();
    }
    return out;
  }

  void run_step(const Json& step, const std::string& name) {
    const std::string op = step.at("op").get<std::string>();
    const dgraph::OpDef& def = definition_of(op);
    const auto build_step = [&] {
      const Json& given = step.at("inputs");
      const auto arguments = arguments_of(def, step.at("attrs"), given.size());
      std::vector<Output> inputs;
      for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i].is_string()) {
          const State& state = states_.at(given[i].get<std::string>().substr(1));
          const bool resource =
              i < arguments.size() && arguments[i]->dtype == dgraph::DType::Resource;
          inputs.push_back(resource ? state.handle : state.ref);
        } else {
          inputs.push_back(bench_.input(name + "_x" + std::to_string(i), read_tensor(given[i])));
        }
      }
      return bench_.node(name, op, step.at("attrs"), inputs);
    };
    if (step.contains("error")) {
      const auto before = read_all();
      expect_error(step["error"].get<std::string>(),
                   [&] { return bench_.run({}, {build_step()}); });
      for (const auto& [variable, now] : read_all()) {
        const auto& was = before.at(variable);
        if (was.has_value() != now.has_value() || (was && difference(*was, *now, {})))
          throw Mismatch{{variable + " as before the failed " + name + ": " +
                              (was ? to_text(*was) : "no value"),
                          now ? to_text(*now) : "no value"}};
      }
      return;
    }
    const Output node = build_step();
    if (!step.contains("outputs")) {
      bench_.run({}, {node});
      return;
    }
    const auto values = bench_.run(Workbench::outputs_of(node));
    const Json& wanted = step["outputs"];
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (!wanted[i].is_null())
        check(name + " output " + std::to_string(i), wanted[i], values.at(i), tolerance_);
  }

  const Json& line_;
  Workbench bench_;
  Tolerance tolerance_;
  std::vector<Output> inputs_;
  std::map<std::string, State> states_;
};

std::string expected_text(const Json& line) {
  if (line.contains("error")) return "error " + line["error"].get<std::string>();
  for (const char* key : {"outputs", "runs"}) {
    if (!line.contains(key)) continue;
    for (const Json& value : line[key])
      if (value.is_object()) return to_text(read_tensor(value));
  }
  return "success";
}

}  // namespace

std::optional<Failure> run_case(const Case& one, const RunnerOptions& options) {
  try {
    CaseRun(one, options).run();
    return std::nullopt;
  } catch (const Mismatch& mismatch) {
    return mismatch.failure;
  } catch (const UnknownOp& unknown) {
    return Failure{expected_text(one.line), "op " + unknown.op + " is not known"};
  } catch (const dgraph::Error& error) {
    return Failure{expected_text(one.line), error_text(error)};
  } catch (const std::exception& error) {
    return Failure{expected_text(one.line), std::string("exception: ") + error.what()};
  }
}

}  // namespace conformance

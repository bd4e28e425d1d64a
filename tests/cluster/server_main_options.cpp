#include <dgraph/cluster/server_main_options.hpp>

#include "support/catch.hpp"

#include <cstdio>
#include <fstream>

#include <dgraph/version.hpp>

namespace {

using namespace dgraph;
using test::contains;

ServerMainCommand read(std::vector<const char*> words, const char* tf_config = nullptr) {
  words.insert(words.begin(), "/usr/bin/train_server");
  words.push_back(nullptr);
  return read_server_command(static_cast<int>(words.size()) - 1, words.data(), tf_config);
}

constexpr const char* kCluster = "ps=127.0.0.1:1,127.0.0.1:2;worker=127.0.0.1:3";

TEST_CASE("all that can be told is read") {
  const ServerMainCommand command =
      read({"--job", "ps", "--task=1", "--cluster", kCluster, "--bind", "0.0.0.0:2", "--advertise",
            "10.0.0.1:2", "--threads", "3", "--log-level", "debug", "--insecure-open"},
           "not read");
  INFO(command.error);
  REQUIRE_FALSE(command.exit_code);
  const ServerMainOptions& told = command.options;
  CHECK(told.cluster == ClusterSpec::parse(kCluster));
  CHECK(told.job == "ps");
  CHECK(told.task == 1);
  CHECK(told.bind == "0.0.0.0:2");
  CHECK(told.advertise == "10.0.0.1:2");
  CHECK(told.threads == 3);
  CHECK(told.log_level == LogLevel::Debug);
  CHECK(told.insecure_open);
}

TEST_CASE("what is not told has a default") {
  const ServerMainCommand command = read({"--job", "worker", "--cluster", kCluster});
  REQUIRE_FALSE(command.exit_code);
  CHECK(command.options.task == 0);
  CHECK(command.options.bind.empty());
  CHECK(command.options.advertise.empty());
  CHECK(command.options.threads == 0);
  CHECK(command.options.log_level == LogLevel::Info);
  CHECK_FALSE(command.options.insecure_open);
}

TEST_CASE("help and version go to standard output and end well") {
  const ServerMainCommand help = read({"--help"});
  CHECK(help.exit_code == 0);
  CHECK(help.error.empty());
  for (const char* option :
       {"--job", "--task", "--cluster", "--cluster-file", "--bind", "--advertise", "--threads",
        "--log-level", "--insecure-open", "--version", "TF_CONFIG"}) {
    CHECK_THAT(help.out, contains(option));
  }
  const ServerMainCommand version = read({"--version"});
  CHECK(version.exit_code == 0);
  CHECK(version.out == std::string("dgraph ") + kVersion + "\n");
}

TEST_CASE("a mistake is one line that names the program and the mistake") {
  const auto mistake = [](std::vector<const char*> words, const char* tf_config = nullptr) {
    const ServerMainCommand command = read(std::move(words), tf_config);
    INFO(command.error);
    CHECK(command.exit_code == 2);
    CHECK(command.out.empty());
    CHECK(command.error.find('\n') == command.error.size() - 1);
    CHECK_THAT(command.error, contains("train_server: "));
    return command.error;
  };
  CHECK_THAT(mistake({}), contains("no cluster") && contains("--cluster"));
  CHECK_THAT(mistake({"--cluster", kCluster}), contains("--job") && contains("ps, worker"));
  CHECK_THAT(mistake({"--cluster", kCluster, "--job", "ps", "--nonsense"}), contains("--nonsense"));
  CHECK_THAT(mistake({"--cluster", kCluster, "--job", "ps", "more"}), contains("more"));
  CHECK_THAT(mistake({"--cluster", kCluster, "--job", "ps", "--task", "x"}), contains("--task"));
  CHECK_THAT(mistake({"--cluster", kCluster, "--job", "ps", "--task", "-1"}), contains("--task"));
  CHECK_THAT(mistake({"--cluster", kCluster, "--job", "ps", "--threads", "-1"}),
             contains("--threads"));
  CHECK_THAT(mistake({"--cluster", kCluster, "--job", "ps", "--log-level", "loud"}),
             contains("loud"));
  CHECK_THAT(mistake({"--cluster", kCluster, "--job", "ps", "--task", "2"}),
             contains("no task 2") && contains("0, 1"));
  CHECK_THAT(mistake({"--cluster", kCluster, "--job", "chief"}), contains("'chief'"));
  CHECK_THAT(mistake({"--cluster", "ps=127.0.0.1", "--job", "ps"}), contains("no port"));
  CHECK_THAT(mistake({"--cluster", kCluster, "--job", "ps", "--bind", "127.0.0.1"}),
             contains("no port"));
  CHECK_THAT(mistake({"--cluster", kCluster, "--job", "ps", "--advertise", "here"}),
             contains("'here'"));
  CHECK_THAT(mistake({"--cluster", kCluster, "--cluster-file", "x.json"}), contains("--cluster"));
  CHECK_THAT(mistake({"--cluster-file", "/nonexistent/x.json"}), contains("/nonexistent/x.json"));
  mistake({}, "{}");
}

TEST_CASE("beyond loopback an explicit word is needed") {
  const char* open = "ps=10.0.0.1:2222";
  const ServerMainCommand refused = read({"--cluster", open, "--job", "ps"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.error, contains("10.0.0.1:2222") && contains("--insecure-open"));
  CHECK_FALSE(read({"--cluster", open, "--job", "ps", "--insecure-open"}).exit_code);
  CHECK_FALSE(read({"--cluster", open, "--job", "ps", "--bind", "127.0.0.1:2222"}).exit_code);
  CHECK(read({"--cluster", kCluster, "--job", "ps", "--bind", "0.0.0.0:1"}).exit_code == 2);
}

#if __has_include(<nlohmann/json.hpp>)

TEST_CASE("TF_CONFIG stands in for options that are not given") {
  const char* config =
      R"({"cluster": {"ps": ["127.0.0.1:1", "127.0.0.1:2"]}, "task": {"type": "ps", "index": 1}})";
  const ServerMainCommand command = read({}, config);
  INFO(command.error);
  REQUIRE_FALSE(command.exit_code);
  CHECK(command.options.cluster == ClusterSpec::parse("ps=127.0.0.1:1,127.0.0.1:2"));
  CHECK(command.options.job == "ps");
  CHECK(command.options.task == 1);
  CHECK(read({"--task", "0"}, config).options.task == 0);
  CHECK(read({"--job", "ps"}, config).options.task == 0);
  CHECK(read({"--job", "worker", "--cluster", kCluster}, config).options.job == "worker");
}

TEST_CASE("a cluster file is read, and named in its errors") {
  const std::string path = std::string(DGRAPH_BINARY_DIR) + "/server_main_options_test.json";
  std::ofstream(path) << R"({"ps": ["127.0.0.1:1"]})";
  CHECK(read({"--cluster-file", path.c_str(), "--job", "ps"}).options.cluster ==
        ClusterSpec::parse("ps=127.0.0.1:1"));
  std::ofstream(path) << "{";
  const ServerMainCommand broken = read({"--cluster-file", path.c_str(), "--job", "ps"});
  CHECK(broken.exit_code == 2);
  CHECK_THAT(broken.error, contains(path) && contains("no JSON"));
  std::remove(path.c_str());
}

#endif

}  // namespace

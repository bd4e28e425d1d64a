#include <dgraph/cluster/cluster_json.hpp>

#include "support/catch.hpp"

namespace {

using namespace dgraph;
using test::contains;

template <class F>
Status status_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.status();
  }
  return {};
}

#if __has_include(<nlohmann/json.hpp>)

const ClusterSpec& expected() {
  static const ClusterSpec spec = ClusterSpec::parse("ps=a:1,a:2;worker=37@b:1");
  return spec;
}

TEST_CASE("jobs are lists, or objects by task index") {
  CHECK(cluster_from_json(R"({"ps": ["a:1", "a:2"], "worker": {"37": "b:1"}})") == expected());
  CHECK(cluster_from_json(R"({"ps": {"1": "a:2", "0": "a:1"}, "worker": {"37": "b:1"}})") ==
        expected());
  CHECK(cluster_from_json(
            R"({"cluster": {"ps": ["a:1", "a:2"], "worker": {"37": "b:1"}}, "more": 1})") ==
        expected());
  CHECK(cluster_from_json(R"({"cluster": {"3": "c:1"}})") == ClusterSpec::parse("cluster=3@c:1"));
  CHECK(cluster_from_json(R"({"cluster": ["c:1"]})") == ClusterSpec::parse("cluster=c:1"));
}

TEST_CASE("TF_CONFIG gives the cluster and the task") {
  const auto config = read_tf_config(R"({
    "cluster": {"ps": ["a:1", "a:2"], "worker": {"37": "b:1"}},
    "task": {"type": "ps", "index": 1, "trial": "1"}, "environment": "cloud"})");
  CHECK(config.cluster == expected());
  CHECK(config.job == "ps");
  CHECK(config.task == 1);
  const std::string cluster = R"({"cluster": {"ps": ["a:1"], "worker": {"37": "b:1"}})";
  CHECK(read_tf_config(cluster + R"(, "task": {"type": "worker", "index": "37"}})").task == 37);
  CHECK(read_tf_config(cluster + R"(, "task": {"type": "ps"}})").task == 0);
  CHECK(read_tf_config(cluster + "}").job.empty());
  const Status missing =
      status_of([&] { read_tf_config(cluster + R"(, "task": {"type": "worker", "index": 0}})"); });
  CHECK(missing.code() == Code::NotFound);
  CHECK_THAT(missing.message(), contains("37"));
}

TEST_CASE("text that is no cluster is refused with a reason") {
  const auto invalid = [](const std::string& text) {
    const Status status = status_of([&] { cluster_from_json(text); });
    INFO(text << " gave " << status.to_string());
    CHECK(status.code() == Code::InvalidArgument);
    return status.message();
  };
  CHECK_THAT(invalid(""), contains("no JSON"));
  CHECK_THAT(invalid("{\"ps\": [\"a:1\""), contains("no JSON"));
  CHECK_THAT(invalid("[]"), contains("object of jobs"));
  CHECK_THAT(invalid("{}"), contains("at least one job"));
  CHECK_THAT(invalid(R"({"ps": "a:1"})"), contains("job ps"));
  CHECK_THAT(invalid(R"({"ps": [1]})"), contains("job ps") && contains("1"));
  CHECK_THAT(invalid(R"({"ps": {"x": "a:1"}})"), contains("\"x\""));
  CHECK_THAT(invalid(R"({"ps": {"-1": "a:1"}})"), contains("\"-1\""));
  CHECK_THAT(invalid(R"({"ps": {"1": "a:1", "01": "a:2"}})"), contains("twice"));
  CHECK_THAT(invalid(R"({"ps": ["a:1"], "ps": ["b:1"]})"), contains("\"ps\" is there twice"));
  CHECK_THAT(invalid(R"({"ps": ["host"]})"), contains("no port"));
  invalid(std::string(100000, '['));
  for (const char* text :
       {"{}", "[]", "1", R"({"cluster": 1})", R"({"cluster": {"ps": ["a:1"]}, "task": 1})",
        R"({"cluster": {"ps": ["a:1"]}, "task": {"index": 1}})",
        R"({"cluster": {"ps": ["a:1"]}, "task": {"type": "ps", "index": 1.5}})",
        R"({"cluster": {"ps": ["a:1"]}, "task": {"type": "ps", "index": 4294967296}})"}) {
    INFO(text);
    CHECK(status_of([&] { read_tf_config(text); }).code() == Code::InvalidArgument);
  }
}

#else

TEST_CASE("without a JSON reader the functions say so") {
  CHECK(status_of([] { cluster_from_json("{}"); }).code() == Code::Unimplemented);
  CHECK(status_of([] { read_tf_config("{}"); }).code() == Code::Unimplemented);
}

#endif

}  // namespace

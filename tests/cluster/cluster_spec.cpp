#include <dgraph/cluster/cluster_spec.hpp>

#include "support/catch.hpp"

namespace {

using namespace dgraph;
using test::contains;
using Strings = std::vector<std::string>;
using Indices = std::vector<std::int32_t>;

ClusterSpec sparse() {
  return ClusterSpec{{"worker", {{37, "b:1"}, {2, "b:2"}}}, {"ps", {"a:1", "a:2"}}};
}

template <class F>
Status status_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.status();
  }
  return {};
}

TEST_CASE("tasks are ordered by job name and index, and found both ways") {
  const ClusterSpec spec = sparse();
  CHECK(spec.jobs() == Strings{"ps", "worker"});
  REQUIRE(spec.size() == 4);
  CHECK(spec.task_indices("worker") == Indices{2, 37});
  CHECK(spec.task_name(0) == "/job:ps/replica:0/task:0");
  CHECK(spec.task_name(3) == "/job:worker/replica:0/task:37");
  CHECK(spec.address("worker", 2) == "b:2");
  for (std::size_t i = 0; i < spec.size(); ++i) {
    const TaskEntry& task = spec.tasks()[i];
    CHECK(spec.position(task.job, static_cast<std::int32_t>(task.index)) == i);
    CHECK(spec.task_devices()[i] == DeviceSpec::parse(spec.task_name(i) + "/device:CPU:0"));
  }
  CHECK_FALSE(spec.find("worker", 0));
  CHECK_FALSE(spec.find("worker", -1));
  CHECK_FALSE(spec.find("wor", 2));
  CHECK(spec.tasks("tcp")[0].address == "tcp://a:1");
}

TEST_CASE("a list, a map and a text of the same cluster are equal") {
  const ClusterSpec spec = sparse();
  const std::map<std::string, JobTasks> jobs = {
      {"ps", Strings{"a:1", "a:2"}},
      {"worker", std::map<std::int32_t, std::string>{{2, "b:2"}, {37, "b:1"}}}};
  CHECK(ClusterSpec(jobs) == spec);
  CHECK(ClusterSpec::parse("ps=a:1,a:2;worker=2@b:2,37@b:1") == spec);
  CHECK(ClusterSpec::parse(" worker = 37@b:1 , 2@b:2 ; ps=a:1, a:2; ") == spec);
  CHECK_FALSE(ClusterSpec::parse("ps=a:1,a:2;worker=b:2,b:1") == spec);
}

TEST_CASE("the text of a cluster reads back") {
  CHECK(sparse().to_string() == "ps=a:1,a:2;worker=2@b:2,37@b:1");
  for (const char* text :
       {"a=x:1", "a=5@x:1,x:2,9@x:3", "a=[::1]:1;b=unix:///run/b", "b_2=local://x,sim://y"}) {
    CHECK(ClusterSpec::parse(text).to_string() == text);
  }
}

TEST_CASE("the fingerprint changes with every part") {
  const std::uint64_t base = sparse().fingerprint();
  CHECK(base == sparse().fingerprint());
  CHECK(base != 0);
  CHECK(ClusterSpec().fingerprint() == 0);
  for (const char* other : {"ps=a:1,a:2;worker=2@b:2,36@b:1", "ps=a:1,a:2;worker=2@b:2,37@b:3",
                            "ps=a:1,a:2;worker=2@b:1,37@b:2", "ps=a:1,a:2;workes=2@b:2,37@b:1",
                            "ps=a:1,a:2;worker=2@b:2"}) {
    CHECK(ClusterSpec::parse(other).fingerprint() != base);
  }
  // FNV-1a of 'a' 0, then index 0 as four bytes, then "b:1" 0; computed apart from this library.
  CHECK(ClusterSpec{{"a", {"b:1"}}}.fingerprint() == 0x39887853acef6f51u);
}

TEST_CASE("what is no cluster says what is wrong") {
  const auto invalid = [](std::string_view text) {
    const Status status = status_of([&] { ClusterSpec::parse(text); });
    INFO(text << " gave " << status.to_string());
    CHECK(status.code() == Code::InvalidArgument);
    return status.message();
  };
  CHECK_THAT(invalid(""), contains("at least one job"));
  CHECK_THAT(invalid("ps"), contains("'ps'"));
  CHECK_THAT(invalid("ps="), contains("job ps has no task"));
  CHECK_THAT(invalid("ps=host"), contains("/job:ps/replica:0/task:0") && contains("no port"));
  CHECK_THAT(invalid("ps=a:1,,b:1"), contains("task:1"));
  CHECK_THAT(invalid("=a:1"), contains("no job name"));
  CHECK_THAT(invalid("2ps=a:1"), contains("'2ps'"));
  CHECK_THAT(invalid("p/s=a:1"), contains("'p/s'"));
  CHECK_THAT(invalid("ps=a:1;ps=b:1"), contains("job ps is there twice"));
  CHECK_THAT(invalid("ps=3@a:1,3@b:1"), contains("task 3"));
  CHECK_THAT(invalid("ps=x@a:1"), contains("'x'"));
  CHECK_THAT(invalid("ps=-1@a:1"), contains("'-1'"));
  CHECK_THAT(invalid("ps=99999999999@a:1"), contains("99999999999"));
  CHECK_THAT(invalid("ps=a:1;worker=a:1"), contains("/job:ps/replica:0/task:0") &&
                                               contains("/job:worker/replica:0/task:0") &&
                                               contains("a:1"));
  CHECK_THAT(invalid("ps=a:1,tcp://a:1"), contains("same address"));
  CHECK(status_of([] { ClusterSpec::parse("ps=a:0,a:0"); }).ok());
  CHECK(status_of([] {
          ClusterSpec{{"ps", {"a:1"}}, {"ps", {"b:1"}}};
        }).code() == Code::InvalidArgument);
  CHECK(status_of([] { ClusterSpec{{"ps", {}}}; }).code() == Code::InvalidArgument);
  CHECK(status_of([] { ClusterSpec{{"ps", {{-1, "a:1"}}}}; }).code() == Code::InvalidArgument);
}

TEST_CASE("an unknown job or task is NotFound and lists what there is") {
  const ClusterSpec spec = sparse();
  const Status job = status_of([&] { spec.address("chief", 0); });
  CHECK(job.code() == Code::NotFound);
  CHECK_THAT(job.message(), contains("'chief'") && contains("ps, worker"));
  const Status task = status_of([&] { spec.address("worker", 0); });
  CHECK(task.code() == Code::NotFound);
  CHECK_THAT(task.message(), contains("task 0 in job worker") && contains("2, 37"));
  CHECK(status_of([&] { spec.task_name(4); }).code() == Code::OutOfRange);
}

}  // namespace

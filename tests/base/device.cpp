#include <dgraph/base/device.hpp>

#include "support/catch.hpp"

using dgraph::DeviceSpec;
using dgraph::Error;
using dgraph::test::contains;

TEST_CASE("every form of a name is read and printed canonically") {
  const auto canonical = [](const char* text) { return DeviceSpec::parse(text).to_string(); };
  CHECK(canonical("") == "");
  CHECK(canonical("/") == "");
  CHECK(canonical("/job:ps") == "/job:ps");
  CHECK(canonical("/task:3") == "/task:3");
  CHECK(canonical("/job:ps/task:1") == "/job:ps/task:1");
  CHECK(canonical("/job:ps/replica:0/task:3/device:CPU:0") == "/job:ps/replica:0/task:3/device:CPU:0");
  CHECK(canonical("/job:worker/task:0/cpu:0") == "/job:worker/task:0/device:CPU:0");
  CHECK(canonical("/GPU:1") == "/device:GPU:1");
  CHECK(canonical("/device:gpu:*") == "/device:GPU:*");
  CHECK(canonical("/device:GPU") == "/device:GPU:*");
  CHECK(canonical("/job:*/task:*") == "");
  CHECK(canonical("job:ps") == "/job:ps");
  CHECK(canonical("/job:a//task:1/") == "/job:a/task:1");
  CHECK(canonical("/cpu") == "/device:CPU:*");
  CHECK(canonical("/device:Cpu:0") == "/device:Cpu:0");
  CHECK(canonical("/job:ps/job:worker") == "/job:worker");
  CHECK(canonical("/device:*:2") == "/device:*:2");
}

TEST_CASE("malformed names are refused with the reason") {
  for (const char* text : {"ps", "/job", "/job:", "/job:1a", "/task:x", "/task:-1", "/task:99999999999", "/cpu:a",
                           "/Cpu:0", "/job:a /task:1", "/tpu9:0", "/foo:1"}) {
    INFO(text);
    REQUIRE_THROWS_WITH(DeviceSpec::parse(text), contains(std::string("\"") + text + "\""));
  }
}

TEST_CASE("an inner name overrides an outer one part by part") {
  const auto outer = DeviceSpec::parse("/job:ps/task:1/cpu:0");
  CHECK(outer.overridden_by(DeviceSpec::parse("/task:2")).to_string() == "/job:ps/task:2/device:CPU:0");
  CHECK(outer.overridden_by(DeviceSpec()) == outer);
}

TEST_CASE("merging contradicting names gives nothing") {
  const auto ps = DeviceSpec::parse("/job:ps");
  CHECK(ps.merged_with(DeviceSpec::parse("/task:1"))->to_string() == "/job:ps/task:1");
  CHECK_FALSE(ps.merged_with(DeviceSpec::parse("/job:worker")));
}

TEST_CASE("a partial name matches the full names that have its parts") {
  const auto full = DeviceSpec::parse("/job:ps/replica:0/task:1/device:CPU:0");
  CHECK(DeviceSpec().matches(full));
  CHECK(DeviceSpec::parse("/task:1").matches(full));
  CHECK_FALSE(DeviceSpec::parse("/task:0").matches(full));
  CHECK_FALSE(full.matches(DeviceSpec::parse("/task:1")));
  CHECK(full.task_part().to_string() == "/job:ps/replica:0/task:1");
}

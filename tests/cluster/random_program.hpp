#pragma once
// Random small programs over several tasks whose results do not depend on timing: variables read, mixed, and changed once a
// step after all that read them.

#include <random>
#include <string>
#include <vector>

#include <dgraph/dgraph.hpp>

namespace dgraph::test {

struct RandomProgram {
  std::vector<Variable<std::int64_t>> variables;
  Op<void> step, init;
  Op<std::int64_t> fail_below;  ///< placeholder: the step fails on some task where it is fed below 0
};

/// Builds into the default graph; `device(i)` names task i of `tasks`.
template <class Device>
RandomProgram random_program(std::uint64_t seed, int tasks, Device device_of) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const auto any_task = [&] { return device_of(static_cast<int>(below(static_cast<std::size_t>(tasks)))); };
  RandomProgram out;
  const std::size_t count = 1 + below(4);
  for (std::size_t i = 0; i < count; ++i) {
    auto on = device(any_task());
    out.variables.push_back(
        variable("v" + std::to_string(i), xt::xarray<std::int64_t>{static_cast<std::int64_t>(i) + 1, -3}));
  }
  std::vector<Op<std::int64_t>> values;
  for (const auto& v : out.variables) values.push_back(v.read());
  const std::vector<Op<std::int64_t>> reads = values;
  {
    auto on = device(any_task());
    out.fail_below = placeholder_with_default(std::int64_t{1}, PartialShape::scalar());
  }
  const std::size_t ops = 2 + below(10);
  for (std::size_t i = 0; i < ops; ++i) {
    auto on = device(any_task());
    const auto a = values[below(values.size())], b = values[below(values.size())];
    switch (below(4)) {
      case 0: values.push_back(a + b); break;
      case 1: values.push_back(a - b); break;
      case 2: values.push_back(maximum(a, b)); break;
      default: values.push_back(a * std::int64_t{3}); break;
    }
  }
  // Nothing changes before everything was read.
  std::vector<Output> changes;
  {
    std::vector<Output> all(reads.begin(), reads.end());
    {
      auto on = device(any_task());
      all.push_back(assert_true(greater_equal(out.fail_below, std::int64_t{0}), {out.fail_below}));
    }
    auto after = control_dependencies(all);
    for (std::size_t i = 0; i < count; ++i) {
      const auto by = values[below(values.size())];
      // Kept small, so that no sum overflows.
      changes.push_back(out.variables[i].assign(floormod(reads[i] + by, std::int64_t{1000003})));
    }
  }
  out.step = group(changes);
  out.init = global_variables_initializer();
  return out;
}

}  // namespace dgraph::test

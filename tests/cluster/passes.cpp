// Graph passes change no result: random graphs with each pass on and off, and errors that name the nodes of the user.
#include <random>

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

// A graph of every kind of thing that a pass may touch: constants, shapes, equal expressions, Identities, NoOps, branches on
// predicates that are constant, and on others that are not.
class RandomGraph {
 public:
  explicit RandomGraph(std::uint64_t seed) : random_(seed) {
    fed_ = placeholder_with_default(std::vector<std::int64_t>{2, 5, -1}, PartialShape{3});
    flag_ = placeholder_with_default(true, PartialShape::scalar());
    values_ = {fed_, constant(std::vector<std::int64_t>{1, 2, 3}),
               constant(std::vector<std::int64_t>{7, 0, 7})};
    for (int i = 0; i < 25; ++i) values_.push_back(next(2));
  }
  std::vector<Op<std::int64_t>> results() const { return {values_.end() - 12, values_.end()}; }
  const Op<std::int64_t>& fed() const { return fed_; }
  const Op<bool>& flag() const { return flag_; }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  const Op<std::int64_t>& any() { return values_[below(values_.size())]; }

  Op<bool> predicate() {
    switch (below(4)) {
      case 0:
        return constant(below(2) == 0);
      case 1:
        return identity(constant(below(2) == 0));
      case 2:
        return flag_;
      default:
        return greater(reduce_sum(any()), std::int64_t{10});
    }
  }

  Op<std::int64_t> next(int depth) {
    const Op<std::int64_t> a = any(), b = any();
    switch (below(9)) {
      case 0:
        return maximum(a, b) - minimum(b, a);
      case 1:
        return floormod(a * b + a * b, std::int64_t{1000});
      case 2:
        return identity(identity(a));
      case 3:
        return a + cast<std::int64_t>(reduce_sum(shape(b)));
      case 4:
        return constant(std::vector<std::int64_t>{4, 5, 6}) *
                   constant(std::vector<std::int64_t>{1, 2, 3}) +
               a;
      case 5: {
        const auto after = control_dependencies({group({a, no_op()}), b});
        return below(2) ? identity(a) : constant(std::vector<std::int64_t>{9, 8, 7});
      }
      case 6:
        return stop_gradient(a) + zeros_like(b);
      default:
        break;
    }
    if (depth == 0) return a + b;
    const std::size_t own = values_.size();
    const auto branch = [&, depth, own] {
      Op<std::int64_t> value = next(depth - 1);
      if (below(2)) value = value + next(depth - 1);
      values_.resize(own);
      return value;
    };
    return cond(predicate(), branch, branch);
  }

  std::mt19937_64 random_;
  Op<std::int64_t> fed_;
  Op<bool> flag_;
  std::vector<Op<std::int64_t>> values_;
};

std::vector<SessionOptions> all_configurations() {
  std::vector<SessionOptions> out(7);
  out[0].config.optimizer_level = 0;
  out[2].config.passes.fold_constants = false;
  out[3].config.passes.merge_common = false;
  out[4].config.passes.remove_identities = false;
  out[5].config.passes.remove_dead_branches = false;
  out[6].config.passes = {true, false, false, true};
  return out;
}

}  // namespace

TEST_CASE("random graphs compute the same with every pass on and off") {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    INFO("seed " << seed);
    Graph graph;
    const auto building = graph.as_default();
    const RandomGraph program(seed);
    std::vector<std::vector<xt::xarray<std::int64_t>>> plain, fed;
    for (const SessionOptions& options : all_configurations()) {
      Session<> session(graph, options);
      plain.push_back(session.run(program.results()));
      const xt::xarray<std::int64_t> value = {-3, 11, 4};
      fed.push_back(
          session.run({{program.fed(), value}, {program.flag(), false}}, program.results()));
    }
    for (std::size_t i = 1; i < plain.size(); ++i) {
      INFO("configuration " << i);
      REQUIRE((plain[i] == plain[0]));
      REQUIRE((fed[i] == fed[0]));
    }
  }
}

TEST_CASE("passes keep the names of the user's nodes in errors and traces") {
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<std::int32_t>(PartialShape::scalar(), "x");
  const auto twice = identity(identity(multiply(x, 1, "product"), "inner"), "outer");
  // Equal expressions, one of which stands for both; a branch that is always taken.
  const auto a = floordiv(1, twice, "first"), b = floordiv(1, twice, "second");
  const auto chosen = cond(
      constant(true), [&] { return floordiv(a, b, "in_branch"); }, [&] { return a; });
  const auto sum = add(chosen, b, "sum");
  for (const SessionOptions& options : all_configurations()) {
    Session<> session(options);
    check_status(status_of([&] {
                   session.run({{x, 0}}, sum);
                 }),
                 Code::InvalidArgument, {"first", "passes.cpp:"});
    RunMetadata metadata;
    CHECK(session.run({.trace = true, .metadata = &metadata}, {{x, 1}}, sum)() == 2);
    std::vector<std::string> timed, placed;
    for (const NodeTiming& node : metadata.nodes) {
      timed.push_back(node.node);
      CHECK(node.end_ns >= node.start_ns);
      CHECK(node.output_bytes > 0);
      CHECK_THAT(node.device, contains("/job:localhost"));
    }
    for (const Placement& node : metadata.placements) {
      placed.push_back(node.node);
      CHECK_FALSE(node.reason.empty());
    }
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    CHECK(has(timed, "sum"));
    for (const char* name : {"inner", "outer", "first", "second", "sum"}) {
      INFO(name);
      CHECK(has(placed, name));
    }
    CHECK(metadata.partitions == std::vector<std::string>{"/job:localhost/replica:0/task:0"});
  }
}

TEST_CASE("a branch that a constant predicate never takes is gone, with its effects") {
  Graph graph;
  const auto building = graph.as_default();
  const auto v = variable("v", 1.0f);
  const auto x = placeholder_with_default(2.0f, PartialShape::scalar());
  const auto y = cond(
      constant(false), [&] { return v.assign_add(x); }, [&] { return multiply(x, 3.0f, "kept"); });
  const auto nested = cond(
      constant(true),
      [&] {
        return cond(
            constant(false), [&] { return x; }, [&] { return y + 1.0f; });
      },
      [&] { return x * 100.0f; });
  for (const bool on : {true, false}) {
    SessionOptions options;
    options.config.passes.remove_dead_branches = on;
    Session<> session(options);
    session.run(v.initializer());
    RunMetadata metadata;
    CHECK(session.run({.trace = true, .metadata = &metadata}, {{x, 4.0f}}, nested)() == 13.0f);
    const auto runs = [&](std::string_view op) {
      return std::count_if(metadata.nodes.begin(), metadata.nodes.end(),
                           [&](const NodeTiming& n) { return n.op_type == op; });
    };
    CHECK(runs("AssignAdd") == 0);
    CHECK(runs("Mul") == 1);
    const auto placed = [&](std::string_view op) {
      return std::count_if(metadata.placements.begin(), metadata.placements.end(),
                           [&](const Placement& p) { return p.op_type == op; });
    };
    CHECK((placed("Switch") == 0) == on);
    CHECK((placed("AssignAdd") == 0) == on);
    CHECK(session.run(v)() == 1.0f);
  }
}

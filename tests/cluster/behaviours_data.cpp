// Behaviours of TensorFlow's sessions that dgraph keeps or betters: large data, many threads, graphs that grow or no longer do.
#include <atomic>
#include <thread>

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

TEST_CASE("behaviour 70: a tensor of 64 MB crosses tasks, is fetched and is fed") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 2}});
  constexpr std::size_t kCount = 16'777'216;
  Graph graph;
  const auto building = graph.as_default();
  Op<float> big, sum, fed_sum;
  const auto fed = placeholder<float>({-1});
  {
    const auto on = device("/job:worker/task:1");
    big = fill<float>({static_cast<std::int64_t>(kCount)}, 0.25f) * 2.0f;
  }
  {
    const auto on = device("/job:ps/task:0");
    sum = reduce_sum(big);
    fed_sum = reduce_sum(fed);
  }
  Session<Tcp> session(servers.target(servers.position("worker", 0)));
  CHECK(session.run(sum)() == 8388608.0f);
  const auto value = session.run(view(big));
  CHECK(value.size() == kCount);
  CHECK(value(0) == 0.5f);
  CHECK(value(kCount - 1) == 0.5f);
  CHECK(session.run({{fed, xt::xarray<float>(xt::ones<float>({kCount}))}}, fed_sum)() ==
        16777216.0f);
}

TEST_CASE("behaviour 71: strings of any bytes cross tasks") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<std::string>({-1});
  Op<std::string> there, doubled;
  Op<std::int32_t> lengths;
  {
    const auto on = device("/job:ps/task:0");
    there = identity(x);
    lengths = string_length(there);
  }
  {
    const auto on = device("/job:worker/task:0");
    doubled = string_join({there, there});
  }
  std::string all(256, '\0');
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>(i);
  const std::vector<std::string> texts = {"", std::string("a\0b\0c", 5) + "12345", all,
                                          "\xff\xfe\x80", std::string(1'000'000, 'y')};
  Session<Tcp> session(servers.target(1));
  auto [back, twice, sizes] = session.run({{x, texts}}, there, doubled, lengths);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CHECK(back(i) == texts[i]);
    CHECK(twice(i) == texts[i] + texts[i]);
    CHECK(sizes(i) == static_cast<std::int32_t>(texts[i].size()));
  }
}

TEST_CASE("behaviour 72: a hundred threads run one session") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 2}});
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<float>(PartialShape::scalar());
  Op<float> y;
  {
    const auto on = device("/job:worker/task:1");
    y = x * 2.0f;
  }
  Session<Tcp> session(servers.target(0));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 100; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const float mine = static_cast<float>(t * 20 + i);
        const Status status = status_of([&] {
          wrong += session.run({{x, mine}}, y)() != 2 * mine;
        });
        wrong += !status.ok();
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("behaviour 73: the graph grows while a step runs, and sends only what is new") {
  Graph graph;
  const auto building = graph.as_default();
  const auto v = variable("v", 0.0f);
  const auto more = Op<void>(v.assign_add(1.0f));
  embedded_and_served(graph, [&](auto& session) {
    session.run(v.initializer());
    Status long_run;
    std::uint64_t completed = 0;
    std::thread other([&] {
      long_run =
          status_of([&] { session.run({.repeat = 1'000'000'000, .completed = &completed}, more); });
    });
    const auto until = Clock::now() + 20s;
    while (session.run(v)() == 0 && Clock::now() < until) {
    }
    const auto fresh = constant(20) + 1;
    CHECK(session.run(fresh)() == 21);
    session.stop_repeat();
    other.join();
    check_status(long_run, Code::Ok);
    CHECK(completed > 0);
  });
}

TEST_CASE("behaviour 74: a finalised graph takes no node, and runs") {
  Graph graph;
  const auto building = graph.as_default();
  const auto c = constant(1);
  graph.finalize();
  check_status(status_of([&] { constant(2); }), Code::FailedPrecondition, {"finalized"});
  embedded_and_served(graph, [&](auto& session) {
    CHECK(session.run(c)() == 1);
    check_status(status_of([&] { session.run(c + 1); }), Code::FailedPrecondition, {"finalized"});
  });
}

TEST_CASE("an op with a seed of its own draws the same numbers whatever else is in the graph") {
  const auto draws = [](int before, const char* name) {
    Graph graph;
    const auto building = graph.as_default();
    for (int i = 0; i < before; ++i) random_uniform<float>({2}, 0.f, 1.f);
    const auto op = random_uniform<float>({4}, 0.f, 1.f, 17, name);
    Session<> session;
    return std::pair(flat(session.run(op)), flat(session.run(op)));
  };
  const auto first = draws(0, "a");
  CHECK(first == draws(5, "another"));
  CHECK(first.first != first.second);
}

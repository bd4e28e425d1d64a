// Queues and accumulators in steps: the order in which elements leave, what waiting costs, several components.
#include <dgraph/ops/queues.hpp>

#include <atomic>
#include <set>
#include <thread>

#include <dgraph/async.hpp>
#include <dgraph/embedded.hpp>
#include <dgraph/ops/accumulators.hpp>

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

template <class T>
std::vector<T> elements(const xt::xarray<T>& x) {
  return {x.begin(), x.end()};
}

}  // namespace

TEST_CASE("elements of several components leave in the order in which they came") {
  Graph graph;
  const auto building = graph.as_default();
  const FIFOQueue<float, std::string> queue(-1, {Shape{2}, Shape{}});
  const auto put = queue.enqueue(std::vector<float>{1, 2}, std::string("one"));
  const auto put_rows = queue.enqueue_many(xt::xarray<float>{{3, 4}, {5, 6}},
                                           std::vector<std::string>{"two", "three"});
  const auto [pair, name] = queue.dequeue();
  const auto [pairs, names] = queue.dequeue_many(2);
  CHECK(pair.shape() == PartialShape{2});
  CHECK(pairs.shape() == PartialShape{2, 2});
  Session<> session(graph);
  session.run(put);
  session.run(put_rows);
  const auto [a, b] = session.run(pair, name);
  CHECK(flat(a) == std::vector<float>{1, 2});
  CHECK(b() == "one");
  const auto [c, d] = session.run(pairs, names);
  CHECK(flat(c) == std::vector<float>{3, 4, 5, 6});
  CHECK(elements<std::string>(d) == std::vector<std::string>{"two", "three"});
}

TEST_CASE("elements of open dimensions are padded to the largest that is taken with them") {
  Graph graph;
  const auto building = graph.as_default();
  const PaddingFIFOQueue<std::int32_t> queue(10, {PartialShape{-1}});
  const auto fed = placeholder<std::int32_t>();
  const auto put = queue.enqueue(fed);
  const auto three = queue.dequeue_many(3);
  Session<> session(graph);
  for (const std::vector<std::int32_t>& row :
       {std::vector<std::int32_t>{1}, {2, 3, 4}, std::vector<std::int32_t>{}})
    session.run({{fed, row}}, put);
  const auto taken = session.run(three);
  CHECK(taken == xt::xarray<std::int32_t>{{1, 0, 0}, {2, 3, 4}, {0, 0, 0}});
}

TEST_CASE("the smallest priority leaves first, and of equal ones the one that came first") {
  Graph graph;
  const auto building = graph.as_default();
  const PriorityQueue<std::string> queue(10, {Shape{}});
  const auto put = queue.enqueue_many(std::vector<std::int64_t>{3, -1, 3, 2},
                                      std::vector<std::string>{"c", "a", "d", "b"});
  const auto [priority, value] = queue.dequeue_many(4);
  Session<> session(graph);
  session.run(put);
  const auto [p, v] = session.run(priority, value);
  CHECK(elements<std::int64_t>(p) == std::vector<std::int64_t>{-1, 2, 3, 3});
  CHECK(elements<std::string>(v) == std::vector<std::string>{"a", "b", "c", "d"});
}

TEST_CASE("a random queue keeps elements to choose from, and gives all once it is closed") {
  Graph graph;
  const auto building = graph.as_default();
  const RandomShuffleQueue<std::int32_t> queue(200, 50, {Shape{}}, 7);
  std::vector<std::int32_t> numbers(100);
  for (int i = 0; i < 100; ++i) numbers[static_cast<std::size_t>(i)] = i;
  const auto put = queue.enqueue_many(numbers);
  const auto fifty = queue.dequeue_many(50);
  const auto one = queue.dequeue();
  const auto close = queue.close();
  Session<> session(graph);
  session.run(put);
  auto first = elements<std::int32_t>(session.run(fifty));
  check_status(status_of([&] { session.run({.deadline = 100ms}, one); }), Code::DeadlineExceeded);
  session.run(close);
  const auto rest = elements<std::int32_t>(session.run(fifty));
  CHECK(first != std::vector<std::int32_t>(numbers.begin(), numbers.begin() + 50));
  first.insert(first.end(), rest.begin(), rest.end());
  CHECK(std::set<std::int32_t>(first.begin(), first.end()).size() == 100);
}

TEST_CASE("many waiting dequeues hold no thread of a server with two") {
  constexpr int kWaiting = 10'000;
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}}, {"--threads", "2"});
  Graph graph;
  const auto building = graph.as_default();
  const FIFOQueue<std::int32_t> queue(-1, {Shape{}});
  const auto one = queue.dequeue();
  const auto size = queue.size();
  std::vector<std::int32_t> numbers(kWaiting);
  for (int i = 0; i < kWaiting; ++i) numbers[static_cast<std::size_t>(i)] = i;
  const auto put = queue.enqueue_many(numbers);
  Session<Tcp> session(servers.target(0));
  std::atomic<int> answered{0}, failed{0};
  std::atomic<long> total{0};
  for (int i = 0; i < kWaiting; ++i)
    session.async_run(one, [&](std::exception_ptr error, const xt::xarray<std::int32_t>& value) {
      if (error)
        ++failed;
      else
        total += value();
      ++answered;
    });
  // The server still serves others.
  CHECK(session.run(size)() == 0);
  CHECK(answered == 0);
  session.run(put);
  const auto until = Clock::now() + 60s;
  while (answered < kWaiting && Clock::now() < until) std::this_thread::yield();
  CHECK(answered == kWaiting);
  CHECK(failed == 0);
  CHECK(total == long{kWaiting} * (kWaiting - 1) / 2);
}

TEST_CASE("rows of gradients are added up, each divided by how many gradients had it") {
  Graph graph;
  const auto building = graph.as_default();
  const SparseConditionalAccumulator<float> accumulator(PartialShape{4, 2});
  const auto put_a = accumulator.apply_grad(constant(std::vector<std::int64_t>{0, 2}),
                                            constant(xt::xarray<float>{{1, 2}, {3, 4}}));
  const auto put_b = accumulator.apply_grad(constant(std::vector<std::int64_t>{2, 3}),
                                            constant(xt::xarray<float>{{5, 6}, {7, 8}}));
  const auto put_bad = accumulator.apply_grad(constant(std::vector<std::int64_t>{4}),
                                              constant(xt::xarray<float>{{1, 1}}));
  const auto [indices, values, shape] = accumulator.take_grad(2);
  Session<> session(graph);
  session.run(put_a);
  session.run(put_b);
  check_status(status_of([&] { session.run(put_bad); }), Code::InvalidArgument,
               {"index 4 at position 0"});
  const auto [i, v, s] = session.run(indices, values, shape);
  CHECK(elements<std::int64_t>(i) == std::vector<std::int64_t>{0, 2, 3});
  CHECK(flat(v) == std::vector<float>{1, 2, 4, 5, 7, 8});
}

// Behaviours of TensorFlow's sessions that dgraph keeps or betters: queues and accumulators, and steps that wait for them.
#include <thread>

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

constexpr const char* kPs = "/job:ps/task:0";
constexpr const char* kWorker0 = "/job:worker/task:0";
constexpr const char* kWorker1 = "/job:worker/task:1";

/// Runs `call` in a thread of its own; `status()` waits for its end.
class Aside {
 public:
  template <class F>
  explicit Aside(F call) : thread_([this, call] { status_ = status_of(call); }) {}
  ~Aside() {
    if (thread_.joinable()) thread_.join();
  }
  Status status() {
    thread_.join();
    return status_;
  }

 private:
  Status status_;
  std::thread thread_;
};

/// Waits, with a bound, until the queue has so many elements.
template <class S, class Q>
void until_size(S& session, const Q& size, std::int32_t wanted) {
  const auto until = Clock::now() + 20s;
  while (session.run(size)() != wanted && Clock::now() < until) {
  }
  CHECK(session.run(size)() == wanted);
}

std::vector<int> ints(const xt::xarray<std::int32_t>& x) { return {x.begin(), x.end()}; }

}  // namespace

TEST_CASE("behaviour 36: closing cancels a step that waits in a dequeue") {
  Graph graph;
  const auto building = graph.as_default();
  const FIFOQueue<std::int32_t> queue(10, {Shape{}});
  const auto two = queue.dequeue_many(2);
  const auto put = queue.enqueue(1);
  const auto size = queue.size();
  embedded_and_served(graph, [&](auto& session) {
    session.run(put);
    Aside waiting([&] { session.run(two); });
    until_size(session, size, 0);
    session.close();
    check_status(waiting.status(), Code::Cancelled);
  });
}

TEST_CASE("behaviour 37: a deadline ends a dequeue that waits; session and queue stay usable") {
  Graph graph;
  const auto building = graph.as_default();
  const FIFOQueue<std::int32_t> queue(10, {Shape{}}, "", "waited_for");
  const auto one = queue.dequeue("taking");
  const auto put = queue.enqueue(5);
  const auto size = queue.size();
  embedded_and_served(graph, [&](auto& session) {
    check_status(status_of([&] { session.run({.deadline = 200ms}, one); }), Code::DeadlineExceeded,
                 {"taking"});
    session.run(put);
    CHECK(session.run(size)() == 1);
    CHECK(session.run(one)() == 5);
  });
}

TEST_CASE("behaviour 48: an error on one task ends a dequeue that waits on another") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 2}});
  Graph graph;
  const auto building = graph.as_default();
  const auto bad = divide_by_zero(kWorker0);
  const auto on = device(kWorker1);
  const FIFOQueue<std::int32_t> queue(10, {Shape{}});
  const auto one = queue.dequeue();
  const auto put = queue.enqueue(7);
  Session<Tcp> session(servers.target(0));
  check_status(status_of([&] { session.run(bad, one); }), Code::InvalidArgument,
               {"ivision by zero", "/job:worker/replica:0/task:0"});
  session.run(put);
  CHECK(session.run(one)() == 7);
}

TEST_CASE("behaviour 65a: dequeue and enqueue on a closed queue") {
  Graph graph;
  const auto building = graph.as_default();
  const FIFOQueue<std::int32_t> queue(10, {Shape{}}, "q");
  const auto put = queue.enqueue(4);
  const auto put_two = queue.enqueue_many(std::vector<std::int32_t>{4, 5});
  const auto one = queue.dequeue();
  const auto none = queue.dequeue_many(0), three = queue.dequeue_many(3);
  const auto up_to_three = queue.dequeue_up_to(3);
  const auto size = queue.size();
  const auto close = queue.close();
  const auto closed = queue.is_closed();
  embedded_and_served(graph, [&](auto& session) {
    CHECK(session.run(none).size() == 0);
    check_status(status_of([&] { session.run({.deadline = 100ms}, up_to_three); }),
                 Code::DeadlineExceeded);
    session.run(put);
    CHECK(session.run(size)() == 1);
    CHECK_FALSE(session.run(closed)());
    session.run(close);
    CHECK(session.run(closed)());
    check_status(status_of([&] { session.run(close); }), Code::Cancelled, {"is already closed"});
    check_status(status_of([&] { session.run(put); }), Code::Cancelled, {"'q' is closed"});
    check_status(status_of([&] { session.run(put_two); }), Code::Cancelled, {"'q' is closed"});
    CHECK(session.run(size)() == 1);
    check_status(status_of([&] { session.run(three); }), Code::OutOfRange,
                 {"closed and has insufficient elements (requested 3, current size 1)"});
    CHECK(session.run(size)() == 1);
    CHECK(ints(session.run(up_to_three)) == std::vector<int>{4});
    check_status(status_of([&] { session.run(one); }), Code::OutOfRange,
                 {"requested 1, current size 0"});
    check_status(status_of([&] { session.run(three); }), Code::OutOfRange);
    check_status(status_of([&] { session.run(up_to_three); }), Code::OutOfRange);
  });
}

TEST_CASE("behaviour 65b: closing waits for enqueues that wait, or cancels them") {
  for (const bool cancel : {false, true}) {
    Graph graph;
    const auto building = graph.as_default();
    const FIFOQueue<std::int32_t> queue(1, {Shape{}});
    const auto put_two = queue.enqueue_many(std::vector<std::int32_t>{1, 2});
    const auto one = queue.dequeue();
    const auto size = queue.size();
    const auto close = queue.close(cancel);
    embedded_and_served(graph, [&](auto& session) {
      Aside putting([&] { session.run(put_two); });
      until_size(session, size, 1);
      if (cancel) {
        session.run(close);
        check_status(putting.status(), Code::Cancelled, {"Enqueue operation was cancelled"});
      } else {
        check_status(status_of([&] { session.run({.deadline = 100ms}, close); }),
                     Code::DeadlineExceeded);
      }
      CHECK(session.run(one)() == 1);
      if (cancel) {
        check_status(status_of([&] { session.run(one); }), Code::OutOfRange);
        return;
      }
      check_status(putting.status(), Code::Ok);
      session.run(close);
      CHECK(session.run(one)() == 2);
      check_status(status_of([&] { session.run(one); }), Code::OutOfRange);
    });
  }
}

TEST_CASE("behaviour 65c: a shared name with other properties") {
  Graph graph;
  const auto building = graph.as_default();
  const auto size = [](const auto& queue) { return queue.size(); };
  const FIFOQueue<std::int32_t> first(5, {Shape{}}, "q");
  const auto put = first.enqueue(1);
  const auto same = size(FIFOQueue<std::int32_t>(5, {Shape{}}, "q"));
  const auto other_dtype = size(FIFOQueue<float>(5, {Shape{}}, "q"));
  const auto other_shape = size(FIFOQueue<std::int32_t>(5, {Shape{2}}, "q"));
  const auto no_shape = size(FIFOQueue<std::int32_t>(5, {}, "q"));
  const auto other_capacity = size(FIFOQueue<std::int32_t>(6, {Shape{}}, "q"));
  const auto other_kind = size(RandomShuffleQueue<std::int32_t>(5, 0, {Shape{}}, {}, "q"));
  const auto v = variable("q", 3.0f);
  embedded_and_served(graph, [&](auto& session) {
    session.run(put);
    CHECK(session.run(same)() == 1);
    for (const auto& [op, words] :
         {std::pair{other_dtype, "component types int32 but requested component types was float"},
          {other_shape, "component shapes"},
          {no_shape, "component shapes"},
          {other_capacity, "capacity 5 but requested capacity was 6"},
          {other_kind, "xpected FIFOQueue, found RandomShuffleQueue"}})
      check_status(status_of([&] { session.run(op); }), Code::InvalidArgument, {words, "q"});
    session.run(v.initializer());
    CHECK(session.run(v)() == 3.0f);
  });
}

TEST_CASE("behaviour 65d: elements that do not fit") {
  Graph graph;
  const auto building = graph.as_default();
  const FIFOQueue<std::int32_t> pairs(2, {Shape{2}}, "pairs");
  const FIFOQueue<std::int32_t> any(2);
  check_status(status_of([&] { pairs.enqueue(std::vector<std::int32_t>{1, 2, 3}); }),
               Code::InvalidArgument, {"[3]", "[2]"});
  check_status(status_of([&] { any.dequeue_many(1); }), Code::InvalidArgument, {"shapes"});
  const auto fed = placeholder<std::int32_t>();
  const auto put = pairs.enqueue(fed);
  const FIFOQueue<std::int32_t> two(2, {Shape{}});
  const auto three = two.enqueue_many(std::vector<std::int32_t>{1, 2, 3});
  const auto size = two.size();
  embedded_and_served(graph, [&](auto& session) {
    check_status(
        status_of([&] { session.run({{fed, std::vector<std::int32_t>{1, 2, 3}}}, put); }),
        Code::InvalidArgument,
        {"Shape mismatch in tuple component 0. Expected [2], got [3]"});
    check_status(status_of([&] { session.run({.deadline = 100ms}, three); }),
                 Code::DeadlineExceeded);
    CHECK(session.run(size)() == 2);
  });
}

TEST_CASE("behaviour 69: a stale gradient is dropped; taking more than there are waits") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  const auto on = device(kPs);
  const ConditionalAccumulator<float> mean(PartialShape{2}),
      sum(PartialShape{2}, "", Reduction::Sum);
  const auto gradient = placeholder<float>();
  const auto step = placeholder<std::int64_t>(PartialShape::scalar());
  const auto apply = mean.apply_grad(gradient, step), apply_sum = sum.apply_grad(gradient, step);
  const auto take = mean.take_grad(2), take_sum = sum.take_grad(2);
  const auto count = mean.num_accumulated();
  Session<Tcp> session(servers.target(1));
  const auto give = [&](const Op<void>& to, std::vector<float> values, std::int64_t at) {
    session.run({{gradient, std::move(values)}, {step, at}}, to);
  };
  for (const auto& to : {apply, apply_sum}) {
    give(to, {1, 2}, 0);
    give(to, {3, 4}, 0);
  }
  CHECK(flat(session.run(take)) == std::vector<float>{2, 3});
  CHECK(flat(session.run(take_sum)) == std::vector<float>{4, 6});
  give(apply, {1, 2}, 0);
  CHECK(session.run(count)() == 0);
  give(apply, {1, 2}, 5);
  CHECK(session.run(count)() == 1);
  check_status(status_of([&] { give(apply, {1, 2, 3}, 5); }), Code::InvalidArgument,
               {"Shape mismatch: expected [2], got [3]", "/job:ps/replica:0/task:0"});
  check_status(status_of([&] { session.run({.deadline = 200ms}, take); }), Code::DeadlineExceeded);
  CHECK(session.run(count)() == 1);
}

TEST_CASE("behaviour 73: the graph grows while a step waits in a dequeue") {
  Graph graph;
  const auto building = graph.as_default();
  const FIFOQueue<std::int32_t> queue(10, {Shape{}});
  const auto two = queue.dequeue_many(2);
  const auto put = queue.enqueue(5);
  const auto size = queue.size();
  embedded_and_served(graph, [&](auto& session) {
    session.run(put);
    Aside waiting([&] { session.run(two); });
    until_size(session, size, 0);
    const auto fresh = constant(20) + 1;
    CHECK(session.run(fresh)() == 21);
    session.run(put);
    check_status(waiting.status(), Code::Ok);
  });
}

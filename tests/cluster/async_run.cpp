// Runs as asynchronous operations of Asio.
#include <dgraph/async.hpp>

#include <asio/bind_cancellation_slot.hpp>
#include <asio/bind_executor.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/io_context.hpp>
#include <asio/use_future.hpp>

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

Status status_of_error(const std::exception_ptr& error) {
  return status_of([&] {
    if (error) std::rethrow_exception(error);
  });
}

}  // namespace

TEST_CASE("async_run calls its handler on the handler's executor, with what run would give") {
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<float>(PartialShape::scalar(), "x");
  const auto y = x * 2.0f;
  const auto bad = divide_by_zero("");
  const auto op = no_op();
  embedded_and_served(graph, [&](auto& session) {
    asio::io_context context;
    int done = 0;
    session.async_run(
        {{x, 3.0f}}, y,
        asio::bind_executor(context, [&](std::exception_ptr error, xt::xarray<float> value) {
          CHECK_FALSE(error);
          CHECK(value() == 6.0f);
          ++done;
        }));
    session.async_run(op, asio::bind_executor(context, [&](std::exception_ptr error) {
                        CHECK_FALSE(error);
                        ++done;
                      }));
    session.async_run(
        RunOptions{.deadline = 10s}, Feeds{{x, 1.0f}}, y, "x:0",
        asio::bind_executor(
            context, [&](std::exception_ptr error, std::tuple<xt::xarray<float>, Tensor> values) {
              CHECK_FALSE(error);
              CHECK(std::get<0>(values)() == 2.0f);
              ++done;
            }));
    session.async_run(
        bad, asio::bind_executor(context, [&](std::exception_ptr error, xt::xarray<std::int32_t>) {
          check_status(status_of_error(error), Code::InvalidArgument,
                       {"ivision by zero", "behaviours_support.hpp:"});
          ++done;
        }));
    // The operations are work of the context: it runs until all have ended.
    context.run_for(20s);
    CHECK(done == 4);
    CHECK(session.async_run({{x, 4.0f}}, y, asio::use_future).get()() == 8.0f);
    CHECK_THROWS_AS(session.async_run(bad, asio::use_future).get(), Error);
  });
}

TEST_CASE("a cancellation slot cancels the run") {
  Graph graph;
  const auto building = graph.as_default();
  const auto v = variable("v", 0.0f);
  const auto more = Op<void>(v.assign_add(1.0f));
  embedded_and_served(graph, [&](auto& session) {
    session.run(v.initializer());
    asio::io_context context;
    asio::cancellation_signal signal;
    Status status;
    session.async_run(
        RunOptions{.repeat = 1'000'000'000}, more,
        asio::bind_executor(
            context, asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr error) {
              status = status_of_error(error);
            })));
    const auto until = Clock::now() + 20s;
    while (session.run(as<float>(v)) == 0 && Clock::now() < until) {
    }
    signal.emit(asio::cancellation_type::terminal);
    context.run_for(20s);
    check_status(status, Code::Cancelled);
    // The session goes on.
    CHECK(session.run(as<float>(v)) > 0);
  });
}

#pragma once
// For clients whose runs are asynchronous operations of Asio: session.async_run(loss, token), with any completion token. Of
// dgraph's public headers the one that includes Asio.

#include <exception>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <asio/associated_cancellation_slot.hpp>
#include <asio/associated_executor.hpp>
#include <asio/async_result.hpp>
#include <asio/cancellation_type.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/post.hpp>
#include <asio/system_executor.hpp>

#include <dgraph/dgraph.hpp>

namespace dgraph::detail {

/// One run on its way: its handler is called on the handler's own executor, which has work until then.
template <class Handler, class... F>
class AsyncStep {
 public:
  using Result = decltype(take_results(std::declval<Results>(), std::declval<const F&>()...));

  AsyncStep(Handler handler, std::vector<bool> has_value, std::tuple<F...> fetches)
      : handler_(std::move(handler)),
        work_(asio::make_work_guard(
            asio::get_associated_executor(handler_, asio::system_executor()))),
        has_value_(std::move(has_value)),
        fetches_(std::move(fetches)) {}

  /// A cancellation before the end cancels the run.
  void cancel_by_slot(const std::shared_ptr<SessionCore>& core, std::uint64_t request) {
    auto slot = asio::get_associated_cancellation_slot(handler_);
    if (!slot.is_connected()) return;
    slot.assign([weak = std::weak_ptr(core), request](asio::cancellation_type) {
      if (const auto running = weak.lock()) running->cancel(request);
    });
  }

  static void finish(std::shared_ptr<AsyncStep> step, const Status& status,
                     std::vector<Tensor> values) {
    const auto executor = step->work_.get_executor();
    asio::post(executor, [step = std::move(step), status, values = std::move(values)]() mutable {
      AsyncStep own = std::move(*step);
      step.reset();
      asio::get_associated_cancellation_slot(own.handler_).clear();
      own.complete(status, values);
    });
  }

 private:
  void complete(const Status& status, std::vector<Tensor>& values) {
    std::exception_ptr error = status.ok() ? nullptr : std::make_exception_ptr(Error(status));
    if constexpr (std::is_void_v<Result>) {
      std::move(handler_)(error);
    } else {
      static_assert(std::is_default_constructible_v<Result>,
                    "dgraph: async_run gives a value of this type also where the run failed: fetch "
                    "op, not dg::view(op)");
      Result result{};
      if (!error) {
        try {
          result = std::apply(
              [&](const F&... fetch) {
                return take_results(Results(values, has_value_), fetch...);
              },
              fetches_);
        } catch (...) {
          error = std::current_exception();
        }
      }
      std::move(handler_)(error, std::move(result));
    }
  }

  Handler handler_;
  asio::executor_work_guard<asio::associated_executor_t<Handler, asio::system_executor>> work_;
  std::vector<bool> has_value_;
  std::tuple<F...> fetches_;
};

template <class Session>
struct AsyncRun {
  /// The last argument is the token.
  template <class... A>
  static auto start(const std::shared_ptr<SessionCore>& core, const RunOptions& options,
                    const Feeds& feeds, A&&... arguments) {
    static_assert(sizeof...(A) >= 2,
                  "dgraph: async_run takes what to fetch or to execute, then a completion token");
    auto all = std::forward_as_tuple(std::forward<A>(arguments)...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return initiate(core, options, feeds, std::get<sizeof...(A) - 1>(std::move(all)),
                      std::get<I>(all)...);
    }
    (std::make_index_sequence<sizeof...(A) - 1>());
  }

 private:
  template <class Token, class... F>
  static auto initiate(const std::shared_ptr<SessionCore>& core, const RunOptions& options,
                       const Feeds& feeds, Token&& token, const F&... fetches) {
    using Result =
        decltype(take_results(std::declval<Results>(), std::declval<const Stored<F>&>()...));
    using Signature = typename SignatureOf<Result>::type;
    return asio::async_initiate<Token, Signature>(
        [](auto handler, std::shared_ptr<SessionCore> session, RunOptions how, Feeds given,
           Stored<F>... fetch) {
          launch(std::move(handler), session, how, given, std::move(fetch)...);
        },
        token, core, options, feeds, Stored<F>(fetches)...);
  }

  template <class Result>
  struct SignatureOf {
    using type = void(std::exception_ptr, Result);
  };
  template <class Result>
  requires std::is_void_v<Result>
  struct SignatureOf<Result> {
    using type = void(std::exception_ptr);
  };

  template <class Handler, class... F>
  static void launch(Handler handler, const std::shared_ptr<SessionCore>& core,
                     const RunOptions& options, const Feeds& feeds, F... fetches) {
    RunNodes nodes(core->graph());
    Status refused;
    std::shared_ptr<const StepDefinition> definition;
    std::vector<Tensor> values;
    try {
      (Fetched<F>::add(nodes, fetches), ...);
      std::vector<Output> fed;
      for (const Feed& feed : feeds) {
        fed.push_back(feed.target(core->graph()));
        values.push_back(feed.value());
      }
      definition = core->define(fed, nodes.fetches, nodes.targets);
    } catch (...) {
      refused = current_exception_status();
    }
    using Step = AsyncStep<Handler, F...>;
    auto step = std::make_shared<Step>(std::move(handler), std::move(nodes.has_value),
                                       std::tuple<F...>(std::move(fetches)...));
    if (!refused.ok()) return Step::finish(std::move(step), refused, {});
    const std::uint64_t request = core->next_request();
    step->cancel_by_slot(core, request);
    core->start(
        request, *definition, std::move(values), options,
        [step = std::move(step)](const Status& status, std::vector<Tensor> results) mutable {
          Step::finish(std::move(step), status, std::move(results));
        });
  }
};

}  // namespace dgraph::detail

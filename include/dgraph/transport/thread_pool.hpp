#pragma once
// ThreadPool: threads that are started when tasks come and none is free, up to a number.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/function.hpp>

namespace dgraph::detail {

/// Held by a shared pointer, because a thread that stops its own pool cannot be joined and ends later by itself.
class ThreadPool : public std::enable_shared_from_this<ThreadPool> {
 public:
  explicit ThreadPool(std::size_t most_threads) noexcept : most_(most_threads) {}

  /// Tasks start in the order in which they were added. After `stop` they are dropped.
  void add(Task task);
  /// Drops what has not started and joins the threads but for the caller's own.
  void stop();

  std::size_t most_threads() const noexcept { return most_; }
  /// Threads that have been started.
  std::size_t threads() const;

 private:
  void serve();

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Task> tasks_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool stopped_ = false;
};

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/transport/impl/thread_pool.ipp>
#endif

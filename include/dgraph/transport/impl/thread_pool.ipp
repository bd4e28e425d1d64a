#pragma once
#include <dgraph/transport/thread_pool.hpp>

#include <system_error>
#include <utility>

namespace dgraph::detail {

DGRAPH_DECL void ThreadPool::add(Task task) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  tasks_.push_back(std::move(task));
  if (idle_ >= tasks_.size()) {
    ready_.notify_one();
  } else if (threads_.size() < most_) {
    try {
      threads_.emplace_back([self = shared_from_this()] { self->serve(); });
    } catch (const std::system_error&) {
      // Fewer threads than asked for will do; none will not.
      if (threads_.empty()) throw;
    }
  }
}

DGRAPH_DECL void ThreadPool::serve() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (tasks_.empty()) {
      ++idle_;
      ready_.wait(lock, [this] { return stopped_ || !tasks_.empty(); });
      --idle_;
      continue;
    }
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
}

DGRAPH_DECL void ThreadPool::stop() {
  std::deque<Task> dropped;
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    dropped.swap(tasks_);
    threads.swap(threads_);
  }
  ready_.notify_all();
  for (std::thread& thread : threads) {
    if (thread.get_id() == std::this_thread::get_id()) {
      thread.detach();
    } else {
      thread.join();
    }
  }
}

DGRAPH_DECL std::size_t ThreadPool::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

}  // namespace dgraph::detail

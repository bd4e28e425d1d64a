#pragma once
// Pull: a coroutine that gives true or false, maybe later and in another thread; how iterators of datasets wait without a thread.

#include <atomic>
#include <coroutine>
#include <exception>
#include <utility>
#include <vector>

#include <dgraph/kernels/task_services.hpp>

namespace dgraph::detail {

/// Runs at once as far as it does not wait, so that what needs no waiting costs no stack. Awaited at most once; one that is let
/// go while it runs goes on by itself and frees itself at its end. A co_await stands alone in its statement, `const bool came =
/// co_await ...;`: of one in a condition g++ 12 puts the value where the frame's functions are.
class Pull {
 public:
  struct promise_type {
    std::atomic<void*> waiter{nullptr};  // null: runs; itself: has ended; `detached`: nobody asks; else who waits
    bool value = false;
    std::exception_ptr error;

    struct End {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
        void* const waiter = self.promise().waiter.exchange(&self.promise(), std::memory_order_acq_rel);
        if (waiter == nullptr) return std::noop_coroutine();
        if (waiter == detached()) {
          self.destroy();
          return std::noop_coroutine();
        }
        return std::coroutine_handle<>::from_address(waiter);
      }
      void await_resume() noexcept {}
    };
    Pull get_return_object() { return Pull(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_never initial_suspend() noexcept { return {}; }
    End final_suspend() noexcept { return {}; }
    void return_value(bool result) noexcept { value = result; }
    void unhandled_exception() noexcept { error = std::current_exception(); }
    static void* detached() noexcept {
      static char mark;
      return &mark;
    }
  };

  Pull(Pull&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Pull& operator=(Pull&& other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~Pull() {
    if (frame_ && frame_.promise().waiter.exchange(promise_type::detached(), std::memory_order_acq_rel) == &frame_.promise())
      frame_.destroy();
  }

  bool await_ready() const noexcept {
    return frame_.promise().waiter.load(std::memory_order_acquire) == &frame_.promise();
  }
  bool await_suspend(std::coroutine_handle<> waiter) noexcept {
    void* expected = nullptr;
    return frame_.promise().waiter.compare_exchange_strong(expected, waiter.address(), std::memory_order_acq_rel);
  }
  bool await_resume() const {
    if (frame_.promise().error) std::rethrow_exception(frame_.promise().error);
    return frame_.promise().value;
  }

 private:
  explicit Pull(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}
  std::coroutine_handle<promise_type> frame_;
};

/// Goes on in a thread of the pool.
class OnPool {
 public:
  explicit OnPool(TaskServices& task) noexcept : task_(task) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiter) {
    task_.compute([waiter] { waiter.resume(); });
  }
  void await_resume() const noexcept {}

 private:
  TaskServices& task_;
};

/// The results of one call of a function; its error is thrown.
class Called {
 public:
  Called(CalledFunction& function, std::vector<Tensor> arguments) noexcept
      : function_(function), values_(std::move(arguments)) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> waiter) {
    function_.call(std::move(values_), [this, waiter](Status status, std::vector<Tensor> results) {
      status_ = std::move(status);
      values_ = std::move(results);
      if (first_.exchange(false, std::memory_order_acq_rel)) return;
      waiter.resume();
    });
    return first_.exchange(false, std::memory_order_acq_rel);
  }
  std::vector<Tensor> await_resume() {
    status_.throw_if_error();
    return std::move(values_);
  }

 private:
  CalledFunction& function_;
  std::vector<Tensor> values_;
  Status status_;
  std::atomic<bool> first_{true};
};

/// Waits until somebody calls `wake`, which may come first; one waiter at a time.
class Signal {
 public:
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> waiter) noexcept {
    void* before = nullptr;
    if (waiter_.compare_exchange_strong(before, waiter.address(), std::memory_order_acq_rel)) return true;
    waiter_.store(nullptr, std::memory_order_release);
    return false;
  }
  void await_resume() const noexcept {}
  /// Whoever waits goes on in this thread.
  void wake() {
    void* before = nullptr;
    if (waiter_.compare_exchange_strong(before, this, std::memory_order_acq_rel) || before == this) return;
    waiter_.store(nullptr, std::memory_order_release);
    std::coroutine_handle<>::from_address(before).resume();
  }

 private:
  std::atomic<void*> waiter_{nullptr};
};

}  // namespace dgraph::detail

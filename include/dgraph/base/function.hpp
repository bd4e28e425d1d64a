#pragma once
// Function<R(Args...)>: a move-only std::function with room for six pointers inside; Task = Function<void()>.

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace dgraph {

template <class Signature>
class Function;

/// Owns any callable of the signature, also one that cannot be copied. Empty until assigned; calling an
/// empty one is undefined. Callables of up to 48 bytes that move without throwing take no heap memory.
template <class R, class... Args>
class Function<R(Args...)> {
 public:
  Function() noexcept = default;
  Function(std::nullptr_t) noexcept {}

  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, Function> &&
             std::is_invocable_r_v<R, std::remove_cvref_t<F>&, Args...>)
  Function(F&& f) {
    using Stored = std::remove_cvref_t<F>;
    if constexpr (kFits<Stored>) {
      ::new (static_cast<void*>(storage_)) Stored(std::forward<F>(f));
      table_ = &kInline<Stored>;
    } else {
      ::new (static_cast<void*>(storage_)) Stored*(new Stored(std::forward<F>(f)));
      table_ = &kHeap<Stored>;
    }
  }

  Function(Function&& other) noexcept { take(other); }
  Function& operator=(Function&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;
  ~Function() { reset(); }

  explicit operator bool() const noexcept { return table_ != nullptr; }
  R operator()(Args... args) { return table_->call(storage_, std::forward<Args>(args)...); }

 private:
  static constexpr std::size_t kRoom = 6 * sizeof(void*);
  template <class F>
  static constexpr bool kFits = sizeof(F) <= kRoom && alignof(F) <= alignof(std::max_align_t) &&
                                std::is_nothrow_move_constructible_v<F>;

  struct Table {
    R (*call)(void*, Args&&...);
    void (*move)(void* from, void* to) noexcept;
    void (*destroy)(void*) noexcept;
  };
  template <class F>
  static constexpr Table kInline{
      [](void* at, Args&&... args) -> R {
        return static_cast<R>((*static_cast<F*>(at))(std::forward<Args>(args)...));
      },
      [](void* from, void* to) noexcept {
        ::new (to) F(std::move(*static_cast<F*>(from)));
        static_cast<F*>(from)->~F();
      },
      [](void* at) noexcept { static_cast<F*>(at)->~F(); }};
  template <class F>
  static constexpr Table kHeap{
      [](void* at, Args&&... args) -> R {
        return static_cast<R>((**static_cast<F**>(at))(std::forward<Args>(args)...));
      },
      [](void* from, void* to) noexcept { ::new (to) F*(*static_cast<F**>(from)); },
      [](void* at) noexcept { delete *static_cast<F**>(at); }};

  void reset() noexcept {
    if (table_) table_->destroy(storage_);
    table_ = nullptr;
  }
  void take(Function& other) noexcept {
    if (other.table_) other.table_->move(other.storage_, storage_);
    table_ = std::exchange(other.table_, nullptr);
  }

  const Table* table_ = nullptr;
  alignas(std::max_align_t) unsigned char storage_[kRoom];
};

/// Work to be done once.
using Task = Function<void()>;

/// A callable that is only borrowed for the length of a call; never stored.
template <class Signature>
class FunctionRef;

template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, Args...>)
  FunctionRef(F&& f) noexcept
      : object_(const_cast<void*>(static_cast<const void*>(&f))),
        call_([](void* object, Args... args) -> R {
          return static_cast<R>((*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...));
        }) {}
  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace dgraph

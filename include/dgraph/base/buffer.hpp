#pragma once
// Counted memory: Counted (intrusive count), Ref<T> (a counted pointer), Buffer (bytes with an owner of any type).

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace dgraph {

/// Base of objects with an intrusive, thread-safe count; born with a count of 1, to be taken by `Ref::adopt`.
class Counted {
 public:
  Counted() noexcept = default;
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    if (count_.load(std::memory_order_acquire) == 1 || count_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      const_cast<Counted*>(this)->dispose();
  }
  /// True where the caller's reference is the only one.
  bool unique() const noexcept { return count_.load(std::memory_order_acquire) == 1; }

 protected:
  virtual ~Counted() = default;
  virtual void dispose() noexcept { delete this; }

 private:
  mutable std::atomic<std::uint32_t> count_{1};
};

/// A counted pointer to a Counted; may be null.
template <class T>
class Ref {
 public:
  Ref() noexcept = default;
  Ref(std::nullptr_t) noexcept {}
  /// Takes over the reference that `object` was born with.
  static Ref adopt(T* object) noexcept {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  /// Adds a reference.
  static Ref share(T* object) noexcept {
    if (object) object->retain();
    return adopt(object);
  }
  Ref(const Ref& other) noexcept : object_(other.object_) {
    if (object_) object_->retain();
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  Ref(Ref<U> other) noexcept : object_(other.leak()) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->release();
  }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  /// Gives the reference up without releasing it.
  [[nodiscard]] T* leak() noexcept { return std::exchange(object_, nullptr); }
  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

/// `size` bytes at `data`, kept alive by the count. What owns the memory is up to the derived class.
class Buffer : public Counted {
 public:
  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  /// False where the memory belongs to somebody who may read or write it meanwhile (a borrowed feed).
  bool writable() const noexcept { return writable_; }

 protected:
  Buffer(std::byte* data, std::size_t size, bool writable = true) noexcept
      : data_(data), size_(size), writable_(writable) {}

 private:
  std::byte* data_;
  std::size_t size_;
  bool writable_;
};

/// A buffer whose memory lives in an object of type Owner: a container moved in, a mapped file, a shared pointer.
template <class Owner>
class OwnedBuffer final : public Buffer {
 public:
  /// `locate(owner)` gives {data, bytes} of the owner once it lies at its final place.
  template <class Locate>
  OwnedBuffer(Owner owner, Locate locate, bool writable = true)
      : OwnedBuffer(std::make_unique<Owner>(std::move(owner)), locate, writable) {}

  Owner& owner() noexcept { return *owner_; }

 private:
  template <class Locate>
  OwnedBuffer(std::unique_ptr<Owner> owner, Locate& locate, bool writable)
      : OwnedBuffer(locate(*owner), owner, writable) {}
  OwnedBuffer(std::pair<void*, std::size_t> at, std::unique_ptr<Owner>& owner, bool writable)
      : Buffer(static_cast<std::byte*>(at.first), at.second, writable), owner_(std::move(owner)) {}

  std::unique_ptr<Owner> owner_;
};

namespace detail {
/// Throws std::bad_alloc where the system would promise so much memory and end the process that uses it, as Linux does. Asks for
/// large sizes alone.
void check_memory(std::size_t bytes);
}  // namespace detail

/// Uninitialised memory of `bytes`, 64-byte aligned. Throws std::bad_alloc.
Ref<Buffer> allocate_buffer(std::size_t bytes);

}  // namespace dgraph

#include <dgraph/base/config.hpp>
#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/base/impl/buffer.ipp>
#endif

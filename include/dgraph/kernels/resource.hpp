#pragma once
// Resources: state that outlives steps and sessions, kept in containers by (container, name); handles to it (D7).

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include <dgraph/base/buffer.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/tensor.hpp>

namespace dgraph {

/// Something with state: a variable, a queue, a table, an iterator.
class Resource : public Counted {
 public:
  /// "variable", "queue", ...; for messages.
  virtual std::string_view kind() const = 0;
  /// The container is being cleared: whoever waits on this resource is to be woken with an error.
  virtual void abandon() {}
};

/// The resources of one task. All calls are safe from any thread.
class ResourceManager {
 public:
  /// The resource of that name, made by `make` (which returns a Ref<T>) where there is none. Throws InvalidArgument where the
  /// name belongs to a resource of another kind.
  template <class T, class Make>
  Ref<T> find_or_create(const std::string& container, const std::string& name, Make make) {
    std::lock_guard lock(mutex_);
    Ref<Resource>& slot = containers_[container][name];
    if (!slot) slot = make();
    return cast<T>(slot, name);
  }
  /// Null where there is none; throws InvalidArgument where it is of another kind.
  template <class T>
  Ref<T> find(const std::string& container, const std::string& name) const {
    std::lock_guard lock(mutex_);
    const auto box = containers_.find(container);
    if (box == containers_.end()) return {};
    const auto at = box->second.find(name);
    return at == box->second.end() ? Ref<T>() : cast<T>(at->second, name);
  }
  /// Forgets one resource; false where there is none.
  bool erase(const std::string& container, const std::string& name);
  /// Forgets all resources of a container; those still referenced by a running step go with it.
  void clear(const std::string& container);
  void clear_all();
  /// "container/name" of each resource, sorted.
  std::vector<std::string> names() const;
  /// Changes whenever a resource is forgotten: what was found before is to be looked up anew.
  std::uint64_t generation() const noexcept { return generation_.load(std::memory_order_acquire); }

 private:
  template <class T>
  static Ref<T> cast(const Ref<Resource>& resource, const std::string& name) {
    if (T* typed = dynamic_cast<T*>(resource.get())) return Ref<T>::share(typed);
    fail(Code::InvalidArgument, "resource ", name, " is a ", resource->kind(), ", which is not what this op works on");
  }
  mutable std::mutex mutex_;
  std::atomic<std::uint64_t> generation_{1};
  std::map<std::string, std::map<std::string, Ref<Resource>>> containers_;
};

/// A tensor of dtype Resource and shape [] that refers to `resource`.
Tensor make_handle(Ref<Resource> resource);
/// What a handle refers to; throws InvalidArgument for any other tensor.
Resource& resource_of(const Tensor& handle);
/// The same as a T; throws InvalidArgument where it is of another kind.
template <class T>
T& resource_as(const Tensor& handle) {
  Resource& resource = resource_of(handle);
  if (T* typed = dynamic_cast<T*>(&resource)) return *typed;
  fail(Code::InvalidArgument, "a handle of a ", resource.kind(), " was given where another resource is needed");
}

/// A variable: one tensor, guarded by a lock. A value that was read never changes: a writer works in place only where nobody
/// else holds the memory.
class VariableResource final : public Resource {
 public:
  VariableResource(std::string name, DType dtype, PartialShape shape)
      : name_(std::move(name)), dtype_(dtype), shape_(std::move(shape)) {}

  std::string_view kind() const override { return "variable"; }
  const std::string& name() const noexcept { return name_; }
  DType dtype() const noexcept { return dtype_; }
  const PartialShape& shape() const noexcept { return shape_; }

  bool initialized() const {
    std::lock_guard lock(mutex_);
    return value_.has_value();
  }
  /// The value, sharing its memory; throws FailedPrecondition "Attempting to use uninitialized value NAME".
  Tensor read() const;
  /// The same without waiting: false while somebody else holds the lock.
  bool try_read(Tensor& value) const;
  /// Replaces the value. The caller has checked dtype and shape.
  void assign(Tensor value);
  /// Calls `change(Tensor& value)` under the lock; value is uninitialised (no value) or may be replaced or, where `unique()`,
  /// written in place. `writable_value` makes it so.
  template <class F>
  void update(F change) {
    std::lock_guard lock(mutex_);
    change(value_);
  }
  /// Throws FailedPrecondition where there is no value; else makes its memory private (copies it where it is shared).
  Tensor& writable_value(Tensor& value) const;
  [[noreturn]] void throw_uninitialized() const;

 private:
  const std::string name_;
  const DType dtype_;
  const PartialShape shape_;
  mutable std::mutex mutex_;
  Tensor value_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/resource.ipp>
#endif

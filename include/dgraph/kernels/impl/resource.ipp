#pragma once
#include <dgraph/kernels/resource.hpp>

namespace dgraph {
namespace detail {

class HandleBuffer final : public Buffer {
 public:
  explicit HandleBuffer(Ref<Resource> r) noexcept : Buffer(nullptr, 0), resource(std::move(r)) {}
  Ref<Resource> resource;
};

}  // namespace detail

DGRAPH_DECL bool ResourceManager::erase(const std::string& container, const std::string& name) {
  Ref<Resource> gone;
  std::lock_guard lock(mutex_);
  const auto box = containers_.find(container);
  if (box == containers_.end()) return false;
  const auto at = box->second.find(name);
  if (at == box->second.end()) return false;
  gone = std::move(at->second);
  box->second.erase(at);
  ++generation_;
  return true;
}

DGRAPH_DECL void ResourceManager::clear(const std::string& container) {
  std::map<std::string, Ref<Resource>> gone;
  {
    std::lock_guard lock(mutex_);
    const auto box = containers_.find(container);
    if (box == containers_.end()) return;
    gone = std::move(box->second);
    containers_.erase(box);
    ++generation_;
  }
  for (auto& [name, resource] : gone) resource->abandon();
}

DGRAPH_DECL void ResourceManager::clear_all() {
  std::map<std::string, std::map<std::string, Ref<Resource>>> gone;
  {
    std::lock_guard lock(mutex_);
    gone.swap(containers_);
    ++generation_;
  }
  for (auto& [container, box] : gone)
    for (auto& [name, resource] : box) resource->abandon();
}

DGRAPH_DECL std::vector<std::string> ResourceManager::names() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (const auto& [container, box] : containers_)
    for (const auto& [name, resource] : box) out.push_back(container + "/" + name);
  return out;
}

DGRAPH_DECL Tensor make_handle(Ref<Resource> resource) {
  return Tensor(DType::Resource, Shape(), make_ref<detail::HandleBuffer>(std::move(resource)));
}

DGRAPH_DECL Resource& resource_of(const Tensor& handle) {
  if (handle.dtype() != DType::Resource)
    fail(Code::InvalidArgument, "a tensor of ", dtype_name(handle.dtype()), " was given where a handle is needed");
  return *static_cast<detail::HandleBuffer*>(handle.buffer())->resource;
}

DGRAPH_DECL void VariableResource::throw_uninitialized() const {
  fail(Code::FailedPrecondition, "Attempting to use uninitialized value ", name_);
}

DGRAPH_DECL Tensor VariableResource::read() const {
  std::lock_guard lock(mutex_);
  if (!value_.has_value()) throw_uninitialized();
  return value_;
}

DGRAPH_DECL bool VariableResource::try_read(Tensor& value) const {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return false;
  if (!value_.has_value()) throw_uninitialized();
  value = value_;
  return true;
}

DGRAPH_DECL void VariableResource::assign(Tensor value) {
  std::lock_guard lock(mutex_);
  std::swap(value_, value);
}

DGRAPH_DECL Tensor& VariableResource::writable_value(Tensor& value) const {
  if (!value.has_value()) throw_uninitialized();
  if (!value.unique()) value = value.clone();
  return value;
}

}  // namespace dgraph

#pragma once
#include <dgraph/graph/function_body.hpp>

#include <utility>

namespace dgraph {
namespace detail {

// Its address is the body's, so that attributes of different functions differ.
class FunctionBuffer final : public Buffer {
 public:
  explicit FunctionBuffer(std::shared_ptr<const FunctionBody> held) noexcept
      : Buffer(reinterpret_cast<std::byte*>(const_cast<FunctionBody*>(held.get())), 0), body(std::move(held)) {}
  const std::shared_ptr<const FunctionBody> body;
};

}  // namespace detail

DGRAPH_DECL Tensor function_value(std::shared_ptr<const FunctionBody> body) {
  return Tensor(DType::Variant, Shape(), make_ref<detail::FunctionBuffer>(std::move(body)));
}

DGRAPH_DECL std::shared_ptr<const FunctionBody> function_in(const Tensor& value) noexcept {
  if (value.dtype() != DType::Variant) return nullptr;
  const auto* buffer = dynamic_cast<const detail::FunctionBuffer*>(value.buffer());
  return buffer ? buffer->body : nullptr;
}

DGRAPH_DECL CaptureScope*& capture_scope() noexcept {
  thread_local CaptureScope* innermost = nullptr;
  return innermost;
}

}  // namespace dgraph

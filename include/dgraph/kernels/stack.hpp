#pragma once
// CPU kernels of ops/stack.hpp, and the stack that they work on.

#include <mutex>
#include <vector>

#include <dgraph/kernels/declare.hpp>
#include <dgraph/kernels/resource.hpp>
#include <dgraph/ops/stack.hpp>

namespace dgraph {

/// Tensors of one dtype, last in first out. Only handles hold it: it goes with the step that made it.
class StackResource final : public Resource {
 public:
  /// `most` below 0: of any size.
  StackResource(DType dtype, std::int64_t most) noexcept : dtype_(dtype), most_(most) {}
  std::string_view kind() const override { return "stack"; }
  /// Throws InvalidArgument for another dtype, a full stack and a closed one.
  void push(Tensor value);
  /// Throws InvalidArgument for another dtype, an empty stack and a closed one.
  Tensor pop(DType dtype);
  void close();

 private:
  void check(DType dtype) const;
  const DType dtype_;
  const std::int64_t most_;
  std::mutex mutex_;
  std::vector<Tensor> values_;
  bool closed_ = false;
};

DGRAPH_KERNEL(StackV2);
DGRAPH_KERNEL(StackPushV2);
DGRAPH_KERNEL(StackPopV2);
DGRAPH_KERNEL(StackCloseV2);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/stack.ipp>
#endif

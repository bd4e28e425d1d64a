#pragma once
// FunctionBody: a graph of its own with arguments and results, held by attributes of nodes that call it.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <dgraph/base/link.hpp>
#include <dgraph/graph/core.hpp>

namespace dgraph {

/// Never changes once it is in an attribute. What came over the wire stays encoded until a task calls it; a function of the
/// host (`produce`) has no graph and never leaves its process.
struct FunctionBody {
  std::string name;
  std::shared_ptr<GraphCore> graph;
  std::vector<Endpoint> arguments;  ///< placeholders
  std::vector<Endpoint> results;
  std::vector<NodeId> effects;      ///< nodes that run though no result needs them

  std::uint64_t nodes = 0;          ///< of the encoded graph
  std::vector<std::byte> encoded;
  std::vector<Body> bodies;

  /// Gives the next element, or false at the end; called by one thread at a time.
  using Produce = std::function<bool(std::vector<Tensor>&)>;
  std::function<Produce()> produce;
};

/// The function as the value of an attribute: a scalar of dtype variant.
Tensor function_value(std::shared_ptr<const FunctionBody> body);
/// Null where the tensor holds no function.
std::shared_ptr<const FunctionBody> function_in(const Tensor& value) noexcept;

/// What takes values from outside into the function that this thread builds.
class CaptureScope {
 public:
  virtual ~CaptureScope() = default;
  /// An argument of the function that stands for a value of a graph outside. Throws InvalidArgument for a handle.
  virtual Output capture(const Output& outside) = 0;
  virtual GraphCore& graph() noexcept = 0;
};

/// Of this thread; null where no function is being built.
CaptureScope*& capture_scope() noexcept;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/graph/impl/function_body.ipp>
#endif

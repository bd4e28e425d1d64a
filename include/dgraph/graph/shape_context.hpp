#pragma once
// ShapeContext: what a shape rule sees of the node being added.

#include <cstdint>
#include <optional>
#include <span>

#include <dgraph/graph/core.hpp>

namespace dgraph {

/// A rule sets the shape of each output; one that it does not set is unknown. A rule throws InvalidArgument
/// for shapes that can never fit; what `add` knows of the node is added to the error.
class ShapeContext {
 public:
  ShapeContext(const GraphCore& core, const OpDef& def, const AttrList& attrs, std::span<const Endpoint> inputs,
               std::span<const OutputInfo> outputs, std::span<PartialShape> shapes) noexcept
      : core_(core), def_(def), attrs_(attrs), inputs_(inputs), outputs_(outputs), shapes_(shapes) {}

  std::size_t num_inputs() const noexcept { return inputs_.size(); }
  std::size_t num_outputs() const noexcept { return outputs_.size(); }
  const OpDef& def() const noexcept { return def_; }
  const PartialShape& input(std::size_t i) const noexcept { return core_.shape(inputs_[i]); }
  DType input_dtype(std::size_t i) const noexcept { return core_.info(inputs_[i]).dtype; }
  /// The node that input i comes from: what it says of a handle.
  const Node& producer(std::size_t i) const noexcept { return core_.node(inputs_[i].node); }
  DType output_dtype(std::size_t i) const noexcept { return outputs_[i].dtype; }
  const AttrValue& attr(std::string_view name) const;
  template <class T>
  const T& attr(std::string_view name) const {
    return attr(name).template get<T>();
  }

  void set_output(std::size_t i, PartialShape shape) { shapes_[i] = std::move(shape); }
  const PartialShape& output(std::size_t i) const noexcept { return shapes_[i]; }

  /// Input i's shape where it may have this rank (dimensions unknown where the rank is); throws InvalidArgument otherwise.
  PartialShape with_rank(std::size_t i, std::size_t rank) const;
  PartialShape with_rank_at_least(std::size_t i, std::size_t rank) const;

  /// The whole value of input i where it is a constant.
  std::optional<Tensor> constant(std::size_t i) const;
  /// The value of an integer input of rank ≤ 1, kUnknownValue standing for elements that are not known before a step;
  /// nothing where not even their count is known.
  std::optional<Dims> integers(std::size_t i) const;
  /// The value of input i read as a shape; unknown where nothing is known of it.
  PartialShape as_shape(std::size_t i) const;

 private:
  const GraphCore& core_;
  const OpDef& def_;
  const AttrList& attrs_;
  std::span<const Endpoint> inputs_;
  std::span<const OutputInfo> outputs_;
  std::span<PartialShape> shapes_;
};

}  // namespace dgraph

// Its body needs constant values, whose header needs this one's: constant_value.hpp brings both.
#include <dgraph/graph/constant_value.hpp>

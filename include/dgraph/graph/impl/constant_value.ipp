#pragma once
#include <dgraph/graph/constant_value.hpp>

namespace dgraph {
namespace detail {

// Reads small integer values backwards through a graph.
class IntegerEvaluator {
 public:
  explicit IntegerEvaluator(const GraphCore& core) : core_(core) {}

  std::optional<Dims> value(Endpoint at, int depth = 0) const {
    if (depth > 32) return std::nullopt;
    const Node& node = core_.node(at.node);
    const auto in = [&](std::uint32_t i) { return value(node.inputs[i], depth + 1); };
    const std::string& type = node.def->name;
    if (type == "Const") return from_tensor(node.attr<Tensor>("value"));
    if (type == "Identity" || type == "Cast" || type == "Reshape" || type == "Squeeze" || type == "ExpandDims") {
      if (node.outputs[0].dtype != DType::Int32 && node.outputs[0].dtype != DType::Int64) return std::nullopt;
      const DType from = core_.info(node.inputs[0]).dtype;
      if (core_.info(node.inputs[0]).ref || (from != DType::Int32 && from != DType::Int64)) return std::nullopt;
      return in(0);
    }
    if (type == "Shape") {
      const PartialShape& shape = core_.shape(node.inputs[0]);
      if (!shape.has_rank()) return std::nullopt;
      Dims out = shape.dims();
      for (std::int64_t& d : out)
        if (d < 0) d = kUnknownValue;
      return out;
    }
    if (type == "Size" || type == "Rank") {
      const PartialShape& shape = core_.shape(node.inputs[0]);
      if (type == "Rank" && shape.has_rank()) return Dims{static_cast<std::int64_t>(shape.rank())};
      if (type == "Size" && shape.fully_known()) return Dims{shape.to_shape().elements()};
      return Dims{kUnknownValue};
    }
    if (type == "Pack") return joined(node, node.num_inputs, depth, true);
    if (type == "ConcatV2") return joined(node, node.num_inputs - 1, depth, false);
    if (type == "Add" || type == "AddV2" || type == "Sub" || type == "Mul" || type == "FloorDiv" ||
        type == "Maximum" || type == "Minimum")
      return arithmetic(type, in(0), in(1));
    if (type == "StridedSlice") return strided(node, depth);
    if (type == "Fill") return filled(in(0), in(1));
    return sized_unknown(at);
  }

 private:
  static constexpr std::int64_t kMost = 1024;

  static std::optional<Dims> from_tensor(const Tensor& t) {
    if (t.rank() > 1 || t.elements() > kMost) return std::nullopt;
    Dims out(static_cast<std::size_t>(t.elements()), 0);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (t.dtype() == DType::Int32)
        out[i] = t.data<std::int32_t>()[i];
      else if (t.dtype() == DType::Int64)
        out[i] = t.data<std::int64_t>()[i];
      else
        return std::nullopt;
    }
    return out;
  }

  // Nothing is known but how many there are.
  std::optional<Dims> sized_unknown(Endpoint at) const {
    const PartialShape& shape = core_.shape(at);
    if (!shape.fully_known() || shape.rank() > 1) return std::nullopt;
    const std::int64_t count = shape.to_shape().elements();
    if (count > kMost) return std::nullopt;
    return Dims(static_cast<std::size_t>(count), kUnknownValue);
  }

  std::optional<Dims> joined(const Node& node, std::uint32_t count, int depth, bool scalars) const {
    Dims out;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto part = value(node.inputs[i], depth + 1);
      if (!part || (scalars && part->size() != 1)) return std::nullopt;
      for (std::int64_t d : *part) out.push_back(d);
    }
    if (static_cast<std::int64_t>(out.size()) > kMost) return std::nullopt;
    return out;
  }

  static std::optional<Dims> arithmetic(const std::string& type, std::optional<Dims> a, std::optional<Dims> b) {
    if (!a || !b || (a->size() != b->size() && a->size() != 1 && b->size() != 1)) return std::nullopt;
    Dims out(std::max(a->size(), b->size()), kUnknownValue);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::int64_t x = (*a)[a->size() == 1 ? 0 : i], y = (*b)[b->size() == 1 ? 0 : i];
      if (x == kUnknownValue || y == kUnknownValue) continue;
      std::int64_t r = 0;
      if (type == "Sub" ? __builtin_sub_overflow(x, y, &r)
                        : type == "Mul" ? __builtin_mul_overflow(x, y, &r) : __builtin_add_overflow(x, y, &r))
        continue;
      if (type == "Maximum") r = std::max(x, y);
      if (type == "Minimum") r = std::min(x, y);
      if (type == "FloorDiv") {
        if (y == 0 || y == -1) continue;
        r = x / y - ((x % y != 0 && (x % y < 0) != (y < 0)) ? 1 : 0);
      }
      out[i] = r;
    }
    return out;
  }

  std::optional<Dims> strided(const Node& node, int depth) const {
    const auto from = value(node.inputs[0], depth + 1), begin = value(node.inputs[1], depth + 1),
               end = value(node.inputs[2], depth + 1), stride = value(node.inputs[3], depth + 1);
    if (!from || !begin || !end || !stride || begin->size() != 1 || end->size() != 1 || stride->size() != 1)
      return std::nullopt;
    if (node.attr<std::int64_t>("ellipsis_mask") || node.attr<std::int64_t>("new_axis_mask")) return std::nullopt;
    const auto n = static_cast<std::int64_t>(from->size());
    const std::int64_t step = (*stride)[0];
    std::int64_t lo = (*begin)[0], hi = (*end)[0];
    if (step == kUnknownValue || step <= 0 || lo == kUnknownValue) return std::nullopt;
    if (node.attr<std::int64_t>("shrink_axis_mask") & 1) {
      if (lo < 0) lo += n;
      if (lo < 0 || lo >= n) return std::nullopt;
      return Dims{(*from)[static_cast<std::size_t>(lo)]};
    }
    if (hi == kUnknownValue && !(node.attr<std::int64_t>("end_mask") & 1)) return std::nullopt;
    const auto clamp = [n](std::int64_t i) { return std::min(std::max<std::int64_t>(i < 0 ? i + n : i, 0), n); };
    lo = node.attr<std::int64_t>("begin_mask") & 1 ? 0 : clamp(lo);
    hi = node.attr<std::int64_t>("end_mask") & 1 ? n : clamp(hi);
    Dims out;
    for (std::int64_t i = lo; i < hi; i += step) out.push_back((*from)[static_cast<std::size_t>(i)]);
    return out;
  }

  static std::optional<Dims> filled(std::optional<Dims> dims, std::optional<Dims> with) {
    if (!dims || dims->size() > 1 || !with || with->size() != 1) return std::nullopt;
    const std::int64_t count = dims->empty() ? 1 : (*dims)[0];
    if (count < 0 || count > kMost) return std::nullopt;
    return Dims(static_cast<std::size_t>(count), (*with)[0]);
  }

  const GraphCore& core_;
};

}  // namespace detail

DGRAPH_DECL std::optional<Tensor> constant_tensor(const GraphCore& core, Endpoint at) {
  for (int depth = 0; depth < 32; ++depth) {
    const Node& node = core.node(at.node);
    if (node.is("Const")) return node.attr<Tensor>("value");
    if (!node.is("Identity") || core.info(node.inputs[0]).ref) return std::nullopt;
    at = node.inputs[0];
  }
  return std::nullopt;
}

DGRAPH_DECL std::optional<Dims> constant_integers(const GraphCore& core, Endpoint at) {
  return detail::IntegerEvaluator(core).value(at);
}

}  // namespace dgraph

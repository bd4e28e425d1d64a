#pragma once
#include <dgraph/graph/constant_value.hpp>

#include <algorithm>

namespace dgraph {
namespace detail {

// Reads small integer values backwards through a graph.
class IntegerEvaluator {
 public:
  explicit IntegerEvaluator(const GraphCore& core) : core_(core) {}

  std::optional<Dims> value(Endpoint at, int depth = 0) const {
    const PartialShape& shape = core_.shape(at);
    if (shape.has_rank() && shape.rank() > 1) return std::nullopt;
    std::optional<Dims> found;
    // Inputs that share ancestors would be followed once for each path.
    if (depth <= 32 && budget_-- > 0) found = seen_through(at, depth);
    if (!found) return sized_unknown(at);
    // What wraps or is cut when a step runs is not foretold.
    if (core_.info(at).dtype == DType::Int32)
      for (std::int64_t& x : *found)
        if (x > INT32_MAX || x < INT32_MIN) x = kUnknownValue;
    return found;
  }

 private:
  static constexpr std::int64_t kMost = 1024;

  std::optional<Dims> seen_through(Endpoint at, int depth) const {
    const Node& node = core_.node(at.node);
    const auto in = [&](std::uint32_t i) { return value(node.inputs[i], depth + 1); };
    const std::string& type = node.def->name;
    if (at.index != 0 && type != "ShapeN" && type != "Unpack" && type != "Split") return std::nullopt;
    if (type == "Const") return from_tensor(node.attr<Tensor>("value"));
    if (type == "Identity" || type == "Cast" || type == "Reshape" || type == "Squeeze" || type == "ExpandDims") {
      if (node.outputs[0].dtype != DType::Int32 && node.outputs[0].dtype != DType::Int64) return std::nullopt;
      const DType from = core_.info(node.inputs[0]).dtype;
      if (core_.info(node.inputs[0]).ref || (from != DType::Int32 && from != DType::Int64)) return std::nullopt;
      // A value of another rank is read as what it is.
      if (type != "Identity" && type != "Cast" && !node.outputs[0].shape->has_rank()) return std::nullopt;
      return in(0);
    }
    if (type == "Shape" || type == "ShapeN") {
      const PartialShape& shape = core_.shape(node.inputs[at.index]);
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
    if (type == "Unpack" || type == "Split")
      return part(node, type == "Unpack" ? in(0) : in(1), at.index);
    if (type == "Neg") return arithmetic("Sub", Dims{0}, in(0));
    if (type == "Add" || type == "AddV2" || type == "Sub" || type == "Mul" || type == "FloorDiv" ||
        type == "FloorMod" || type == "Maximum" || type == "Minimum")
      return arithmetic(type, in(0), in(1));
    if (type == "StridedSlice") return strided(node, depth);
    if (type == "Fill") return filled(in(0), in(1));
    if (type == "Slice") return sliced(in(0), in(1), in(2));
    if (type == "Range") return range(in(0), in(1), in(2));
    if (type == "Prod" || type == "Sum" || type == "Max" || type == "Min")
      return reduced(node, type, in(0));
    if (type == "Gather" || (type == "GatherV2" && node.attr<std::int64_t>("batch_dims") == 0 && is_zero(in(2))))
      return gathered(core_.shape(node.inputs[0]), core_.shape(node.inputs[1]), in(0), in(1));
    return std::nullopt;
  }

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
      if (type == "FloorDiv" || type == "FloorMod") {
        if (y == 0 || y == -1) continue;
        const bool below = x % y != 0 && (x % y < 0) != (y < 0);
        r = type == "FloorDiv" ? x / y - (below ? 1 : 0) : x % y + (below ? y : 0);
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
    const bool open_lo = node.attr<std::int64_t>("begin_mask") & 1, open_hi = node.attr<std::int64_t>("end_mask") & 1;
    if (step == kUnknownValue || step == 0) return std::nullopt;
    if (node.attr<std::int64_t>("shrink_axis_mask") & 1) {
      if (lo == kUnknownValue) return Dims{kUnknownValue};
      if (lo < 0) lo += n;
      if (lo < 0 || lo >= n) return std::nullopt;
      return Dims{(*from)[static_cast<std::size_t>(lo)]};
    }
    if ((lo == kUnknownValue && !open_lo) || (hi == kUnknownValue && !open_hi)) return std::nullopt;
    const std::int64_t least = step > 0 ? 0 : -1, most = step > 0 ? n : n - 1;
    const auto clamp = [&](std::int64_t i) { return std::min(std::max(i < 0 ? i + n : i, least), most); };
    lo = open_lo ? (step > 0 ? least : most) : clamp(lo);
    hi = open_hi ? (step > 0 ? most : least) : clamp(hi);
    Dims out;
    for (std::int64_t i = lo; step > 0 ? i < hi : i > hi; i += std::clamp<std::int64_t>(step, -n - 1, n + 1))
      out.push_back((*from)[static_cast<std::size_t>(i)]);
    return out;
  }

  static bool is_zero(const std::optional<Dims>& value) { return value && value->size() == 1 && (*value)[0] == 0; }

  static std::optional<Dims> sliced(std::optional<Dims> from, std::optional<Dims> begin, std::optional<Dims> size) {
    if (!from || !begin || !size || begin->size() != 1 || size->size() != 1) return std::nullopt;
    const std::int64_t lo = (*begin)[0], n = static_cast<std::int64_t>(from->size());
    if (lo == kUnknownValue || (*size)[0] == kUnknownValue || lo < 0 || lo > n) return std::nullopt;
    const std::int64_t count = (*size)[0] == -1 ? n - lo : (*size)[0];
    if (count < 0 || count > n - lo) return std::nullopt;
    return Dims(std::span<const std::int64_t>(from->begin() + lo, static_cast<std::size_t>(count)));
  }

  static std::optional<Dims> range(std::optional<Dims> start, std::optional<Dims> limit, std::optional<Dims> delta) {
    if (!start || !limit || !delta || start->size() != 1 || limit->size() != 1 || delta->size() != 1)
      return std::nullopt;
    const std::int64_t from = (*start)[0], to = (*limit)[0], by = (*delta)[0];
    if (from == kUnknownValue || to == kUnknownValue || by == kUnknownValue || by == 0) return std::nullopt;
    Dims out;
    for (std::int64_t x = from; by > 0 ? x < to : x > to;) {
      out.push_back(x);
      if (static_cast<std::int64_t>(out.size()) > kMost) return std::nullopt;
      if (__builtin_add_overflow(x, by, &x)) break;
    }
    return out;
  }

  // One of the equal parts of a vector.
  static std::optional<Dims> part(const Node& node, std::optional<Dims> values, std::uint32_t index) {
    const std::size_t parts = node.num_outputs;
    if (!values || values->size() % parts) return std::nullopt;
    const std::size_t size = values->size() / parts;
    return Dims(std::span<const std::int64_t>(values->begin() + index * size, size));
  }

  // Of a whole vector, to a scalar or a vector of one; of a scalar it is the scalar.
  static std::optional<Dims> reduced(const Node& node, const std::string& type, std::optional<Dims> values) {
    const PartialShape& shape = *node.outputs[0].shape;
    const bool one = shape.has_rank() && (shape.rank() == 0 || (node.attr<bool>("keep_dims") && shape == PartialShape{1}));
    if (!values || !one || (values->empty() && type[0] == 'M')) return std::nullopt;
    std::int64_t out = type == "Prod" ? 1 : type == "Sum" ? 0 : (*values)[0];
    for (std::int64_t x : *values) {
      if (x == kUnknownValue) return Dims{kUnknownValue};
      if (type == "Max" || type == "Min")
        out = type == "Max" ? std::max(out, x) : std::min(out, x);
      else if (type == "Prod" ? __builtin_mul_overflow(out, x, &out) : __builtin_add_overflow(out, x, &out))
        return Dims{kUnknownValue};
    }
    return Dims{out};
  }

  static std::optional<Dims> gathered(const PartialShape& from_shape, const PartialShape& at_shape,
                                      std::optional<Dims> from, std::optional<Dims> at) {
    if (!from || !at || from_shape.rank() != 1 || !at_shape.has_rank() || at_shape.rank() > 1) return std::nullopt;
    Dims out;
    for (std::int64_t i : *at) {
      if (i != kUnknownValue && (i < 0 || i >= static_cast<std::int64_t>(from->size()))) return std::nullopt;
      out.push_back(i == kUnknownValue ? kUnknownValue : (*from)[static_cast<std::size_t>(i)]);
    }
    return out;
  }

  static std::optional<Dims> filled(std::optional<Dims> dims, std::optional<Dims> with) {
    if (!dims || dims->size() > 1 || !with || with->size() != 1) return std::nullopt;
    const std::int64_t count = dims->empty() ? 1 : (*dims)[0];
    if (count < 0 || count > kMost) return std::nullopt;
    return Dims(static_cast<std::size_t>(count), (*with)[0]);
  }

  const GraphCore& core_;
  mutable int budget_ = 512;
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

#include "op_table/probe.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <dgraph/graph/graph_def.hpp>
#include <dgraph/kernels/kernel.hpp>
#include <dgraph/kernels/standard_table.hpp>
#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

namespace op_table {
namespace {

using namespace dgraph;

constexpr DType kTensorTypes[] = {
    DType::BFloat16,  DType::Float16,    DType::Float32, DType::Float64,
    DType::Complex64, DType::Complex128, DType::Int8,    DType::Int16,
    DType::Int32,     DType::Int64,      DType::UInt8,   DType::UInt16,
    DType::UInt32,    DType::UInt64,     DType::Bool,    DType::String};

bool allows(const AttrDef& attr, DType dtype) {
  return attr.allowed_types.bits == 0 || attr.allowed_types.contains(dtype);
}

DType preferred(const AttrDef& attr) {
  for (const DType dtype :
       {DType::Float64, DType::Float32, DType::Complex128, DType::Int32, DType::Int64})
    if (allows(attr, dtype)) return dtype;
  for (const DType dtype : kTensorTypes)
    if (allows(attr, dtype)) return dtype;
  return DType::Float32;
}

/// Some value for an attribute; nothing where its default will do.
std::optional<AttrValue> some_value(const AttrDef& attr) {
  if (attr.kind == AttrKind::Type && !attr.list) return AttrValue(preferred(attr));
  if (attr.default_value.has_value()) return std::nullopt;
  const auto count =
      static_cast<std::size_t>(std::max<std::int64_t>(attr.has_minimum ? attr.minimum : 1, 1));
  if (attr.list) {
    switch (attr.kind) {
      case AttrKind::Int:
        return AttrValue(std::vector<std::int64_t>(count, 1));
      case AttrKind::Float:
        return AttrValue(std::vector<float>(count, 1));
      case AttrKind::Bool:
        return AttrValue(std::vector<bool>(count, false));
      case AttrKind::String:
        return AttrValue(std::vector<std::string>(count));
      case AttrKind::Type:
        return AttrValue(std::vector<DType>(count, preferred(attr)));
      case AttrKind::Shape:
        return AttrValue(std::vector<PartialShape>(count));
      case AttrKind::Tensor:
        break;
    }
    return std::nullopt;
  }
  switch (attr.kind) {
    case AttrKind::Int:
      return AttrValue(static_cast<std::int64_t>(count));
    case AttrKind::Float:
      return AttrValue(1.0f);
    case AttrKind::Bool:
      return AttrValue(false);
    case AttrKind::String:
      return AttrValue(attr.allowed_strings.empty() ? std::string() : attr.allowed_strings[0]);
    case AttrKind::Shape:
      return AttrValue(PartialShape());
    case AttrKind::Tensor:
      return AttrValue(Tensor::scalar(0.0));
    case AttrKind::Type:
      break;
  }
  return std::nullopt;
}

/// A node of an op type in a graph of its own, over inputs of which nothing but the dtype is known.
class Specimen {
 public:
  /// `attr` has the dtype `dtype` where it is not empty.
  explicit Specimen(const OpDef& def, const std::string& attr = {}, DType dtype = DType::Invalid)
      : building_(core_) {
    std::vector<std::pair<std::string, AttrValue>> attrs;
    std::vector<AttrValue> values(def.attrs.size());
    for (std::size_t i = 0; i < def.attrs.size(); ++i) {
      const AttrDef& definition = def.attrs[i];
      std::optional<AttrValue> value =
          definition.name == attr ? AttrValue(dtype) : some_value(definition);
      values[i] = value ? *value : definition.default_value;
      if (value && definition.name == "value")
        value = AttrValue(Tensor::zeros(preferred_dtype(def, values), Shape()));
      if (value && !definition.inferred) attrs.emplace_back(definition.name, *value);
    }
    for (const ArgDef& arg : def.inputs) add_inputs(arg, values);
    node_ = add_op_by_name(&find_definition<StandardOps>, def.name, inputs_, attrs);
  }

  const Output& node() const { return node_; }
  std::vector<Output> differentiable(bool outputs) const {
    std::vector<Output> out;
    if (outputs) {
      for (std::uint32_t i = 0; i < node_.node().num_outputs; ++i) {
        const Output output(node_.core(), node_.node_id(), i);
        if (is_differentiable(output.dtype()) && !output.is_ref()) out.push_back(output);
      }
    } else {
      for (const Output& input : inputs_)
        if (is_differentiable(input.dtype()) && !input.is_ref()) out.push_back(input);
    }
    return out;
  }
  Kernel kernel() const {
    std::vector<DType> in, out;
    for (const Output& input : inputs_) in.push_back(input.dtype());
    for (const OutputInfo& output : node_.node().output_span()) out.push_back(output.dtype);
    const KernelEntry* entry = find_standard_kernel(node_.op_type());
    return entry->make({entry->signature(), *node_.node().attrs, node_.node().name, in, out});
  }

 private:
  static DType preferred_dtype(const OpDef& def, const std::vector<AttrValue>& values) {
    const int at = def.attr_index("dtype");
    if (at < 0) return DType::Float64;
    const AttrValue& value = values[static_cast<std::size_t>(at)];
    return value.holds<DType>() ? value.get<DType>()
                                : preferred(def.attrs[static_cast<std::size_t>(at)]);
  }

  void add_inputs(const ArgDef& arg, const std::vector<AttrValue>& values) {
    const auto value = [&](int index) -> const AttrValue& {
      return values[static_cast<std::size_t>(index)];
    };
    std::vector<DType> dtypes;
    if (arg.type_list_attr >= 0) {
      if (value(arg.type_list_attr).holds<std::vector<DType>>())
        dtypes = value(arg.type_list_attr).get<std::vector<DType>>();
    } else {
      const DType dtype = arg.type_attr >= 0 ? value(arg.type_attr).get<DType>() : arg.dtype;
      dtypes.assign(arg.number_attr >= 0
                        ? static_cast<std::size_t>(value(arg.number_attr).get<std::int64_t>())
                        : 1,
                    dtype);
    }
    for (const DType dtype : dtypes)
      inputs_.push_back(arg.ref
                            ? add_op<ops::VariableV2>({}, "dtype", dtype, "shape", PartialShape())
                            : add_op<ops::Placeholder>({}, "dtype", dtype));
  }

  GraphCore core_;
  DefaultGraph building_;
  std::vector<Output> inputs_;
  Output node_;
};

}  // namespace

std::vector<const OpDef*> standard_ops() {
  std::vector<const OpDef*> out;
  for_each_op<StandardOps>([&out]<class Op>() { out.push_back(&definition<Op>()); });
  std::sort(out.begin(), out.end(),
            [](const OpDef* a, const OpDef* b) { return a->name < b->name; });
  return out;
}

GradientKind gradient_kind(const OpDef& def) {
  std::optional<Specimen> one;
  try {
    one.emplace(def);
  } catch (const Error&) {
    // Its shape rule wants more than a guess: it is no op of the kind that has an empty rule.
    return def.gradient ? GradientKind::Flows : GradientKind::NoRule;
  }
  const auto xs = one->differentiable(false), ys = one->differentiable(true);
  if (xs.empty() || ys.empty()) return GradientKind::Nowhere;
  if (!def.gradient) return GradientKind::NoRule;
  // The gradient of a loop is built as a whole, so that of an Enter alone says nothing.
  if (def.name == "Enter") return GradientKind::Flows;
  try {
    const DefaultGraph building(*one->node().core());
    const auto found = sparse_gradients(ys, xs);
    const bool any = std::any_of(found.begin(), found.end(),
                                 [](const Gradient& g) { return static_cast<bool>(g); });
    return any ? GradientKind::Flows : GradientKind::NoneFlows;
  } catch (const Error&) {
    // A rule that wants more than a guess is a rule.
    return GradientKind::Flows;
  }
}

std::vector<TypeSupport> type_support(const OpDef& def) {
  std::vector<TypeSupport> out;
  for (const AttrDef& attr : def.attrs) {
    if (attr.kind != AttrKind::Type || attr.list) continue;
    TypeSupport support{attr.name, {}, {}};
    for (const DType dtype : kTensorTypes) {
      if (!allows(attr, dtype)) continue;
      try {
        const Specimen one(def, attr.name, dtype);
        static_cast<void>(one.kernel());
        support.with_kernel.add(dtype);
      } catch (const Error& error) {
        (error.code() == Code::Unimplemented ? support.without_kernel : support.with_kernel)
            .add(dtype);
      }
    }
    out.push_back(std::move(support));
  }
  return out;
}

}  // namespace op_table

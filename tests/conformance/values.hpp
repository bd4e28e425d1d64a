#pragma once
// Tensors and attributes of the vectors: from JSON, as text, and compared.

#include <optional>
#include <string>

#include <dgraph/base/tensor.hpp>
#include <dgraph/graph/op_def.hpp>
#include <nlohmann/json_fwd.hpp>

namespace conformance {

using Json = nlohmann::json;

struct Tolerance {
  double relative = 0, absolute = 0;
};

/// The dtype of a name, "float32"; throws Error InvalidArgument for any other text.
dgraph::DType read_dtype(const Json& name);
/// `{"dtype", "shape", "data"}` or with "fill"; throws Error InvalidArgument for anything else.
dgraph::Tensor read_tensor(const Json& value);
/// True where a variable of the vectors has a value.
bool has_data(const Json& value);
/// An attribute of that definition; null: one that the op type does not have, read by its looks.
dgraph::AttrValue read_attr(const Json& value, const dgraph::AttrDef* def);

/// Nothing where `got` is what is wanted; else what differs first: "dtype", "shape" or "element 3".
std::optional<std::string> difference(const dgraph::Tensor& want, const dgraph::Tensor& got,
                                      const Tolerance& tolerance);
/// Dtype, shape and elements, floats in as many digits as they need.
std::string to_text(const dgraph::Tensor& value);

}  // namespace conformance

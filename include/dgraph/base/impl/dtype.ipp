#pragma once
#include <dgraph/base/dtype.hpp>

namespace dgraph {
namespace detail {

struct DTypeNames {
  DType dtype;
  std::string_view name, enumerator;
};

inline constexpr DTypeNames kDTypeNames[] = {
    {DType::Float32, "float32", "DT_FLOAT"},        {DType::Float64, "float64", "DT_DOUBLE"},
    {DType::Int32, "int32", "DT_INT32"},            {DType::UInt8, "uint8", "DT_UINT8"},
    {DType::Int16, "int16", "DT_INT16"},            {DType::Int8, "int8", "DT_INT8"},
    {DType::String, "string", "DT_STRING"},         {DType::Complex64, "complex64", "DT_COMPLEX64"},
    {DType::Int64, "int64", "DT_INT64"},            {DType::Bool, "bool", "DT_BOOL"},
    {DType::BFloat16, "bfloat16", "DT_BFLOAT16"},   {DType::UInt16, "uint16", "DT_UINT16"},
    {DType::Complex128, "complex128", "DT_COMPLEX128"}, {DType::Float16, "float16", "DT_HALF"},
    {DType::Resource, "resource", "DT_RESOURCE"},   {DType::Variant, "variant", "DT_VARIANT"},
    {DType::UInt32, "uint32", "DT_UINT32"},         {DType::UInt64, "uint64", "DT_UINT64"},
};

}  // namespace detail

DGRAPH_DECL std::string_view dtype_name(DType dtype) noexcept {
  for (const auto& row : detail::kDTypeNames)
    if (row.dtype == dtype) return row.name;
  return "invalid";
}

DGRAPH_DECL std::optional<DType> parse_dtype(std::string_view name) noexcept {
  for (const auto& row : detail::kDTypeNames)
    if (row.name == name || row.enumerator == name) return row.dtype;
  return std::nullopt;
}

}  // namespace dgraph

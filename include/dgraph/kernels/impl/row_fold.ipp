#pragma once
#include <dgraph/kernels/row_fold.hpp>

#include <dgraph/kernels/functions.hpp>

namespace dgraph::detail {

template <class F, class T>
void fold_rows(std::byte* to, const std::byte* from, std::int64_t count) {
  using V = Value<T>;
  T* const a = reinterpret_cast<T*>(to);
  const T* const b = reinterpret_cast<const T*>(from);
  for (std::int64_t i = 0; i < count; ++i) a[i] = V::store(F::of(V::load(a[i]), V::load(b[i])));
}

template <class F, class... Lists>
RowFold pick_fold(DType dtype) noexcept {
  RowFold out = nullptr;
  const auto bind = [&out]<class T>() { out = &fold_rows<F, T>; };
  static_cast<void>((for_dtype(dtype, bind, Lists{}) || ...));
  return out;
}

DGRAPH_DECL RowFold product_fold(DType dtype) noexcept {
  // Signed integers wrap as unsigned ones of their size do.
  switch (dtype) {
    case DType::Int8:
      return pick_fold<MulF, UnsignedInts>(DType::UInt8);
    case DType::Int16:
      return pick_fold<MulF, UnsignedInts>(DType::UInt16);
    case DType::Int32:
      return pick_fold<MulF, UnsignedInts>(DType::UInt32);
    case DType::Int64:
      return pick_fold<MulF, UnsignedInts>(DType::UInt64);
    default:
      return pick_fold<MulF, Floats, UnsignedInts>(dtype);
  }
}
DGRAPH_DECL RowFold least_fold(DType dtype) noexcept {
  return pick_fold<MinF, RealFloats, SignedInts, UnsignedInts>(dtype);
}
DGRAPH_DECL RowFold greatest_fold(DType dtype) noexcept {
  return pick_fold<MaxF, RealFloats, SignedInts, UnsignedInts>(dtype);
}

}  // namespace dgraph::detail

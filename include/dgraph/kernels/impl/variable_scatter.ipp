#pragma once
#include <dgraph/kernels/variable_scatter.hpp>

#include <algorithm>
#include <complex>
#include <cstring>
#include <string>
#include <type_traits>

#include <dgraph/kernels/accumulate.hpp>
#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/elementwise.hpp>
#include <dgraph/kernels/row_fold.hpp>
#include <dgraph/kernels/strided.hpp>
#include <dgraph/kernels/variable_access.hpp>

namespace dgraph {
namespace detail {

enum class RowChange : std::uint8_t { Set, Add, Subtract, Multiply, Divide, Least, Greatest };

// The caller has found no integer zero among the divisors.
struct DivideElements {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
      return b == T{-1} ? static_cast<T>(std::uint64_t{0} - static_cast<std::uint64_t>(a))
                        : static_cast<T>(a / b);
    else
      return static_cast<T>(a / b);
  }
};
template <class T>
void divide_rows(std::byte* to, const std::byte* from, std::int64_t count) {
  using V = Value<T>;
  T* const a = reinterpret_cast<T*>(to);
  const T* const b = reinterpret_cast<const T*>(from);
  for (std::int64_t i = 0; i < count; ++i)
    a[i] = V::store(DivideElements::of<typename V::type>(V::load(a[i]), V::load(b[i])));
}

// How rows are changed; one of `sum` and `fold`, or none to set them.
struct ScatterConfig {
  RowChange change = RowChange::Set;
  RowSum sum;
  RowFold fold = nullptr;

  void operator()(DType dtype, std::byte* to, const std::byte* from, std::int64_t count) const {
    if (sum)
      sum(to, to, from, count);
    else if (fold)
      fold(to, from, count);
    else
      copy_elements(dtype, from, to, count);
  }
};

DGRAPH_DECL ScatterConfig scatter_config(const KernelRequest& r, RowChange change) {
  const DType dtype = r.input_dtypes.back();
  ScatterConfig out{.change = change, .sum = {}, .fold = nullptr};
  switch (change) {
    case RowChange::Set:
      return out;
    case RowChange::Add:
      out.sum = RowSum::add(dtype);
      break;
    case RowChange::Subtract:
      out.sum = RowSum::subtract(dtype);
      break;
    case RowChange::Multiply:
      out.fold = product_fold(dtype);
      break;
    case RowChange::Divide:
      dispatch<Floats, SignedInts, UnsignedInts>(r, dtype,
                                                 [&out]<class T>() { out.fold = &divide_rows<T>; });
      break;
    case RowChange::Least:
      out.fold = least_fold(dtype);
      break;
    case RowChange::Greatest:
      out.fold = greatest_fold(dtype);
      break;
  }
  if (!out.sum && !out.fold) no_kernel_for(r, dtype);
  return out;
}

DGRAPH_DECL void check_divisors(const Tensor& updates) {
  const std::size_t size = dtype_size(updates.dtype());
  const std::byte* at = updates.raw();
  for (std::int64_t i = 0; i < updates.elements(); ++i, at += size)
    if (std::all_of(at, at + size, [](std::byte b) { return b == std::byte{0}; }))
      fail(Code::InvalidArgument, "updates", position_text(updates.shape(), i),
           " is 0: integer division by zero");
}

DGRAPH_DECL Tensor& initialized_value(const VariableResource& variable, Tensor& now) {
  if (!now.has_value()) variable.throw_uninitialized();
  return now;
}

DGRAPH_DECL void run_scatter(KernelContext& c) {
  VariableResource& variable = variable_input(c);
  const Tensor &indices = c.input(1), &updates = c.input(2);
  const auto& config = c.config<ScatterConfig>();
  const DType dtype = updates.dtype();
  check_value_dtype(variable, dtype);
  if (config.change == RowChange::Divide && is_integer(dtype)) check_divisors(updates);
  variable.update([&](Tensor& now) {
    initialized_value(variable, now);
    if (now.rank() == 0)
      fail(Code::InvalidArgument, "variable ", variable.name(), " is a scalar and has no rows");
    Dims wanted = indices.shape().dims();
    for (std::size_t i = 1; i < now.rank(); ++i) wanted.push_back(now.dim(i));
    const bool scalar = updates.rank() == 0;
    if (!scalar && !(updates.shape().dims() == wanted))
      fail(Code::InvalidArgument, "updates of shape ", updates.shape(),
           " must be a scalar or of shape ", PartialShape(std::move(wanted)),
           ", indices.shape + ref.shape[1:]");
    check_indices(indices, now.dim(0));
    const std::int64_t row = elements_from(now.shape(), 1), count = indices.elements();
    Tensor repeated;
    if (scalar) {
      repeated = Tensor(dtype, Shape{row});
      fill_elements(dtype, updates.raw(), repeated.mutable_raw(), row);
    }
    variable.writable_value(now);
    for (std::int64_t i = 0; i < count; ++i) {
      std::byte* to = element_at(dtype, now.mutable_raw(), integer_at(indices, i, "indices") * row);
      config(dtype, to, scalar ? repeated.raw() : element_at(dtype, updates.raw(), i * row), row);
    }
  });
  forward_handle(c);
}

// The slice that an index vector names; throws where it lies outside.
DGRAPH_DECL std::int64_t slice_number(const Tensor& indices, std::int64_t at, std::int64_t depth,
                                      const Shape& shape) {
  std::int64_t slice = 0;
  for (std::int64_t k = 0; k < depth; ++k) {
    const std::int64_t place = at * depth + k, index = integer_at(indices, place, "indices");
    const std::int64_t bound = shape[static_cast<std::size_t>(k)];
    if (index < 0 || index >= bound)
      fail(Code::InvalidArgument, "indices", position_text(indices.shape(), place), " = ", index,
           " is not in [0, ", bound, "), for a variable of shape ", shape);
    slice = slice * bound + index;
  }
  return slice;
}

DGRAPH_DECL void run_scatter_nd(KernelContext& c) {
  VariableResource& variable = variable_input(c);
  const Tensor &indices = c.input(1), &updates = c.input(2);
  const auto& config = c.config<ScatterConfig>();
  const DType dtype = updates.dtype();
  check_value_dtype(variable, dtype);
  variable.update([&](Tensor& now) {
    initialized_value(variable, now);
    if (indices.rank() == 0)
      fail(Code::InvalidArgument, "indices is a scalar; its last dimension names places");
    const Shape shape = now.shape();
    const std::int64_t depth = indices.shape().dims().back();
    if (static_cast<std::size_t>(depth) > shape.rank())
      fail(Code::InvalidArgument, "the last dimension of indices, ", depth,
           ", is more than the rank of the variable of shape ", shape);
    Dims wanted = indices.shape().dims();
    wanted.resize(wanted.size() - 1);
    std::int64_t count = 1;
    for (const std::int64_t d : wanted) count *= d;
    for (std::size_t i = static_cast<std::size_t>(depth); i < shape.rank(); ++i)
      wanted.push_back(shape[i]);
    if (!(updates.shape().dims() == wanted))
      fail(Code::InvalidArgument, "updates must have shape ", PartialShape(std::move(wanted)),
           ", for indices of shape ", indices.shape(), " and a variable of shape ", shape, ", not ",
           updates.shape());
    for (std::int64_t i = 0; i < count; ++i) slice_number(indices, i, depth, shape);
    const std::int64_t size = elements_from(shape, static_cast<std::size_t>(depth));
    variable.writable_value(now);
    for (std::int64_t i = 0; i < count; ++i)
      config(dtype,
             element_at(dtype, now.mutable_raw(), slice_number(indices, i, depth, shape) * size),
             element_at(dtype, updates.raw(), i * size), size);
  });
  forward_handle(c);
}

DGRAPH_DECL Kernel scatter_kernel(const KernelRequest& r, void (*run)(KernelContext&),
                                  RowChange change) {
  return plain_kernel(run).with(scatter_config(r, change));
}

}  // namespace detail

// Each op has two names: one on a reference and one on a handle.
#define DGRAPH_DETAIL_SCATTER(op, run, change)                                  \
  DGRAPH_DECL Kernel Kernels<ops::op>::make(const KernelRequest& r) {           \
    return detail::scatter_kernel(r, &detail::run, detail::RowChange::change);  \
  }                                                                             \
  DGRAPH_DECL Kernel Kernels<ops::Resource##op>::make(const KernelRequest& r) { \
    return detail::scatter_kernel(r, &detail::run, detail::RowChange::change);  \
  }
DGRAPH_DETAIL_SCATTER(ScatterUpdate, run_scatter, Set)
DGRAPH_DETAIL_SCATTER(ScatterAdd, run_scatter, Add)
DGRAPH_DETAIL_SCATTER(ScatterSub, run_scatter, Subtract)
DGRAPH_DETAIL_SCATTER(ScatterMul, run_scatter, Multiply)
DGRAPH_DETAIL_SCATTER(ScatterDiv, run_scatter, Divide)
DGRAPH_DETAIL_SCATTER(ScatterMin, run_scatter, Least)
DGRAPH_DETAIL_SCATTER(ScatterMax, run_scatter, Greatest)
DGRAPH_DETAIL_SCATTER(ScatterNdUpdate, run_scatter_nd, Set)
DGRAPH_DETAIL_SCATTER(ScatterNdAdd, run_scatter_nd, Add)
DGRAPH_DETAIL_SCATTER(ScatterNdSub, run_scatter_nd, Subtract)
DGRAPH_DETAIL_SCATTER(ScatterNdMin, run_scatter_nd, Least)
DGRAPH_DETAIL_SCATTER(ScatterNdMax, run_scatter_nd, Greatest)
#undef DGRAPH_DETAIL_SCATTER

}  // namespace dgraph

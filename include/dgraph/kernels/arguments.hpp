#pragma once
// Reading the small integer inputs of kernels: shapes, axes, sizes, indices. Nothing in them is
// believed.

#include <cstdint>
#include <string>
#include <string_view>

#include <dgraph/base/shape.hpp>
#include <dgraph/base/tensor.hpp>
#include <dgraph/kernels/kernel.hpp>

namespace dgraph::detail {

/// Element `at` of a tensor of any integer dtype; throws InvalidArgument for other dtypes.
std::int64_t integer_at(const Tensor& tensor, std::int64_t at, std::string_view what);
/// The only element of an integer tensor.
std::int64_t integer_argument(const Tensor& tensor, std::string_view what);
/// The elements of an integer vector; a scalar counts as a vector of one.
Dims integers_argument(const Tensor& tensor, std::string_view what);
/// The same as a shape; throws InvalidArgument for negative sizes and for 2^63 elements and more.
Shape shape_argument(const Tensor& tensor, std::string_view what);

/// An axis counted from the end where negative; throws InvalidArgument outside [-rank, rank).
std::size_t axis_of(std::int64_t axis, std::size_t rank, std::string_view what);

/// Products of the dimensions before an axis, and from one on.
std::int64_t elements_before(const Shape& shape, std::size_t axis) noexcept;
std::int64_t elements_from(const Shape& shape, std::size_t axis) noexcept;

/// "[1,2]": where element `at` lies in a tensor of that shape.
std::string position_text(const Shape& shape, std::int64_t at);

/// Throws InvalidArgument "indices[1,2] = 7 is not in [0, 5)" for the first element outside [0,
/// bound).
void check_indices(const Tensor& indices, std::int64_t bound, std::string_view what = "indices");

/// A kernel that is a plain function; `cheap` where it moves no data.
inline Kernel plain_kernel(void (*run)(KernelContext&), bool cheap = false) {
  Kernel kernel;
  kernel.run = run;
  if (cheap) kernel.ns_each = 0;
  return kernel;
}

/// Integer number i of an int32 or int64 tensor; InvalidArgument where it does not fit.
void store_integer(Tensor& out, std::int64_t i, std::int64_t value);
/// A vector of them, of dtype int32 or int64.
Tensor integer_vector(DType dtype, const Dims& values);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/arguments.ipp>
#endif

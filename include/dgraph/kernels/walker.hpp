#pragma once
// The walker: brings elementwise work over broadcast or strided operands to loops over contiguous blocks.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include <dgraph/base/shape.hpp>
#include <dgraph/base/tensor.hpp>
#include <dgraph/kernels/kernel.hpp>

namespace dgraph::detail {

inline constexpr std::size_t kMaxOperands = 3;

/// What can be wrong with an element; bits, so that loops can gather them.
enum ElementFault : std::uint32_t {
  kNoFault = 0,
  kDivisionByZero = 1,
  kNegativePower = 2,
};

/// Computes out[0, n) from the operands' [0, n), all contiguous; `in` has kMaxOperands entries, null beyond the operands; `out` may be the same array as an operand. `param` is what
/// the kernel's attributes were made into. Returns ElementFault bits.
using ElementLoop = std::uint32_t (*)(const void* const* in, void* out, std::int64_t n, const void* param);

/// An operand: elements of `size` bytes at `data`, with a stride in elements for each dimension of the result.
struct Operand {
  const std::byte* data = nullptr;
  std::size_t size = 0;
  Dims strides;
};

/// Copies `count` elements of `size` bytes (1, 2, 4, 8 or 16), `stride` elements apart, to contiguous memory.
void gather_elements(std::byte* to, const std::byte* from, std::size_t size, std::int64_t stride, std::int64_t count);

/// Strides of a row-major tensor of `shape` broadcast to `result` by numpy's rules; the caller has checked that it fits.
Dims broadcast_strides(const Shape& shape, const Shape& result);

/// Runs `loop` over all elements of a row-major result of that shape at `out`, `out_size` bytes each. `ns_each` is the cost
/// of an element. Returns the faults of all elements together.
std::uint32_t walk(const KernelContext& context, const Shape& result, std::span<Operand> operands, void* out,
                   std::size_t out_size, ElementLoop loop, const void* param, double ns_each);

/// Throws the error that the faults stand for; does nothing for none.
void throw_faults(std::uint32_t faults);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/walker.ipp>
#endif

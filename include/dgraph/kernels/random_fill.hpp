#pragma once
// Filling tensors from a Philox stream: what random kernels share.

#include <cstdint>

#include <dgraph/base/function.hpp>
#include <dgraph/base/random.hpp>
#include <dgraph/kernels/kernel.hpp>

namespace dgraph::detail {

enum class Distribution : std::uint8_t { Uniform, Normal, TruncatedNormal };

using RandomFill = void (*)(const Philox&, void* out, std::int64_t size, std::int64_t first,
                            std::int64_t last);

/// The fill function of a dtype, and how many numbers a block gives.
struct RandomConfig {
  RandomFill fill;
  std::int64_t per_block;
  double ns_each;
};
/// Of the floating dtype of output 0.
RandomConfig random_config(const KernelRequest& r, Distribution d);

/// Fills `out` from the beginning of the stream; large ones over the pool.
void fill_random(const KernelContext& c, const RandomConfig& config, const Philox& stream,
                 Tensor& out);
/// The same with integers in [low, high) of the dtype of `out`. Throws InvalidArgument for an empty
/// range, unless there is nothing to fill: then `stream` is not asked for.
void fill_random_integers(const KernelContext& c, std::int64_t low, std::int64_t high, Tensor& out,
                          FunctionRef<Philox()> stream);
/// The same with all integers of the dtype.
void fill_full_integers(const KernelContext& c, const Philox& stream, Tensor& out);

/// The number of samples that inputs (logits, num_samples) ask for; throws InvalidArgument where
/// they are wrong.
std::int64_t check_multinomial(const KernelContext& c);
/// out[b, j]: a class drawn with probability softmax(logits[b]).
void sample_classes(const KernelContext& c, const Philox& stream, const Tensor& logits,
                    Tensor& out);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/random_fill.ipp>
#endif

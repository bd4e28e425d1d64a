#pragma once
#include <dgraph/kernels/stateless_random.hpp>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/random_fill.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL Philox seeded_stream(const Tensor& seed) {
  if (seed.rank() != 1 || seed.dim(0) != 2)
    fail(Code::InvalidArgument, "seed must have shape [2], not ", seed.shape());
  const auto word = [&seed](std::int64_t i) {
    return seed.dtype() == DType::UInt64 ? seed.data<std::uint64_t>()[i]
                                         : static_cast<std::uint64_t>(integer_at(seed, i, "seed"));
  };
  return Philox::stateless(word(0), word(1));
}

DGRAPH_DECL void run_stateless_random(KernelContext& c) {
  const Philox stream = seeded_stream(c.input(1));
  fill_random(c, c.config<RandomConfig>(), stream,
              c.allocate_output(0, shape_argument(c.input(0), "the shape")));
}

DGRAPH_DECL void run_stateless_integers(KernelContext& c) {
  const Philox stream = seeded_stream(c.input(1));
  fill_random_integers(
      c, integer_argument(c.input(2), "minval"), integer_argument(c.input(3), "maxval"),
      c.allocate_output(0, shape_argument(c.input(0), "the shape")), [&] { return stream; });
}

DGRAPH_DECL void run_stateless_full_integers(KernelContext& c) {
  const Philox stream = seeded_stream(c.input(1));
  fill_full_integers(c, stream, c.allocate_output(0, shape_argument(c.input(0), "the shape")));
}

DGRAPH_DECL void run_stateless_multinomial(KernelContext& c) {
  const Philox stream = seeded_stream(c.input(2));
  const std::int64_t samples = check_multinomial(c);
  sample_classes(c, stream, c.input(0), c.allocate_output(0, Shape{c.input(0).dim(0), samples}));
}

DGRAPH_DECL Kernel stateless_kernel(const KernelRequest& r, Distribution d) {
  return plain_kernel(&run_stateless_random).with(random_config(r, d));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::StatelessRandomUniform>::make(const KernelRequest& r) {
  return detail::stateless_kernel(r, detail::Distribution::Uniform);
}
DGRAPH_DECL Kernel Kernels<ops::StatelessRandomNormal>::make(const KernelRequest& r) {
  return detail::stateless_kernel(r, detail::Distribution::Normal);
}
DGRAPH_DECL Kernel Kernels<ops::StatelessTruncatedNormal>::make(const KernelRequest& r) {
  return detail::stateless_kernel(r, detail::Distribution::TruncatedNormal);
}
DGRAPH_DECL Kernel Kernels<ops::StatelessRandomUniformInt>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_stateless_integers);
}
DGRAPH_DECL Kernel Kernels<ops::StatelessRandomUniformFullInt>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_stateless_full_integers);
}
DGRAPH_DECL Kernel Kernels<ops::StatelessMultinomial>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_stateless_multinomial);
}

}  // namespace dgraph

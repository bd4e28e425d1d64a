#pragma once
#include <dgraph/kernels/random.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include <dgraph/graph/attr.hpp>
#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/random_fill.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

// The stream of one (session, node): each execution takes its part and leaves the rest.
class RandomStream final : public Counted {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t seed2) noexcept : next_(seed, seed2) {}
  Philox take(std::uint64_t blocks) {
    std::lock_guard lock(mutex_);
    const Philox mine = next_;
    next_.skip(blocks);
    return mine;
  }
  /// As many blocks for each number as TensorFlow leaves room for, so that the next execution gives
  /// its numbers too.
  Philox take_for(std::int64_t numbers) { return take(static_cast<std::uint64_t>(numbers) * 256); }

 private:
  std::mutex mutex_;
  Philox next_;
};

DGRAPH_DECL Ref<Counted> make_random_stream(const KernelRequest& r, std::uint64_t entropy) {
  auto seed = static_cast<std::uint64_t>(r.attr<std::int64_t>("seed"));
  auto seed2 = static_cast<std::uint64_t>(r.attr<std::int64_t>("seed2"));
  if (seed == 0 && seed2 == 0) {
    seed = mix_hash(0, entropy);
    seed2 = mix_hash(1, entropy);
  }
  return make_ref<RandomStream>(seed, seed2);
}

DGRAPH_DECL void run_random(KernelContext& c) {
  Tensor& out = c.allocate_output(0, shape_argument(c.input(0), "the shape"));
  fill_random(c, c.config<RandomConfig>(), c.state<RandomStream>().take_for(out.elements()), out);
}

DGRAPH_DECL void run_random_integers(KernelContext& c) {
  Tensor& out = c.allocate_output(0, shape_argument(c.input(0), "the shape"));
  fill_random_integers(c, integer_argument(c.input(1), "minval"), integer_argument(c.input(2), "maxval"), out,
                       [&] { return c.state<RandomStream>().take_for(out.elements()); });
}

DGRAPH_DECL void run_multinomial(KernelContext& c) {
  const std::int64_t samples = check_multinomial(c);
  Tensor& out = c.allocate_output(0, Shape{c.input(0).dim(0), samples});
  // A sample takes a double, two words; TensorFlow leaves room for samples in fours.
  const std::int64_t room = (samples + 3) / 4 * 4 * 2;
  sample_classes(c, c.state<RandomStream>().take_for(out.dim(0) * room), c.input(0), out);
}

DGRAPH_DECL void run_random_shuffle(KernelContext& c) {
  const Tensor& in = c.input(0);
  const std::int64_t rows = in.rank() == 0 ? 0 : in.dim(0);
  if (in.elements() <= 1 || rows <= 1) {
    c.set_output(0, c.take_input(0));
    return;
  }
  if (rows > static_cast<std::int64_t>(UINT32_MAX))
    fail(Code::InvalidArgument, "more than 2^32 rows cannot be shuffled");
  // R. A. Fisher, F. Yates, "Statistical tables", 1938: rows - 1 words, each modulo what is left.
  PhiloxWords words(c.state<RandomStream>().take(static_cast<std::uint64_t>(rows + 2) / 4));
  std::vector<std::int64_t> order(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  for (std::size_t i = 0; i + 1 < order.size(); ++i)
    std::swap(order[i], order[i + words() % static_cast<std::uint32_t>(order.size() - i)]);
  Tensor& out = c.allocate_output(0, in.shape());
  const std::int64_t row = in.elements() / rows;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::byte* from =
        element_at(in.dtype(), in.raw(), order[static_cast<std::size_t>(i)] * row);
    std::byte* to = element_at(in.dtype(), out.mutable_raw(), i * row);
    if (in.dtype() == DType::String)
      std::copy_n(reinterpret_cast<const std::string*>(from), row,
                  reinterpret_cast<std::string*>(to));
    else
      std::memcpy(to, from, static_cast<std::size_t>(row) * dtype_size(in.dtype()));
  }
}

DGRAPH_DECL double random_cost(const KernelContext& c) {
  // By what the shape asks for; a shape that is none is left to `run`.
  const Tensor& shape = c.input(0);
  if (!is_integer(shape.dtype()) || shape.dtype() == DType::UInt64) return 100;
  double numbers = 1;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(shape.elements(), 254); ++i)
    numbers *= static_cast<double>(integer_at(shape, i, "the shape"));
  return 100 + 10 * numbers;
}

DGRAPH_DECL Kernel random_kernel(void (*run)(KernelContext&)) {
  Kernel kernel = plain_kernel(run);
  kernel.make_state = &make_random_stream;
  return kernel;
}

DGRAPH_DECL Kernel distribution_kernel(const KernelRequest& r, Distribution d) {
  Kernel kernel = random_kernel(&run_random);
  kernel.cost = &random_cost;
  return kernel.with(random_config(r, d));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::RandomUniform>::make(const KernelRequest& r) {
  return detail::distribution_kernel(r, detail::Distribution::Uniform);
}
DGRAPH_DECL Kernel Kernels<ops::RandomStandardNormal>::make(const KernelRequest& r) {
  return detail::distribution_kernel(r, detail::Distribution::Normal);
}
DGRAPH_DECL Kernel Kernels<ops::TruncatedNormal>::make(const KernelRequest& r) {
  return detail::distribution_kernel(r, detail::Distribution::TruncatedNormal);
}
DGRAPH_DECL Kernel Kernels<ops::RandomUniformInt>::make(const KernelRequest&) {
  return detail::random_kernel(&detail::run_random_integers);
}
DGRAPH_DECL Kernel Kernels<ops::Multinomial>::make(const KernelRequest&) {
  return detail::random_kernel(&detail::run_multinomial);
}
DGRAPH_DECL Kernel Kernels<ops::RandomShuffle>::make(const KernelRequest&) {
  return detail::random_kernel(&detail::run_random_shuffle);
}

}  // namespace dgraph

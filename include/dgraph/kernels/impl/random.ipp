#pragma once
#include <dgraph/kernels/random.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <type_traits>
#include <vector>

#include <dgraph/base/random.hpp>
#include <dgraph/graph/attr.hpp>
#include <dgraph/kernels/arguments.hpp>
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

using RandomFill = void (*)(const Philox&, void* out, std::int64_t size, std::int64_t first,
                            std::int64_t last);

// The fill function of a dtype, and how many numbers a block gives.
struct RandomConfig {
  RandomFill fill;
  std::int64_t per_block;
  double ns_each;
};

DGRAPH_DECL void fill_random(const KernelContext& c, const RandomConfig& config,
                             const Philox& stream, Tensor& out) {
  const std::int64_t size = out.elements();
  void* const to = out.mutable_raw();
  c.parallel_for(
      (size + config.per_block - 1) / config.per_block,
      config.ns_each * static_cast<double>(config.per_block),
      [&](std::int64_t first, std::int64_t last) { config.fill(stream, to, size, first, last); });
}

DGRAPH_DECL void run_random(KernelContext& c) {
  Tensor& out = c.allocate_output(0, shape_argument(c.input(0), "the shape"));
  fill_random(c, c.config<RandomConfig>(), c.state<RandomStream>().take_for(out.elements()), out);
}

template <class T>
void run_random_integers(KernelContext& c) {
  using U = std::make_unsigned_t<T>;
  Tensor& out = c.allocate_output(0, shape_argument(c.input(0), "the shape"));
  const std::int64_t low = integer_argument(c.input(1), "minval"),
                     high = integer_argument(c.input(2), "maxval");
  const std::int64_t size = out.elements();
  if (size == 0) return;
  if (low >= high) fail(Code::InvalidArgument, "Need minval < maxval, got ", low, " >= ", high);
  const U base = static_cast<U>(low), range = static_cast<U>(static_cast<U>(high) - base);
  const Philox stream = c.state<RandomStream>().take_for(size);
  U* const to = reinterpret_cast<U*>(out.mutable_raw());
  c.parallel_for((size + kPerBlock<U> - 1) / kPerBlock<U>, 16,
                 [&](std::int64_t first, std::int64_t last) {
                   fill_uniform_integers(stream, base, range, to, size, first, last);
                 });
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

template <class T>
struct RandomFills {
  static void uniform(const Philox& s, void* out, std::int64_t size, std::int64_t first,
                      std::int64_t last) {
    fill_uniform(s, static_cast<T*>(out), size, first, last);
  }
  static void normal(const Philox& s, void* out, std::int64_t size, std::int64_t first,
                     std::int64_t last) {
    fill_normal(s, static_cast<T*>(out), size, first, last);
  }
  static void truncated(const Philox& s, void* out, std::int64_t size, std::int64_t first,
                        std::int64_t last) {
    fill_truncated_normal(s, static_cast<T*>(out), size, first, last);
  }
};

enum class Distribution : std::uint8_t { Uniform, Normal, TruncatedNormal };

template <class T>
RandomConfig random_config_of(Distribution d) noexcept {
  if (d == Distribution::Uniform) return {&RandomFills<T>::uniform, kPerBlock<T>, 4};
  if (d == Distribution::Normal) return {&RandomFills<T>::normal, kPerBlock<T>, 15};
  return {&RandomFills<T>::truncated, kPerBlock<T>, 20};
}

DGRAPH_DECL RandomConfig random_config(const KernelRequest& r, Distribution d) {
  switch (r.output_dtypes[0]) {
    case DType::Float32:
      return random_config_of<float>(d);
    case DType::Float64:
      return random_config_of<double>(d);
    case DType::Float16:
      return random_config_of<half>(d);
    case DType::BFloat16:
      return random_config_of<bfloat16>(d);
    default:
      no_kernel_for(r, r.output_dtypes[0]);
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
DGRAPH_DECL Kernel Kernels<ops::RandomUniformInt>::make(const KernelRequest& r) {
  if (r.output_dtypes[0] == DType::Int32)
    return detail::random_kernel(&detail::run_random_integers<std::int32_t>);
  if (r.output_dtypes[0] == DType::Int64)
    return detail::random_kernel(&detail::run_random_integers<std::int64_t>);
  detail::no_kernel_for(r, r.output_dtypes[0]);
}
DGRAPH_DECL Kernel Kernels<ops::RandomShuffle>::make(const KernelRequest&) {
  return detail::random_kernel(&detail::run_random_shuffle);
}

}  // namespace dgraph

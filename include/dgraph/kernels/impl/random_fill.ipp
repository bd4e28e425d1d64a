#pragma once
#include <dgraph/kernels/random_fill.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <dgraph/kernels/arguments.hpp>

namespace dgraph::detail {

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

DGRAPH_DECL void fill_random(const KernelContext& c, const RandomConfig& config,
                             const Philox& stream, Tensor& out) {
  const std::int64_t size = out.elements();
  void* const to = out.mutable_raw();
  c.parallel_for(
      (size + config.per_block - 1) / config.per_block,
      config.ns_each * static_cast<double>(config.per_block),
      [&](std::int64_t first, std::int64_t last) { config.fill(stream, to, size, first, last); });
}

template <class U>
void fill_integers(const KernelContext& c, const Philox& stream, U low, U range, Tensor& out) {
  const std::int64_t size = out.elements();
  U* const to = reinterpret_cast<U*>(out.mutable_raw());
  c.parallel_for((size + kPerBlock<U> - 1) / kPerBlock<U>, 16,
                 [&](std::int64_t first, std::int64_t last) {
                   fill_uniform_integers(stream, low, range, to, size, first, last);
                 });
}

DGRAPH_DECL void fill_random_integers(const KernelContext& c, std::int64_t low, std::int64_t high,
                                      Tensor& out, FunctionRef<Philox()> stream) {
  if (out.elements() == 0) return;
  if (low >= high) fail(Code::InvalidArgument, "Need minval < maxval, got ", low, " >= ", high);
  const auto base = static_cast<std::uint64_t>(low),
             range = static_cast<std::uint64_t>(high) - base;
  if (dtype_size(out.dtype()) == 4)
    fill_integers(c, stream(), static_cast<std::uint32_t>(base), static_cast<std::uint32_t>(range),
                  out);
  else
    fill_integers(c, stream(), base, range, out);
}

DGRAPH_DECL void fill_full_integers(const KernelContext& c, const Philox& stream, Tensor& out) {
  if (dtype_size(out.dtype()) == 4)
    fill_integers<std::uint32_t>(c, stream, 0, 0, out);
  else
    fill_integers<std::uint64_t>(c, stream, 0, 0, out);
}

DGRAPH_DECL std::int64_t check_multinomial(const KernelContext& c) {
  const Tensor& logits = c.input(0);
  if (logits.rank() != 2)
    fail(Code::InvalidArgument, "logits must be a matrix, not of shape ", logits.shape());
  const std::int64_t samples = integer_argument(c.input(1), "num_samples");
  if (samples < 0) fail(Code::InvalidArgument, "num_samples must not be negative, got ", samples);
  if (logits.dim(1) == 0)
    fail(Code::InvalidArgument, "logits must have at least one class, not shape ", logits.shape());
  return samples;
}

// Element i of real numbers as a double.
DGRAPH_DECL double real_at(const Tensor& x, std::int64_t i) {
  switch (x.dtype()) {
    case DType::Float32:
      return x.data<float>()[i];
    case DType::Float64:
      return x.data<double>()[i];
    case DType::Float16:
      return float(x.data<half>()[i]);
    case DType::BFloat16:
      return float(x.data<bfloat16>()[i]);
    case DType::UInt64:
      return static_cast<double>(x.data<std::uint64_t>()[i]);
    default:
      return static_cast<double>(integer_at(x, i, "logits"));
  }
}

DGRAPH_DECL void sample_classes(const KernelContext& c, const Philox& stream, const Tensor& logits,
                                Tensor& out) {
  const std::int64_t classes = logits.dim(1), samples = out.dim(1);
  const double cost = 20.0 * static_cast<double>(classes) + 30.0 * static_cast<double>(samples);
  c.parallel_for(logits.dim(0), cost, [&](std::int64_t first, std::int64_t last) {
    // Sums of the weights up to each class, by which a uniform number finds its own.
    std::vector<double> sums(static_cast<std::size_t>(classes));
    Philox mine = stream;
    const std::uint64_t words =
        2 * static_cast<std::uint64_t>(first) * static_cast<std::uint64_t>(samples);
    mine.skip(words / 4);
    PhiloxWords next(mine);
    for (std::uint64_t i = 0; i < words % 4; ++i) next();
    for (std::int64_t row = first; row < last; ++row) {
      double most = std::numeric_limits<double>::lowest(), total = 0;
      for (std::int64_t k = 0; k < classes; ++k)
        if (const double x = real_at(logits, row * classes + k); std::isfinite(x))
          most = std::max(most, x);
      for (std::int64_t k = 0; k < classes; ++k) {
        if (const double x = real_at(logits, row * classes + k); std::isfinite(x))
          total += std::exp(x - most);
        sums[static_cast<std::size_t>(k)] = total;
      }
      for (std::int64_t j = 0; j < samples; ++j) {
        const std::uint32_t high = next(), low = next();
        const auto found =
            std::upper_bound(sums.begin(), sums.end(), uniform_double(high, low) * total);
        const std::int64_t chosen = found - sums.begin(), at = row * samples + j;
        if (out.dtype() == DType::Int32)
          out.mutable_data<std::int32_t>()[at] = static_cast<std::int32_t>(chosen);
        else
          out.mutable_data<std::int64_t>()[at] = chosen;
      }
    }
  });
}

}  // namespace dgraph::detail

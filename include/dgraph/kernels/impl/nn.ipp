#pragma once
#include <dgraph/kernels/nn.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <dgraph/kernels/accumulate.hpp>
#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/elementwise.hpp>
#include <dgraph/kernels/strided.hpp>
#include <dgraph/kernels/vector_math.hpp>

namespace dgraph {
namespace detail {

// A tensor seen as [outer, channels, inner]: the channel is the last axis of NHWC and the second of
// NCHW.
struct ChannelView {
  std::int64_t outer, channels, inner;
};

DGRAPH_DECL ChannelView channel_view(const Tensor& value, bool channels_first) {
  const Shape& shape = value.shape();
  if (shape.rank() < 2) fail(Code::InvalidArgument, "Input tensor must be at least 2D: ", shape);
  const std::size_t axis = channels_first ? 1 : shape.rank() - 1;
  return {elements_before(shape, axis), shape[axis], elements_from(shape, axis + 1)};
}

// Config of BiasAdd and BiasAddGrad.
struct BiasConfig {
  RowSum add;
  bool channels_first;
};

DGRAPH_DECL void run_bias_add(KernelContext& c) {
  const auto& config = c.config<BiasConfig>();
  const Tensor &value = c.input(0), &bias = c.input(1);
  const ChannelView v = channel_view(value, config.channels_first);
  if (bias.rank() != 1) fail(Code::InvalidArgument, "Biases must be 1D: ", bias.shape());
  if (bias.dim(0) != v.channels)
    fail(Code::InvalidArgument, "Must provide as many biases as the ",
         config.channels_first ? "second" : "last",
         " dimension of the input tensor: ", bias.shape(), " vs. ", value.shape());
  Tensor& out = c.forward_or_allocate(0, value.shape(), {0});
  const DType dtype = out.dtype();
  const std::byte* const from = c.input(0).raw();
  std::byte* const to = out.mutable_raw();
  if (out.elements() == 0) return;
  constexpr std::int64_t kLeast = 256;
  if (v.inner == 1) {
    // Short rows go several at a time, with the bias repeated.
    const std::int64_t rows = std::clamp(kLeast / v.channels, std::int64_t{1}, v.outer);
    Tensor repeated(dtype, Shape{rows * v.channels});
    copy_strided(c, dtype, {rows, v.channels}, bias.raw(), {0, 1}, repeated.mutable_raw(),
                 {v.channels, 1});
    c.parallel_for(v.outer, 0.3 * static_cast<double>(v.channels),
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t row = begin; row < end; row += rows) {
                       const std::int64_t at = row * v.channels;
                       config.add(element_at(dtype, to, at), element_at(dtype, from, at),
                                  repeated.raw(), std::min(rows, end - row) * v.channels);
                     }
                   });
    return;
  }
  const std::int64_t run = std::min(v.inner, kLeast);
  c.parallel_for(v.outer * v.channels, 0.3 * static_cast<double>(v.inner),
                 [&](std::int64_t begin, std::int64_t end) {
                   Tensor repeated(dtype, Shape{run});
                   for (std::int64_t row = begin; row < end; ++row) {
                     fill_elements(dtype, element_at(dtype, bias.raw(), row % v.channels),
                                   repeated.mutable_raw(), run);
                     for (std::int64_t i = 0; i < v.inner; i += run) {
                       const std::int64_t at = row * v.inner + i;
                       config.add(element_at(dtype, to, at), element_at(dtype, from, at),
                                  repeated.raw(), std::min(run, v.inner - i));
                     }
                   }
                 });
}

// Sums of small floats are taken in float32, a block at a time.
DGRAPH_DECL const std::byte* widened(DType dtype, const std::byte* from, std::vector<float>& block,
                                     std::int64_t count) {
  if (dtype != DType::Float16 && dtype != DType::BFloat16) return from;
  block.resize(static_cast<std::size_t>(count));
  if (dtype == DType::Float16)
    widen(reinterpret_cast<const half*>(from), block.data(), count);
  else
    widen(reinterpret_cast<const bfloat16*>(from), block.data(), count);
  return reinterpret_cast<const std::byte*>(block.data());
}

// Adds all of `count` elements to the one at `total`: blocks in lanes, whose sums are then added
// pairwise.
DGRAPH_DECL void add_run(const RowSum& add, DType dtype, DType sum_dtype, const std::byte* from,
                         std::int64_t count, std::byte* total) {
  constexpr std::int64_t kLanes = 128, kBlock = 8192;
  std::vector<float> block;
  for (std::int64_t at = 0; at < count; at += kBlock) {
    const std::int64_t n = std::min(kBlock, count - at);
    const std::byte* numbers = widened(dtype, element_at(dtype, from, at), block, n);
    alignas(16) std::byte lanes[kLanes * 16] = {};
    for (std::int64_t i = 0; i < n; i += kLanes)
      add(lanes, lanes, element_at(sum_dtype, numbers, i), std::min(kLanes, n - i));
    for (std::int64_t half_way = kLanes / 2; half_way > 0; half_way /= 2)
      add(lanes, lanes, element_at(sum_dtype, lanes, half_way), half_way);
    add(total, total, lanes, 1);
  }
}

// Adds columns [begin, end) of all rows to `total`: rows in blocks, whose sums are then added.
DGRAPH_DECL void add_columns(const RowSum& add, DType dtype, DType sum_dtype, const std::byte* from,
                             std::int64_t rows, std::int64_t columns, std::int64_t begin,
                             std::int64_t end, std::byte* total) {
  constexpr std::int64_t kBlock = 64;
  std::vector<float> wide;
  Tensor partial(sum_dtype, Shape{end - begin});
  std::byte* const sums = partial.mutable_raw();
  for (std::int64_t first = 0; first < rows; first += kBlock) {
    std::memset(sums, 0, partial.bytes());
    for (std::int64_t row = first; row < std::min(first + kBlock, rows); ++row)
      add(sums, sums,
          widened(dtype, element_at(dtype, from, row * columns + begin), wide, end - begin),
          end - begin);
    std::byte* const to = element_at(sum_dtype, total, begin);
    add(to, to, sums, end - begin);
  }
}

DGRAPH_DECL void run_bias_add_grad(KernelContext& c) {
  const auto& config = c.config<BiasConfig>();
  const Tensor& value = c.input(0);
  const ChannelView v = channel_view(value, config.channels_first);
  const DType dtype = value.dtype();
  const bool small = dtype == DType::Float16 || dtype == DType::BFloat16;
  const DType sum_dtype = small ? DType::Float32 : dtype;
  Tensor sums = Tensor::zeros(sum_dtype, Shape{v.channels});
  std::byte* const total = sums.mutable_raw();
  const double ns_each = 0.5 * static_cast<double>(v.outer * v.inner);
  c.parallel_for(value.elements() == 0 ? 0 : v.channels, ns_each,
                 [&](std::int64_t begin, std::int64_t end) {
                   if (v.inner == 1) {
                     add_columns(config.add, dtype, sum_dtype, value.raw(), v.outer, v.channels,
                                 begin, end, total);
                     return;
                   }
                   for (std::int64_t channel = begin; channel < end; ++channel)
                     for (std::int64_t i = 0; i < v.outer; ++i)
                       add_run(config.add, dtype, sum_dtype,
                               element_at(dtype, value.raw(), (i * v.channels + channel) * v.inner),
                               v.inner, element_at(sum_dtype, total, channel));
                 });
  if (!small) {
    c.set_output(0, std::move(sums));
    return;
  }
  Tensor& out = c.allocate_output(0, sums.shape());
  if (dtype == DType::Float16)
    narrow(sums.data<float>(), out.mutable_data<half>(), v.channels);
  else
    narrow(sums.data<float>(), out.mutable_data<bfloat16>(), v.channels);
}

DGRAPH_DECL Kernel bias_kernel(const KernelRequest& r, void (*run)(KernelContext&), bool sums) {
  DType dtype = r.dtype("T");
  if (sums && (dtype == DType::Float16 || dtype == DType::BFloat16)) dtype = DType::Float32;
  const RowSum add = RowSum::add(dtype);
  if (!add) no_kernel_for(r, dtype);
  return plain_kernel(run).with(BiasConfig{add, r.attr<std::string>("data_format") == "NCHW"});
}

// The largest number of a row, and the sum of exp(x - most).
template <class T>
struct ExpSum {
  T most, sum;
};

// exp[i] = exp(x[i] - max x). Eight lanes each for maximum and sum, whatever the machine has, so
// that the bits are the same everywhere.
template <class T>
struct ShiftedExp {
  DGRAPH_INLINE static ExpSum<T> run(const T* x, T* exp, std::int64_t n) {
    DGRAPH_NO_CONTRACTION
    constexpr int kLanes = 8;
    T most[kLanes], sum[kLanes];
    for (int l = 0; l < kLanes; ++l) {
      most[l] = -std::numeric_limits<T>::infinity();
      sum[l] = T(0);
    }
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
      for (int l = 0; l < kLanes; ++l) most[l] = most[l] < x[i + l] ? x[i + l] : most[l];
    for (; i < n; ++i) most[0] = most[0] < x[i] ? x[i] : most[0];
    for (int step = kLanes / 2; step > 0; step /= 2)
      for (int l = 0; l < step; ++l) most[l] = most[l] < most[l + step] ? most[l + step] : most[l];
    const T largest = most[0];
    DGRAPH_INDEPENDENT
    for (std::int64_t k = 0; k < n; ++k) exp[k] = exp_of(x[k] - largest);
    for (i = 0; i + kLanes <= n; i += kLanes)
      for (int l = 0; l < kLanes; ++l) sum[l] += exp[i + l];
    for (; i < n; ++i) sum[0] += exp[i];
    for (int step = kLanes / 2; step > 0; step /= 2)
      for (int l = 0; l < step; ++l) sum[l] += sum[l + step];
    return {largest, sum[0]};
  }
};

// What is left of a softmax once the sum is known.
template <class T>
struct DivideRow {
  DGRAPH_INLINE static void run(const T* x, T divisor, T* out, std::int64_t n) {
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) out[i] = x[i] / divisor;
  }
};
template <class T>
struct ShiftRow {
  DGRAPH_INLINE static void run(const T* x, T most, T log_sum, T* out, std::int64_t n) {
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) out[i] = (x[i] - most) - log_sum;
  }
};

// The rows of a tensor of E as numbers that loops compute with: themselves, or float32 copies of
// small floats.
template <class E>
class RowReader {
 public:
  using Number = typename Value<E>::type;
  explicit RowReader(std::int64_t columns) : columns_(columns) {}
  const Number* read(const E* row) {
    if constexpr (std::is_same_v<E, Number>) {
      return row;
    } else {
      buffer_.resize(static_cast<std::size_t>(columns_));
      widen(row, buffer_.data(), columns_);
      return buffer_.data();
    }
  }
  /// A row of one number stands for a row of that number repeated.
  const Number* read(const E* row, bool repeated) {
    if (!repeated) return read(row);
    buffer_.assign(static_cast<std::size_t>(columns_), Value<E>::load(*row));
    return buffer_.data();
  }

 private:
  std::int64_t columns_;
  std::vector<Number> buffer_;
};

template <class E>
void write_row(const typename Value<E>::type* from, E* to, std::int64_t columns) {
  if constexpr (std::is_same_v<E, typename Value<E>::type>) {
    if (from != to) std::copy_n(from, columns, to);
  } else {
    narrow(from, to, columns);
  }
}

constexpr double kSoftmaxNs = 2.5;

template <class E, bool Log>
void run_softmax(KernelContext& c) {
  using T = typename Value<E>::type;
  const Shape shape = c.input(0).shape();
  if (shape.rank() == 0)
    fail(Code::InvalidArgument, "logits must have >= 1 dimension, got ", shape);
  const std::int64_t columns = shape[shape.rank() - 1],
                     rows = elements_before(shape, shape.rank() - 1);
  Tensor& out = c.forward_or_allocate(0, shape, {0});
  if (out.elements() == 0) return;
  const E* const from = c.input(0).data<E>();
  E* const to = out.mutable_data<E>();
  c.parallel_for(rows, kSoftmaxNs * static_cast<double>(columns),
                 [&](std::int64_t begin, std::int64_t end) {
                   const auto exp_row = simd_best<ShiftedExp<T>>();
                   const auto divide = simd_up_to_avx2<DivideRow<T>>();
                   const auto shift = simd_up_to_avx2<ShiftRow<T>>();
                   RowReader<E> reader(columns);
                   std::vector<T> exp(static_cast<std::size_t>(columns));
                   for (std::int64_t row = begin; row < end; ++row) {
                     const T* const x = reader.read(from + row * columns);
                     const ExpSum<T> sum = exp_row(x, exp.data(), columns);
                     if constexpr (Log)
                       shift(x, sum.most, log_of(sum.sum), exp.data(), columns);
                     else
                       divide(exp.data(), sum.sum, exp.data(), columns);
                     write_row(exp.data(), to + row * columns, columns);
                   }
                 });
}

// loss = sum of labels * (log sum exp(x - most) - (x - most)); backprop = softmax - labels.
template <class E>
void run_cross_entropy(KernelContext& c) {
  using T = typename Value<E>::type;
  const Tensor &features = c.input(0), &labels = c.input(1);
  const Shape shape = broadcast_shapes(features.shape(), labels.shape());
  if (shape.rank() != 2)
    fail(Code::InvalidArgument,
         "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional: ",
         features.shape(), " and ", labels.shape());
  const std::int64_t rows = shape[0], columns = shape[1];
  Tensor& loss = c.allocate_output(0, Shape{rows});
  Tensor& backprop = c.allocate_output(1, shape);
  // An operand with one row or one column has no stride there.
  struct Side {
    const E* data;
    std::int64_t row;
    bool repeated;
  };
  const auto side = [&](const Tensor& t) {
    const std::int64_t own_columns = t.rank() == 0 ? 1 : t.dim(t.rank() - 1);
    return Side{t.data<E>(), t.rank() == 2 && t.dim(0) != 1 ? own_columns : 0,
                own_columns != columns};
  };
  const Side x_side = side(features), label_side = side(labels);
  E* const losses = loss.mutable_data<E>();
  E* const to = backprop.mutable_data<E>();
  c.parallel_for(
      rows, kSoftmaxNs * static_cast<double>(columns), [&](std::int64_t begin, std::int64_t end) {
        const auto exp_row = simd_best<ShiftedExp<T>>();
        RowReader<E> x_reader(columns), label_reader(columns);
        std::vector<T> exp(static_cast<std::size_t>(columns));
        for (std::int64_t row = begin; row < end; ++row) {
          const T* const x =
              x_reader.read(x_side.data + row * x_side.row, x_side.repeated && columns > 0);
          const T* const label = label_reader.read(label_side.data + row * label_side.row,
                                                   label_side.repeated && columns > 0);
          const ExpSum<T> sum = exp_row(x, exp.data(), columns);
          const T log_sum = log_of(sum.sum);
          T total = T(0);
          for (std::int64_t i = 0; i < columns; ++i) {
            const T wanted = label[i];
            total += wanted * (log_sum - (x[i] - sum.most));
            exp[static_cast<std::size_t>(i)] = exp[static_cast<std::size_t>(i)] / sum.sum - wanted;
          }
          losses[row] = Value<E>::store(total);
          write_row(exp.data(), to + row * columns, columns);
        }
      });
}

DGRAPH_DECL void check_labels(const Tensor& labels, std::int64_t classes) {
  constexpr std::int64_t kMostShown = 100;
  const std::int64_t count = labels.elements();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t label = integer_at(labels, i, "labels");
    if (label >= 0 && label < classes) continue;
    std::string all;
    for (std::int64_t k = 0; k < std::min(count, kMostShown); ++k)
      all += errors::text(k ? " " : "", integer_at(labels, k, "labels"));
    fail(Code::InvalidArgument, "Received a label value of ", label,
         " which is outside the valid range of [0, ", classes, "). Label values: ", all,
         count > kMostShown ? " ..." : "");
  }
}

template <class E>
void run_sparse_cross_entropy(KernelContext& c) {
  using T = typename Value<E>::type;
  const Tensor& labels = c.input(1);
  const Shape shape = c.input(0).shape();
  if (shape.rank() != 2) fail(Code::InvalidArgument, "logits must be 2-D, but got shape ", shape);
  if (labels.rank() != 1 || labels.dim(0) != shape[0])
    fail(Code::InvalidArgument,
         "logits and labels must have the same first dimension, got logits shape ", shape,
         " and labels shape ", labels.shape());
  const std::int64_t rows = shape[0], columns = shape[1];
  if (columns == 0)
    fail(Code::InvalidArgument, "Must have at least one class, but got logits shape ", shape);
  check_labels(labels, columns);
  Tensor& loss = c.allocate_output(0, Shape{rows});
  Tensor& backprop = c.allocate_output(1, shape);
  const E* const from = c.input(0).data<E>();
  E* const losses = loss.mutable_data<E>();
  E* const to = backprop.mutable_data<E>();
  c.parallel_for(rows, kSoftmaxNs * static_cast<double>(columns),
                 [&](std::int64_t begin, std::int64_t end) {
                   const auto exp_row = simd_best<ShiftedExp<T>>();
                   const auto divide = simd_up_to_avx2<DivideRow<T>>();
                   RowReader<E> reader(columns);
                   std::vector<T> exp(static_cast<std::size_t>(columns));
                   for (std::int64_t row = begin; row < end; ++row) {
                     const T* const x = reader.read(from + row * columns);
                     const ExpSum<T> sum = exp_row(x, exp.data(), columns);
                     const auto label = static_cast<std::size_t>(integer_at(labels, row, "labels"));
                     losses[row] = Value<E>::store(log_of(sum.sum) - (x[label] - sum.most));
                     divide(exp.data(), sum.sum, exp.data(), columns);
                     exp[label] -= T(1);
                     write_row(exp.data(), to + row * columns, columns);
                   }
                 });
}

template <class T>
struct SumOfSquares {
  DGRAPH_INLINE static T run(const T* x, std::int64_t n) {
    DGRAPH_NO_CONTRACTION
    constexpr int kLanes = 16;
    T sum[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
      for (int l = 0; l < kLanes; ++l) sum[l] += x[i + l] * x[i + l];
    for (; i < n; ++i) sum[0] += x[i] * x[i];
    for (int step = kLanes / 2; step > 0; step /= 2)
      for (int l = 0; l < step; ++l) sum[l] += sum[l + step];
    return sum[0];
  }
};

template <class E>
void run_l2_loss(KernelContext& c) {
  using T = typename Value<E>::type;
  constexpr std::int64_t kBlock = 4096;
  const std::int64_t count = c.input(0).elements(), blocks = (count + kBlock - 1) / kBlock;
  const E* const from = c.input(0).data<E>();
  std::vector<T> sums(static_cast<std::size_t>(blocks));
  c.parallel_for(blocks, 0.5 * kBlock, [&](std::int64_t begin, std::int64_t end) {
    const auto sum = simd_up_to_avx2<SumOfSquares<T>>();
    RowReader<E> reader(kBlock), tail(count % kBlock);
    for (std::int64_t block = begin; block < end; ++block) {
      const E* const at = from + block * kBlock;
      const std::int64_t n = std::min(kBlock, count - block * kBlock);
      sums[static_cast<std::size_t>(block)] = sum(n == kBlock ? reader.read(at) : tail.read(at), n);
    }
  });
  T total = T(0);
  for (const T part : sums) total += part;
  *c.allocate_output(0, Shape()).mutable_data<E>() = Value<E>::store(total / T(2));
}

template <class E>
struct RunSoftmax {
  static constexpr auto run = &run_softmax<E, false>;
};
template <class E>
struct RunLogSoftmax {
  static constexpr auto run = &run_softmax<E, true>;
};
template <class E>
struct RunCrossEntropy {
  static constexpr auto run = &run_cross_entropy<E>;
};
template <class E>
struct RunSparseCrossEntropy {
  static constexpr auto run = &run_sparse_cross_entropy<E>;
};
template <class E>
struct RunL2Loss {
  static constexpr auto run = &run_l2_loss<E>;
};

template <template <class> class Run>
Kernel real_float_kernel(const KernelRequest& r) {
  Kernel kernel;
  dispatch<RealFloats>(r, r.dtype("T"),
                       [&kernel]<class E>() { kernel = plain_kernel(Run<E>::run); });
  return kernel;
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::BiasAdd>::make(const KernelRequest& r) {
  return detail::bias_kernel(r, &detail::run_bias_add, false);
}
DGRAPH_DECL Kernel Kernels<ops::BiasAddGrad>::make(const KernelRequest& r) {
  return detail::bias_kernel(r, &detail::run_bias_add_grad, true);
}
DGRAPH_DECL Kernel Kernels<ops::Softmax>::make(const KernelRequest& r) {
  return detail::real_float_kernel<detail::RunSoftmax>(r);
}
DGRAPH_DECL Kernel Kernels<ops::LogSoftmax>::make(const KernelRequest& r) {
  return detail::real_float_kernel<detail::RunLogSoftmax>(r);
}
DGRAPH_DECL Kernel Kernels<ops::SoftmaxCrossEntropyWithLogits>::make(const KernelRequest& r) {
  return detail::real_float_kernel<detail::RunCrossEntropy>(r);
}
DGRAPH_DECL Kernel Kernels<ops::SparseSoftmaxCrossEntropyWithLogits>::make(const KernelRequest& r) {
  return detail::real_float_kernel<detail::RunSparseCrossEntropy>(r);
}
DGRAPH_DECL Kernel Kernels<ops::L2Loss>::make(const KernelRequest& r) {
  return detail::real_float_kernel<detail::RunL2Loss>(r);
}

}  // namespace dgraph

#pragma once
#include <dgraph/kernels/ctc.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/cast.hpp>

namespace dgraph {
namespace detail {

struct CtcConfig {
  bool collapse, merge, ignore_longer;
};

inline constexpr double kLogZero = -std::numeric_limits<double>::infinity();

DGRAPH_DECL double log_add(double a, double b) {
  if (a == kLogZero) return b;
  if (b == kLogZero) return a;
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

// The probabilities of all ways to write a label sequence in so many steps. A. Graves, S. Fernández,
// F. Gomez, J. Schmidhuber, "Connectionist temporal classification", 2006: the labels with blanks
// between and around them, and the forward and backward variables over those.
class CtcPaths {
 public:
  /// `log_y` is [steps, classes]; the last class is blank.
  CtcPaths(const std::vector<double>& log_y, std::int64_t steps, std::int64_t classes,
           const std::vector<std::int64_t>& labels, bool merge)
      : log_y_(log_y), steps_(steps), classes_(classes), merge_(merge) {
    for (const std::int64_t label : labels) {
      states_.push_back(classes - 1);
      states_.push_back(label);
    }
    states_.push_back(classes - 1);
  }

  /// Minus the logarithm of the probability; adds its derivative by the logits, softmax minus the
  /// share of each class in it, to `gradient`, whose steps are `stride` apart.
  template <class T>
  double loss(T* gradient, std::int64_t stride) const {
    const std::vector<double> forward = run_forward(), backward = run_backward();
    double total = kLogZero;
    for (std::size_t u = 0; u < states_.size(); ++u)
      total = log_add(total, forward[u] + backward[u]);
    std::vector<double> share(static_cast<std::size_t>(classes_));
    for (std::int64_t t = 0; t < steps_; ++t) {
      std::fill(share.begin(), share.end(), kLogZero);
      for (std::size_t u = 0; u < states_.size(); ++u) {
        double& of_class = share[static_cast<std::size_t>(states_[u])];
        of_class = log_add(of_class, forward[at(u, t)] + backward[at(u, t)]);
      }
      for (std::int64_t i = 0; i < classes_; ++i) {
        const double y = std::exp(log_y(i, t));
        const double part =
            total == kLogZero ? 0 : std::exp(share[static_cast<std::size_t>(i)] - total);
        gradient[t * stride + i] = static_cast<T>(y - part);
      }
    }
    return -total;
  }

 private:
  std::size_t at(std::size_t u, std::int64_t t) const noexcept {
    return static_cast<std::size_t>(t) * states_.size() + u;
  }
  double log_y(std::int64_t label, std::int64_t t) const noexcept {
    return log_y_[static_cast<std::size_t>(t * classes_ + label)];
  }
  bool blank(std::size_t u) const noexcept { return states_[u] == classes_ - 1; }
  // A state may last where it is blank or equal outputs are merged; a label may follow the one before it
  // at once unless both are equal and would be merged.
  bool stays(std::size_t u) const noexcept { return merge_ || blank(u); }
  bool skips_to(std::size_t u) const noexcept {
    return u >= 2 && !blank(u) && !(merge_ && states_[u] == states_[u - 2]);
  }

  std::vector<double> run_forward() const {
    std::vector<double> out(states_.size() * static_cast<std::size_t>(steps_), kLogZero);
    for (std::size_t u = 0; u < std::min<std::size_t>(2, states_.size()); ++u)
      out[u] = log_y(states_[u], 0);
    for (std::int64_t t = 1; t < steps_; ++t)
      for (std::size_t u = 0; u < states_.size(); ++u) {
        double sum = stays(u) ? out[at(u, t - 1)] : kLogZero;
        if (u >= 1) sum = log_add(sum, out[at(u - 1, t - 1)]);
        if (skips_to(u)) sum = log_add(sum, out[at(u - 2, t - 1)]);
        out[at(u, t)] = sum + log_y(states_[u], t);
      }
    return out;
  }
  std::vector<double> run_backward() const {
    std::vector<double> out(states_.size() * static_cast<std::size_t>(steps_), kLogZero);
    const std::size_t count = states_.size();
    for (std::size_t u = count < 2 ? 0 : count - 2; u < count; ++u) out[at(u, steps_ - 1)] = 0;
    for (std::int64_t t = steps_ - 1; t-- > 0;)
      for (std::size_t u = 0; u < count; ++u) {
        const auto next = [&](std::size_t v) {
          return out[at(v, t + 1)] + log_y(states_[v], t + 1);
        };
        double sum = stays(u) ? next(u) : kLogZero;
        if (u + 1 < count) sum = log_add(sum, next(u + 1));
        if (u + 2 < count && skips_to(u + 2)) sum = log_add(sum, next(u + 2));
        out[at(u, t)] = sum;
      }
    return out;
  }

  const std::vector<double>& log_y_;
  std::int64_t steps_, classes_;
  bool merge_;
  std::vector<std::int64_t> states_;
};

// Of each item its labels; checks all of them.
DGRAPH_DECL std::vector<std::vector<std::int64_t>> ctc_labels(const KernelContext& c,
                                                              std::int64_t batch,
                                                              std::int64_t classes) {
  const auto& config = c.config<CtcConfig>();
  const Tensor &indices = c.input(1), &values = c.input(2);
  if (indices.rank() != 2 || indices.dim(1) != 2 || values.rank() != 1 ||
      indices.dim(0) != values.dim(0))
    fail(Code::InvalidArgument, "labels_indices must be [n, 2] and labels_values [n], not ",
         indices.shape(), " and ", values.shape());
  std::vector<std::vector<std::int64_t>> out(static_cast<std::size_t>(batch));
  const std::int64_t* const at = indices.data<std::int64_t>();
  for (std::int64_t i = 0; i < values.dim(0); ++i) {
    const std::int64_t item = at[2 * i], label = values.data<std::int32_t>()[i];
    if (item < 0 || item >= batch)
      fail(Code::InvalidArgument, "labels_indices", position_text(indices.shape(), 2 * i), " = ",
           item, " is not in [0, ", batch, ")");
    if (i > 0 &&
        (item < at[2 * i - 2] || (item == at[2 * i - 2] && at[2 * i + 1] <= at[2 * i - 1])))
      fail(Code::InvalidArgument, "labels_indices are not in order at ", i);
    if (label < 0 || label >= classes)
      fail(Code::InvalidArgument, "label ", label, " at ", i, " is not in [0, ", classes, ")");
    out[static_cast<std::size_t>(item)].push_back(label);
  }
  for (std::vector<std::int64_t>& labels : out) {
    if (labels.empty())
      fail(Code::InvalidArgument, "Labels length is zero in batch ", &labels - out.data());
    // Blanks at the end end a sequence; elsewhere there are none.
    while (!labels.empty() && labels.back() == classes - 1) labels.pop_back();
    if (std::find(labels.begin(), labels.end(), classes - 1) != labels.end())
      fail(Code::InvalidArgument, "a label follows a blank one (", classes - 1, ")");
    if (config.collapse) labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  }
  return out;
}

template <class T>
void run_ctc_loss(KernelContext& c) {
  const auto& config = c.config<CtcConfig>();
  const Tensor &inputs = c.input(0), &lengths = c.input(3);
  if (inputs.rank() != 3)
    fail(Code::InvalidArgument, "inputs must be 3-dimensional, not of shape ", inputs.shape());
  const std::int64_t time = inputs.dim(0), batch = inputs.dim(1), classes = inputs.dim(2);
  if (batch == 0) fail(Code::InvalidArgument, "batch_size must not be 0");
  if (classes == 0) fail(Code::InvalidArgument, "there must be a blank class");
  if (lengths.rank() != 1 || lengths.dim(0) != batch)
    fail(Code::InvalidArgument, "sequence_length must be a vector of ", batch, ", not of shape ",
         lengths.shape());
  const auto labels = ctc_labels(c, batch, classes);
  for (std::int64_t item = 0; item < batch; ++item) {
    const std::int64_t length = lengths.data<std::int32_t>()[item],
                       wanted =
                           static_cast<std::int64_t>(labels[static_cast<std::size_t>(item)].size());
    if (length < 0 || length > time)
      fail(Code::InvalidArgument, "sequence_length[", item, "] = ", length, " is not in [0, ", time,
           "]");
    if (wanted > length && !config.ignore_longer)
      fail(Code::InvalidArgument,
           "Not enough time for target transition sequence (required: ", wanted,
           ", available: ", length, ") of item ", item);
  }
  Tensor loss = Tensor::zeros(inputs.dtype(), Shape{batch});
  Tensor gradient = Tensor::zeros(inputs.dtype(), inputs.shape());
  const double ns = 60.0 * static_cast<double>(time) * static_cast<double>(classes);
  c.parallel_for(batch, ns, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t item = begin; item < end; ++item) {
      const std::vector<std::int64_t>& wanted = labels[static_cast<std::size_t>(item)];
      const std::int64_t steps = lengths.data<std::int32_t>()[item];
      if (steps == 0 || static_cast<std::int64_t>(wanted.size()) > steps) continue;
      std::vector<double> log_y(static_cast<std::size_t>(steps * classes));
      for (std::int64_t t = 0; t < steps; ++t) {
        const T* const x = inputs.data<T>() + (t * batch + item) * classes;
        const double most = *std::max_element(x, x + classes);
        double sum = 0;
        for (std::int64_t i = 0; i < classes; ++i) sum += std::exp(double{x[i]} - most);
        for (std::int64_t i = 0; i < classes; ++i)
          log_y[static_cast<std::size_t>(t * classes + i)] = double{x[i]} - most - std::log(sum);
      }
      const CtcPaths paths(log_y, steps, classes, wanted, config.merge);
      loss.mutable_data<T>()[item] =
          static_cast<T>(paths.loss(gradient.mutable_data<T>() + item * classes, batch * classes));
    }
  });
  c.set_output(0, std::move(loss));
  c.set_output(1, std::move(gradient));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::CTCLoss>::make(const KernelRequest& r) {
  const DType dtype = r.dtype("T");
  if (dtype != DType::Float32 && dtype != DType::Float64) detail::no_kernel_for(r, dtype);
  Kernel kernel = detail::plain_kernel(dtype == DType::Float32 ? &detail::run_ctc_loss<float>
                                                               : &detail::run_ctc_loss<double>);
  return kernel.with(detail::CtcConfig{r.attr<bool>("preprocess_collapse_repeated"),
                                       r.attr<bool>("ctc_merge_repeated"),
                                       r.attr<bool>("ignore_longer_outputs_than_inputs")});
}

}  // namespace dgraph

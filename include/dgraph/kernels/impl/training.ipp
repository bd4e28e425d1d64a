#pragma once
#include <dgraph/kernels/training.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/elementwise.hpp>
#include <dgraph/kernels/simd.hpp>
#include <dgraph/kernels/strided.hpp>
#include <dgraph/kernels/training_steps.hpp>
#include <dgraph/kernels/variable_access.hpp>

namespace dgraph {
namespace detail {

inline constexpr std::size_t kMostSlots = 4, kMostNumbers = 8;

// New values of the variable and its slots from old ones (which may be the same memory) and a
// gradient. `numbers` are the scalar inputs in their order, of the type that is computed in.
using TrainingRun = void (*)(const void* const* old, void* const* now, const void* grad,
                             std::int64_t n, const void* numbers, bool flag);

template <template <class> class Step, class C>
struct TrainingBody {
  DGRAPH_INLINE static void run(const void* const* old, void* const* now, const void* grad,
                                std::int64_t n, const void* numbers, bool flag) {
    DGRAPH_NO_CONTRACTION
    const Step<C> step(static_cast<const C*>(numbers), flag);
    const C* const g = static_cast<const C*>(grad);
    const auto from = [old](std::size_t k) { return static_cast<const C*>(old[k]); };
    const auto to = [now](std::size_t k) { return static_cast<C*>(now[k]); };
    const C* const a = from(0);
    C* const x = to(0);
    if constexpr (Step<C>::slots == 1) {
      DGRAPH_INDEPENDENT
      for (std::int64_t i = 0; i < n; ++i) {
        C v = a[i];
        step(v, g[i]);
        x[i] = v;
      }
    } else if constexpr (Step<C>::slots == 2) {
      const C* const b = from(1);
      C* const y = to(1);
      DGRAPH_INDEPENDENT
      for (std::int64_t i = 0; i < n; ++i) {
        C v = a[i], s = b[i];
        step(v, s, g[i]);
        x[i] = v;
        y[i] = s;
      }
    } else if constexpr (Step<C>::slots == 3) {
      const C *const b = from(1), *const c = from(2);
      C *const y = to(1), *const z = to(2);
      DGRAPH_INDEPENDENT
      for (std::int64_t i = 0; i < n; ++i) {
        C v = a[i], s = b[i], t = c[i];
        step(v, s, t, g[i]);
        x[i] = v;
        y[i] = s;
        z[i] = t;
      }
    } else {
      const C *const b = from(1), *const c = from(2), *const d = from(3);
      C *const y = to(1), *const z = to(2), *const w = to(3);
      DGRAPH_INDEPENDENT
      for (std::int64_t i = 0; i < n; ++i) {
        C v = a[i], s = b[i], t = c[i], u = d[i];
        step(v, s, t, u, g[i]);
        x[i] = v;
        y[i] = s;
        z[i] = t;
        w[i] = u;
      }
    }
  }
};

struct TrainingConfig {
  TrainingRun run = nullptr;
  DType dtype = DType::Invalid;                  // of the variables
  DType computed = DType::Invalid;               // what `run` computes in
  std::size_t slots = 0, grad = 0, indices = 0;  // inputs; indices 0: none
  std::vector<std::size_t> numbers;
  bool flag = false;
};

// float16 and bfloat16: block by block through float.
template <class T>
void run_small(const TrainingConfig& config, const void* const* old, void* const* now,
               const void* grad, std::int64_t n, const void* numbers) {
  constexpr std::int64_t kBlock = 256;
  float values[kMostSlots][kBlock], gradient[kBlock];
  void* blocks[kMostSlots];
  const void* const_blocks[kMostSlots];
  for (std::size_t k = 0; k < kMostSlots; ++k) const_blocks[k] = blocks[k] = values[k];
  for (std::int64_t begin = 0; begin < n; begin += kBlock) {
    const std::int64_t count = std::min(kBlock, n - begin);
    for (std::size_t k = 0; k < config.slots; ++k)
      widen(static_cast<const T*>(old[k]) + begin, values[k], count);
    widen(static_cast<const T*>(grad) + begin, gradient, count);
    config.run(const_blocks, blocks, gradient, count, numbers, config.flag);
    for (std::size_t k = 0; k < config.slots; ++k)
      narrow(values[k], static_cast<T*>(now[k]) + begin, count);
  }
}

DGRAPH_DECL void run_training_part(const TrainingConfig& config, const void* const* old,
                                   void* const* now, const void* grad, std::int64_t n,
                                   const void* numbers) {
  if (config.dtype == DType::Float16)
    run_small<half>(config, old, now, grad, n, numbers);
  else if (config.dtype == DType::BFloat16)
    run_small<bfloat16>(config, old, now, grad, n, numbers);
  else
    config.run(old, now, grad, n, numbers, config.flag);
}

// The scalar inputs in the type that is computed in.
struct TrainingNumbers {
  alignas(16) std::byte bytes[kMostNumbers * 16];

  TrainingNumbers(const KernelContext& c, const TrainingConfig& config) {
    for (std::size_t i = 0; i < config.numbers.size(); ++i) {
      const Tensor& value = c.input(config.numbers[i]);
      if (value.rank() > 0)
        fail(Code::InvalidArgument, "input ", config.numbers[i], " must be a scalar, not of shape ",
             value.shape());
      store(i, config.computed, read(value));
    }
  }

 private:
  static std::complex<double> read(const Tensor& value) {
    switch (value.dtype()) {
      case DType::Float32:
        return value.item<float>();
      case DType::Float64:
        return value.item<double>();
      case DType::Float16:
        return static_cast<float>(value.item<half>());
      case DType::BFloat16:
        return static_cast<float>(value.item<bfloat16>());
      case DType::Complex64:
        return value.item<std::complex<float>>();
      case DType::Complex128:
        return value.item<std::complex<double>>();
      default:
        return static_cast<double>(integer_argument(value, "a scalar input"));
    }
  }
  template <class C>
  void store_as(std::size_t i, C value) {
    std::memcpy(bytes + i * sizeof(C), &value, sizeof(C));
  }
  void store(std::size_t i, DType dtype, std::complex<double> value) {
    switch (dtype) {
      case DType::Float32:
        return store_as(i, static_cast<float>(value.real()));
      case DType::Float64:
        return store_as(i, value.real());
      case DType::Complex64:
        return store_as(i, std::complex<float>(value));
      default:
        return store_as(i, value);
    }
  }
};

// The variables of a node while they are locked.
struct TrainedVariables {
  std::array<VariableResource*, kMostSlots> variables{};
  std::array<Tensor*, kMostSlots> values{};
  std::size_t count = 0;

  Tensor& value(std::size_t k) const { return *values[k]; }
  void check() const {
    for (std::size_t k = 0; k < count; ++k) {
      if (!values[k]->has_value()) variables[k]->throw_uninitialized();
      if (!(values[k]->shape() == values[0]->shape()))
        fail(Code::InvalidArgument, "variable ", variables[0]->name(), " has shape ",
             values[0]->shape(), ", but its slot ", variables[k]->name(), " has ",
             values[k]->shape());
    }
  }
  // The first of the slots that are the same variable.
  std::size_t first_like(std::size_t k) const {
    return static_cast<std::size_t>(std::find(variables.begin(), variables.end(), variables[k]) -
                                    variables.begin());
  }
};

DGRAPH_DECL void train_all(KernelContext& c, const TrainingConfig& config,
                           const TrainedVariables& trained, const Tensor& grad,
                           const void* numbers) {
  const Tensor& value = trained.value(0);
  if (!(grad.shape() == value.shape()))
    fail(Code::InvalidArgument, "variable ", trained.variables[0]->name(), " of shape ",
         value.shape(), " cannot be changed by a gradient of shape ", grad.shape());
  // In place where nobody else reads the value.
  std::array<Tensor, kMostSlots> fresh;
  std::array<const std::byte*, kMostSlots> old{};
  std::array<std::byte*, kMostSlots> now{};
  for (std::size_t k = 0; k < trained.count; ++k) {
    Tensor& slot = trained.value(k);
    old[k] = slot.raw();
    if (const std::size_t same = trained.first_like(k); same != k) {
      now[k] = now[same];
    } else if (slot.unique()) {
      now[k] = slot.mutable_raw();
    } else {
      fresh[k] = Tensor(slot.dtype(), slot.shape());
      now[k] = fresh[k].mutable_raw();
    }
  }
  const std::size_t size = dtype_size(config.dtype);
  c.parallel_for(value.elements(), 2.0 * static_cast<double>(trained.count),
                 [&](std::int64_t begin, std::int64_t end) {
                   const std::size_t offset = static_cast<std::size_t>(begin) * size;
                   const void* from[kMostSlots];
                   void* to[kMostSlots];
                   for (std::size_t k = 0; k < trained.count; ++k) {
                     from[k] = old[k] + offset;
                     to[k] = now[k] + offset;
                   }
                   run_training_part(config, from, to, grad.raw() + offset, end - begin, numbers);
                 });
  for (std::size_t k = 0; k < trained.count; ++k)
    if (fresh[k].has_value()) trained.value(k) = std::move(fresh[k]);
}

DGRAPH_DECL void train_rows(const TrainingConfig& config, const TrainedVariables& trained,
                            const Tensor& grad, const Tensor& indices, const void* numbers) {
  const Shape shape = trained.value(0).shape();
  if (shape.rank() == 0)
    fail(Code::InvalidArgument, "variable ", trained.variables[0]->name(),
         " is a scalar and has no rows");
  if (indices.rank() != 1)
    fail(Code::InvalidArgument, "indices must be a vector, not of shape ", indices.shape());
  Dims wanted = shape.dims();
  wanted[0] = indices.dim(0);
  if (!(grad.shape().dims() == wanted))
    fail(Code::InvalidArgument, "the gradient of rows must have shape ",
         PartialShape(std::move(wanted)), ", not ", grad.shape(), ", for a variable of shape ",
         shape);
  check_indices(indices, shape[0]);
  for (std::size_t k = 0; k < trained.count; ++k)
    trained.variables[k]->writable_value(trained.value(k));
  const std::int64_t row = elements_from(shape, 1), count = indices.elements();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t at = integer_at(indices, i, "indices") * row;
    const void* from[kMostSlots];
    void* to[kMostSlots];
    for (std::size_t k = 0; k < trained.count; ++k)
      from[k] = to[k] = element_at(config.dtype, trained.value(k).mutable_raw(), at);
    run_training_part(config, from, to, element_at(config.dtype, grad.raw(), i * row), row,
                      numbers);
  }
}

DGRAPH_DECL void run_training(KernelContext& c) {
  const auto& config = c.config<TrainingConfig>();
  const TrainingNumbers numbers(c, config);
  TrainedVariables trained;
  trained.count = config.slots;
  for (std::size_t k = 0; k < config.slots; ++k) {
    trained.variables[k] = &variable_input(c, k);
    check_value_dtype(*trained.variables[k], config.dtype);
  }
  update_variables(std::span(trained.variables).first(config.slots), trained.values, [&] {
    trained.check();
    if (config.indices == 0)
      train_all(c, config, trained, c.input(config.grad), numbers.bytes);
    else
      train_rows(config, trained, c.input(config.grad), c.input(config.indices), numbers.bytes);
  });
  forward_handle(c);
}

enum class TrainingWidth : std::uint8_t { Wide, Plain };

template <template <class> class Step, TrainingWidth W, class C>
TrainingRun bind_training() {
  using Body = TrainingBody<Step, C>;
  if constexpr (W == TrainingWidth::Wide && !is_complex_element<C>)
    return simd_up_to_avx2<Body>();
  else
    return simd_baseline<Body>();
}

// `flag` names the one bool attribute that the step knows.
template <template <class> class Step, TrainingWidth W = TrainingWidth::Plain>
Kernel training_kernel(const KernelRequest& r, std::string_view flag = {}) {
  TrainingConfig config;
  config.dtype = config.computed = r.dtype("T");
  if (config.dtype == DType::Float16 || config.dtype == DType::BFloat16)
    config.computed = DType::Float32;
  if (config.computed == DType::Float32) config.run = bind_training<Step, W, float>();
  if (config.computed == DType::Float64) config.run = bind_training<Step, W, double>();
  if constexpr (Step<float>::takes_complex) {
    if (config.computed == DType::Complex64)
      config.run = bind_training<Step, W, std::complex<float>>();
    if (config.computed == DType::Complex128)
      config.run = bind_training<Step, W, std::complex<double>>();
  }
  if (!config.run) no_kernel_for(r, config.dtype);
  for (std::size_t i = 0; i < r.def.inputs.size(); ++i) {
    const ArgDef& arg = r.def.inputs[i];
    if (arg.ref || arg.dtype == DType::Resource)
      ++config.slots;
    else if (arg.name == "grad" || arg.name == "delta")
      config.grad = i;
    else if (arg.name == "indices")
      config.indices = i;
    else
      config.numbers.push_back(i);
  }
  if (!flag.empty()) config.flag = r.attr<bool>(flag);
  return plain_kernel(&run_training).with(std::move(config));
}

}  // namespace detail

// Each op has two names: one on a reference and one on a handle.
#define DGRAPH_DETAIL_TRAINING(op, ...)                                         \
  DGRAPH_DECL Kernel Kernels<ops::op>::make(const KernelRequest& r) {           \
    return detail::training_kernel < __VA_ARGS__;                               \
  }                                                                             \
  DGRAPH_DECL Kernel Kernels<ops::Resource##op>::make(const KernelRequest& r) { \
    return detail::training_kernel < __VA_ARGS__;                               \
  }
DGRAPH_DETAIL_TRAINING(ApplyProximalGradientDescent, detail::ProximalDescentStep > (r))
DGRAPH_DETAIL_TRAINING(SparseApplyProximalGradientDescent, detail::ProximalDescentStep > (r))
DGRAPH_DETAIL_TRAINING(ApplyAdadelta, detail::AdadeltaStep > (r))
DGRAPH_DETAIL_TRAINING(SparseApplyAdadelta, detail::AdadeltaStep > (r))
DGRAPH_DETAIL_TRAINING(ApplyAdagrad, detail::AdagradStep,
                       detail::TrainingWidth::Wide > (r, "update_slots"))
DGRAPH_DETAIL_TRAINING(SparseApplyAdagrad, detail::AdagradStep,
                       detail::TrainingWidth::Wide > (r, "update_slots"))
DGRAPH_DETAIL_TRAINING(ApplyAdagradV2, detail::AdagradV2Step > (r, "update_slots"))
DGRAPH_DETAIL_TRAINING(SparseApplyAdagradV2, detail::AdagradV2Step > (r, "update_slots"))
DGRAPH_DETAIL_TRAINING(ApplyAdagradDA, detail::AdagradDaStep > (r))
DGRAPH_DETAIL_TRAINING(SparseApplyAdagradDA, detail::AdagradDaStep > (r))
DGRAPH_DETAIL_TRAINING(ApplyProximalAdagrad, detail::ProximalAdagradStep > (r))
DGRAPH_DETAIL_TRAINING(SparseApplyProximalAdagrad, detail::ProximalAdagradStep > (r))
DGRAPH_DETAIL_TRAINING(ApplyFtrl, detail::FtrlStep > (r, "multiply_linear_by_lr"))
DGRAPH_DETAIL_TRAINING(SparseApplyFtrl, detail::FtrlStep > (r, "multiply_linear_by_lr"))
DGRAPH_DETAIL_TRAINING(ApplyFtrlV2, detail::FtrlV2Step > (r, "multiply_linear_by_lr"))
DGRAPH_DETAIL_TRAINING(SparseApplyFtrlV2, detail::FtrlV2Step > (r, "multiply_linear_by_lr"))
DGRAPH_DETAIL_TRAINING(ApplyMomentum, detail::MomentumStep,
                       detail::TrainingWidth::Wide > (r, "use_nesterov"))
DGRAPH_DETAIL_TRAINING(SparseApplyMomentum, detail::MomentumStep,
                       detail::TrainingWidth::Wide > (r, "use_nesterov"))
DGRAPH_DETAIL_TRAINING(ApplyRMSProp, detail::RmsPropStep, detail::TrainingWidth::Wide > (r))
DGRAPH_DETAIL_TRAINING(SparseApplyRMSProp, detail::RmsPropStep, detail::TrainingWidth::Wide > (r))
DGRAPH_DETAIL_TRAINING(ApplyCenteredRMSProp, detail::CenteredRmsPropStep > (r))
DGRAPH_DETAIL_TRAINING(SparseApplyCenteredRMSProp, detail::CenteredRmsPropStep > (r))
DGRAPH_DETAIL_TRAINING(ApplyAdam, detail::AdamStep,
                       detail::TrainingWidth::Wide > (r, "use_nesterov"))
DGRAPH_DETAIL_TRAINING(ApplyAdaMax, detail::AdaMaxStep > (r))
DGRAPH_DETAIL_TRAINING(ApplyAddSign, detail::AddSignStep > (r))
DGRAPH_DETAIL_TRAINING(ApplyPowerSign, detail::PowerSignStep > (r))
#undef DGRAPH_DETAIL_TRAINING

}  // namespace dgraph

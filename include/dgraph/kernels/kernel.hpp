#pragma once
// Kernel: how an op type is computed on the CPU; KernelContext: what it sees of one execution; the kernel table of an op set.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <dgraph/base/buffer.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/function.hpp>
#include <dgraph/base/tensor.hpp>
#include <dgraph/graph/op_def.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/kernels/resource.hpp>

namespace dgraph {

/// The node that a kernel is to be bound to.
struct KernelRequest {
  const OpDef& def;
  const AttrList& attrs;                   ///< in the order of def.attrs
  std::string_view name;                   ///< of the node
  std::span<const DType> input_dtypes;     ///< of the values; also where an input is a handle to a variable
  std::span<const DType> output_dtypes;

  const AttrValue& attr(std::string_view attr_name) const {
    const int index = def.attr_index(attr_name);
    if (index < 0) fail(Code::Internal, "op ", def.name, " has no attribute ", attr_name);
    return attrs[static_cast<std::size_t>(index)];
  }
  template <class T>
  const T& attr(std::string_view attr_name) const {
    return attr(attr_name).template get<T>();
  }
  /// The dtype attribute of that name.
  DType dtype(std::string_view attr_name) const { return attr<DType>(attr_name); }
};

class KernelContext;
class TaskServices;  // kernels/task_services.hpp

/// Called once with the outcome of an asynchronous kernel, from any thread; the context is valid until then.
using KernelDone = Function<void(Status)>;

/// What the runtime does for kernels.
class KernelServices {
 public:
  virtual ~KernelServices() = default;
  virtual ResourceManager& resources() = 0;
  /// The container of a node that names none: the name of the task's job.
  virtual const std::string& default_container() const = 0;
  /// True once the step has failed, was cancelled or ran past its deadline: a long kernel may stop.
  virtual bool cancelled() const = 0;
  /// Calls `run(i)` for each i below `shards`, in any order, some maybe at once; returns when all are done.
  virtual void parallel(std::size_t shards, FunctionRef<void(std::size_t)> run) = 0;
  /// Threads that `parallel` may use; at least 1.
  virtual std::size_t threads() const = 0;
  /// A line for the server's log (the Print op).
  virtual void log(std::string_view line) = 0;
  /// Runs `cancel` when the step is cancelled (at once if it is already). The id forgets it; 0 where it was called at once.
  virtual std::uint64_t on_cancel(Task cancel) = 0;
  /// False where the callback has started or will.
  virtual bool forget_cancel(std::uint64_t id) = 0;
  /// Runs the task soon, in a thread of the pool and never inside this call.
  virtual void post(Task task) = 0;
  /// What outlives the step: the pool, and functions that kernels call. Throws Unimplemented outside a task.
  virtual TaskServices& task() { fail(Code::Unimplemented, "functions are called in a session only"); }
};

/// One execution of a kernel. Errors are thrown as Error; the executor adds node, device and task.
class KernelContext {
 public:
  KernelContext(std::span<Tensor> inputs, std::span<Tensor> outputs, std::span<const DType> output_dtypes,
                const void* config, Counted* state, KernelServices& services) noexcept
      : inputs_(inputs), outputs_(outputs), output_dtypes_(output_dtypes), config_(config), state_(state),
        services_(&services) {}

  std::size_t num_inputs() const noexcept { return inputs_.size(); }
  std::size_t num_outputs() const noexcept { return outputs_.size(); }
  const Tensor& input(std::size_t i) const noexcept { return inputs_[i]; }
  std::span<const Tensor> inputs() const noexcept { return inputs_; }
  /// Moves input i out; with it its memory may become `unique()`.
  Tensor take_input(std::size_t i) noexcept { return std::move(inputs_[i]); }
  DType output_dtype(std::size_t i) const noexcept { return output_dtypes_[i]; }
  void set_output(std::size_t i, Tensor value) noexcept { outputs_[i] = std::move(value); }
  Tensor& output(std::size_t i) noexcept { return outputs_[i]; }

  /// Output i as an uninitialised tensor of that shape and the output's dtype.
  Tensor& allocate_output(std::size_t i, const Shape& shape) { return outputs_[i] = Tensor(output_dtypes_[i], shape); }
  /// The same, but in the memory of the first of these inputs that has as many bytes and that nobody else holds. The
  /// input's elements stay readable, element by element, until the output's are written.
  Tensor& forward_or_allocate(std::size_t i, const Shape& shape, std::initializer_list<std::size_t> from);

  /// What `Kernel::config` holds.
  template <class T>
  const T& config() const noexcept {
    return *static_cast<const T*>(config_);
  }
  /// What `Kernel::make_state` made: one for each (session, node name), shared by concurrent steps.
  template <class T>
  T& state() const noexcept {
    return *static_cast<T*>(state_);
  }
  KernelServices& services() const noexcept { return *services_; }

  /// Splits [0, count) into ranges and calls `run(begin, end)` for each; over the pool where the whole is estimated at more than
  /// 50 µs, in the caller alone otherwise. The split depends on count and cost only, never on the number of threads.
  void parallel_for(std::int64_t count, double ns_each, FunctionRef<void(std::int64_t, std::int64_t)> run) const;

  /// For asynchronous kernels: to be called exactly once when the outputs are set (or with an error). Taken once.
  KernelDone take_done() noexcept { return std::move(done_); }
  void set_done(KernelDone done) noexcept { done_ = std::move(done); }

 private:
  std::span<Tensor> inputs_, outputs_;
  std::span<const DType> output_dtypes_;
  const void* config_;
  Counted* state_;
  KernelServices* services_;
  KernelDone done_;
};

/// A kernel bound to one node.
struct Kernel {
  /// Computes outputs from inputs; null where the executor itself knows what to do (Const, Switch, Merge, ...).
  void (*run)(KernelContext&) = nullptr;
  /// Attributes and what was made of them, read by `KernelContext::config`.
  std::shared_ptr<const void> config;
  /// Makes the state of (session, node name); `entropy` is random. Null: no state.
  Ref<Counted> (*make_state)(const KernelRequest&, std::uint64_t entropy) = nullptr;
  /// Estimated nanoseconds of one execution; null: by `ns_each`, or by the bytes of the inputs.
  double (*cost)(const KernelContext&) = nullptr;
  /// Estimated nanoseconds for each element of the largest input; 0: next to nothing; negative: not known.
  double ns_each = -1;
  /// `run` returns early and calls `take_done()`'s function later; such a kernel holds no thread while it waits.
  bool async = false;

  template <class T>
  Kernel& with(T value) {
    config = std::make_shared<const T>(std::move(value));
    return *this;
  }
};

using KernelFactory = Kernel (*)(const KernelRequest&);

namespace detail {
template <class>
inline constexpr bool no_kernel = false;
}

/// Specialised in `kernels/` for each op: `static Kernel make(const KernelRequest&)`, which throws Unimplemented for dtypes that
/// it lacks. The primary template is an error, so that a forgotten include cannot lose an op silently.
template <class Op>
struct Kernels {
  static_assert(detail::no_kernel<Op>,
                "dgraph: this op has no kernel here: include <dgraph/kernels/standard.hpp>, or give the op struct a "
                "`static void compute(dgraph::KernelContext&)` or a `static dgraph::Kernel kernel(const dgraph::KernelRequest&)`");
};

/// The kernel of an op struct: its own `kernel` or `compute`, else `Kernels<Op>`.
template <class Op>
Kernel make_kernel(const KernelRequest& request) {
  if constexpr (requires { Op::kernel(request); }) {
    return Op::kernel(request);
  } else if constexpr (requires(KernelContext& context) { Op::compute(context); }) {
    Kernel kernel;
    kernel.run = &Op::compute;
    return kernel;
  } else {
    return Kernels<Op>::make(request);
  }
}

/// What a server knows of an op: its signature, for comparison and checks, and its kernel.
struct KernelEntry {
  std::string_view name;
  const OpDef& (*signature)();
  KernelFactory make;
};

/// Finds by op type name; null where there is none.
using KernelLookup = const KernelEntry* (*)(std::string_view name);

namespace detail {
void sort_kernel_entries(std::vector<KernelEntry>& entries);
const KernelEntry* find_kernel_entry(const std::vector<KernelEntry>& entries, std::string_view name) noexcept;
/// Throws Unimplemented naming op type and dtype.
[[noreturn]] void no_kernel_for(const KernelRequest& request, DType dtype);
}  // namespace detail

/// The kernel table of a set; instantiates every kernel of it.
template <class Ops>
const KernelEntry* find_kernel(std::string_view name) {
  static const std::vector<KernelEntry> table = [] {
    std::vector<KernelEntry> out;
    for_each_op<Ops>(
        [&out]<class Op>() { out.push_back({detail::op_name(Op::signature), &signature<Op>, &make_kernel<Op>}); });
    detail::sort_kernel_entries(out);
    return out;
  }();
  return detail::find_kernel_entry(table, name);
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/kernel.ipp>
#endif

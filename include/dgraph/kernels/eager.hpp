#pragma once
// run_op: one kernel, outside any step: for constant folding and tests.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dgraph/kernels/kernel.hpp>

namespace dgraph {

/// Services for kernels outside any step: everything in the caller's thread, nothing is ever cancelled, lines logged are kept.
class EagerServices : public KernelServices {
 public:
  ResourceManager& resources() override { return resources_; }
  const std::string& default_container() const override { return container_; }
  bool cancelled() const override { return false; }
  void parallel(std::size_t shards, FunctionRef<void(std::size_t)> run) override {
    for (std::size_t i = 0; i < shards; ++i) run(i);
  }
  std::size_t threads() const override { return 1; }
  void log(std::string_view line) override { lines_.emplace_back(line); }
  std::uint64_t on_cancel(Task) override { return 1; }
  bool forget_cancel(std::uint64_t) override { return true; }
  void post(Task task) override { task(); }

  const std::vector<std::string>& lines() const noexcept { return lines_; }

 private:
  ResourceManager resources_;
  std::string container_ = "localhost";
  std::vector<std::string> lines_;
};

/// Runs a bound kernel once and returns its outputs. A kernel's error is thrown as it is; Unimplemented where the op has no
/// kernel (Const, Switch, ...) or an asynchronous one waits for something that nobody will do.
std::vector<Tensor> run_kernel(const Kernel& kernel, const KernelRequest& request, std::vector<Tensor> inputs,
                               KernelServices& services, Counted* state = nullptr);

/// Attributes by name; those that are not given are inferred from the inputs or have their defaults.
using NamedAttrs = std::vector<std::pair<std::string, AttrValue>>;

/// Runs one op: `run_op(find_kernel<StandardOps>, "MatMul", {{"transpose_b", true}}, {a, b})`. Checks inputs and attributes as
/// a graph does; an input that the op takes by reference is a handle (`make_handle`). State of the kernel lasts for the call.
/// Throws NotFound where there is no such op.
std::vector<Tensor> run_op(KernelLookup kernels, std::string_view op, const NamedAttrs& attrs,
                           std::vector<Tensor> inputs, KernelServices& services, std::string_view node_name = "");
/// The same with EagerServices of its own.
std::vector<Tensor> run_op(KernelLookup kernels, std::string_view op, const NamedAttrs& attrs,
                           std::vector<Tensor> inputs);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/eager.ipp>
#endif

#pragma once
// Help for tests of kernels: a bound kernel that is run several times, services that split work,
// values as text.

#include <string>
#include <utility>
#include <vector>

#include <dgraph/graph/core.hpp>
#include <dgraph/kernels/eager.hpp>

namespace dgraph::test {

/// Services that claim four threads, so that large work is split; the shards run in the caller,
/// last one first.
class ShardedServices final : public EagerServices {
 public:
  void parallel(std::size_t shards, FunctionRef<void(std::size_t)> run) override {
    most_shards = shards > most_shards ? shards : most_shards;
    for (std::size_t i = shards; i-- > 0;) run(i);
  }
  std::size_t threads() const override { return 4; }
  std::size_t most_shards = 0;
};

/// Every element, as `Tensor::to_string` shows it: "int32[2]: 1 2".
inline std::string text(const Tensor& value) { return value.to_string(100'000); }
inline std::string text(const std::vector<Tensor>& values) {
  std::string out;
  for (const Tensor& value : values) out += (out.empty() ? "" : "; ") + text(value);
  return out;
}

/// Runs one op of the set.
template <class Ops>
std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return run_op(find_kernel<Ops>, op, attrs, std::move(inputs));
}

/// The code of the error that `f` throws; Ok where it throws none.
template <class F>
Code code_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.code();
  }
  return Code::Ok;
}

/// A kernel bound to a node of its own, with its state.
template <class OpType>
class Bound {
 public:
  /// `inputs` give the dtypes.
  Bound(const NamedAttrs& attrs, const std::vector<Tensor>& inputs, std::uint64_t entropy = 1) {
    std::vector<Endpoint> endpoints;
    for (const Tensor& input : inputs) {
      input_dtypes_.push_back(input.dtype());
      AttrArg dtype{"dtype", AttrValue(input.dtype())};
      static const OpDef given = parse_op("Given() -> (value: dtype); dtype: type");
      endpoints.push_back({graph_.add(given, {}, {&dtype, 1}, {"given"}), 0});
    }
    std::vector<AttrArg> args;
    for (const auto& [name, value] : attrs) args.push_back({name, value});
    node_ = &graph_.node(graph_.add(signature<OpType>(), endpoints, args, {"bound"}));
    for (const OutputInfo& output : node_->output_span()) output_dtypes_.push_back(output.dtype);
    kernel_ = make_kernel<OpType>(request());
    if (kernel_.make_state) state_ = kernel_.make_state(request(), entropy);
  }
  std::vector<Tensor> operator()(std::vector<Tensor> inputs, KernelServices& services) {
    return run_kernel(kernel_, request(), std::move(inputs), services, state_.get());
  }
  std::vector<Tensor> operator()(std::vector<Tensor> inputs) {
    return (*this)(std::move(inputs), services_);
  }
  const Kernel& kernel() const noexcept { return kernel_; }

 private:
  KernelRequest request() const {
    return {*node_->def, *node_->attrs, node_->name, input_dtypes_, output_dtypes_};
  }

  GraphCore graph_;
  const Node* node_ = nullptr;
  std::vector<DType> input_dtypes_, output_dtypes_;
  Kernel kernel_;
  Ref<Counted> state_;
  EagerServices services_;
};

}  // namespace dgraph::test

#pragma once
// cond and case_: values of one of several branches, of which only the one that is taken runs.

#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/base/function.hpp>
#include <dgraph/ops/flow_values.hpp>

namespace dgraph {
namespace detail {

using BuildBranch = FunctionRef<FlowItems()>;

/// The values of the branch that is taken: Merges, in the order of the branches' values.
std::vector<Output> build_cond(const Output& pred, BuildBranch if_true, BuildBranch if_false, const OpName& name);
/// A Merge of values of several branches, in the branch or loop that is being built.
Output add_merge(GraphCore& core, const std::vector<Output>& values, SourceLocation at);
/// Fails the step where more than one of the predicates is true, or, where `any`, none is. None where neither is asked.
Output check_cases(const std::vector<Output>& preds, bool exclusive, bool any, SourceLocation at);

}  // namespace detail

/// What `if_true` returns where `pred`, a bool scalar, is true, else what `if_false` returns. Both are called once, now; nodes that
/// they build run only where their branch is taken, and values from outside that they use come in through a Switch. They return
/// a value (an Op, a Variable, a number, an array), a tuple of values, a std::vector<Output> or an Op<void>: the same of both,
/// in dtype too. Throws InvalidArgument where the branches differ, and for a value of one branch that is used in another. A
/// variable is read before the branch, unless control dependencies inside ask for an order.
template <AnyOperand P, class T, class F>
auto cond(P&& pred, T&& if_true, F&& if_false, OpName name = {}) {
  using A = std::remove_cvref_t<std::invoke_result_t<T&>>;
  using B = std::remove_cvref_t<std::invoke_result_t<F&>>;
  using R = typename detail::CommonFlow<A, B>::type;
  const Output p = detail::as_output<bool>(pred, name.location, nullptr);
  R like{};
  const auto branch = [&](auto& build, bool keep) {
    return [&build, &like, &name, keep] {
      auto made = build();
      if (keep) like = detail::FlowLike<R, std::remove_cvref_t<decltype(made)>>::of(made);
      return detail::packed<R>(made, name.location);
    };
  };
  return detail::unpacked(like, detail::build_cond(p, branch(if_true, true), branch(if_false, false), name));
}

struct CaseOptions {
  bool exclusive = false;  ///< fail the step where more than one predicate is true
};

/// What the function beside the first true predicate returns, else what `otherwise` returns; without it one of the predicates must
/// be true, or the step fails with InvalidArgument:
/// `dg::case_<dg::Op<float>>({{x < 1, [&] { return a; }}, {x < 2, [&] { return b; }}}, [&] { return c; })`.
template <class R>
R case_(const std::vector<std::pair<Op<bool>, std::function<R()>>>& branches, const std::function<R()>& otherwise = {},
        const CaseOptions& options = {}, OpName name = {}) {
  if (branches.empty()) fail(Code::InvalidArgument, "case_ needs at least one branch");
  const auto scope = name_scope(name.name.empty() ? "case" : name.name);
  std::vector<Output> preds;
  for (const auto& branch : branches) preds.push_back(branch.first);
  const Output checked = detail::check_cases(preds, options.exclusive, !otherwise, name.location);
  const auto after = control_dependencies(checked ? std::vector<Output>{checked} : std::vector<Output>{});
  const std::size_t last = otherwise ? branches.size() : branches.size() - 1;
  const std::function<R(std::size_t)> from = [&](std::size_t i) -> R {
    if (i == last) return otherwise ? otherwise() : branches[i].second();
    return cond(branches[i].first, branches[i].second, [&] { return from(i + 1); }, OpName(name.location));
  };
  return from(0);
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/cond.ipp>
#endif

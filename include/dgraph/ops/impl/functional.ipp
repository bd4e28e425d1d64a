#pragma once
#include <dgraph/ops/functional.hpp>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/tensor_array.hpp>

namespace dgraph::detail {

DGRAPH_DECL Output int32_constant(std::int32_t value, SourceLocation at) {
  return add_constant(Tensor::scalar(value), OpName(at), nullptr);
}

DGRAPH_DECL WhileOptions loop_options(const FunctionalOptions& options) {
  return {.parallel_iterations = options.parallel_iterations, .back_prop = options.back_prop,
          .swap_memory = options.swap_memory};
}

// Arrays that hold the elements; all values have as many.
DGRAPH_DECL std::vector<ArrayState> element_arrays(const std::vector<Output>& elements, const Output& count,
                                                   const OpName& name) {
  if (elements.empty()) fail(Code::InvalidArgument, "elements of no value");
  std::vector<ArrayState> out;
  for (const Output& value : elements) {
    if (value.shape().has_rank() && value.shape().rank() == 0)
      fail(Code::InvalidArgument, "a scalar has no elements: ", value.name());
    out.push_back(ArrayState(value.dtype(), count, {}, OpName(name.location)).unstack(value, OpName(name.location)));
  }
  return out;
}

DGRAPH_DECL std::vector<Output> read_all(const std::vector<ArrayState>& arrays, const Output& index,
                                         SourceLocation at) {
  std::vector<Output> out;
  for (const ArrayState& array : arrays) out.push_back(array.read(index, OpName(at)));
  return out;
}

// Loop variables: a counter, then `values`, then the flows of `arrays`.
DGRAPH_DECL std::vector<Output> loop_values(const Output& counter, const std::vector<Output>& values,
                                            const std::vector<ArrayState>& arrays) {
  std::vector<Output> out{counter};
  out.insert(out.end(), values.begin(), values.end());
  for (const ArrayState& array : arrays) out.push_back(array.flow());
  return out;
}

DGRAPH_DECL std::vector<Output> map_elements(const std::vector<Output>& elements, const std::vector<DType>& dtypes,
                                             ElementFunction function, const FunctionalOptions& options,
                                             const OpName& name) {
  const SourceLocation at = name.location;
  const auto names = name_scope(name.name.empty() ? "map" : name.name);
  const Output count = rows_of(elements.at(0), OpName(at));
  const std::vector<ArrayState> inputs = element_arrays(elements, count, name);
  std::vector<ArrayState> results;
  for (const DType dtype : dtypes)
    results.emplace_back(dtype, count, TensorArrayOptions{.infer_shape = options.infer_shape}, OpName(at));
  const auto condition = [&](const std::vector<Output>& v) { return add_op<ops::Less>(OpName(at), v[0], count); };
  const auto body = [&](const std::vector<Output>& v) {
    const std::vector<Output> values = function(read_all(inputs, v[0], at));
    std::vector<ArrayState> written;
    for (std::size_t i = 0; i < results.size(); ++i)
      written.push_back(results[i].with_flow(v[1 + i]).write(v[0], values.at(i), OpName(at)));
    return loop_values(add_op<ops::Add>(OpName(at), v[0], int32_constant(1, at)), {}, written);
  };
  const std::vector<Output> last =
      build_while(condition, body, loop_values(int32_constant(0, at), {}, results), loop_options(options), OpName(at));
  std::vector<Output> out;
  for (std::size_t i = 0; i < results.size(); ++i) out.push_back(results[i].with_flow(last[1 + i]).stack(OpName(at)));
  return out;
}

DGRAPH_DECL std::vector<Output> fold_elements(const std::vector<Output>& elements, const std::vector<Output>& initial,
                                              FoldFunction function, FoldOrder order, const FunctionalOptions& options,
                                              const OpName& name) {
  const SourceLocation at = name.location;
  const auto names = name_scope(!name.name.empty() ? name.name : order.all ? "scan" : order.reverse ? "foldr" : "foldl");
  const Output count = rows_of(elements.at(0), OpName(at)), one = int32_constant(1, at);
  const std::vector<ArrayState> inputs = element_arrays(elements, count, name);
  const Output last_index = add_op<ops::Sub>(OpName(at), count, one);
  std::vector<Output> first = initial;
  Output begin = order.reverse ? last_index : int32_constant(0, at);
  if (initial.empty()) {
    first = read_all(inputs, begin, at);
    begin = order.reverse ? add_op<ops::Sub>(OpName(at), begin, one) : one;
  }
  std::vector<ArrayState> results;
  if (order.all)
    for (const Output& value : first) {
      results.emplace_back(value.dtype(), count, TensorArrayOptions{.infer_shape = options.infer_shape}, OpName(at));
      if (initial.empty())
        results.back() = results.back().write(order.reverse ? last_index : int32_constant(0, at), value, OpName(at));
    }
  const std::size_t width = first.size();
  const auto condition = [&](const std::vector<Output>& v) {
    return order.reverse ? add_op<ops::GreaterEqual>(OpName(at), v[0], int32_constant(0, at))
                         : add_op<ops::Less>(OpName(at), v[0], count);
  };
  const auto body = [&](const std::vector<Output>& v) {
    const std::vector<Output> values{v.begin() + 1, v.begin() + 1 + static_cast<std::ptrdiff_t>(width)};
    const std::vector<Output> next = function(values, read_all(inputs, v[0], at));
    std::vector<ArrayState> written;
    for (std::size_t i = 0; i < results.size(); ++i)
      written.push_back(results[i].with_flow(v[1 + width + i]).write(v[0], next.at(i), OpName(at)));
    const Output step = int32_constant(1, at);
    const Output index = order.reverse ? add_op<ops::Sub>(OpName(at), v[0], step)
                                       : add_op<ops::Add>(OpName(at), v[0], step);
    return loop_values(index, next, written);
  };
  const std::vector<Output> last =
      build_while(condition, body, loop_values(begin, first, results), loop_options(options), OpName(at));
  if (!order.all) return {last.begin() + 1, last.begin() + 1 + static_cast<std::ptrdiff_t>(width)};
  std::vector<Output> out;
  for (std::size_t i = 0; i < width; ++i)
    out.push_back(results[i].with_flow(last[1 + width + i]).stack(OpName(at)));
  return out;
}

}  // namespace dgraph::detail

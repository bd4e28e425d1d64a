#pragma once
#include <dgraph/ops/custom_gradient.hpp>

#include <dgraph/graph/gradient.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph::detail {

// As in TensorFlow an IdentityN over results and operands: the operands are its inputs only so that gradients reach them.
DGRAPH_DECL std::vector<Output> with_gradient(const std::vector<Output>& ys,
                                              const std::vector<Output>& xs,
                                              GradientFunction gradient, const OpName& name) {
  std::vector<Output> all = ys;
  all.insert(all.end(), xs.begin(), xs.end());
  const Output node = add_op<ops::IdentityN>(name, all);
  const std::size_t results = ys.size(), operands = xs.size();
  node.core()->set_gradient(
      node.node_id(), [gradient = std::move(gradient), results, operands](GradientContext& g) {
        std::vector<Output> dys;
        for (std::size_t i = 0; i < results; ++i) dys.push_back(g.dy(i));
        const std::vector<Output> dxs = gradient(dys);
        if (dxs.size() != operands)
          fail(Code::InvalidArgument, "a custom gradient gave ", dxs.size(), " gradients for ",
               operands, " operands");
        for (std::size_t i = 0; i < operands; ++i) {
          const Output x = g.x(results + i);
          if (!dxs[i] || !g.needs(results + i)) continue;
          if (dxs[i].dtype() != x.dtype() || !dxs[i].shape().compatible_with(x.shape()))
            fail(Code::InvalidArgument, "the custom gradient for ", x.name(), " is ",
                 dtype_name(dxs[i].dtype()), dxs[i].shape(), ", not ", dtype_name(x.dtype()),
                 x.shape());
          g.set(results + i, dxs[i]);
        }
      });
  std::vector<Output> out;
  for (std::size_t i = 0; i < results; ++i)
    out.emplace_back(node.core(), node.node_id(), static_cast<std::uint32_t>(i));
  return out;
}

}  // namespace dgraph::detail

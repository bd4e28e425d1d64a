#pragma once
// Variables for tests of kernels that write them.

#include <initializer_list>
#include <string>
#include <utility>

#include <dgraph/kernels/resource.hpp>

#include "support/kernels.hpp"

namespace dgraph::test {

/// A variable of its own, outside any container.
struct Holder {
  explicit Holder(Tensor value)
      : variable(make_ref<VariableResource>("v", value.dtype(), PartialShape(value.shape()))),
        handle(make_handle(variable)) {
    variable->assign(std::move(value));
  }
  std::string now() const { return text(variable->read()); }
  Ref<VariableResource> variable;
  Tensor handle;
};

inline Tensor floats(std::initializer_list<float> values) { return Tensor::vector<float>(values); }
inline Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}

}  // namespace dgraph::test

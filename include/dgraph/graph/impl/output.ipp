#pragma once
#include <dgraph/graph/output.hpp>

namespace dgraph {

DGRAPH_DECL std::string Output::name() const {
  if (!core_) return "none";
  std::string out(node().name);
  if (index_) out += ":" + std::to_string(index_);
  return out;
}

namespace detail {

DGRAPH_DECL void wrong_output_dtype(const Output& output, DType wanted) {
  fail(Code::InvalidArgument, "output ", output.name(), " (", output.op_type(), ") is of ",
       dtype_name(output.dtype()), ", not ", dtype_name(wanted));
}

}  // namespace detail
}  // namespace dgraph

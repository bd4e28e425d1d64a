#pragma once
// CPU kernels of the ops in ops/strings.hpp that match regular expressions.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(RegexReplace);
DGRAPH_KERNEL(StaticRegexReplace);
DGRAPH_KERNEL(RegexFullMatch);
DGRAPH_KERNEL(StaticRegexFullMatch);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/string_patterns.ipp>
#endif

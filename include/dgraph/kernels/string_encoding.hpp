#pragma once
// CPU kernels of ops/string_encoding.hpp.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(AsString);
DGRAPH_KERNEL(StringToNumber);
DGRAPH_KERNEL(EncodeBase64);
DGRAPH_KERNEL(DecodeBase64);
DGRAPH_KERNEL(DecodeRaw);
DGRAPH_KERNEL(StringToHashBucketFast);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/string_encoding.ipp>
#endif

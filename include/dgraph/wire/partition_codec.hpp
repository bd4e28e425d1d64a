#pragma once
// PartitionDef on the wire: tables of op types, attributes and devices, then each node as ids.

#include <vector>

#include <dgraph/base/link.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/wire/bytes.hpp>
#include <dgraph/wire/partition_def.hpp>
#include <dgraph/wire/tensor_codec.hpp>

namespace dgraph::wire {

/// Large constants among the attributes are shared, not copied.
void write_partition(ByteWriter& to, std::vector<Body>& bodies, const PartitionDef& partition);

/// Reads one; attributes are owned by the result and checked against `ops`' own definitions,
/// positions and numbers against the partition. Throws InvalidArgument that lists all op types
/// which `ops` lacks or knows with another signature, DataLoss for malformed bytes.
PartitionDef read_partition(ByteReader& from, BodyReader& bodies, OpLookup ops);

}  // namespace dgraph::wire

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/partition_codec.ipp>
#endif

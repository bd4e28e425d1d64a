#pragma once
// CPU kernels of ops/segment.hpp and ops/sparse_segment.hpp: rows of segments, all or picked by index.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(SegmentSum);
DGRAPH_KERNEL(SegmentMean);
DGRAPH_KERNEL(SegmentProd);
DGRAPH_KERNEL(SegmentMin);
DGRAPH_KERNEL(SegmentMax);
DGRAPH_KERNEL(UnsortedSegmentSum);
DGRAPH_KERNEL(UnsortedSegmentProd);
DGRAPH_KERNEL(UnsortedSegmentMin);
DGRAPH_KERNEL(UnsortedSegmentMax);
DGRAPH_KERNEL(SparseSegmentSum);
DGRAPH_KERNEL(SparseSegmentMean);
DGRAPH_KERNEL(SparseSegmentSqrtN);
DGRAPH_KERNEL(SparseSegmentSumWithNumSegments);
DGRAPH_KERNEL(SparseSegmentMeanWithNumSegments);
DGRAPH_KERNEL(SparseSegmentSqrtNWithNumSegments);
DGRAPH_KERNEL(SparseSegmentSumGrad);
DGRAPH_KERNEL(SparseSegmentMeanGrad);
DGRAPH_KERNEL(SparseSegmentSqrtNGrad);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/segment.ipp>
#endif

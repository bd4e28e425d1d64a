#pragma once
// CPU kernels of ops/math.hpp: arithmetic and functions of each element.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Neg);
DGRAPH_KERNEL(Abs);
DGRAPH_KERNEL(Sign);
DGRAPH_KERNEL(Square);
DGRAPH_KERNEL(Reciprocal);
DGRAPH_KERNEL(Sqrt);
DGRAPH_KERNEL(Rsqrt);
DGRAPH_KERNEL(Exp);
DGRAPH_KERNEL(Log);
DGRAPH_KERNEL(Log1p);
DGRAPH_KERNEL(Tanh);
DGRAPH_KERNEL(Sigmoid);
DGRAPH_KERNEL(Relu);

DGRAPH_KERNEL(AddV2);
DGRAPH_KERNEL(Add);
DGRAPH_KERNEL(Sub);
DGRAPH_KERNEL(Mul);
DGRAPH_KERNEL(RealDiv);
DGRAPH_KERNEL(Div);
DGRAPH_KERNEL(FloorDiv);
DGRAPH_KERNEL(FloorMod);
DGRAPH_KERNEL(Maximum);
DGRAPH_KERNEL(Minimum);
DGRAPH_KERNEL(Pow);
DGRAPH_KERNEL(SquaredDifference);
DGRAPH_KERNEL(AddN);

DGRAPH_KERNEL(TanhGrad);
DGRAPH_KERNEL(SigmoidGrad);
DGRAPH_KERNEL(ReluGrad);
DGRAPH_KERNEL(SqrtGrad);
DGRAPH_KERNEL(RsqrtGrad);
DGRAPH_KERNEL(ReciprocalGrad);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/math.ipp>
#endif

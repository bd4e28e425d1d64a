#pragma once
// StandardOps: every op that the library brings. Composed of the families, each of which can be used alone.

#include <dgraph/ops/accumulator.hpp>
#include <dgraph/ops/accumulators.hpp>
#include <dgraph/ops/array.hpp>
#include <dgraph/ops/bitwise.hpp>
#include <dgraph/ops/cells.hpp>
#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/complex.hpp>
#include <dgraph/ops/cond.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/control_flow.hpp>
#include <dgraph/ops/convolution.hpp>
#include <dgraph/ops/cross.hpp>
#include <dgraph/ops/ctc.hpp>
#include <dgraph/ops/cumulative.hpp>
#include <dgraph/ops/custom_gradient.hpp>
#include <dgraph/ops/dataset.hpp>
#include <dgraph/ops/division.hpp>
#include <dgraph/ops/dropout.hpp>
#include <dgraph/ops/einsum.hpp>
#include <dgraph/ops/embedding.hpp>
#include <dgraph/ops/function.hpp>
#include <dgraph/ops/functional.hpp>
#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/grids.hpp>
#include <dgraph/ops/image.hpp>
#include <dgraph/ops/linalg.hpp>
#include <dgraph/ops/losses.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/matrix_parts.hpp>
#include <dgraph/ops/matrix_solvers.hpp>
#include <dgraph/ops/nn.hpp>
#include <dgraph/ops/normalization.hpp>
#include <dgraph/ops/norms.hpp>
#include <dgraph/ops/operators.hpp>
#include <dgraph/ops/pooling.hpp>
#include <dgraph/ops/queue.hpp>
#include <dgraph/ops/queues.hpp>
#include <dgraph/ops/random.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/resource_access.hpp>
#include <dgraph/ops/resource_training.hpp>
#include <dgraph/ops/rounding.hpp>
#include <dgraph/ops/selection.hpp>
#include <dgraph/ops/special.hpp>
#include <dgraph/ops/stack.hpp>
#include <dgraph/ops/state.hpp>
#include <dgraph/ops/stateless_random.hpp>
#include <dgraph/ops/statistics.hpp>
#include <dgraph/ops/string_encoding.hpp>
#include <dgraph/ops/strings.hpp>
#include <dgraph/ops/tensor_array.hpp>
#include <dgraph/ops/tensordot.hpp>
#include <dgraph/ops/top_k.hpp>
#include <dgraph/ops/training.hpp>
#include <dgraph/ops/training_functions.hpp>
#include <dgraph/ops/trigonometric.hpp>
#include <dgraph/ops/variable.hpp>
#include <dgraph/ops/variable_report.hpp>
#include <dgraph/ops/variable_scatter.hpp>
#include <dgraph/ops/while_loop.hpp>

namespace dgraph {

using StandardOps = OpSet<ConstantOps, MathOps, ComplexOps, CompareOps, ReductionOps, LinalgOps, ArrayOps, StateOps,
                          VariableScatterOps, TrainingOps, NnOps, RandomOps, StatelessRandomOps, StringOps,
                          StringEncodingOps, ControlFlowOps, TrigonometricOps, SpecialOps, DivisionOps, RoundingOps,
                          BitwiseOps, CumulativeOps, CrossOps, SelectionOps, StackOps, TensorArrayOps, ConvolutionOps,
                          PoolingOps, NormalizationOps, ImageOps, TopKOps, CtcOps, MatrixPartOps, MatrixSolverOps,
                          EinsumOps, QueueOps, AccumulatorOps, ResourceTrainingOps, ResourceAccessOps,
                          DatasetOps, IteratorOps>;

}  // namespace dgraph

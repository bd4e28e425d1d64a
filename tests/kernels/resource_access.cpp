#include <dgraph/kernels/resource_access.hpp>

#include <dgraph/kernels/training.hpp>
#include <dgraph/kernels/variable_scatter.hpp>
#include <dgraph/ops/resource_access.hpp>
#include <dgraph/ops/resource_training.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"
#include "support/variables.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::floats;
using dgraph::test::Holder;
using dgraph::test::ints;

namespace {

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<OpSet<ResourceAccessOps, ResourceTrainingOps>>(op, attrs, std::move(inputs));
}

}  // namespace

TEST_CASE("Rows of a variable are read by its handle") {
  Holder x(Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6}));
  const NamedAttrs dtype{{"dtype", DType::Float32}};
  CHECK(test::text(run("ResourceGather", dtype, {x.handle, ints({2, 0})})[0]) ==
        "float32[2,2]: 5 6 1 2");
  CHECK_THROWS_WITH(run("ResourceGather", dtype, {x.handle, ints({0, 3})}),
                    contains("indices[1] = 3 is not in [0, 3)"));
  CHECK(test::text(run("ResourceGather", {{"dtype", DType::Float32}, {"batch_dims", std::int64_t{1}}},
                       {x.handle, Tensor::of<std::int32_t>({3, 1}, {1, 0, 1})})[0]) ==
        "float32[3,1]: 2 3 6");
  CHECK(test::text(run("VariableShape", {}, {x.handle})[0]) == "int32[2]: 3 2");
  CHECK(test::text(run("VariableShape", {{"out_type", DType::Int64}}, {x.handle})[0]) ==
        "int64[2]: 3 2");
}

TEST_CASE("Rows and slices of a variable are changed by its handle, which is not given on") {
  Holder x(Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6}));
  CHECK(run("ResourceScatterAdd", {},
            {x.handle, ints({0, 0}), Tensor::of<float>({2, 2}, {1, 1, 2, 2})})
            .empty());
  CHECK(x.now() == "float32[3,2]: 4 5 3 4 5 6");
  run("ResourceScatterNdUpdate", {},
      {x.handle, Tensor::of<std::int32_t>({1, 2}, {2, 1}), floats({9})});
  CHECK(x.now() == "float32[3,2]: 4 5 3 4 5 9");
  CHECK(code_of([&] {
          run("ResourceScatterMax", {}, {x.handle, ints({3}), Tensor::scalar(1.0f)});
        }) == Code::InvalidArgument);
}

TEST_CASE("Optimizers change variables by their handles as they do by references") {
  Holder x(floats({1, 2})), accum(floats({1, 0}));
  CHECK(run("ResourceApplyMomentum", {},
            {x.handle, accum.handle, Tensor::scalar(0.5f), floats({2, 4}), Tensor::scalar(0.5f)})
            .empty());
  CHECK(accum.now() == "float32[2]: 2.5 4");
  CHECK(x.now() == "float32[2]: -0.25 0");
  Holder rows(Tensor::of<float>({2, 1}, {1, 1})), sums(Tensor::of<float>({2, 1}, {0, 0}));
  run("ResourceSparseApplyAdagrad", {},
      {rows.handle, sums.handle, Tensor::scalar(1.0f), Tensor::of<float>({1, 1}, {2}), ints({1})});
  CHECK(rows.now() == "float32[2,1]: 1 0");
  CHECK(sums.now() == "float32[2,1]: 0 4");
}

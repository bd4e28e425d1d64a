#include <dgraph/kernels/training.hpp>

#include <cmath>
#include <complex>

#include <dgraph/ops/training.hpp>

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

std::vector<Tensor> run(std::string_view op, std::vector<Tensor> inputs,
                        const NamedAttrs& attrs = {}) {
  return test::run<TrainingOps>(op, attrs, std::move(inputs));
}
Tensor number(float x) { return Tensor::scalar(x); }

}  // namespace

TEST_CASE("A step changes the variable and its slots and gives the handle on") {
  Holder x(floats({1, 2})), accum(floats({1, 0}));
  CHECK(&resource_of(run("ApplyMomentum", {x.handle, accum.handle, number(0.5f), floats({2, 4}),
                                           number(0.5f)})[0]) == x.variable.get());
  CHECK(accum.now() == "float32[2]: 2.5 4");
  CHECK(x.now() == "float32[2]: -0.25 0");
  run("ApplyMomentum", {x.handle, accum.handle, number(0.5f), floats({0, 0}), number(0.5f)},
      {{"use_nesterov", true}});
  CHECK(accum.now() == "float32[2]: 1.25 2");
  CHECK(x.now() == "float32[2]: -0.5625 -0.5");
}

TEST_CASE("Small floats and complex numbers are trained too") {
  Holder x(Tensor::vector<half>({half(1.f)})), accum(Tensor::vector<half>({half(0.f)}));
  run("ApplyAdagrad",
      {x.handle, accum.handle, Tensor::scalar(half(1.f)), Tensor::vector<half>({half(2.f)})});
  CHECK(x.now() == "float16[1]: 0");
  CHECK(accum.now() == "float16[1]: 4");
  using C = std::complex<double>;
  Holder z(Tensor::vector<C>({C(1, 1)})), m(Tensor::vector<C>({C(0, 0)}));
  run("ApplyMomentum", {z.handle, m.handle, Tensor::scalar(C(0, 1)), Tensor::vector<C>({C(1, 0)}),
                        Tensor::scalar(C(0.5, 0))});
  CHECK(z.now() == "complex128[1]: (1,0)");
  CHECK(code_of([&] {
          run("ApplyAddSign",
              {z.handle, m.handle, Tensor::scalar(C()), Tensor::scalar(C()), Tensor::scalar(C()),
               Tensor::scalar(C()), Tensor::vector<C>({C(1, 0)})});
        }) == Code::Unimplemented);
}

TEST_CASE("More elements than a block, in place or not, give the same") {
  const auto many = [](float x) {
    Tensor out(DType::BFloat16, Shape{1000});
    for (bfloat16& element : out.mutable_flat<bfloat16>()) element = bfloat16(x);
    return out;
  };
  Holder x(many(1)), accum(many(0));
  const Tensor read = x.variable->read();
  const std::byte* slot = accum.variable->read().raw();
  const auto scalar = [](float v) { return Tensor::scalar(bfloat16(v)); };
  run("ApplyMomentum", {x.handle, accum.handle, scalar(1), many(0.5f), scalar(0)});
  CHECK(float(read.data<bfloat16>()[999]) == 1);
  CHECK(float(x.variable->read().data<bfloat16>()[999]) == 0.5f);
  CHECK(accum.variable->read().raw() == slot);
}

TEST_CASE("Rows may repeat; the others stay") {
  Holder x(Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6})),
      accum(Tensor::zeros(DType::Float32, {3, 2}));
  run("SparseApplyMomentum", {x.handle, accum.handle, number(1),
                              Tensor::of<float>({2, 2}, {1, 1, 1, 1}), ints({2, 2}), number(1)});
  CHECK(x.now() == "float32[3,2]: 1 2 3 4 2 3");
  CHECK(accum.now() == "float32[3,2]: 0 0 0 0 2 2");
  CHECK_THROWS_WITH(run("SparseApplyMomentum",
                        {x.handle, accum.handle, number(1), Tensor::of<float>({2, 2}, {1, 1, 1, 1}),
                         ints({0, 3}), number(1)}),
                    contains("indices[1] = 3 is not in [0, 3)"));
  CHECK(x.now() == "float32[3,2]: 1 2 3 4 2 3");
}

TEST_CASE("What does not fit changes nothing") {
  Holder x(floats({1, 2})), accum(floats({1, 1})), longer(floats({1, 1, 1}));
  const auto step = [&](const Tensor& slot, Tensor lr, Tensor grad) {
    return code_of([&] { run("ApplyAdagrad", {x.handle, slot, std::move(lr), std::move(grad)}); });
  };
  CHECK(step(longer.handle, number(1), floats({1, 1})) == Code::InvalidArgument);
  CHECK(step(accum.handle, floats({1}), floats({1, 1})) == Code::InvalidArgument);
  CHECK(step(accum.handle, number(1), floats({1, 1, 1})) == Code::InvalidArgument);
  const auto never = make_ref<VariableResource>("never", DType::Float32, PartialShape{2});
  CHECK(step(make_handle(never), number(1), floats({1, 1})) == Code::FailedPrecondition);
  CHECK(x.now() == "float32[2]: 1 2");
  CHECK(accum.now() == "float32[2]: 1 1");
}

TEST_CASE("One variable in two places is locked once") {
  Holder x(floats({1, 2}));
  run("ApplyMomentum", {x.handle, x.handle, number(0), floats({0, 0}), number(3)});
  CHECK(x.now() == "float32[2]: 3 6");
}

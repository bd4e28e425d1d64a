#include <dgraph/kernels/eager.hpp>

#include "support/catch.hpp"

#include "support/kernels.hpp"
#include "support/operations.hpp"

using namespace dgraph;
using test::contains;

namespace {

struct Waits {
  static constexpr auto signature = "Waits(now: bool) -> (done: bool)";
  static Kernel kernel(const KernelRequest&) {
    Kernel kernel;
    kernel.async = true;
    kernel.run = [](KernelContext& context) {
      if (!context.input(0).item<bool>()) return;
      context.set_output(0, Tensor::scalar(true));
      context.take_done()(Status());
    };
    return kernel;
  }
};
struct Stateless {
  static constexpr auto signature = "Stateless() -> ()";
  static Kernel kernel(const KernelRequest&) { return {}; }
};
struct Named {
  static constexpr auto signature = "Named() -> (); count: int = 3";
  static void compute(KernelContext& context) { context.services().log(context.services().default_container()); }
};
using Ops = OpSet<Waits, Stateless, Named>;

}  // namespace

TEST_CASE("attributes are inferred, given or have their defaults") {
  const Tensor a = Tensor::of<float>({1, 2}, {1, 2});
  const Tensor out = run_op(&find_kernel<test::NumericOps>, "MatMul", {{"transpose_b", true}}, {a, a}).at(0);
  CHECK(out.dtype() == DType::Float32);
  CHECK(out.data<float>()[0] == 5);
}

TEST_CASE("inputs and attributes are checked as in a graph") {
  const auto run = [](const char* op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
    return test::code_of([&] { run_op(&find_kernel<test::NumericOps>, op, attrs, std::move(inputs)); });
  };
  const Tensor f = Tensor::scalar<float>(1), i = Tensor::scalar<std::int32_t>(1);
  CHECK(run("AddV2", {}, {f}) == Code::InvalidArgument);
  CHECK(run("AddV2", {}, {f, i}) == Code::InvalidArgument);
  CHECK(run("AddV2", {{"speed", true}}, {f, f}) == Code::InvalidArgument);
  CHECK(run("Exp", {}, {i}) == Code::InvalidArgument);
  CHECK(run("NoSuchOp", {}, {}) == Code::NotFound);
}

TEST_CASE("asynchronous kernels must be done at once") {
  CHECK(run_op(&find_kernel<Ops>, "Waits", {}, {Tensor::scalar(true)}).at(0).item<bool>());
  CHECK(test::code_of([] { run_op(&find_kernel<Ops>, "Waits", {}, {Tensor::scalar(false)}); }) == Code::Unimplemented);
}

TEST_CASE("ops that the executor does have no kernel to run") {
  CHECK(test::code_of([] { run_op(&find_kernel<Ops>, "Stateless", {}, {}); }) == Code::Unimplemented);
}

TEST_CASE("services keep what is logged") {
  EagerServices services;
  CHECK(run_op(&find_kernel<Ops>, "Named", {}, {}, services).empty());
  CHECK(services.lines() == std::vector<std::string>{"localhost"});
}

#include <dgraph/kernels/state.hpp>

#include <dgraph/kernels/variable_scatter.hpp>
#include <dgraph/ops/state.hpp>
#include <dgraph/ops/variable_scatter.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"
#include "support/variables.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::floats;
using dgraph::test::Holder;
using dgraph::test::ints;
using dgraph::test::text;

namespace {

using Written = OpSet<StateOps, VariableScatterOps>;

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<Written>(op, attrs, std::move(inputs));
}

// A buffer that somebody else may change once the step is over.
class Lent final : public Buffer {
 public:
  Lent(float* data, std::size_t count)
      : Buffer(reinterpret_cast<std::byte*>(data), count * sizeof(float), false) {}
};

}  // namespace

TEST_CASE("Variables are found by container and name") {
  EagerServices services;
  const auto variable = [&](const NamedAttrs& attrs, std::string_view node) {
    return run_op(find_kernel<StateOps>, "VariableV2", attrs, {}, services, node)[0];
  };
  const Tensor w = variable({{"dtype", DType::Float32}, {"shape", PartialShape{2}}}, "w");
  CHECK(w.dtype() == DType::Resource);
  resource_as<VariableResource>(w).assign(floats({1, 2}));
  const Tensor again = variable({{"dtype", DType::Float32}, {"shape", PartialShape{-1}}}, "w");
  CHECK(&resource_of(again) == &resource_of(w));
  const Tensor shared = variable(
      {{"dtype", DType::Float32}, {"shape", PartialShape()}, {"shared_name", "w"}}, "other");
  CHECK(&resource_of(shared) == &resource_of(w));
  const Tensor elsewhere =
      variable({{"dtype", DType::Int32}, {"shape", PartialShape{3}}, {"container", "mine"}}, "w");
  CHECK(&resource_of(elsewhere) != &resource_of(w));
  CHECK(services.resources().names() == std::vector<std::string>{"localhost/w", "mine/w"});
  const Tensor handle =
      run_op(find_kernel<StateOps>, "VarHandleOp",
             {{"dtype", DType::Float32}, {"shape", PartialShape{2}}, {"shared_name", "w"}}, {},
             services)[0];
  CHECK(&resource_of(handle) == &resource_of(w));

  CHECK_THROWS_WITH(variable({{"dtype", DType::Float32}, {"shape", PartialShape{3}}}, "w"),
                    contains("variable w in container localhost of this server is float32[2], but "
                             "this graph has float32[3]"));
  CHECK_THROWS_WITH(variable({{"dtype", DType::Int32}, {"shape", PartialShape{2}}}, "w"),
                    contains("int32[2] under that name: give it another name or container, or "
                             "clear the container with reset"));
  CHECK(code_of([&] {
          variable({{"dtype", DType::Int32}, {"shape", PartialShape{2}}}, "w");
        }) == Code::InvalidArgument);
}

TEST_CASE("Reading a variable that was never assigned fails") {
  const auto variable = make_ref<VariableResource>("bias", DType::Float32, PartialShape{2});
  const Tensor handle = make_handle(variable);
  CHECK(text(run("IsVariableInitialized", {{"dtype", DType::Float32}}, {handle})) ==
        "bool[]: false");
  CHECK(text(run("VarIsInitializedOp", {}, {handle})) == "bool[]: false");
  for (const char* op : {"AssignAdd", "AssignSub"})
    CHECK(code_of([&] { run(op, {}, {handle, floats({1, 1})}); }) == Code::FailedPrecondition);
  CHECK_THROWS_WITH(run("ReadVariableOp", {{"dtype", DType::Float32}}, {handle}),
                    contains("Attempting to use uninitialized value bias"));
  CHECK(code_of([&] {
          run("ApplyGradientDescent", {}, {handle, Tensor::scalar(1.0f), floats({1, 1})});
        }) == Code::FailedPrecondition);
  CHECK(code_of([&] {
          run("ScatterAdd", {}, {handle, ints({0}), floats({1})});
        }) == Code::FailedPrecondition);
  run("Assign", {}, {handle, floats({3, 4})});
  CHECK(text(run("IsVariableInitialized", {{"dtype", DType::Float32}}, {handle})) ==
        "bool[]: true");
  CHECK(text(run("ReadVariableOp", {{"dtype", DType::Float32}}, {handle})) == "float32[2]: 3 4");
  CHECK(code_of([&] {
          run("ReadVariableOp", {{"dtype", DType::Int32}}, {handle});
        }) == Code::InvalidArgument);
}

TEST_CASE("Assign replaces the value and gives its handle on") {
  Holder x(floats({1, 2}));
  const Tensor before = x.variable->read();
  CHECK(&resource_of(run("Assign", {}, {x.handle, floats({3, 4})})[0]) == x.variable.get());
  CHECK(x.now() == "float32[2]: 3 4");
  CHECK(text(before) == "float32[2]: 1 2");
  CHECK_THROWS_WITH(run("Assign", {}, {x.handle, floats({1, 2, 3})}),
                    contains("lhs shape= [2] rhs shape= [3]"));
  CHECK(x.now() == "float32[2]: 3 4");
  run("Assign", {{"validate_shape", false}}, {x.handle, floats({1, 2, 3})});
  CHECK(x.now() == "float32[3]: 1 2 3");
  CHECK(run("AssignVariableOp", {}, {x.handle, floats({5, 6})}).empty());
  CHECK(x.now() == "float32[2]: 5 6");
  CHECK(code_of([&] {
          run("AssignVariableOp", {}, {x.handle, floats({5, 6, 7})});
        }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("AssignVariableOp", {}, {x.handle, ints({5, 6})});
        }) == Code::InvalidArgument);
  Holder name(Tensor::vector<std::string>({"a"}));
  run("Assign", {}, {name.handle, Tensor::vector<std::string>({"b"})});
  CHECK(name.now() == R"(string[1]: "b")");
}

TEST_CASE("A variable keeps no memory that was only lent to a step") {
  Holder x(Tensor::zeros(DType::Float32, {8}));
  float memory[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  run("Assign", {}, {x.handle, Tensor(DType::Float32, Shape{8}, make_ref<Lent>(memory, 8))});
  memory[0] = 99;
  CHECK(x.now() == "float32[8]: 1 1 1 1 1 1 1 1");
  const Tensor lent(DType::Float32, Shape{8}, make_ref<Lent>(memory, 8));
  const Tensor reader = x.variable->read();
  run("AssignSub", {}, {x.handle, lent});
  CHECK(memory[0] == 99);
  CHECK(x.now() == "float32[8]: -98 0 0 0 0 0 0 0");
}

TEST_CASE("A value that was read never changes; memory that nobody reads is written in place") {
  Holder x(Tensor::zeros(DType::Float32, {100}));
  Tensor ones(DType::Float32, Shape{100});
  for (float& one : ones.mutable_flat<float>()) one = 1;
  const std::byte* memory = x.variable->read().raw();
  run("AssignAdd", {}, {x.handle, ones});
  CHECK(x.variable->read().raw() == memory);
  const Tensor read = x.variable->read();
  run("AssignAdd", {}, {x.handle, ones});
  CHECK(read.data<float>()[99] == 1);
  CHECK(x.variable->read().data<float>()[99] == 2);
  SECTION("by gradient descent") {
    const Tensor second = x.variable->read();
    run("ApplyGradientDescent", {}, {x.handle, Tensor::scalar(0.5f), ones});
    CHECK(second.data<float>()[0] == 2);
    CHECK(x.variable->read().data<float>()[0] == 1.5f);
  }
  SECTION("by scattering") {
    const Tensor second = x.variable->read();
    run("ScatterUpdate", {}, {x.handle, ints({0}), floats({7})});
    CHECK(second.data<float>()[0] == 2);
    CHECK(x.variable->read().data<float>()[0] == 7);
  }
  SECTION("by itself") {
    const Tensor own = x.variable->read();
    run("AssignSub", {}, {x.handle, own});
    CHECK(own.data<float>()[5] == 2);
    CHECK(x.variable->read().data<float>()[5] == 0);
  }
}

TEST_CASE("AssignAdd and AssignSub for every number") {
  const auto check = [](auto one, const char* sum, const char* difference) {
    using T = decltype(one);
    Holder x(Tensor::vector<T>({one, one}));
    run("AssignAdd", {}, {x.handle, Tensor::vector<T>({T(2), T(3)})});
    CHECK(x.now() == sum);
    run("AssignSub", {}, {x.handle, Tensor::vector<T>({T(1), T(1)})});
    CHECK(x.now() == difference);
  };
  check(1.5f, "float32[2]: 3.5 4.5", "float32[2]: 2.5 3.5");
  check(1.5, "float64[2]: 3.5 4.5", "float64[2]: 2.5 3.5");
  check(half(1.5f), "float16[2]: 3.5 4.5", "float16[2]: 2.5 3.5");
  check(bfloat16(1.5f), "bfloat16[2]: 3.5 4.5", "bfloat16[2]: 2.5 3.5");
  check(std::int32_t{INT32_MAX}, "int32[2]: -2147483647 -2147483646",
        "int32[2]: -2147483648 -2147483647");
  check(std::uint8_t{255}, "uint8[2]: 1 2", "uint8[2]: 0 1");
  check(std::int64_t{5}, "int64[2]: 7 8", "int64[2]: 6 7");
  check(std::complex<float>(0, 1), "complex64[2]: (2,1) (3,1)", "complex64[2]: (1,1) (2,1)");
  Holder x(floats({1, 2}));
  CHECK(code_of([&] { run("AssignAdd", {}, {x.handle, floats({1})}); }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("AssignSubVariableOp", {}, {x.handle, Tensor::zeros(DType::Float32, {2, 1})});
        }) == Code::InvalidArgument);
  run("AssignAddVariableOp", {}, {x.handle, floats({1, 1})});
  run("AssignSubVariableOp", {}, {x.handle, floats({0, 3})});
  CHECK(x.now() == "float32[2]: 2 0");
  Holder empty(Tensor(DType::Float32, Shape{0, 2}));
  run("AssignAdd", {}, {empty.handle, Tensor(DType::Float32, Shape{0, 2})});
  CHECK(empty.now() == "float32[0,2]:");
}

TEST_CASE("Gradient descent takes alpha times delta away") {
  Holder x(floats({1, 2}));
  CHECK(&resource_of(run("ApplyGradientDescent", {},
                         {x.handle, Tensor::scalar(0.5f), floats({2, -2})})[0]) ==
        x.variable.get());
  CHECK(x.now() == "float32[2]: 0 3");
  CHECK(run("ResourceApplyGradientDescent", {}, {x.handle, Tensor::scalar(1.0f), floats({1, 1})})
            .empty());
  CHECK(x.now() == "float32[2]: -1 2");
  CHECK(code_of([&] {
          run("ApplyGradientDescent", {}, {x.handle, floats({1}), floats({1, 1})});
        }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("ApplyGradientDescent", {}, {x.handle, Tensor::scalar(1.0f), floats({1})});
        }) == Code::InvalidArgument);
  CHECK(x.now() == "float32[2]: -1 2");
}

TEST_CASE("A counter gives its value and counts until its limit") {
  Holder x(Tensor::scalar(std::int32_t{1}));
  CHECK(text(run("CountUpTo", {{"limit", 3}}, {x.handle})) == "int32[]: 1");
  CHECK(text(run("CountUpTo", {{"limit", 3}}, {x.handle})) == "int32[]: 2");
  CHECK(code_of([&] { run("CountUpTo", {{"limit", 3}}, {x.handle}); }) == Code::OutOfRange);
  CHECK(x.now() == "int32[]: 3");
  Holder most(Tensor::scalar(INT64_MAX - 1));
  CHECK(text(run("CountUpTo", {{"limit", INT64_MAX}}, {most.handle})) ==
        "int64[]: 9223372036854775806");
  CHECK(code_of([&] {
          run("CountUpTo", {{"limit", INT64_MAX}}, {most.handle});
        }) == Code::OutOfRange);
  Holder pair(ints({0, 0}));
  CHECK(code_of([&] { run("CountUpTo", {{"limit", 3}}, {pair.handle}); }) == Code::InvalidArgument);
}

#pragma once
// A handful of ops for tests of graph/, which has none of its own.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/graph.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph::test {

/// The types are named as the evaluator of constant values knows them.
struct Const {
  static constexpr auto signature = "Const() -> (output: dtype); value: tensor; dtype: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.attr<Tensor>("value").shape()); }
};
struct Feed {
  static constexpr auto signature = "Feed() -> (output: dtype); dtype: type; shape: shape = {}";
  static void shape(ShapeContext& c) { c.set_output(0, c.attr<PartialShape>("shape")); }
};
struct Store {
  static constexpr auto signature =
      "Store() -> (ref: Ref(dtype)); dtype: type; shape: shape; container: string = ''; stateful";
  static void shape(ShapeContext& c) { c.set_output(0, c.attr<PartialShape>("shape")); }
};
struct Put {
  static constexpr auto signature = "Put(ref: Ref(T), value: T) -> (out: Ref(T)); T: type; stateful";
};
struct Identity {
  static constexpr auto signature = "Identity(input: T) -> (output: T); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g) { g.set(0, g.raw_dy()); }
};
struct Mul {
  static constexpr auto signature = "Mul(x: T, y: T) -> (z: T); T: {floating, int32, int64}; commutative";
  static void shape(ShapeContext& c) { c.set_output(0, broadcast_shapes(c.input(0), c.input(1))); }
  static void gradient(GradientContext& g) {
    if (g.needs(0)) g.set(0, g.add<Mul>(g.dy(), g.x(1)));
    if (g.needs(1)) g.set(1, g.add<Mul>(g.x(0), g.dy()));
  }
};
struct Round {
  static constexpr auto signature = "Round(x: T) -> (y: T); T: {floating}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
};
struct Count {
  static constexpr auto signature = "Count(x: T) -> (y: int32); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }
};
struct AddN {
  static constexpr auto signature = "AddN(inputs: N * T) -> (sum: T); N: int >= 1; T: {number}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g) {
    for (std::size_t i = 0; i < g.num_inputs(); ++i) g.set(i, g.raw_dy());
  }
};
struct Split {
  static constexpr auto signature = "Split(x: T) -> (parts: num * T); num: int >= 1; T: type";
  static void shape(ShapeContext& c) {
    for (std::size_t i = 0; i < c.num_outputs(); ++i) c.set_output(i, c.input(0));
  }
  static void gradient(GradientContext& g) { g.set(0, g.dy(1)); }
};
struct Rows {
  static constexpr auto signature = "Rows(params: T, indices: int32) -> (output: T); T: {floating}";
  static void gradient(GradientContext& g) { g.set(0, IndexedSlices{g.dy(), g.x(1), g.x(1)}); }
};
struct Mixed {
  static constexpr auto signature =
      "Mixed(a: Ta, list: Tlist) -> (out: Tlist); Ta: type; Tlist: list(type); mode: {'fast', 'slow'} = 'fast'; "
      "axes: list(int) >= 1 = [0]; scale: float = 1";
};
struct Join {
  static constexpr auto signature = "Join() -> ()";
};
struct Merge {
  static constexpr auto signature = "Merge(inputs: N * T) -> (output: T, value_index: int32); T: type; N: int >= 1";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
};
struct NextIteration {
  static constexpr auto signature = "NextIteration(data: T) -> (output: T); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
};

struct Enter {
  static constexpr auto signature = "Enter(data: T) -> (output: T); T: type; frame_name: string";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
};

using MiniOps = OpSet<Const, Enter, Feed, Store, Put, Identity, Mul, Round, Count, AddN, Split, Rows, Mixed, Join, Merge, NextIteration>;
using MiniGraph = BasicGraph<MiniOps>;

inline Output feed(const OpName& name, PartialShape shape = {}, DType dtype = DType::Float32) {
  return add_op<Feed>(name, "dtype", dtype, "shape", std::move(shape));
}
inline Output constant(const OpName& name, Tensor value) {
  return add_op<Const>(name, "dtype", value.dtype(), "value", value);
}
inline Output nth(const Output& node, std::uint32_t index) { return Output(node.core(), node.node_id(), index); }

/// The code of the error that `f` throws; Ok where it throws none.
template <class F>
Code code_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.code();
  }
  return Code::Ok;
}

}  // namespace dgraph::test

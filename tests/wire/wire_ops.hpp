#pragma once
// A handful of op types with every kind of attribute, and a server's view of them.

#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph::test {

struct Const {
  static constexpr auto signature = "Const() -> (output: dtype); value: tensor; dtype: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.attr<Tensor>("value").shape()); }
};
struct Store {
  static constexpr auto signature =
      "Store() -> (ref: Ref(dtype)); dtype: type; shape: shape; container: string = ''; stateful";
  static void shape(ShapeContext& c) { c.set_output(0, c.attr<PartialShape>("shape")); }
};
struct AddN {
  static constexpr auto signature = "AddN(inputs: N * T) -> (sum: T); N: int >= 1; T: {number}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
};
struct Split {
  static constexpr auto signature = "Split(x: T) -> (parts: num * T); num: int >= 1; T: type";
  static void shape(ShapeContext& c) {
    for (std::size_t i = 0; i < c.num_outputs(); ++i) c.set_output(i, c.input(0));
  }
};
struct Merge {
  static constexpr auto signature =
      "Merge(inputs: N * T) -> (output: T, value_index: int32); N: int >= 1; T: type";
};
struct NextIteration {
  static constexpr auto signature = "NextIteration(data: T) -> (output: T); T: type";
};
struct Many {
  static constexpr auto signature =
      "Many() -> (); ints: list(int) = [1, 2]; floats: list(float) = [0.5]; bools: list(bool) = "
      "[true]; "
      "texts: list(string) = ['a']; types: list(type) = [int32]; shapes: list(shape) = [[1], {}]; "
      "text: string = 'x'; "
      "number: float = 1.5; flag: bool = true; empty: list(string) = []";
};
struct NoOp {
  static constexpr auto signature = "NoOp() -> ()";
};
/// AddN as another program might know it.
struct OtherAddN {
  static constexpr auto signature =
      "AddN(inputs: N * T) -> (sum: T); N: int >= 1; T: {number}; other: int = 1";
};

using WireOps = OpSet<Const, Store, AddN, Split, Merge, NextIteration, Many, NoOp>;
using FewerOps = OpSet<Store, OtherAddN, Split, Merge, NextIteration, NoOp>;

}  // namespace dgraph::test

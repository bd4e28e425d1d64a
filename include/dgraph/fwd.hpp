#pragma once
// Names of the library's types without their definitions, for headers that only pass them on.

#include <cstdint>

namespace dgraph {

enum class Code : std::uint8_t;
enum class DType : std::uint8_t;
class Status;
class Error;
class Shape;
class PartialShape;
class Tensor;
struct DeviceSpec;

class AttrValue;
struct OpDef;
class GraphCore;
class Output;
template <class T>
class Op;
template <class... Ops>
struct OpSet;
template <class Ops>
class BasicGraph;
class ScopeGuard;
struct IndexedSlices;
class Gradient;

template <class T>
class Variable;
class AnyVariable;
class Optimizer;
class GradientDescentOptimizer;

}  // namespace dgraph

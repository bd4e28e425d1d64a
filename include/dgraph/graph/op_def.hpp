#pragma once
// OpDef: the signature of an op type (arguments, attributes) and its rules; written as one line of text in the op's struct.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dgraph/graph/attr.hpp>

namespace dgraph {

class ShapeContext;
class GradientContext;

using ShapeRule = void (*)(ShapeContext&);
using GradientRule = void (*)(GradientContext&);

/// A set of dtypes as bits.
struct DTypeSet {
  std::uint32_t bits = 0;
  constexpr bool contains(DType d) const noexcept { return bits >> static_cast<unsigned>(d) & 1u; }
  constexpr void add(DType d) noexcept { bits |= 1u << static_cast<unsigned>(d); }
  std::string to_string() const;
};

enum class AttrKind : std::uint8_t { Int, Float, Bool, String, Type, Shape, Tensor };

struct AttrDef {
  std::string name;
  AttrKind kind = AttrKind::Int;
  bool list = false;
  AttrValue default_value;                   ///< none where the attribute must be given or inferred
  bool has_minimum = false;
  std::int64_t minimum = 0;                  ///< of an int, or of a list's length
  DTypeSet allowed_types;                    ///< for types; empty: any
  std::vector<std::string> allowed_strings;  ///< for strings; empty: any
  bool inferred = false;                     ///< given by the inputs
};

struct ArgDef {
  std::string name;
  DType dtype = DType::Invalid;  ///< where it is fixed
  int type_attr = -1;            ///< index of the attribute that gives the dtype
  int number_attr = -1;          ///< index of the attribute that counts a list of one dtype
  int type_list_attr = -1;       ///< index of the list(type) attribute of a list of many dtypes
  bool ref = false;              ///< a handle to a variable, not its value

  bool is_list() const noexcept { return number_attr >= 0 || type_list_attr >= 0; }
};

/// What is known of an op type. Made from the text of an op struct, once, when first needed.
struct OpDef {
  std::string name;
  std::vector<ArgDef> inputs, outputs;
  std::vector<AttrDef> attrs;
  bool stateful = false;     ///< has effects or state: never folded, merged or pruned away while wanted
  bool commutative = false;  ///< of its two inputs
  std::uint64_t fingerprint = 0;  ///< of the signature alone: what client and server compare
  ShapeRule shape = nullptr;
  GradientRule gradient = nullptr;

  /// Index of an attribute, -1 where there is none of that name.
  int attr_index(std::string_view attr) const noexcept;
};

/// Reads a signature: `Name(arg: type, ...) -> (result: type, ...); attribute: kind = default; ...; flag`.
///   type       a dtype, the name of a type attribute, `N * type`, the name of a list(type) attribute, or Ref(type), Ref(N * type)
///   kind       int, int >= 1, float, bool, string, type, shape, tensor, list(kind), list(kind) >= 1,
///              {float32, int32}: a type among these or the groups floating, complex, integer, real (integer + floating),
///              number (real + complex), index (int32, int64); {'SAME', 'VALID'}: a string among these
///   default    a literal: 3, -1, 0.5, true, 'text', float32, [], [1, 1], {} (an unknown shape)
///   flag       stateful, commutative
/// Throws Internal naming the signature and the place of a mistake.
OpDef parse_op(std::string_view signature);

namespace detail {

template <class Op>
OpDef make_definition() {
  OpDef def = parse_op(Op::signature);
  if constexpr (requires { Op::shape; }) def.shape = &Op::shape;
  if constexpr (requires { Op::gradient; }) def.gradient = &Op::gradient;
  return def;
}

}  // namespace detail

/// The definition of an op struct with its rules, for building graphs.
template <class Op>
const OpDef& definition() {
  static const OpDef def = detail::make_definition<Op>();
  return def;
}

/// The definition of an op struct without its rules, for servers: names neither shape rule nor gradient (D4).
template <class Op>
const OpDef& signature() {
  static const OpDef def = parse_op(Op::signature);
  return def;
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/graph/impl/op_def.ipp>
#endif

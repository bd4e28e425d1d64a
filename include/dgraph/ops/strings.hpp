#pragma once
// Ops on strings: joining, splitting, cutting, lengths, case, regular expressions.

#include <cstdint>
#include <string>
#include <vector>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
/// Strings are bytes; unit UTF8_CHAR counts code points.
namespace ops {

/// The strings at one place of all inputs one after another, `separator` between them. Inputs have
/// one shape, or are scalars.
struct StringJoin {
  static constexpr auto signature =
      "StringJoin(inputs: N * string) -> (output: string); N: int >= 1; separator: string = ''";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// Joins along the axes of reduction_indices, in their order: the first one is gone through first.
struct ReduceJoin {
  static constexpr auto signature =
      "ReduceJoin(inputs: string, reduction_indices: int32) -> (output: string); keep_dims: bool = "
      "false; "
      "separator: string = ''";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// Splits the strings of a vector at any one of the characters (bytes) of the scalar `delimiter`,
/// or between all bytes where it is empty; gives a sparse matrix with a row for each string.
/// skip_empty drops empty parts.
struct StringSplit {
  static constexpr auto signature =
      "StringSplit(input: string, delimiter: string) -> (indices: int64, values: string, shape: "
      "int64); "
      "skip_empty: bool = true";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// Splits the strings of a vector at each `sep` (a scalar), or at runs of whitespace where it is
/// empty, at most maxsplit times where that is positive; gives a sparse matrix with a row for each
/// string.
struct StringSplitV2 {
  static constexpr auto signature =
      "StringSplitV2(input: string, sep: string) -> (indices: int64, values: string, shape: "
      "int64); maxsplit: int = -1";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// `len` units of each string from `pos` on, or as many as there are; a negative pos counts from
/// the end. pos and len have one shape; it and input's are broadcast. A negative len is the rest of
/// the bytes, or no character. InvalidArgument for a pos outside the string.
struct Substr {
  static constexpr auto signature =
      "Substr(input: string, pos: T, len: T) -> (output: string); T: {index}; unit: {'BYTE', "
      "'UTF8_CHAR'} = 'BYTE'";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// The length of each string in bytes or code points.
struct StringLength {
  static constexpr auto signature =
      "StringLength(input: string) -> (output: int32); unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// In lower case: the letters of ASCII, or all where encoding is 'utf-8'.
struct StringLower {
  static constexpr auto signature =
      "StringLower(input: string) -> (output: string); encoding: {'', 'utf-8'} = ''";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// In upper case: the letters of ASCII, or all where encoding is 'utf-8'.
struct StringUpper {
  static constexpr auto signature =
      "StringUpper(input: string) -> (output: string); encoding: {'', 'utf-8'} = ''";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// Without whitespace of ASCII at either end.
struct StringStrip {
  static constexpr auto signature = "StringStrip(input: string) -> (output: string)";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// All matches of `pattern` (a scalar, RE2's syntax), or the first, replaced by `rewrite` (a
/// scalar; \0 to \9 stand for what groups matched). InvalidArgument for a pattern that is none.
/// Takes time linear in the text.
struct RegexReplace {
  static constexpr auto signature =
      "RegexReplace(input: string, pattern: string, rewrite: string) -> (output: string); "
      "replace_global: bool = true";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// The same with pattern and rewrite as attributes.
struct StaticRegexReplace {
  static constexpr auto signature =
      "StaticRegexReplace(input: string) -> (output: string); pattern: string; rewrite: string; "
      "replace_global: bool = true";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// Whether all of each string matches `pattern`, a scalar.
struct RegexFullMatch {
  static constexpr auto signature =
      "RegexFullMatch(input: string, pattern: string) -> (output: bool)";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// The same with the pattern as an attribute.
struct StaticRegexFullMatch {
  static constexpr auto signature =
      "StaticRegexFullMatch(input: string) -> (output: bool); pattern: string";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

}  // namespace ops

/// Parts of strings as a sparse matrix: values[k] is part indices[k, 1] of string indices[k, 0].
struct SplitStrings {
  Op<std::int64_t> indices;
  Op<std::string> values;
  Op<std::int64_t> dense_shape;
};

/// What strings are counted in.
enum class StringUnit : std::uint8_t { Byte, Utf8Char };

namespace detail {

inline const char* unit_name(StringUnit unit) {
  return unit == StringUnit::Byte ? "BYTE" : "UTF8_CHAR";
}

template <class X>
Output string_output(X&& x, const OpName& name, GraphCore* core = nullptr) {
  return as_output<std::string>(std::forward<X>(x), name.location, core);
}

}  // namespace detail

/// The strings at one place of all inputs one after another; inputs have one shape, or are scalars.
inline Op<std::string> string_join(const std::vector<Op<std::string>>& inputs,
                                   std::string separator = "", OpName name = {}) {
  return Op<std::string>(add_op<ops::StringJoin>(
      name, std::vector<Output>(inputs.begin(), inputs.end()), "separator", separator));
}

/// Joins along these axes, in their order: the first one is gone through first.
template <AnyOperand X>
Op<std::string> reduce_join(X&& inputs, const IntegersArg& axis, bool keep_dims = false,
                            std::string separator = "", OpName name = {}) {
  const Output x = detail::string_output(inputs, name);
  return Op<std::string>(add_op<ops::ReduceJoin>(name, x, axis.node(name.location, x.core()),
                                                 "keep_dims", keep_dims, "separator", separator));
}

/// The parts between each `sep`, or runs of whitespace where it is empty; at most maxsplit cuts
/// where that is positive.
template <AnyOperand X>
SplitStrings string_split(X&& input, std::string sep = "", std::int64_t maxsplit = -1,
                          OpName name = {}) {
  const Output x = detail::string_output(input, name);
  const Output out = add_op<ops::StringSplitV2>(name, x, detail::string_output(sep, name, x.core()),
                                                "maxsplit", maxsplit);
  const auto output = [&out](std::uint32_t i) { return Output(out.core(), out.node_id(), i); };
  return {Op<std::int64_t>(output(0)), Op<std::string>(output(1)), Op<std::int64_t>(output(2))};
}

/// `len` units of each string from `pos` on.
template <AnyOperand X, AnyOperand P, AnyOperand L>
Op<std::string> substr(X&& input, P&& pos, L&& len, StringUnit unit = StringUnit::Byte,
                       OpName name = {}) {
  using I = common_element<P, L>;
  GraphCore* const core = detail::core_of(input, pos, len);
  const Output x = detail::string_output(input, name, core);
  const Output from = detail::as_output<I>(pos, name.location, x.core());
  const Output count = detail::as_output<I>(len, name.location, x.core());
  return Op<std::string>(
      add_op<ops::Substr>(name, x, from, count, "unit", detail::unit_name(unit)));
}

template <AnyOperand X>
Op<std::int32_t> string_length(X&& input, StringUnit unit = StringUnit::Byte, OpName name = {}) {
  return Op<std::int32_t>(add_op<ops::StringLength>(name, detail::string_output(input, name),
                                                    "unit", detail::unit_name(unit)));
}
/// Letters of ASCII, or all where encoding is "utf-8".
template <AnyOperand X>
Op<std::string> string_lower(X&& input, std::string encoding = "", OpName name = {}) {
  return Op<std::string>(
      add_op<ops::StringLower>(name, detail::string_output(input, name), "encoding", encoding));
}
template <AnyOperand X>
Op<std::string> string_upper(X&& input, std::string encoding = "", OpName name = {}) {
  return Op<std::string>(
      add_op<ops::StringUpper>(name, detail::string_output(input, name), "encoding", encoding));
}
template <AnyOperand X>
Op<std::string> string_strip(X&& input, OpName name = {}) {
  return Op<std::string>(add_op<ops::StringStrip>(name, detail::string_output(input, name)));
}

/// All matches of the pattern (RE2's syntax), or the first, replaced; \0 to \9 of `rewrite` stand
/// for what groups matched.
template <AnyOperand X>
Op<std::string> regex_replace(X&& input, std::string pattern, std::string rewrite,
                              bool replace_global = true, OpName name = {}) {
  return Op<std::string>(add_op<ops::StaticRegexReplace>(name, detail::string_output(input, name),
                                                         "pattern", pattern, "rewrite", rewrite,
                                                         "replace_global", replace_global));
}
/// Whether all of each string matches.
template <AnyOperand X>
Op<bool> regex_full_match(X&& input, std::string pattern, OpName name = {}) {
  return Op<bool>(add_op<ops::StaticRegexFullMatch>(name, detail::string_output(input, name),
                                                    "pattern", pattern));
}

using StringOps = OpSet<ops::StringJoin, ops::ReduceJoin, ops::StringSplit, ops::StringSplitV2,
                        ops::Substr, ops::StringLength, ops::StringLower, ops::StringUpper,
                        ops::StringStrip, ops::RegexReplace, ops::StaticRegexReplace,
                        ops::RegexFullMatch, ops::StaticRegexFullMatch>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/strings.ipp>
#endif

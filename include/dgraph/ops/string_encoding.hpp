#pragma once
// Strings as other things: numbers as text and back, base64, raw bytes, hash buckets.

#include <cstdint>
#include <string>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// Each element as text, as C's printf writes it: %f, or %e (scientific), or %g (shortest), with
/// `width` and `precision` where they are not -1 and one of the flags ' ', '+', '-', '0', '#' in
/// `fill`. InvalidArgument for what does not go with the dtype.
struct AsString {
  static constexpr auto signature =
      "AsString(input: T) -> (output: string); T: {number, bool, string}; precision: int = -1; "
      "scientific: bool = false; "
      "shortest: bool = false; width: int = -1; fill: string = ''";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// The number that each string is, with whitespace around it; InvalidArgument where it is none, or
/// no integer of the dtype.
struct StringToNumber {
  static constexpr auto signature =
      "StringToNumber(string_tensor: string) -> (output: out_type); "
      "out_type: {float32, float64, int32, int64, uint32, uint64} = float32";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// Base64 with '-' and '_' (RFC 4648, section 5), '=' at the end where `pad` says so.
struct EncodeBase64 {
  static constexpr auto signature =
      "EncodeBase64(input: string) -> (output: string); pad: bool = false";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// The bytes of such text, with or without '='; InvalidArgument for other characters and for
/// lengths that nothing has.
struct DecodeBase64 {
  static constexpr auto signature = "DecodeBase64(input: string) -> (output: string)";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// The bytes of the strings, which have one length, as numbers: a new last dimension.
struct DecodeRaw {
  static constexpr auto signature =
      "DecodeRaw(bytes: string) -> (output: out_type); out_type: {number, bool}; little_endian: "
      "bool = true";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// A number in [0, num_buckets) for each string: FarmHash's Fingerprint64 modulo num_buckets.
struct StringToHashBucketFast {
  static constexpr auto signature =
      "StringToHashBucketFast(input: string) -> (output: int64); num_buckets: int >= 1";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

}  // namespace ops

/// How `as_string` writes numbers; see AsString.
struct AsStringOptions {
  std::int64_t precision = -1;
  bool scientific = false, shortest = false;
  std::int64_t width = -1;
  std::string fill = {};
};

/// Each element as text: `as_string(x, {.precision = 2})`.
template <AnyOperand X>
Op<std::string> as_string(X&& x, const AsStringOptions& options = {}, OpName name = {}) {
  return Op<std::string>(add_op<ops::AsString>(
      name, detail::as_output<element_of<X>>(x, name.location, nullptr), "precision",
      options.precision, "scientific", options.scientific, "shortest", options.shortest, "width",
      options.width, "fill", options.fill));
}

/// The number that each string is: float, double, or an integer of 32 or 64 bits.
template <Element T = float, AnyOperand X>
Op<T> string_to_number(X&& text, OpName name = {}) {
  return Op<T>(add_op<ops::StringToNumber>(
      name, detail::as_output<std::string>(text, name.location, nullptr), "out_type", dtype_of<T>));
}

template <AnyOperand X>
Op<std::string> encode_base64(X&& bytes, bool pad = false, OpName name = {}) {
  return Op<std::string>(add_op<ops::EncodeBase64>(
      name, detail::as_output<std::string>(bytes, name.location, nullptr), "pad", pad));
}
template <AnyOperand X>
Op<std::string> decode_base64(X&& text, OpName name = {}) {
  return Op<std::string>(add_op<ops::DecodeBase64>(
      name, detail::as_output<std::string>(text, name.location, nullptr)));
}

/// The bytes of strings of one length as numbers, in a new last dimension:
/// `decode_raw<float>(record)`.
template <Element T, AnyOperand X>
Op<T> decode_raw(X&& bytes, bool little_endian = true, OpName name = {}) {
  return Op<T>(add_op<ops::DecodeRaw>(name,
                                      detail::as_output<std::string>(bytes, name.location, nullptr),
                                      "out_type", dtype_of<T>, "little_endian", little_endian));
}

/// A number in [0, num_buckets) for each string, the same always and everywhere.
template <AnyOperand X>
Op<std::int64_t> string_to_hash_bucket_fast(X&& text, std::int64_t num_buckets, OpName name = {}) {
  return Op<std::int64_t>(add_op<ops::StringToHashBucketFast>(
      name, detail::as_output<std::string>(text, name.location, nullptr), "num_buckets",
      num_buckets));
}

using StringEncodingOps = OpSet<ops::AsString, ops::StringToNumber, ops::EncodeBase64,
                                ops::DecodeBase64, ops::DecodeRaw, ops::StringToHashBucketFast>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/string_encoding.ipp>
#endif

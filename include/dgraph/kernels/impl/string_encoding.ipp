#pragma once
#include <dgraph/kernels/string_encoding.hpp>

#include <algorithm>
#include <charconv>
#include <clocale>
#include <complex>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/farmhash.hpp>

namespace dgraph {
namespace detail {

// Numbers as text

struct AsStringConfig {
  std::string format;  // of printf, for one real number
  int width = -1;
  bool left = false;
};

DGRAPH_DECL AsStringConfig as_string_config(const KernelRequest& r) {
  constexpr std::int64_t kMost = 100'000;
  const DType dtype = r.dtype("T");
  const bool fraction = is_floating(dtype) || is_complex(dtype);
  const bool scientific = r.attr<bool>("scientific"), shortest = r.attr<bool>("shortest");
  const std::int64_t precision = r.attr<std::int64_t>("precision"),
                     width = r.attr<std::int64_t>("width");
  const std::string& fill = r.attr<std::string>("fill");
  if (scientific && shortest)
    fail(Code::InvalidArgument, "Cannot select both scientific and shortest notation");
  if (!fraction && (scientific || shortest))
    fail(Code::InvalidArgument, "scientific and shortest format not supported for datatype ",
         dtype_name(dtype));
  if (!fraction && precision > -1)
    fail(Code::InvalidArgument, "precision not supported for datatype ", dtype_name(dtype));
  if (fill.size() > 1) fail(Code::InvalidArgument, "Fill string must be one or fewer characters");
  if (!fill.empty() && std::strchr(" +-0#", fill[0]) == nullptr)
    fail(Code::InvalidArgument, "Fill argument not supported: \"", fill, "\"");
  if (precision > kMost || width > kMost)
    fail(Code::InvalidArgument, "width ", width, " and precision ", precision,
         " must not be more than ", kMost);
  AsStringConfig out;
  out.format = "%";
  if (width > -1) {
    out.width = static_cast<int>(width);
    out.left = fill == "-";
    out.format += fill + std::to_string(width);
  }
  if (precision > -1) out.format += "." + std::to_string(precision);
  switch (dtype) {
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
      out.format += "lld";
      break;
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
    case DType::UInt64:
      out.format += "llu";
      break;
    default:
      out.format += shortest ? "g" : scientific ? "e" : "f";
  }
  return out;
}

template <class Number>
std::string formatted(const std::string& format, Number number) {
  char small[64];
  const int size = std::snprintf(small, sizeof small, format.c_str(), number);
  if (size < 0) fail(Code::Internal, "a number cannot be written as ", format);
  if (static_cast<std::size_t>(size) < sizeof small) return small;
  std::string out(static_cast<std::size_t>(size), '\0');
  std::snprintf(out.data(), out.size() + 1, format.c_str(), number);
  return out;
}

// printf writes the decimal point of the program's locale.
DGRAPH_DECL std::string real_text(const std::string& format, double number) {
  std::string out = formatted(format, number);
  const std::string_view point = std::localeconv()->decimal_point;
  if (point != ".")
    if (const std::size_t at = out.find(point); at != std::string::npos)
      out.replace(at, point.size(), ".");
  return out;
}

template <class T>
std::string text_of(const AsStringConfig& config, const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_same_v<T, std::complex<float>> ||
                     std::is_same_v<T, std::complex<double>>)
    return "(" + real_text(config.format, static_cast<double>(value.real())) + "," +
           real_text(config.format, static_cast<double>(value.imag())) + ")";
  else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
    return formatted(config.format, static_cast<long long>(value));
  else if constexpr (std::is_integral_v<T>)
    return formatted(config.format, static_cast<unsigned long long>(value));
  else
    return real_text(config.format, static_cast<double>(value));
}
template <>
inline std::string text_of(const AsStringConfig& config, const std::string& value) {
  if (config.width < 0 || value.size() >= static_cast<std::size_t>(config.width)) return value;
  const std::string space(static_cast<std::size_t>(config.width) - value.size(), ' ');
  return config.left ? value + space : space + value;
}

template <class T>
void run_as_string(KernelContext& c) {
  const auto& config = c.config<AsStringConfig>();
  const Tensor& in = c.input(0);
  std::string* const to = c.allocate_output(0, in.shape()).mutable_data<std::string>();
  c.parallel_for(in.elements(), 200, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) to[i] = text_of(config, in.data<T>()[i]);
  });
}

DGRAPH_DECL void (*as_string_run(const KernelRequest& r))(KernelContext&) {
  switch (r.dtype("T")) {
    case DType::Float32:
      return &run_as_string<float>;
    case DType::Float64:
      return &run_as_string<double>;
    case DType::Float16:
      return &run_as_string<half>;
    case DType::BFloat16:
      return &run_as_string<bfloat16>;
    case DType::Int8:
      return &run_as_string<std::int8_t>;
    case DType::Int16:
      return &run_as_string<std::int16_t>;
    case DType::Int32:
      return &run_as_string<std::int32_t>;
    case DType::Int64:
      return &run_as_string<std::int64_t>;
    case DType::UInt8:
      return &run_as_string<std::uint8_t>;
    case DType::UInt16:
      return &run_as_string<std::uint16_t>;
    case DType::UInt32:
      return &run_as_string<std::uint32_t>;
    case DType::UInt64:
      return &run_as_string<std::uint64_t>;
    case DType::Bool:
      return &run_as_string<bool>;
    case DType::Complex64:
      return &run_as_string<std::complex<float>>;
    case DType::Complex128:
      return &run_as_string<std::complex<double>>;
    case DType::String:
      return &run_as_string<std::string>;
    default:
      no_kernel_for(r, r.dtype("T"));
  }
}

// Text as numbers

// What from_chars calls out of range: infinity, or 0 where the number is too small, by the place of
// its first digit.
DGRAPH_DECL double beyond_range(std::string_view digits) noexcept {
  std::int64_t place = 0;
  bool point = false, leading = true;
  std::size_t i = 0;
  for (; i < digits.size() && digits[i] != 'e' && digits[i] != 'E'; ++i) {
    if (digits[i] == '.') {
      point = true;
    } else {
      if (digits[i] != '0') leading = false;
      if (!point && !leading) ++place;
      if (point && leading) --place;
    }
  }
  std::int64_t exponent = 0;
  if (i < digits.size()) {
    const bool down = i + 1 < digits.size() && digits[i + 1] == '-';
    for (++i; i < digits.size(); ++i)
      if (digits[i] >= '0' && digits[i] <= '9')
        exponent = std::min<std::int64_t>(exponent * 10 + (digits[i] - '0'), 1'000'000'000);
    if (down) exponent = -exponent;
  }
  return place + exponent > 0 ? std::numeric_limits<double>::infinity() : 0;
}

template <class T>
bool read_number(std::string_view text, T& out) {
  const auto space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  bool negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    negative = text.front() == '-';
    if (negative && std::is_unsigned_v<T>) return false;
    text.remove_prefix(1);
    if (text.empty() || text.front() == '+' || text.front() == '-') return false;
  }
  const char* const end = text.data() + text.size();
  if constexpr (std::is_integral_v<T>) {
    std::uint64_t magnitude = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, magnitude);
    const std::uint64_t most =
        static_cast<std::uint64_t>(std::numeric_limits<T>::max()) + (negative ? 1u : 0u);
    if (error != std::errc() || stop != end || magnitude > most) return false;
    out = static_cast<T>(negative ? std::uint64_t{0} - magnitude : magnitude);
  } else {
    const bool hexadecimal =
        text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (hexadecimal) text.remove_prefix(2);
    const auto [stop, error] = std::from_chars(
        text.data(), end, out, hexadecimal ? std::chars_format::hex : std::chars_format::general);
    if (stop != end || error == std::errc::invalid_argument) return false;
    if (error == std::errc::result_out_of_range) out = static_cast<T>(beyond_range(text));
    // "nan(...)" and the like are no numbers.
    if (!text.empty() && text.back() == ')') return false;
    if (negative) out = -out;
  }
  return true;
}

template <class T>
void run_string_to_number(KernelContext& c) {
  const Tensor& in = c.input(0);
  T* const to = c.allocate_output(0, in.shape()).mutable_data<T>();
  const auto strings = in.flat<std::string>();
  for (std::size_t i = 0; i < strings.size(); ++i)
    if (!read_number(strings[i], to[i]))
      fail(Code::InvalidArgument,
           "StringToNumberOp could not correctly convert string: ", strings[i]);
}

// Base64

inline constexpr char kBase64[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

DGRAPH_DECL std::string base64_of(std::string_view bytes, bool pad) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k <= count; ++k) out += kBase64[bits >> (18 - 6 * k) & 63];
    if (pad) out.append(3 - count, '=');
  }
  return out;
}

DGRAPH_DECL std::string bytes_of_base64(const std::string& text) {
  std::string_view letters = text;
  if (letters.size() % 4 == 0)
    for (int i = 0; i < 2 && !letters.empty() && letters.back() == '='; ++i)
      letters.remove_suffix(1);
  if (letters.size() % 4 == 1)
    fail(Code::InvalidArgument, "base64 cannot have ", text.size(), " letters");
  std::string out;
  out.reserve(letters.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : letters) {
    const char* const at = letter == '\0' ? nullptr : std::strchr(kBase64, letter);
    if (!at) fail(Code::InvalidArgument, "Invalid character found in base64.");
    bits = bits << 6 | static_cast<std::uint32_t>(at - kBase64);
    if ((count += 6) >= 8) out += static_cast<char>(bits >> (count -= 8) & 0xff);
  }
  return out;
}

DGRAPH_DECL void run_encode_base64(KernelContext& c) {
  const bool pad = c.config<bool>();
  const auto from = c.input(0).flat<std::string>();
  std::string* const to = c.allocate_output(0, c.input(0).shape()).mutable_data<std::string>();
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = base64_of(from[i], pad);
}
DGRAPH_DECL void run_decode_base64(KernelContext& c) {
  const auto from = c.input(0).flat<std::string>();
  std::string* const to = c.allocate_output(0, c.input(0).shape()).mutable_data<std::string>();
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = bytes_of_base64(from[i]);
}

// Raw bytes

DGRAPH_DECL void run_decode_raw(KernelContext& c) {
  const Tensor& in = c.input(0);
  const auto strings = in.flat<std::string>();
  const DType dtype = c.output_dtype(0);
  const std::size_t size = dtype_size(dtype), length = strings.empty() ? 0 : strings[0].size();
  for (std::size_t i = 1; i < strings.size(); ++i)
    if (strings[i].size() != length)
      fail(Code::InvalidArgument,
           "DecodeRaw requires input strings to all be the same size, but element ", i,
           " has size ", strings[i].size(), " != ", length);
  if (length % size != 0)
    fail(Code::InvalidArgument, "Input to DecodeRaw has length ", length,
         " that is not a multiple of ", size, ", the size of ", dtype_name(dtype));
  Dims dims = in.shape().dims();
  dims.push_back(static_cast<std::int64_t>(length / size));
  std::byte* to = c.allocate_output(0, Shape(std::move(dims))).mutable_raw();
  // A complex number is two of half its size.
  const std::size_t part = is_complex(dtype) ? size / 2 : size;
  for (const std::string& bytes : strings) {
    if (length == 0) break;
    std::memcpy(to, bytes.data(), length);
    if (!c.config<bool>())
      for (std::size_t i = 0; i < length; i += part) std::reverse(to + i, to + i + part);
    // A bool is 0 or 1 in memory.
    if (dtype == DType::Bool)
      for (std::size_t i = 0; i < length; ++i)
        to[i] = to[i] == std::byte{0} ? std::byte{0} : std::byte{1};
    to += length;
  }
}

DGRAPH_DECL void run_hash_bucket(KernelContext& c) {
  const auto buckets = static_cast<std::uint64_t>(c.config<std::int64_t>());
  const auto from = c.input(0).flat<std::string>();
  std::int64_t* const to = c.allocate_output(0, c.input(0).shape()).mutable_data<std::int64_t>();
  for (std::size_t i = 0; i < from.size(); ++i)
    to[i] = static_cast<std::int64_t>(farm_fingerprint64(from[i]) % buckets);
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::AsString>::make(const KernelRequest& r) {
  return detail::plain_kernel(detail::as_string_run(r)).with(detail::as_string_config(r));
}
DGRAPH_DECL Kernel Kernels<ops::StringToNumber>::make(const KernelRequest& r) {
  switch (r.output_dtypes[0]) {
    case DType::Float32:
      return detail::plain_kernel(&detail::run_string_to_number<float>);
    case DType::Float64:
      return detail::plain_kernel(&detail::run_string_to_number<double>);
    case DType::Int32:
      return detail::plain_kernel(&detail::run_string_to_number<std::int32_t>);
    case DType::Int64:
      return detail::plain_kernel(&detail::run_string_to_number<std::int64_t>);
    case DType::UInt32:
      return detail::plain_kernel(&detail::run_string_to_number<std::uint32_t>);
    case DType::UInt64:
      return detail::plain_kernel(&detail::run_string_to_number<std::uint64_t>);
    default:
      detail::no_kernel_for(r, r.output_dtypes[0]);
  }
}
DGRAPH_DECL Kernel Kernels<ops::EncodeBase64>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_encode_base64).with(r.attr<bool>("pad"));
}
DGRAPH_DECL Kernel Kernels<ops::DecodeBase64>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_decode_base64);
}
DGRAPH_DECL Kernel Kernels<ops::DecodeRaw>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_decode_raw).with(r.attr<bool>("little_endian"));
}
DGRAPH_DECL Kernel Kernels<ops::StringToHashBucketFast>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_hash_bucket).with(r.attr<std::int64_t>("num_buckets"));
}

}  // namespace dgraph

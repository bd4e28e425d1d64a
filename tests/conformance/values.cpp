#include "conformance/values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <limits>

#include <nlohmann/json.hpp>

namespace conformance {
namespace {

using dgraph::Code;
using dgraph::DType;
using dgraph::Shape;
using dgraph::Tensor;

/// Calls `f.operator()<T>()` with the type of the dtype's elements.
template <class F>
auto with_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::Float32:
      return f.template operator()<float>();
    case DType::Float64:
      return f.template operator()<double>();
    case DType::Float16:
      return f.template operator()<dgraph::half>();
    case DType::BFloat16:
      return f.template operator()<dgraph::bfloat16>();
    case DType::Int8:
      return f.template operator()<std::int8_t>();
    case DType::Int16:
      return f.template operator()<std::int16_t>();
    case DType::Int32:
      return f.template operator()<std::int32_t>();
    case DType::Int64:
      return f.template operator()<std::int64_t>();
    case DType::UInt8:
      return f.template operator()<std::uint8_t>();
    case DType::UInt16:
      return f.template operator()<std::uint16_t>();
    case DType::UInt32:
      return f.template operator()<std::uint32_t>();
    case DType::UInt64:
      return f.template operator()<std::uint64_t>();
    case DType::Bool:
      return f.template operator()<bool>();
    case DType::Complex64:
      return f.template operator()<std::complex<float>>();
    case DType::Complex128:
      return f.template operator()<std::complex<double>>();
    case DType::String:
      return f.template operator()<std::string>();
    default:
      dgraph::fail(Code::InvalidArgument, "tensors of ", dgraph::dtype_name(dtype),
                   " cannot be compared");
  }
}

template <class T>
inline constexpr bool is_complex_type = false;
template <class T>
inline constexpr bool is_complex_type<std::complex<T>> = true;
template <class T>
inline constexpr bool is_float_type =
    std::is_floating_point_v<T> || std::is_same_v<T, dgraph::half> ||
    std::is_same_v<T, dgraph::bfloat16>;

double read_double(const Json& value) {
  if (!value.is_string()) return value.get<double>();
  const std::string& text = value.get_ref<const std::string&>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  dgraph::fail(Code::InvalidArgument, "\"", text, "\" is no number");
}

template <class T>
T read_element(const Json& value) {
  if constexpr (is_complex_type<T>) {
    using Part = typename T::value_type;
    return T(static_cast<Part>(read_double(value.at(0))),
             static_cast<Part>(read_double(value.at(1))));
  } else if constexpr (is_float_type<T>) {
    return T(read_double(value));
  } else {
    return value.get<T>();
  }
}

bool close(double want, double got, const Tolerance& tolerance) {
  if (want == got || (std::isnan(want) && std::isnan(got))) return true;
  if (!std::isfinite(want)) return false;
  return std::abs(got - want) <= tolerance.absolute + tolerance.relative * std::abs(want);
}

template <class T>
bool same(const T& want, const T& got, const Tolerance& tolerance) {
  if constexpr (is_complex_type<T>) {
    const std::complex<double> w(want), g(got);
    if (close(w.real(), g.real(), tolerance) && close(w.imag(), g.imag(), tolerance)) return true;
    return std::isfinite(w.real()) && std::isfinite(w.imag()) &&
           std::abs(g - w) <= tolerance.absolute + tolerance.relative * std::abs(w);
  } else if constexpr (is_float_type<T>) {
    return close(static_cast<double>(want), static_cast<double>(got), tolerance);
  } else {
    return want == got;
  }
}

template <class T>
std::string element_text(const T& value) {
  if constexpr (is_complex_type<T>) {
    return "(" + element_text(value.real()) + "," + element_text(value.imag()) + ")";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return Json(value).dump(-1, ' ', true, Json::error_handler_t::replace);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (is_float_type<T>) {
    char text[40];
    const auto end = [&] {
      if constexpr (std::is_same_v<T, double>)
        return std::to_chars(text, text + sizeof text, value);
      else
        return std::to_chars(text, text + sizeof text, static_cast<float>(value));
    }();
    return std::string(text, end.ptr);
  } else {
    return std::to_string(value);
  }
}

dgraph::AttrKind looks_like(const Json& value) {
  const Json& one = value.is_array() && !value.empty() ? value.front() : value;
  if (one.is_boolean()) return dgraph::AttrKind::Bool;
  if (one.is_number_float()) return dgraph::AttrKind::Float;
  if (one.is_string()) return dgraph::AttrKind::String;
  return dgraph::AttrKind::Int;
}

dgraph::PartialShape read_shape(const Json& value) {
  if (value.is_null()) return {};
  return dgraph::PartialShape(dgraph::Dims(value.get<std::vector<std::int64_t>>()));
}

template <class T, class Read>
dgraph::AttrValue read_list(const Json& value, Read read) {
  std::vector<T> out;
  for (const Json& one : value) out.push_back(read(one));
  return out;
}

}  // namespace

DType read_dtype(const Json& name) {
  if (const auto dtype = dgraph::parse_dtype(name.get<std::string>())) return *dtype;
  dgraph::fail(Code::InvalidArgument, "there is no dtype ", name.get<std::string>());
}

bool has_data(const Json& value) { return value.contains("data") || value.contains("fill"); }

Tensor read_tensor(const Json& value) {
  const DType dtype = read_dtype(value.at("dtype"));
  Tensor out(dtype, Shape(dgraph::Dims(value.at("shape").get<std::vector<std::int64_t>>())));
  with_type(dtype, [&]<class T>() {
    T* to = out.mutable_data<T>();
    const auto count = static_cast<std::size_t>(out.elements());
    if (value.contains("fill")) {
      std::fill_n(to, count, read_element<T>(value.at("fill")));
      return;
    }
    const Json& data = value.at("data");
    if (data.size() != count)
      dgraph::fail(Code::InvalidArgument, data.size(), " values for shape ", out.shape());
    for (const Json& element : data) *to++ = read_element<T>(element);
  });
  return out;
}

dgraph::AttrValue read_attr(const Json& value, const dgraph::AttrDef* def) {
  using dgraph::AttrKind;
  const bool list = def ? def->list : value.is_array();
  const auto integer = [](const Json& x) { return x.get<std::int64_t>(); };
  const auto real = [](const Json& x) { return static_cast<float>(read_double(x)); };
  const auto boolean = [](const Json& x) { return x.get<bool>(); };
  const auto text = [](const Json& x) { return x.get<std::string>(); };
  switch (def ? def->kind : looks_like(value)) {
    case AttrKind::Int:
      return list ? read_list<std::int64_t>(value, integer) : integer(value);
    case AttrKind::Float:
      return list ? read_list<float>(value, real) : real(value);
    case AttrKind::Bool:
      return list ? read_list<bool>(value, boolean) : boolean(value);
    case AttrKind::String:
      return list ? read_list<std::string>(value, text) : text(value);
    case AttrKind::Type:
      return list ? read_list<DType>(value, read_dtype) : read_dtype(value);
    case AttrKind::Shape:
      return list ? read_list<dgraph::PartialShape>(value, read_shape) : read_shape(value);
    case AttrKind::Tensor:
      return read_tensor(value);
  }
  return {};
}

std::optional<std::string> difference(const Tensor& want, const Tensor& got,
                                      const Tolerance& tolerance) {
  if (want.dtype() != got.dtype()) return "dtype";
  if (want.shape() != got.shape()) return "shape";
  return with_type(want.dtype(), [&]<class T>() -> std::optional<std::string> {
    const auto a = want.flat<T>(), b = got.flat<T>();
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!same(a[i], b[i], tolerance)) return "element " + std::to_string(i);
    return std::nullopt;
  });
}

std::string to_text(const Tensor& value) {
  constexpr std::size_t kMost = 64;
  if (!value.has_value()) return "no value";
  std::string out =
      std::string(dgraph::dtype_name(value.dtype())) + value.shape().to_string() + ":";
  return with_type(value.dtype(), [&]<class T>() {
    const auto elements = value.flat<T>();
    for (std::size_t i = 0; i < std::min(elements.size(), kMost); ++i)
      out += " " + element_text<T>(elements[i]);
    if (elements.size() > kMost) out += " ...";
    return out;
  });
}

}  // namespace conformance

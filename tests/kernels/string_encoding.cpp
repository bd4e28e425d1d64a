#include <dgraph/kernels/string_encoding.hpp>

#include <cmath>
#include <limits>

#include <dgraph/kernels/farmhash.hpp>
#include <dgraph/ops/string_encoding.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::text;

namespace {

std::vector<Tensor> run(std::string_view op, std::vector<Tensor> inputs,
                        const NamedAttrs& attrs = {}) {
  return test::run<StringEncodingOps>(op, attrs, std::move(inputs));
}
Tensor strings(std::initializer_list<std::string> values) {
  return Tensor::vector<std::string>(values);
}
template <class T>
T number(const std::string& value) {
  const Tensor out = run("StringToNumber", {Tensor::scalar(value)}, {{"out_type", dtype_of<T>}})[0];
  return out.item<T>();
}

}  // namespace

TEST_CASE("Numbers as printf writes them") {
  CHECK(text(run("AsString", {Tensor::scalar(half(1.5f))}, {{"precision", 1}})) ==
        R"(string[]: "1.5")");
  CHECK(text(run("AsString", {Tensor::scalar(UINT64_MAX)})) ==
        R"(string[]: "18446744073709551615")");
  CHECK(text(run("AsString", {Tensor::scalar(3.0)},
                 {{"precision", 0}, {"width", 4}, {"fill", "#"}})) == R"(string[]: "  3.")");
  CHECK(run("AsString", {Tensor::scalar(1e300)}, {{"width", 400}})[0].item<std::string>().size() ==
        400);
  CHECK(text(run("AsString", {strings({"ab"})}, {{"width", 3}, {"fill", "-"}})) ==
        R"(string[1]: "ab ")");
  CHECK(code_of([] {
          run("AsString", {Tensor::scalar(1.0)}, {{"width", 3}, {"fill", "x"}});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("AsString", {Tensor::scalar(1)}, {{"shortest", true}});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("AsString", {Tensor::scalar(1.0)}, {{"width", INT64_MAX}});
        }) == Code::InvalidArgument);
}

TEST_CASE("Text that is a number, and text that is none") {
  CHECK(number<double>("\t0x1p-2\n") == 0.25);
  CHECK(number<float>("1e39") == std::numeric_limits<float>::infinity());
  CHECK(number<float>("-0.0000000001e-60") == 0);
  CHECK(std::isnan(number<double>("-NaN")));
  CHECK(number<double>("Infinity") == std::numeric_limits<double>::infinity());
  CHECK(number<std::int64_t>("-9223372036854775808") == INT64_MIN);
  CHECK(number<std::uint32_t>("4294967295") == UINT32_MAX);
  for (const char* bad : {"", " ", "+", "+-1", "1 2", "0x", "1e", "nan(1)", "1,5", "."})
    CHECK(code_of([&] { number<double>(bad); }) == Code::InvalidArgument);
  for (const char* bad : {"9223372036854775808", "-9223372036854775809", "1.0", "0x10", "--1",
                          "18446744073709551616"})
    CHECK(code_of([&] { number<std::int64_t>(bad); }) == Code::InvalidArgument);
  CHECK(code_of([&] { number<std::uint64_t>("-1"); }) == Code::InvalidArgument);
}

TEST_CASE("Base64 there and back") {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  for (const bool pad : {false, true})
    for (const std::size_t size : {0u, 1u, 2u, 3u, 254u, 255u, 256u}) {
      const std::string bytes = all.substr(0, size);
      const Tensor encoded = run("EncodeBase64", {Tensor::scalar(bytes)}, {{"pad", pad}})[0];
      CHECK(run("DecodeBase64", {encoded})[0].item<std::string>() == bytes);
    }
  for (const char* bad : {"A", "AA=", "AAA==", "AA+A", "A===", "=", "A\nA"})
    CHECK(code_of([&] { run("DecodeBase64", {Tensor::scalar(std::string(bad))}); }) ==
          Code::InvalidArgument);
}

TEST_CASE("Bytes as numbers") {
  const std::string bytes("\x01\x02\x03\x04\x05\x06\x07\x08", 8);
  CHECK(text(run("DecodeRaw", {Tensor::scalar(bytes)},
                 {{"out_type", DType::UInt16}, {"little_endian", false}})) ==
        "uint16[4]: 258 772 1286 1800");
  const Tensor swapped =
      run("DecodeRaw", {Tensor::scalar(std::string("\x3f\x80\0\0\x40\0\0\0", 8))},
          {{"out_type", DType::Complex64}, {"little_endian", false}})[0];
  CHECK(text(swapped) == "complex64[1]: (1,2)");
  CHECK(text(run("DecodeRaw", {Tensor::scalar(std::string("\0\x07", 2))},
                 {{"out_type", DType::Bool}})) == "bool[2]: false true");
  CHECK(text(run("DecodeRaw", {strings({"", ""})}, {{"out_type", DType::Float64}})) ==
        "float64[2,0]:");
}

TEST_CASE("Fingerprints of every length class") {
  // Of the bytes 0, 1, ..., n - 1.
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes += static_cast<char>(i);
  CHECK(detail::farm_fingerprint64("") == 0x9ae16a3b2f90404full);
  const std::pair<std::size_t, std::uint64_t> known[] = {
      {1, 13718060045003475796u},  {3, 10709908609026466970u},   {4, 9421527712639018304u},
      {7, 11736591675260184225u},  {8, 12491318377461660568u},   {16, 1080060857502750420u},
      {17, 13526182118996909852u}, {32, 1917831512995979081u},   {33, 16750416167695635022u},
      {64, 17691551913807367243u}, {65, 14313328211205373374u},  {127, 16900859286676651445u},
      {128, 2037963038260878803u}, {129, 14883169112474847294u}, {192, 7658638358446336212u},
      {300, 12278728342531856931u}};
  for (const auto& [size, fingerprint] : known)
    CHECK(detail::farm_fingerprint64(std::string_view(bytes).substr(0, size)) == fingerprint);
}

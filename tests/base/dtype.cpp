#include <dgraph/base/dtype.hpp>

#include "support/catch.hpp"

using namespace dgraph;

TEST_CASE("dtypes have TensorFlow's numbers") {
  CHECK(static_cast<int>(DType::Float32) == 1);
  CHECK(static_cast<int>(DType::String) == 7);
  CHECK(static_cast<int>(DType::Int64) == 9);
  CHECK(static_cast<int>(DType::BFloat16) == 14);
  CHECK(static_cast<int>(DType::Float16) == 19);
  CHECK(static_cast<int>(DType::Resource) == 20);
  CHECK(static_cast<int>(DType::UInt64) == 23);
}

TEST_CASE("every dtype is read back from its name, and TensorFlow's spelling is understood") {
  int known = 0;
  for (unsigned i = 1; i < kDTypeEnd; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (dtype_name(dtype) == "invalid") continue;
    ++known;
    CHECK(parse_dtype(dtype_name(dtype)) == dtype);
  }
  CHECK(known == 18);
  CHECK(parse_dtype("DT_FLOAT") == DType::Float32);
  CHECK(parse_dtype("DT_HALF") == DType::Float16);
  CHECK_FALSE(parse_dtype("invalid"));
  CHECK_FALSE(parse_dtype("float"));
  CHECK_FALSE(parse_dtype(""));
}

TEST_CASE("sizes are those of the element types") {
  CHECK(dtype_size(DType::Float32) == sizeof(float));
  CHECK(dtype_size(DType::Complex128) == sizeof(std::complex<double>));
  CHECK(dtype_size(DType::Float16) == sizeof(half));
  CHECK(dtype_size(DType::Bool) == sizeof(bool));
  CHECK(dtype_size(DType::String) == sizeof(std::string));
  CHECK(dtype_size(DType::Resource) == 0);
  CHECK(dtype_size(DType::Invalid) == 0);
}

TEST_CASE("C++ types and dtypes belong together") {
  STATIC_REQUIRE(dtype_of<float> == DType::Float32);
  STATIC_REQUIRE(dtype_of<std::int64_t> == DType::Int64);
  STATIC_REQUIRE(dtype_of<long long> == DType::Int64);
  STATIC_REQUIRE(std::is_same_v<element_type<DType::Bool>, bool>);
  STATIC_REQUIRE(Element<std::string>);
  STATIC_REQUIRE_FALSE(Element<const char*>);
  STATIC_REQUIRE_FALSE(Element<char>);
}

TEST_CASE("groups of dtypes") {
  CHECK(is_floating(DType::BFloat16));
  CHECK_FALSE(is_floating(DType::Complex64));
  CHECK(is_integer(DType::UInt8));
  CHECK_FALSE(is_integer(DType::Bool));
  CHECK(is_differentiable(DType::Complex128));
  CHECK_FALSE(is_differentiable(DType::Int32));
  CHECK(is_plain(DType::Bool));
  CHECK_FALSE(is_plain(DType::String));
  CHECK_FALSE(is_plain(DType::Variant));
}

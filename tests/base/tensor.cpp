#include <dgraph/base/tensor.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using dgraph::test::contains;

TEST_CASE("a default tensor has no value") {
  const Tensor none;
  CHECK_FALSE(none.has_value());
  CHECK(none.dtype() == DType::Invalid);
  CHECK(none.bytes() == 0);
}

TEST_CASE("small tensors lie inside, larger ones in shared memory") {
  const Tensor small = Tensor::vector<float>({1, 2, 3, 4});
  const Tensor large = Tensor::vector<float>({1, 2, 3, 4, 5});
  CHECK(small.buffer() == nullptr);
  CHECK(large.buffer() != nullptr);
  const Tensor small_copy = small, large_copy = large;
  CHECK(small_copy.raw() != small.raw());
  CHECK(large_copy.raw() == large.raw());
  CHECK(small.unique());
  CHECK_FALSE(large.unique());
  CHECK(std::equal(large.flat<float>().begin(), large.flat<float>().end(), large_copy.flat<float>().begin()));
}

TEST_CASE("moving leaves nothing behind") {
  Tensor from = Tensor::vector<double>({1, 2, 3});
  const std::byte* raw = from.raw();
  Tensor to = std::move(from);
  CHECK_FALSE(from.has_value());
  CHECK(to.raw() == raw);
  CHECK(to.unique());
  from = std::move(to);
  CHECK(from.elements() == 3);
  Tensor self = Tensor::vector<double>({1, 2, 3});
  Tensor& alias = self;
  self = alias;
  CHECK(self.elements() == 3);
  self.reset();
  CHECK_FALSE(self.has_value());
}

TEST_CASE("elements are read with their own type only") {
  const Tensor t = Tensor::of<std::int32_t>(Shape{2, 2}, {1, 2, 3, 4});
  CHECK(t.flat<std::int32_t>()[3] == 4);
  REQUIRE_THROWS_WITH(t.flat<float>(), contains("int32") && contains("float32"));
  REQUIRE_THROWS_WITH(t.item<std::int32_t>(), contains("one element"));
  CHECK(Tensor::scalar(7).item<std::int32_t>() == 7);
  REQUIRE_THROWS_WITH(Tensor::of<float>(Shape{3}, {1, 2}), contains("[3]"));
}

TEST_CASE("strings are elements, too") {
  Tensor t(DType::String, Shape{2});
  CHECK(t.flat<std::string>()[0].empty());
  t.mutable_flat<std::string>()[1] = std::string(100, 'x');
  const Tensor copy = t.clone();
  CHECK(copy.raw() != t.raw());
  CHECK(copy.flat<std::string>()[1].size() == 100);
  CHECK(Tensor::scalar<std::string>("a").to_string() == "string[]: \"a\"");
}

TEST_CASE("zeros are zero in every dtype") {
  for (unsigned i = 1; i < kDTypeEnd; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (!is_plain(dtype)) continue;
    const Tensor t = Tensor::zeros(dtype, Shape{5});
    CHECK(std::all_of(t.raw(), t.raw() + t.bytes(), [](std::byte b) { return b == std::byte{0}; }));
  }
}

TEST_CASE("reshaping and rows share memory") {
  const Tensor t = Tensor::of<float>(Shape{3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor flat = t.reshaped(Shape{6});
  CHECK(flat.raw() == t.raw());
  REQUIRE_THROWS_WITH(t.reshaped(Shape{5}), contains("[3,2]") && contains("[5]"));
  const Tensor row = t.rows(1, 2);
  CHECK(row.shape() == Shape{2, 2});
  CHECK(row.raw() == t.raw() + 8);
  CHECK(row.flat<float>()[0] == 3);
  CHECK(row.rows(1, 1).flat<float>()[1] == 6);
  const Tensor small = Tensor::vector<std::int32_t>({1, 2, 3}).rows(1, 2);
  CHECK(small.flat<std::int32_t>()[0] == 2);
  CHECK(Tensor::zeros(DType::Float32, Shape{0, 4}).rows(0, 0).elements() == 0);
}

TEST_CASE("bits are read as another dtype of the same size") {
  const Tensor bits = Tensor::vector<float>({1.f}).bitcast_same_size(DType::Int32);
  CHECK(bits.item<std::int32_t>() == 0x3f800000);
  CHECK_THROWS_AS(bits.bitcast_same_size(DType::Int64), Error);
  CHECK_THROWS_AS(bits.bitcast_same_size(DType::String), Error);
}

TEST_CASE("memory that somebody else may read is never taken for one's own") {
  auto locate = [](int*& p) { return std::pair<void*, std::size_t>(p, 20); };
  int values[5] = {1, 2, 3, 4, 5};
  const Tensor borrowed(DType::Int32, Shape{5}, make_ref<OwnedBuffer<int*>>(&values[0], locate, false));
  CHECK_FALSE(borrowed.unique());
  CHECK(borrowed.flat<std::int32_t>()[4] == 5);
}

TEST_CASE("a tensor beyond memory is ResourceExhausted") {
  try {
    Tensor huge(DType::Float64, Shape{std::int64_t{1} << 61});
    FAIL("made");
  } catch (const Error& error) {
    CHECK(error.code() == Code::ResourceExhausted);
  }
}

TEST_CASE("tensors print dtype, shape and the first elements") {
  CHECK(Tensor::of<float>(Shape{2, 2}, {1, 2.5f, 3, 4}).to_string(3) == "float32[2,2]: 1 2.5 3 ...");
  CHECK(Tensor::scalar(true).to_string() == "bool[]: true");
  CHECK(Tensor::scalar(std::complex<float>(1, -2)).to_string() == "complex64[]: (1,-2)");
  CHECK(Tensor::scalar(half(0.5f)).to_string() == "float16[]: 0.5");
}

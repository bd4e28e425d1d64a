#include <dgraph/kernels/walker.hpp>

#include "support/catch.hpp"

#include <complex>

#include <dgraph/kernels/elementwise.hpp>

#include "support/kernels.hpp"
#include "support/operations.hpp"

using namespace dgraph;
using test::contains;

namespace {

// The same result by walking every index, one element at a time.
template <class T>
Tensor naive(const Tensor& a, const Tensor& b, const Shape& shape) {
  Tensor out(dtype_of<T>, shape);
  const auto at = [&](const Tensor& x, std::int64_t flat) {
    std::int64_t index = 0, stride = 1;
    for (std::size_t back = 1; back <= shape.rank(); ++back) {
      const std::int64_t i = flat % shape[shape.rank() - back];
      flat /= shape[shape.rank() - back];
      if (back > x.rank()) continue;
      const std::int64_t length = x.dim(x.rank() - back);
      if (length != 1) index += i * stride;
      stride *= length;
    }
    return x.data<T>()[index];
  };
  for (std::int64_t i = 0; i < shape.elements(); ++i)
    out.mutable_data<T>()[i] = static_cast<T>(at(a, i) * 3 + at(b, i));
  return out;
}

template <class T>
std::uint32_t triple_and_add(const void* const* in, void* out, std::int64_t n, const void*) {
  for (std::int64_t i = 0; i < n; ++i)
    static_cast<T*>(out)[i] = static_cast<T>(static_cast<const T*>(in[0])[i] * 3 + static_cast<const T*>(in[1])[i]);
  return 0;
}

template <class T>
Tensor walked(KernelServices& services, const Tensor& a, const Tensor& b, const Shape& shape, double ns_each) {
  Tensor out(dtype_of<T>, shape);
  detail::Operand operands[2] = {{a.raw(), sizeof(T), detail::broadcast_strides(a.shape(), shape)},
                                 {b.raw(), sizeof(T), detail::broadcast_strides(b.shape(), shape)}};
  const KernelContext context({}, {}, {}, nullptr, nullptr, services);
  detail::walk(context, shape, operands, out.mutable_raw(), sizeof(T), &triple_and_add<T>, nullptr, ns_each);
  return out;
}

template <class T>
void check(const Shape& a_shape, const Shape& b_shape) {
  const Tensor a = test::numbers<T>(a_shape, 0, 30, 5), b = test::numbers<T>(b_shape, 0, 30, 6);
  const Shape shape = broadcast_shapes(a_shape, b_shape);
  const Tensor want = naive<T>(a, b, shape);
  INFO(a_shape.to_string() << " with " << b_shape.to_string() << ", " << dtype_name(dtype_of<T>));
  test::ShardedServices services;
  CHECK(test::same_bits(walked<T>(services, a, b, shape, 0.1), want));
  CHECK(test::same_bits(walked<T>(services, b, a, shape, 0.1), naive<T>(b, a, shape)));
  // Costly elements: split over shards, with the same result.
  CHECK(test::same_bits(walked<T>(services, a, b, shape, 100'000), want));
  if (shape.elements() > 1) CHECK(services.most_shards > 1);
}

Shape ones(std::size_t rank) { return Shape(Dims(rank, 1)); }

}  // namespace

TEST_CASE("broadcasting agrees with a walk of every index") {
  const std::pair<Shape, Shape> shapes[] = {
      {{}, {}}, {{7}, {7}}, {{7}, {}}, {{1}, {7}}, {{3, 4}, {4}}, {{3, 4}, {3, 1}}, {{3, 1}, {1, 4}},
      {{2, 3, 4}, {3, 1}}, {{2, 1, 4}, {1, 3, 1}}, {{5, 1, 3, 1}, {1, 2, 1, 7}}, {{2000}, {1}}, {{3, 2000}, {2000}},
      {{3, 2000}, {3, 1}}, {{700, 3}, {3}}, {{700, 3}, {700, 1}}, {{4, 1, 300}, {4, 5, 1}}, {{1, 5000}, {3, 1}},
      {{2, 3, 2, 3, 2, 3, 2}, {2, 1, 2, 1, 2, 1, 2}}, {{0, 3}, {3}}, {{3, 0}, {1}}};
  for (const auto& [a, b] : shapes) {
    if (broadcast_shapes(a, b).elements() == 0) continue;
    check<float>(a, b);
    check<double>(a, b);
    check<std::uint8_t>(a, b);
    check<std::int16_t>(a, b);
  }
}

TEST_CASE("operands of 16 bytes") {
  using C = std::complex<double>;
  const Tensor a = Tensor::vector<C>({{1, 2}, {3, 4}, {5, 6}});
  const Tensor b = Tensor::of<C>({2, 1}, {{10, 0}, {0, 10}});
  const Tensor sum = test::run_one("AddV2", {a, b});
  CHECK(sum.shape() == Shape{2, 3});
  CHECK(sum.data<C>()[1] == C(13, 4));
  CHECK(sum.data<C>()[5] == C(5, 16));
}

TEST_CASE("254 dimensions") {
  Dims dims(254, 1);
  dims[3] = 2;
  dims[100] = 3;
  dims[250] = 2;
  const Shape a(dims);
  dims[100] = 1;
  check<float>(a, Shape(dims));
  check<float>(a, ones(254));
}

TEST_CASE("any strides: a transposed operand") {
  const Tensor x = test::numbers<float>({3, 200}, 0, 1);
  const Shape shape{200, 3};
  Tensor out(DType::Float32, shape);
  detail::Operand operands[2] = {{x.raw(), 4, Dims{1, 200}}, {x.raw(), 4, Dims{0, 0}}};
  EagerServices services;
  const KernelContext context({}, {}, {}, nullptr, nullptr, services);
  detail::walk(context, shape, operands, out.mutable_raw(), 4, &triple_and_add<float>, nullptr, 1);
  for (std::int64_t i = 0; i < 200; ++i)
    for (std::int64_t j = 0; j < 3; ++j)
      REQUIRE(out.data<float>()[i * 3 + j] == x.data<float>()[j * 200 + i] * 3 + x.data<float>()[0]);
}

TEST_CASE("nothing is done for an empty result") {
  EagerServices services;
  const KernelContext context({}, {}, {}, nullptr, nullptr, services);
  detail::Operand operands[1] = {{nullptr, 4, Dims{0, 0}}};
  const detail::ElementLoop never = [](const void* const*, void*, std::int64_t, const void*) -> std::uint32_t {
    throw Error(Code::Internal, "called");
  };
  CHECK(detail::walk(context, Shape{0, 3}, operands, nullptr, 4, never, nullptr, 1) == detail::kNoFault);
}

TEST_CASE("faults of any block are reported") {
  EagerServices services;
  const KernelContext context({}, {}, {}, nullptr, nullptr, services);
  Tensor x = test::numbers<float>({100'000}, 1, 2), out(DType::Float32, {100'000});
  x.mutable_data<float>()[77'777] = -1;
  detail::Operand operands[1] = {{x.raw(), 4, Dims{1}}};
  const detail::ElementLoop loop = [](const void* const* in, void*, std::int64_t n, const void*) -> std::uint32_t {
    std::uint32_t faults = 0;
    for (std::int64_t i = 0; i < n; ++i)
      if (static_cast<const float*>(in[0])[i] < 0) faults |= detail::kDivisionByZero;
    return faults;
  };
  CHECK(detail::walk(context, Shape{100'000}, operands, out.mutable_raw(), 4, loop, nullptr, 10) == detail::kDivisionByZero);
  CHECK_THROWS_WITH(detail::throw_faults(detail::kDivisionByZero), contains("Integer division by zero"));
  CHECK_NOTHROW(detail::throw_faults(detail::kNoFault));
}

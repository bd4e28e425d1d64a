#include <dgraph/kernels/reduce.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>

#include <dgraph/kernels/functions.hpp>

#include "support/kernels.hpp"
#include "support/operations.hpp"

using namespace dgraph;
using namespace dgraph::detail;

TEST_CASE("rows of any length, alone and side by side") {
  EagerServices services;
  const KernelContext context({}, {}, {}, nullptr, nullptr, services);
  const Reducer sum = make_reducer<double, AddF>(0.0), most = make_reducer<std::int16_t, MaxF>(std::int16_t{-32768});
  for (std::int64_t n = 1; n <= 2500; n += n < 200 ? 1 : 97) {
    for (const std::int64_t rows : {1, 3, 70}) {
      const Tensor x = test::numbers<double>({rows, n}, -1, 1), y = test::numbers<std::int16_t>({rows, n}, -900, 900);
      const Tensor sums = reduce_tensor(context, x, Dims{0, 1}, Shape{rows}, sum, {});
      const Tensor largest = reduce_tensor(context, y, Dims{0, 1}, Shape{rows}, most, {});
      INFO(rows << " of " << n);
      for (std::int64_t i = 0; i < rows; ++i) {
        long double exact = 0;
        for (std::int64_t j = 0; j < n; ++j) exact += x.data<double>()[i * n + j];
        REQUIRE(std::fabs(sums.data<double>()[i] - static_cast<double>(exact)) < 1e-13);
        const std::int16_t* row = y.data<std::int16_t>() + i * n;
        REQUIRE(largest.data<std::int16_t>()[i] == *std::max_element(row, row + n));
      }
    }
  }
}

TEST_CASE("axes become flags and shapes") {
  const Dims flags = reduced_axes(Tensor::vector<std::int32_t>({-1, 0}), 3);
  CHECK(flags == Dims{1, 0, 1});
  CHECK(reduced_shape({2, 3, 4}, flags, false) == Shape{3});
  CHECK(reduced_shape({2, 3, 4}, flags, true) == Shape{1, 3, 1});
  CHECK(reduced_axes(Tensor(DType::Int32, {0}), 2) == Dims{0, 0});
}

TEST_CASE("a reduction of one's own: elements are brought to the accumulator's dtype") {
  EagerServices services;
  const KernelContext context({}, {}, {}, nullptr, nullptr, services);
  const Tensor x = Tensor::of<std::int8_t>({2, 3}, {100, 100, 100, -1, -2, -3});
  const Tensor sum = reduce_tensor(context, x, Dims{0, 1}, Shape{2}, make_reducer<double, AddF>(0.0),
                                   make_cast_chain(DType::Int8, DType::Float64));
  CHECK(test::values(sum) == std::vector<double>{300, -6});
  // Nothing to reduce: only the conversion is left.
  const Tensor same = reduce_tensor(context, x, Dims{0, 0}, Shape{2, 3}, make_reducer<double, AddF>(0.0),
                                    make_cast_chain(DType::Int8, DType::Float64));
  CHECK(test::values(same) == test::values(x));
}

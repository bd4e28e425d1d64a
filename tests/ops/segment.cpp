#include <dgraph/ops/segment.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/graph_text.hpp"
#include "ops/numeric_gradient.hpp"

using namespace dgraph;
using dgraph::test::check_gradients;
using dgraph::test::check_second_gradients;
using dgraph::test::contains;
using dgraph::test::varied;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
};

std::string shape_of(const Output& x) { return x.shape().to_string(); }
using Ins = std::vector<Output>;
using X = Op<double>;
Output add_constant_of(std::int32_t value) { return constant_output(Tensor::scalar(value)); }

}  // namespace

TEST_CASE("segments give shapes") {
  Building b;
  const auto data = placeholder<float>({4, 2}, "data");
  const auto ids = placeholder<int>({4}, "ids");
  CHECK(shape_of(unsorted_segment_sum(data, ids, 3)) == "[3,2]");
  CHECK(shape_of(unsorted_segment_max(data, placeholder<int>({4, 2}), placeholder<int>({}))) ==
        "[?]");
  CHECK_THROWS_WITH(unsorted_segment_sum(data, placeholder<int>({3}), 3),
                    contains("no prefix of data"));
  CHECK_THROWS_WITH(unsorted_segment_sum(data, ids, -1),
                    contains("number of segments is negative"));
  CHECK(shape_of(segment_sum(data, ids)) == "[?,2]");
  CHECK(shape_of(segment_sum(data, constant({0, 0, 5, 6}))) == "[7,2]");
  CHECK_THROWS_WITH(segment_sum(data, placeholder<int>({3})), contains("do not fit the rows"));
}

TEST_CASE("gradients of sorted segments") {
  const Tensor x = varied({5, 2}), ids = Tensor::vector<std::int32_t>({0, 0, 2, 2, 2});
  const auto check = [&](auto f) {
    const auto build = [&](const Ins& in) -> Output {
      return f(X(in[0]), Op<std::int32_t>(in[1]));
    };
    check_gradients(build, {x, ids});
    check_second_gradients(build, {x, ids});
  };
  check([](const X& data, const auto& at) { return segment_sum(data, at); });
  check([](const X& data, const auto& at) { return segment_mean(data, at); });
  check([](const X& data, const auto& at) { return segment_prod(data, at); });
  check([](const X& data, const auto& at) { return segment_min(data, at); });
  check([](const X& data, const auto& at) { return segment_max(data, at); });
}

TEST_CASE("gradients of unsorted segments; dropped data have none") {
  const Tensor x = varied({4, 2}), ids = Tensor::vector<std::int64_t>({1, -1, 0, 1}),
               each = Tensor::of<std::int32_t>({4, 2}, {0, 1, -3, 1, 0, 0, 1, 1});
  const auto check = [&](auto f) {
    for (const Tensor& at : {ids, each}) {
      const auto build = [&](const Ins& in) -> Output { return f(X(in[0]), in[1]); };
      check_gradients(build, {x, at});
      check_second_gradients(build, {x, at});
    }
  };
  const auto four = [] { return add_constant_of(4); };
  const auto two = [] { return add_constant_of(2); };
  check([&](const X& data, const Output& at) {
    return add_op<ops::UnsortedSegmentSum>({}, data, at, four());
  });
  check([&](const X& data, const Output& at) {
    return add_op<ops::UnsortedSegmentProd>({}, data, at, four());
  });
  check([&](const X& data, const Output& at) {
    return add_op<ops::UnsortedSegmentMin>({}, data, at, two());
  });
  check([&](const X& data, const Output& at) {
    return add_op<ops::UnsortedSegmentMax>({}, data, at, two());
  });
  const auto rows = [](const Output& at) { return Op<std::int64_t>(at); };
  check_gradients([&](const Ins& in) { return unsorted_segment_mean(X(in[0]), rows(in[1]), 4); },
                  {x, ids});
  check_gradients([&](const Ins& in) { return unsorted_segment_sqrt_n(X(in[0]), rows(in[1]), 4); },
                  {x, ids});
}

TEST_CASE("the gradient of a segment's product where elements are 0") {
  Building b;
  const auto x = constant<double>({0, 2, 3, 0, 5, 0}), zero = constant<double>({0, 2});
  const auto ids = constant({0, 0, 0, 1, 1, 1});
  const std::vector<double> want{6, 0, 0, 0, 0, 0};
  CHECK(test::evaluate<double>(gradients(segment_prod(x, ids), x)) == want);
  CHECK(test::evaluate<double>(gradients(unsorted_segment_prod(x, ids, 3), x)) == want);
  CHECK(test::evaluate<double>(gradients(segment_prod(zero, constant({0, 0})), zero)) ==
        std::vector<double>{2, 0});
}

TEST_CASE("means of segments without data are 0") {
  Building b;
  const auto x = constant<double>({{1, 2}, {3, 4}, {5, 7}});
  CHECK(test::evaluate<double>(unsorted_segment_mean(x, constant({2, 0, 2}), 3)) ==
        std::vector<double>{3, 4, 0, 0, 3, 4.5});
}

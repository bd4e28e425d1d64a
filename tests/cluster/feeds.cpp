#include <dgraph/cluster/feeds.hpp>

#include <vector>

#include <dgraph/dgraph.hpp>
#include <dgraph/embedded.hpp>

#include "support/catch.hpp"

#if __has_include(<xtensor/views/xview.hpp>)
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xview.hpp>
#endif

using namespace dgraph;

TEST_CASE("a column-major array, or a view, is fed as its row-major copy is") {
  Graph graph;
  const auto building = graph.as_default();
  const auto x = placeholder<float>({2, 3});
  const auto row = placeholder<float>({3});
  const auto y = x * row;
  Session<> session;
  const xt::xarray<float> rows = {{1, 2, 3}, {4, 5, 6}};
  const xt::xarray<float, xt::layout_type::column_major> columns = rows;
  const xt::xarray<float> want = {{4, 10, 18}, {16, 25, 36}};
  CHECK((session.run({{x, rows}, {row, xt::view(rows, 1)}}, y) == want));
  CHECK((session.run({{x, columns}, {row, xt::view(columns, 1)}}, y) == want));
  const xt::xarray<float> turned = xt::transpose(rows);
  CHECK((session.run({{x, xt::transpose(turned)}, {row, xt::row(rows, 1)}}, y) == want));
}

#include <dgraph/ops/tensor_array.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/standard.hpp>

using namespace dgraph;
using dgraph::test::contains;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
  Op<float> x = placeholder<float>({-1, 3}, "x");
};

}  // namespace

TEST_CASE("an array knows the shape of its elements from the first that is written") {
  Building b;
  const TensorArray<float> array(4);
  CHECK(array.flow().dtype() == DType::Float32);
  CHECK(array.handle().dtype() == DType::Resource);
  CHECK_FALSE(array.read(0).shape().has_rank());
  const auto written = array.write(1, constant<float>({1, 2}));
  CHECK(written.read(0).shape() == PartialShape{2});
  CHECK(written.stack().shape() == PartialShape{4, 2});
  CHECK(array.gather(constant<int>({1, 2, 3})).shape() == PartialShape{3, 2});
  CHECK_THROWS_WITH(array.write(2, constant<float>({1})), contains("Inconsistent shapes"));
  const TensorArray<float> any(4, {.infer_shape = false});
  CHECK_NOTHROW(any.write(0, 1.f).write(1, constant<float>({1})));
}

TEST_CASE("shapes of what is unstacked, split and joined") {
  Building b;
  const auto rows = TensorArray<float>(gather(shape(b.x), 0)).unstack(b.x);
  CHECK(rows.read(0).shape() == PartialShape{3});
  CHECK(rows.stack().shape() == PartialShape{-1, 3});
  const auto parts = TensorArray<float>(2).split(b.x, constant<std::int64_t>({1, 2}));
  CHECK(parts.concat().shape() == PartialShape{-1, 3});
  CHECK(parts.state().element_shape() == PartialShape{-1, 3});
}

TEST_CASE("attributes are TensorFlow's") {
  Building b;
  const TensorArray<int> array(2, {.dynamic_size = true, .clear_after_read = false, .element_shape = PartialShape{2}});
  const Node& node = array.handle().node();
  CHECK(node.is("TensorArrayV3"));
  CHECK(node.attr<DType>("dtype") == DType::Int32);
  CHECK(node.attr<bool>("dynamic_size"));
  CHECK_FALSE(node.attr<bool>("clear_after_read"));
  CHECK(node.attr<bool>("identical_element_shapes"));
  CHECK(node.attr<PartialShape>("element_shape") == PartialShape{2});
  CHECK_THROWS_WITH(TensorArray<float>().size(), contains("never made"));
}

TEST_CASE("each call of gradients has an array of gradients of its own") {
  Building b;
  const auto y = TensorArray<float>(2).write(0, constant<float>({1, 2}) * 2.f).read(0);
  gradients(std::vector<Output>{y}, std::vector<Output>{b.core.output("Const_1")});
  gradients(std::vector<Output>{y}, std::vector<Output>{b.core.output("Const_1")});
  std::vector<std::string> sources;
  for (NodeId id = 0; id < b.core.size(); ++id)
    if (b.core.node(id).is("TensorArrayGradV3")) sources.push_back(b.core.node(id).attr<std::string>("source"));
  REQUIRE(sources.size() == 4);
  CHECK(sources[0] == sources[1]);
  CHECK(sources[2] == sources[3]);
  CHECK(sources[0] != sources[2]);
}

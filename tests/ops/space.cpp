#include <dgraph/ops/space.hpp>

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

}  // namespace

TEST_CASE("blocks of space give shapes, and are checked where they are known") {
  Building b;
  const auto x = placeholder<float>({-1, 3, -1, 5}, "x");
  CHECK(shape_of(space_to_batch_nd(x, {2, 2}, {{0, 1}, {0, 0}})) == "[?,2,?,5]");
  CHECK(shape_of(batch_to_space_nd(placeholder<float>({8, 3, 2}), {2, 2}, {{0, 1}, {1, 0}})) ==
        "[2,5,3]");
  CHECK(shape_of(space_to_batch_nd(x, placeholder<int>({2}), {{0, 1}, {0, 0}})) == "[?,?,?,5]");
  CHECK_THROWS_WITH(space_to_batch_nd(x, {2}, {{0, 0}}),
                    contains("no multiple of the block size 2"));
  CHECK_THROWS_WITH(batch_to_space_nd(placeholder<float>({3, 3}), {2}, {{0, 0}}),
                    contains("no multiple of the 2 places"));
  CHECK_THROWS_WITH(batch_to_space_nd(placeholder<float>({2, 1}), {2}, {{2, 1}}),
                    contains("more than the 2 elements"));
  const auto image = placeholder<float>({-1, 4, 6, 8}, "image");
  CHECK(shape_of(space_to_batch(image, {{0, 0}, {1, 1}}, 2)) == "[?,2,4,8]");
  CHECK(shape_of(batch_to_space(placeholder<float>({8, 2, 3, 1}), {{0, 0}, {1, 1}}, 2)) ==
        "[2,4,4,1]");
  CHECK(shape_of(space_to_depth(image, 2)) == "[?,2,3,32]");
  CHECK(shape_of(depth_to_space(image, 2, "NCHW")) == "[?,1,12,16]");
  CHECK_THROWS_WITH(space_to_depth(image, 4), contains("no multiple of the block size 4"));
  CHECK(shape_of(extract_image_patches(image, {1, 3, 2, 1}, {1, 2, 1, 1}, {1, 1, 1, 1}, "SAME")) ==
        "[?,2,6,48]");
  CHECK(shape_of(extract_image_patches(image, {1, 3, 2, 1}, {1, 1, 1, 1}, {1, 1, 2, 1}, "VALID")) ==
        "[?,2,4,48]");
  CHECK_THROWS_WITH(extract_image_patches(image, {1, 3, 3, 2}, {1, 1, 1, 1}, {1, 1, 1, 1}, "VALID"),
                    contains("height and width alone"));
}

TEST_CASE("gradients of blocks of space") {
  check_gradients(
      [](const Ins& in) {
        return space_to_batch_nd(X(in[0]), {2, 2}, {{1, 0}, {0, 0}});
      },
      {varied({1, 3, 2, 2})});
  check_gradients(
      [](const Ins& in) {
        return batch_to_space_nd(X(in[0]), {2}, {{1, 0}});
      },
      {varied({4, 2})});
  check_gradients([](const Ins& in) { return space_to_depth(X(in[0]), 2); },
                  {varied({1, 2, 4, 2})});
  check_gradients([](const Ins& in) { return depth_to_space(X(in[0]), 2, "NCHW"); },
                  {varied({1, 8, 1, 2})});
  const auto patches = [](const Ins& in) {
    return extract_image_patches(X(in[0]), {1, 2, 2, 1}, {1, 1, 2, 1}, {1, 2, 1, 1}, "SAME");
  };
  check_gradients(patches, {varied({2, 3, 4, 2})});
  check_second_gradients(patches, {varied({1, 3, 2, 1})});
}

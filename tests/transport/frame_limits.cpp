#include <dgraph/transport/frame_limits.hpp>

#include "support/catch.hpp"

using namespace dgraph;

TEST_CASE("limits of a whole frame") {
  const FrameLimits limits{10, 2, 100};
  const auto code = [&](std::size_t head, std::vector<std::size_t> bodies) {
    Frame frame;
    frame.head.resize(head);
    for (const std::size_t size : bodies) frame.bodies.push_back({nullptr, nullptr, size});
    return detail::check_frame(frame, limits).code();
  };
  CHECK(code(10, {100, 100}) == Code::Ok);
  CHECK(code(11, {}) == Code::InvalidArgument);
  CHECK(code(0, {1, 1, 1}) == Code::InvalidArgument);
  CHECK(code(0, {1, 101}) == Code::InvalidArgument);
}

#pragma once
// FrameLimits applied to a whole frame, for transports that hand frames over instead of decoding bytes.

#include <dgraph/base/error.hpp>
#include <dgraph/base/link.hpp>

namespace dgraph::detail {

/// InvalidArgument where the frame is above one of the limits.
inline Status check_frame(const Frame& frame, const FrameLimits& limits) {
  if (frame.head.size() > limits.head) {
    return errors::InvalidArgument("a frame with a head of ", frame.head.size(), " bytes, more than the limit of ",
                                   limits.head);
  }
  if (frame.bodies.size() > limits.bodies) {
    return errors::InvalidArgument("a frame with ", frame.bodies.size(), " bodies, more than the limit of ", limits.bodies);
  }
  for (const Body& body : frame.bodies) {
    if (body.size > limits.body) {
      return errors::InvalidArgument("a body of ", body.size, " bytes, more than the limit of ", limits.body);
    }
  }
  return {};
}

}  // namespace dgraph::detail

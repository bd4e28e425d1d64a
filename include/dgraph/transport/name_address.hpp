#pragma once
// What the transports whose addresses are names have in common, and the words for a connect that found nobody.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <string_view>

#include <dgraph/base/error.hpp>
#include <dgraph/base/host.hpp>

namespace dgraph::detail {

/// Takes "scheme://name" or "name" apart; InvalidArgument, naming the address, for another scheme or a '/' in the name.
inline Status parse_name_address(std::string_view text, std::string_view scheme, std::string& name) {
  std::string_view rest = text;
  if (const std::size_t at = rest.find("://"); at != std::string_view::npos) {
    if (rest.substr(0, at) != scheme) {
      return errors::InvalidArgument("'", text, "' is no address: the scheme is not ", scheme);
    }
    rest.remove_prefix(at + 3);
  }
  if (rest.find('/') != std::string_view::npos) {
    return errors::InvalidArgument("'", text, "' is no address: a name has no '/'");
  }
  name = rest;
  return {};
}

/// Unavailable: nobody at `address` within the time that was given, to the millisecond; `why` may be empty.
inline Status nobody_there(std::string_view address, Duration patience, std::string_view why = {}) {
  const double ms = std::chrono::duration<double, std::milli>(std::max(patience, Duration::zero())).count();
  const Status status = errors::Unavailable("nobody at ", address, " within ", std::round(ms) / 1000, " s");
  return why.empty() ? status : errors::Unavailable(status.message(), " (", why, ")");
}

}  // namespace dgraph::detail

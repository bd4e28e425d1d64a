#pragma once
// Hello and Welcome: the first frames of a connection, by which both sides learn who the other is
// (D18).

#include <cstdint>
#include <optional>
#include <string>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/version.hpp>

namespace dgraph {

namespace wire {
/// Changes whenever two versions cannot talk to each other.
inline constexpr std::uint16_t kProtocolVersion = 1;
inline constexpr std::uint32_t kHelloMagic = 0x6e6b6764;  ///< "dgkn"
inline constexpr std::uint32_t kLibraryVersion =
    DGRAPH_VERSION_MAJOR * 10000 + DGRAPH_VERSION_MINOR * 100 + DGRAPH_VERSION_PATCH;
}  // namespace wire

enum class PeerRole : std::uint8_t { Client = 0, Server = 1 };

/// Who somebody is.
struct PeerIdentity {
  PeerRole role = PeerRole::Client;
  std::string job;                ///< empty for a client
  std::uint32_t task = 0;         ///< index within the job
  std::uint64_t incarnation = 0;  ///< drawn at start: another one after a restart
  std::uint64_t cluster = 0;      ///< fingerprint of the cluster's description; 0: knows none
  std::uint32_t library = wire::kLibraryVersion;

  /// "/job:ps/replica:0/task:1" or "client".
  std::string to_string() const;
  friend bool operator==(const PeerIdentity&, const PeerIdentity&) = default;
};

/// The task that an initiator wants to reach.
struct WantedTask {
  std::string job;
  std::uint32_t task = 0;
  friend bool operator==(const WantedTask&, const WantedTask&) = default;
};

/// From the side that opened the connection. Protocol version 1 has no flags; they are kept for
/// authentication.
struct Hello {
  std::uint16_t version = wire::kProtocolVersion;
  std::uint16_t flags = 0;
  std::uint64_t nonce = 0;
  PeerIdentity self;
  std::optional<WantedTask> wanted;  ///< none: whoever listens there
};

/// The answer; not ok where the other side is refused, and the connection then closes.
struct Welcome {
  std::uint16_t version = wire::kProtocolVersion;
  std::uint16_t flags = 0;
  std::uint64_t nonce = 0;  ///< of the Hello
  Status status;
  PeerIdentity self;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/hello.ipp>
#endif

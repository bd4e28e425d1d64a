#pragma once
#include <dgraph/wire/message_codec.hpp>

#include <dgraph/wire/archive.hpp>
#include <dgraph/wire/frame_codec.hpp>
#include <dgraph/wire/partition_codec.hpp>

namespace dgraph::wire {

// The fields of each struct that has no layout of its own, in their order on the wire.
#define DGRAPH_DETAIL_FIELDS(type, ...) \
  template <Archive A>                  \
  void serialize(A& ar, type& m) {      \
    ar(__VA_ARGS__);                    \
  }
DGRAPH_DETAIL_FIELDS(Endpoint, m.node, m.index)
DGRAPH_DETAIL_FIELDS(GraphPasses, m.fold_constants, m.merge_common, m.remove_identities,
                     m.remove_dead_branches)
DGRAPH_DETAIL_FIELDS(SessionConfig, m.isolate_state, m.optimizer_level, m.passes,
                     m.default_deadline, m.device_filters, m.allow_soft_placement,
                     m.log_device_placement)
DGRAPH_DETAIL_FIELDS(PeerTask, m.task, m.address, m.incarnation)
DGRAPH_DETAIL_FIELDS(CreateSession, m.request, m.config, m.graph)
DGRAPH_DETAIL_FIELDS(SessionCreated, m.request, m.session, m.status)
DGRAPH_DETAIL_FIELDS(ExtendSession, m.session, m.graph)
DGRAPH_DETAIL_FIELDS(DefineStep, m.session, m.definition, m.feeds, m.fetches, m.targets)
DGRAPH_DETAIL_FIELDS(CancelRun, m.session, m.request, m.clean)
DGRAPH_DETAIL_FIELDS(StartPartial, m.session, m.request, m.definition, m.lease)
DGRAPH_DETAIL_FIELDS(ContinuePartial, m.session, m.request, m.step, m.deadline, m.end, m.feed_numbers, m.feeds,
                     m.fetches)
DGRAPH_DETAIL_FIELDS(FeedStep, m.session, m.step, m.numbers, m.feeds)
DGRAPH_DETAIL_FIELDS(StepFetched, m.session, m.step, m.number, m.value)
DGRAPH_DETAIL_FIELDS(CloseSession, m.request, m.session)
DGRAPH_DETAIL_FIELDS(SessionClosed, m.request, m.status)
DGRAPH_DETAIL_FIELDS(Reset, m.request, m.forward, m.containers)
DGRAPH_DETAIL_FIELDS(ResetDone, m.request, m.status)
DGRAPH_DETAIL_FIELDS(ListDevices, m.request)
DGRAPH_DETAIL_FIELDS(DeviceList, m.request, m.status, m.devices)
DGRAPH_DETAIL_FIELDS(RegisterPartition, m.session, m.handle, m.config, m.master, m.peers)
DGRAPH_DETAIL_FIELDS(Registered, m.session, m.handle, m.status)
DGRAPH_DETAIL_FIELDS(Deregister, m.session, m.handle)
DGRAPH_DETAIL_FIELDS(EndWorkerSession, m.session)
DGRAPH_DETAIL_FIELDS(StopRepeat, m.session, m.step, m.last)
DGRAPH_DETAIL_FIELDS(RepeatProgress, m.session, m.step, m.last, m.stopping)
DGRAPH_DETAIL_FIELDS(Refused, m.session, m.handle, m.step, m.why)
DGRAPH_DETAIL_FIELDS(Announce, m.session, m.handle, m.step, m.edge, m.iterations, m.bytes)
DGRAPH_DETAIL_FIELDS(RequestBody, m.session, m.handle, m.step, m.edge, m.iterations)
#undef DGRAPH_DETAIL_FIELDS

template <>
inline constexpr std::size_t kLeastBytes<Endpoint> = 8;
template <>
inline constexpr std::size_t kLeastBytes<PeerTask> = 16;

// The bodies of a delta become the first of the frame.
template <std::same_as<GraphDelta> T>
void save(OutArchive& ar, const T& delta) {
  ar(delta.from, delta.to, delta.bytes);
  ar.writer().put_count(delta.bodies.size());
  ar.bodies().insert(ar.bodies().end(), delta.bodies.begin(), delta.bodies.end());
}
template <std::same_as<GraphDelta> T>
void load(InArchive& ar, T& delta) {
  ar(delta.from, delta.to, delta.bytes);
  const auto bodies = ar.reader().template get<std::uint32_t>();
  delta.bodies.clear();
  for (std::uint32_t i = 0; i < bodies; ++i) delta.bodies.push_back(ar.bodies().take());
}

#define DGRAPH_DETAIL_MESSAGE(type)                       \
  DGRAPH_DECL Frame encode(const type& message) {         \
    detail::FrameWriter out(MessageType::type);           \
    OutArchive(out.head(), out.bodies())(message);        \
    return out.finish();                                  \
  }                                                       \
  DGRAPH_DECL Status decode(Frame frame, type& message) { \
    return detail::guarded([&] {                          \
      detail::FrameReader in(frame, MessageType::type);   \
      InArchive(in.head(), in.bodies())(message);         \
      in.expect_end();                                    \
    });                                                   \
  }
DGRAPH_DETAIL_MESSAGE(CreateSession)
DGRAPH_DETAIL_MESSAGE(SessionCreated)
DGRAPH_DETAIL_MESSAGE(ExtendSession)
DGRAPH_DETAIL_MESSAGE(DefineStep)
DGRAPH_DETAIL_MESSAGE(CancelRun)
DGRAPH_DETAIL_MESSAGE(StartPartial)
DGRAPH_DETAIL_MESSAGE(ContinuePartial)
DGRAPH_DETAIL_MESSAGE(FeedStep)
DGRAPH_DETAIL_MESSAGE(StepFetched)
DGRAPH_DETAIL_MESSAGE(CloseSession)
DGRAPH_DETAIL_MESSAGE(SessionClosed)
DGRAPH_DETAIL_MESSAGE(Reset)
DGRAPH_DETAIL_MESSAGE(ResetDone)
DGRAPH_DETAIL_MESSAGE(ListDevices)
DGRAPH_DETAIL_MESSAGE(DeviceList)
DGRAPH_DETAIL_MESSAGE(Registered)
DGRAPH_DETAIL_MESSAGE(Deregister)
DGRAPH_DETAIL_MESSAGE(EndWorkerSession)
DGRAPH_DETAIL_MESSAGE(StopRepeat)
DGRAPH_DETAIL_MESSAGE(RepeatProgress)
DGRAPH_DETAIL_MESSAGE(Refused)
DGRAPH_DETAIL_MESSAGE(Announce)
DGRAPH_DETAIL_MESSAGE(RequestBody)
#undef DGRAPH_DETAIL_MESSAGE

DGRAPH_DECL Frame encode(const RegisterPartition& message) {
  detail::FrameWriter out(MessageType::RegisterPartition, 4096);
  OutArchive(out.head(), out.bodies())(message);
  write_partition(out.head(), out.bodies(), message.partition);
  return out.finish();
}

DGRAPH_DECL Status decode(Frame frame, RegisterPartition& message, OpLookup ops) {
  return detail::guarded([&] {
    detail::FrameReader in(frame, MessageType::RegisterPartition);
    InArchive(in.head(), in.bodies())(message);
    message.partition = read_partition(in.head(), in.bodies(), ops);
    in.expect_end();
  });
}

namespace detail {

DGRAPH_DECL void put_identity(ByteWriter& to, const PeerIdentity& self) {
  std::byte* at = to.take(28);
  store(at, self.incarnation);
  store(at + 8, self.cluster);
  store(at + 16, self.library);
  store(at + 20, self.task);
  store(at + 24, static_cast<std::uint32_t>(self.role));
  to.put_text(self.job);
}

DGRAPH_DECL void get_identity(ByteReader& from, PeerIdentity& self) {
  const std::byte* at = from.take(28);
  self.incarnation = load<std::uint64_t>(at);
  self.cluster = load<std::uint64_t>(at + 8);
  self.library = load<std::uint32_t>(at + 16);
  self.task = load<std::uint32_t>(at + 20);
  const auto role = load<std::uint32_t>(at + 24);
  if (role > 1) from.wrong("no role");
  self.role = static_cast<PeerRole>(role);
  self.job = from.get_text();
}

// What stays the same in every version of the protocol: magic, version, flags.
DGRAPH_DECL void put_greeting(ByteWriter& to, std::uint16_t version, std::uint16_t flags,
                              std::uint64_t nonce) {
  std::byte* at = to.take(16);
  store(at, kHelloMagic);
  store(at + 4, version);
  store(at + 6, flags);
  store(at + 8, nonce);
}

DGRAPH_DECL void get_greeting(ByteReader& from, std::uint16_t& version, std::uint16_t& flags,
                              std::uint64_t& nonce) {
  const std::byte* at = from.take(16);
  if (load<std::uint32_t>(at) != kHelloMagic) from.wrong("no greeting");
  version = load<std::uint16_t>(at + 4);
  flags = load<std::uint16_t>(at + 6);
  nonce = load<std::uint64_t>(at + 8);
}

}  // namespace detail

DGRAPH_DECL Frame encode(const Hello& message) {
  detail::FrameWriter out(MessageType::Hello);
  detail::put_greeting(out.head(), message.version, message.flags, message.nonce);
  detail::put_identity(out.head(), message.self);
  out.head().put(message.wanted.has_value());
  if (message.wanted) {
    out.head().put(message.wanted->task);
    out.head().put_text(message.wanted->job);
  }
  return out.finish();
}

DGRAPH_DECL Status decode(Frame frame, Hello& message) {
  return detail::guarded([&] {
    detail::FrameReader in(frame, MessageType::Hello);
    detail::get_greeting(in.head(), message.version, message.flags, message.nonce);
    if (message.version != kProtocolVersion) return;
    detail::get_identity(in.head(), message.self);
    message.wanted.reset();
    if (in.head().get_bool()) {
      message.wanted.emplace();
      message.wanted->task = in.head().get<std::uint32_t>();
      message.wanted->job = in.head().get_text();
    }
    in.expect_end();
  });
}

DGRAPH_DECL Frame encode(const Welcome& message) {
  detail::FrameWriter out(MessageType::Welcome);
  detail::put_greeting(out.head(), message.version, message.flags, message.nonce);
  write_status(out.head(), message.status);
  detail::put_identity(out.head(), message.self);
  return out.finish();
}

DGRAPH_DECL Status decode(Frame frame, Welcome& message) {
  return detail::guarded([&] {
    detail::FrameReader in(frame, MessageType::Welcome);
    detail::get_greeting(in.head(), message.version, message.flags, message.nonce);
    message.status = read_status(in.head());
    if (message.version != kProtocolVersion) return;
    detail::get_identity(in.head(), message.self);
    in.expect_end();
  });
}

}  // namespace dgraph::wire

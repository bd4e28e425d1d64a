#pragma once
// Every message as a frame and back. The layout is described in docs/wire.md.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <dgraph/base/error.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/wire/hello.hpp>
#include <dgraph/wire/messages.hpp>
#include <dgraph/wire/prefix.hpp>

namespace dgraph::wire {

/// What the beginning of a Data head says.
struct DataHeader {
  SessionId session = 0;
  HandleId handle = 0;
  std::uint32_t entries = 0, bodies = 0;
};
/// What a Data head says of one of its bodies.
struct DataBody {
  StepId step = 0;
  std::uint32_t edge = 0;
  DType dtype = DType::Invalid;
  std::uint64_t bytes = 0;
};
/// For `body_buffer`: from a head alone, in constant time, before memory is taken. Nothing for a
/// head that is no Data or too short. What they say is compared with the entries when the whole
/// frame is decoded.
std::optional<DataHeader> peek_data(std::span<const std::byte> head) noexcept;
std::optional<DataBody> peek_data_body(std::span<const std::byte> head, std::size_t index) noexcept;
/// The session of a RunStep, StartStep, StepDone, AbortStep, Data or EdgeAck; nothing for other
/// types.
std::optional<SessionId> peek_session(std::span<const std::byte> head) noexcept;

/// Heartbeat: a sign of life; `answer` asks for one back.
struct Heartbeat {
  bool answer = false;
};
/// Says nothing but the credit of the head.
struct CreditMessage {};

/// Tensors of more than 64 bytes become bodies that share their memory. Throws InvalidArgument for
/// a dtype that cannot leave its task.
Frame encode(const Hello& message);
Frame encode(const Welcome& message);
Frame encode(const Heartbeat& message);
Frame encode(const CreditMessage& message);
Frame encode(const CreateSession& message);
Frame encode(const SessionCreated& message);
Frame encode(const ExtendSession& message);
Frame encode(const DefineStep& message);
Frame encode(const RunStep& message);
Frame encode(const RunDone& message);
Frame encode(const CancelRun& message);
Frame encode(const StartPartial& message);
Frame encode(const ContinuePartial& message);
Frame encode(const CloseSession& message);
Frame encode(const SessionClosed& message);
Frame encode(const Reset& message);
Frame encode(const ResetDone& message);
Frame encode(const ListDevices& message);
Frame encode(const DeviceList& message);
Frame encode(const RegisterPartition& message);
Frame encode(const Registered& message);
Frame encode(const Deregister& message);
Frame encode(const StartStep& message);
Frame encode(const FeedStep& message);
Frame encode(const StepFetched& message);
Frame encode(const StepDone& message);
Frame encode(const AbortStep& message);
Frame encode(const StopRepeat& message);
Frame encode(const RepeatProgress& message);
Frame encode(const EndWorkerSession& message);
Frame encode(const Data& message);
Frame encode(const Refused& message);
Frame encode(const EdgeAck& message);
Frame encode(const Announce& message);
Frame encode(const RequestBody& message);

/// Reads a frame into `out`, whose vectors are reused. DataLoss for malformed bytes or another
/// type, ResourceExhausted for a refused body (but see DataEntry). `out` is unspecified then. Never
/// throws. Of a Hello or Welcome of another protocol version only what all versions share is read:
/// version, flags, nonce and, of a Welcome, status.
Status decode(Frame frame, Hello& out);
Status decode(Frame frame, Welcome& out);
Status decode(Frame frame, Heartbeat& out);
Status decode(Frame frame, CreditMessage& out);
Status decode(Frame frame, CreateSession& out);
Status decode(Frame frame, SessionCreated& out);
Status decode(Frame frame, ExtendSession& out);
Status decode(Frame frame, DefineStep& out);
Status decode(Frame frame, RunStep& out);
Status decode(Frame frame, RunDone& out);
Status decode(Frame frame, CancelRun& out);
Status decode(Frame frame, StartPartial& out);
Status decode(Frame frame, ContinuePartial& out);
Status decode(Frame frame, CloseSession& out);
Status decode(Frame frame, SessionClosed& out);
Status decode(Frame frame, Reset& out);
Status decode(Frame frame, ResetDone& out);
Status decode(Frame frame, ListDevices& out);
Status decode(Frame frame, DeviceList& out);
/// InvalidArgument lists the op types of the partition that `ops` lacks or knows with another
/// signature. Session and handle are set even then.
Status decode(Frame frame, RegisterPartition& out, OpLookup ops);
Status decode(Frame frame, Registered& out);
Status decode(Frame frame, Deregister& out);
Status decode(Frame frame, StartStep& out);
Status decode(Frame frame, FeedStep& out);
Status decode(Frame frame, StepFetched& out);
Status decode(Frame frame, StepDone& out);
Status decode(Frame frame, AbortStep& out);
Status decode(Frame frame, StopRepeat& out);
Status decode(Frame frame, RepeatProgress& out);
Status decode(Frame frame, EndWorkerSession& out);
Status decode(Frame frame, Data& out);
Status decode(Frame frame, Refused& out);
Status decode(Frame frame, EdgeAck& out);
Status decode(Frame frame, Announce& out);
Status decode(Frame frame, RequestBody& out);

}  // namespace dgraph::wire

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/control_codec.ipp>
#include <dgraph/wire/impl/message_codec.ipp>
#endif

// Frames of any message. Input: number of bodies, the size of each in 2 bytes, the bodies, the
// head.

#include <dgraph/wire/message_codec.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "../wire/wire_ops.hpp"
#include "input.hpp"

namespace {

using namespace dgraph;

const OpDef* find_op(std::string_view name) { return find_signature<test::WireOps>(name); }

template <class M>
Status decode(Frame frame, M& out) {
  if constexpr (std::is_same_v<M, RegisterPartition>)
    return wire::decode(std::move(frame), out, &find_op);
  else
    return wire::decode(std::move(frame), out);
}

// What is understood can be said again, and is then understood again.
template <class M>
void try_as(const Frame& frame) {
  M message;
  if (!decode(frame, message).ok()) return;
  if constexpr (std::is_same_v<M, Data>)
    for (const DataEntry& entry : message.entries)
      if (entry.refused) return;
  M again;
  if (!decode(wire::encode(message), again).ok()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  Frame frame;
  frame.bodies = input.bodies();
  frame.head = input.rest();
  static_cast<void>(wire::peek_credit(frame.head));
  static_cast<void>(wire::peek_session(frame.head));
  if (const auto header = wire::peek_data(frame.head)) {
    for (std::size_t i = 0; i < 4; ++i) static_cast<void>(wire::peek_data_body(frame.head, i));
    static_cast<void>(wire::peek_data_body(frame.head, header->bodies));
  }
  const auto type = wire::peek_type(frame.head);
  if (!type) return 0;
  switch (*type) {
#define DGRAPH_FUZZ_MESSAGE(name) \
  case MessageType::name: try_as<name>(frame); break;
    DGRAPH_FUZZ_MESSAGE(Hello)
    DGRAPH_FUZZ_MESSAGE(Welcome)
    DGRAPH_FUZZ_MESSAGE(CreateSession)
    DGRAPH_FUZZ_MESSAGE(SessionCreated)
    DGRAPH_FUZZ_MESSAGE(ExtendSession)
    DGRAPH_FUZZ_MESSAGE(DefineStep)
    DGRAPH_FUZZ_MESSAGE(RunStep)
    DGRAPH_FUZZ_MESSAGE(RunDone)
    DGRAPH_FUZZ_MESSAGE(CancelRun)
    DGRAPH_FUZZ_MESSAGE(StartPartial)
    DGRAPH_FUZZ_MESSAGE(ContinuePartial)
    DGRAPH_FUZZ_MESSAGE(FeedStep)
    DGRAPH_FUZZ_MESSAGE(StepFetched)
    DGRAPH_FUZZ_MESSAGE(CloseSession)
    DGRAPH_FUZZ_MESSAGE(SessionClosed)
    DGRAPH_FUZZ_MESSAGE(Reset)
    DGRAPH_FUZZ_MESSAGE(ResetDone)
    DGRAPH_FUZZ_MESSAGE(ListDevices)
    DGRAPH_FUZZ_MESSAGE(DeviceList)
    DGRAPH_FUZZ_MESSAGE(RegisterPartition)
    DGRAPH_FUZZ_MESSAGE(Registered)
    DGRAPH_FUZZ_MESSAGE(Deregister)
    DGRAPH_FUZZ_MESSAGE(StartStep)
    DGRAPH_FUZZ_MESSAGE(StepDone)
    DGRAPH_FUZZ_MESSAGE(AbortStep)
    DGRAPH_FUZZ_MESSAGE(StopRepeat)
    DGRAPH_FUZZ_MESSAGE(RepeatProgress)
    DGRAPH_FUZZ_MESSAGE(EndWorkerSession)
    DGRAPH_FUZZ_MESSAGE(Data)
    DGRAPH_FUZZ_MESSAGE(Refused)
    DGRAPH_FUZZ_MESSAGE(EdgeAck)
    DGRAPH_FUZZ_MESSAGE(Announce)
    DGRAPH_FUZZ_MESSAGE(RequestBody)
#undef DGRAPH_FUZZ_MESSAGE
    case MessageType::Heartbeat: try_as<wire::Heartbeat>(frame); break;
    case MessageType::Credit: try_as<wire::CreditMessage>(frame); break;
  }
  return 0;
}

#pragma once
#include <dgraph/wire/prefix.hpp>

#include <dgraph/wire/bytes.hpp>

namespace dgraph::wire {

DGRAPH_DECL std::string_view message_name(MessageType type) noexcept {
  switch (type) {
    case MessageType::Hello: return "Hello";
    case MessageType::Welcome: return "Welcome";
    case MessageType::Heartbeat: return "Heartbeat";
    case MessageType::Credit: return "Credit";
    case MessageType::CreateSession: return "CreateSession";
    case MessageType::SessionCreated: return "SessionCreated";
    case MessageType::ExtendSession: return "ExtendSession";
    case MessageType::DefineStep: return "DefineStep";
    case MessageType::RunStep: return "RunStep";
    case MessageType::RunDone: return "RunDone";
    case MessageType::CancelRun: return "CancelRun";
    case MessageType::StartPartial: return "StartPartial";
    case MessageType::ContinuePartial: return "ContinuePartial";
    case MessageType::FeedStep: return "FeedStep";
    case MessageType::StepFetched: return "StepFetched";
    case MessageType::CloseSession: return "CloseSession";
    case MessageType::SessionClosed: return "SessionClosed";
    case MessageType::Reset: return "Reset";
    case MessageType::ResetDone: return "ResetDone";
    case MessageType::ListDevices: return "ListDevices";
    case MessageType::DeviceList: return "DeviceList";
    case MessageType::RegisterPartition: return "RegisterPartition";
    case MessageType::Registered: return "Registered";
    case MessageType::Deregister: return "Deregister";
    case MessageType::StartStep: return "StartStep";
    case MessageType::StepDone: return "StepDone";
    case MessageType::AbortStep: return "AbortStep";
    case MessageType::StopRepeat: return "StopRepeat";
    case MessageType::RepeatProgress: return "RepeatProgress";
    case MessageType::EndWorkerSession: return "EndWorkerSession";
    case MessageType::Data: return "Data";
    case MessageType::Refused: return "Refused";
    case MessageType::EdgeAck: return "EdgeAck";
    case MessageType::Announce: return "Announce";
    case MessageType::RequestBody: return "RequestBody";
  }
  return "unknown";
}

DGRAPH_DECL std::optional<MessageType> peek_type(std::span<const std::byte> head) noexcept {
  if (head.size() < kPrefixBytes) return std::nullopt;
  const auto type = static_cast<MessageType>(head[0]);
  if (message_name(type) == "unknown") return std::nullopt;
  return type;
}

DGRAPH_DECL std::uint32_t peek_credit(std::span<const std::byte> head) noexcept {
  return head.size() < kPrefixBytes ? 0 : load<std::uint32_t>(head.data() + 4);
}

DGRAPH_DECL void patch_credit(std::span<std::byte> head, std::uint32_t credit) noexcept {
  if (head.size() >= kPrefixBytes) store(head.data() + 4, credit);
}

}  // namespace dgraph::wire

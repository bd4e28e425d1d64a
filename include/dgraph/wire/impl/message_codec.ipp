#pragma once
#include <dgraph/wire/message_codec.hpp>

#include <dgraph/wire/frame_codec.hpp>

namespace dgraph::wire {
namespace detail {

// Data: session, handle, numbers of entries and bodies; then for each body step, bytes, edge,
// dtype; then the entries.
inline constexpr std::size_t kDataFixed = kPrefixBytes + 24;
inline constexpr std::size_t kDataBody = 24;
inline constexpr std::size_t kDataEntry = 16;
inline constexpr std::uint8_t kEntryDead = 1, kEntryValue = 2;
inline constexpr std::size_t kLeastTiming = 3 * kLeastText + 24;
inline constexpr std::size_t kLeastPlacement = 4 * kLeastText;

DGRAPH_DECL DataBody get_data_body(const std::byte* from) noexcept {
  return {load<StepId>(from), load<std::uint32_t>(from + 16), load<DType>(from + 20),
          load<std::uint64_t>(from + 8)};
}

DGRAPH_DECL void put_tensors(FrameWriter& out, const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) write_tensor(out.head(), out.bodies(), tensor);
}

DGRAPH_DECL void get_tensors(FrameReader& in, std::size_t count, std::vector<Tensor>& tensors) {
  if (count > in.head().left() / kLeastTensor) in.head().wrong("more tensors than bytes");
  tensors.clear();
  for (std::size_t i = 0; i < count; ++i) tensors.push_back(read_tensor(in.head(), in.bodies()));
}

DGRAPH_DECL void put_timing(ByteWriter& to, const NodeTiming& timing) {
  for (const std::string* text : {&timing.node, &timing.op_type, &timing.device})
    to.put_text(*text);
  std::byte* at = to.take(24);
  store(at, timing.start_ns);
  store(at + 8, timing.end_ns);
  store(at + 16, timing.output_bytes);
}

DGRAPH_DECL void get_timings(ByteReader& from, std::size_t count,
                             std::vector<NodeTiming>& timings) {
  if (count > from.left() / kLeastTiming) from.wrong("more timings than bytes");
  timings.clear();
  for (std::size_t i = 0; i < count; ++i) {
    NodeTiming& timing = timings.emplace_back();
    for (std::string* text : {&timing.node, &timing.op_type, &timing.device})
      *text = from.get_text();
    const std::byte* at = from.take(24);
    timing.start_ns = load<std::int64_t>(at);
    timing.end_ns = load<std::int64_t>(at + 8);
    timing.output_bytes = load<std::uint64_t>(at + 16);
  }
}

DGRAPH_DECL std::uint32_t count_of(std::size_t count) {
  if (count > UINT32_MAX) fail(Code::InvalidArgument, count, " elements are too many to be sent");
  return static_cast<std::uint32_t>(count);
}

}  // namespace detail

DGRAPH_DECL std::optional<DataHeader> peek_data(std::span<const std::byte> head) noexcept {
  if (head.size() < detail::kDataFixed || head[0] != static_cast<std::byte>(MessageType::Data))
    return std::nullopt;
  const std::byte* at = head.data() + kPrefixBytes;
  return DataHeader{load<SessionId>(at), load<HandleId>(at + 8), load<std::uint32_t>(at + 16),
                    load<std::uint32_t>(at + 20)};
}

DGRAPH_DECL std::optional<DataBody> peek_data_body(std::span<const std::byte> head,
                                                   std::size_t index) noexcept {
  const std::optional<DataHeader> data = peek_data(head);
  if (!data || index >= data->bodies ||
      index >= (head.size() - detail::kDataFixed) / detail::kDataBody)
    return std::nullopt;
  return detail::get_data_body(head.data() + detail::kDataFixed + index * detail::kDataBody);
}

DGRAPH_DECL std::optional<SessionId> peek_session(std::span<const std::byte> head) noexcept {
  if (head.size() < kPrefixBytes + 8) return std::nullopt;
  switch (static_cast<MessageType>(head[0])) {
    case MessageType::RunStep:
    case MessageType::StartStep:
    case MessageType::StepDone:
    case MessageType::AbortStep:
    case MessageType::Data:
    case MessageType::EdgeAck: return load<SessionId>(head.data() + kPrefixBytes);
    default: return std::nullopt;
  }
}

DGRAPH_DECL Frame encode(const Heartbeat& message) {
  detail::FrameWriter out(MessageType::Heartbeat, 8);
  out.head().put(static_cast<std::uint64_t>(message.answer));
  return out.finish();
}

DGRAPH_DECL Status decode(Frame frame, Heartbeat& message) {
  return detail::guarded([&] {
    detail::FrameReader in(frame, MessageType::Heartbeat);
    message.answer = in.head().get_bool();
    in.head().take(7);
    in.expect_end();
  });
}

DGRAPH_DECL Frame encode(const CreditMessage&) {
  return detail::FrameWriter(MessageType::Credit, 0).finish();
}

DGRAPH_DECL Status decode(Frame frame, CreditMessage&) {
  return detail::guarded([&] { detail::FrameReader(frame, MessageType::Credit).expect_end(); });
}

DGRAPH_DECL Frame encode(const RunStep& message) {
  detail::FrameWriter out(MessageType::RunStep);
  std::byte* at = out.head().take(48);
  store(at, message.session);
  store(at + 8, message.request);
  store(at + 16, message.definition);
  store(at + 24, message.deadline.count());
  store(at + 32, message.repeat);
  store(at + 40, static_cast<std::uint32_t>(message.trace));
  store(at + 44, detail::count_of(message.feeds.size()));
  detail::put_tensors(out, message.feeds);
  return out.finish();
}

DGRAPH_DECL Status decode(Frame frame, RunStep& message) {
  return detail::guarded([&] {
    detail::FrameReader in(frame, MessageType::RunStep);
    const std::byte* at = in.head().take(48);
    message.session = load<SessionId>(at);
    message.request = load<std::uint64_t>(at + 8);
    message.definition = load<std::uint64_t>(at + 16);
    message.deadline = Duration(load<std::int64_t>(at + 24));
    message.repeat = load<std::uint64_t>(at + 32);
    message.trace = load<std::uint8_t>(at + 40);
    detail::get_tensors(in, load<std::uint32_t>(at + 44), message.feeds);
    in.expect_end();
  });
}

DGRAPH_DECL Frame encode(const RunDone& message) {
  detail::FrameWriter out(MessageType::RunDone);
  const RunMetadata& metadata = message.metadata;
  std::byte* at = out.head().take(48);
  store(at, message.request);
  store(at + 8, message.step);
  store(at + 16, message.completed);
  store(at + 24, metadata.messages);
  store(at + 32, detail::count_of(message.fetches.size()));
  store(at + 36, detail::count_of(metadata.partitions.size()));
  store(at + 40, detail::count_of(metadata.placements.size()));
  store(at + 44, detail::count_of(metadata.nodes.size()));
  write_status(out.head(), message.status);
  detail::put_tensors(out, message.fetches);
  for (const std::string& partition : metadata.partitions) out.head().put_text(partition);
  for (const Placement& p : metadata.placements)
    for (const std::string* text : {&p.node, &p.op_type, &p.device, &p.reason})
      out.head().put_text(*text);
  for (const NodeTiming& timing : metadata.nodes) detail::put_timing(out.head(), timing);
  return out.finish();
}

DGRAPH_DECL Status decode(Frame frame, RunDone& message) {
  return detail::guarded([&] {
    detail::FrameReader in(frame, MessageType::RunDone);
    ByteReader& head = in.head();
    RunMetadata& metadata = message.metadata;
    const std::byte* at = head.take(48);
    message.request = load<std::uint64_t>(at);
    message.step = load<StepId>(at + 8);
    message.completed = load<std::uint64_t>(at + 16);
    metadata.messages = load<std::uint64_t>(at + 24);
    message.status = read_status(head);
    detail::get_tensors(in, load<std::uint32_t>(at + 32), message.fetches);
    metadata.partitions.clear();
    const std::size_t partitions = load<std::uint32_t>(at + 36);
    if (partitions > head.left() / kLeastText) head.wrong("more partitions than bytes");
    for (std::size_t i = 0; i < partitions; ++i) metadata.partitions.emplace_back(head.get_text());
    metadata.placements.clear();
    const std::size_t placements = load<std::uint32_t>(at + 40);
    if (placements > head.left() / detail::kLeastPlacement)
      head.wrong("more placements than bytes");
    for (std::size_t i = 0; i < placements; ++i) {
      Placement& p = metadata.placements.emplace_back();
      for (std::string* text : {&p.node, &p.op_type, &p.device, &p.reason}) *text = head.get_text();
    }
    detail::get_timings(head, load<std::uint32_t>(at + 44), metadata.nodes);
    in.expect_end();
  });
}

DGRAPH_DECL Frame encode(const StartStep& message) {
  detail::FrameWriter out(MessageType::StartStep);
  std::byte* at = out.head().take(56);
  store(at, message.session);
  store(at + 8, message.handle);
  store(at + 16, message.step);
  store(at + 24, message.floor);
  store(at + 32, message.repeat);
  store(at + 40, message.deadline.count());
  store(at + 48, static_cast<std::uint32_t>(message.trace) | std::uint32_t{message.partial} << 8);
  store(at + 52, detail::count_of(message.feeds.size()));
  for (const auto& [number, tensor] : message.feeds) {
    out.head().put(number);
    write_tensor(out.head(), out.bodies(), tensor);
  }
  return out.finish();
}

DGRAPH_DECL Status decode(Frame frame, StartStep& message) {
  return detail::guarded([&] {
    detail::FrameReader in(frame, MessageType::StartStep);
    const std::byte* at = in.head().take(56);
    message.session = load<SessionId>(at);
    message.handle = load<HandleId>(at + 8);
    message.step = load<StepId>(at + 16);
    message.floor = load<StepId>(at + 24);
    message.repeat = load<std::uint64_t>(at + 32);
    message.deadline = Duration(load<std::int64_t>(at + 40));
    message.trace = load<std::uint8_t>(at + 48);
    message.partial = load<std::uint8_t>(at + 49) != 0;
    const std::size_t feeds = load<std::uint32_t>(at + 52);
    if (feeds > in.head().left() / (4 + kLeastTensor)) in.head().wrong("more feeds than bytes");
    message.feeds.clear();
    for (std::size_t i = 0; i < feeds; ++i) {
      const auto number = in.head().get<std::uint32_t>();
      message.feeds.emplace_back(number, read_tensor(in.head(), in.bodies()));
    }
    in.expect_end();
  });
}

DGRAPH_DECL Frame encode(const StepDone& message) {
  detail::FrameWriter out(MessageType::StepDone);
  std::byte* at = out.head().take(40);
  store(at, message.session);
  store(at + 8, message.step);
  store(at + 16, message.last);
  store(at + 24, message.messages);
  store(at + 32, detail::count_of(message.fetches.size()));
  store(at + 36, detail::count_of(message.timings.size()));
  write_status(out.head(), message.status);
  detail::put_tensors(out, message.fetches);
  for (const NodeTiming& timing : message.timings) detail::put_timing(out.head(), timing);
  return out.finish();
}

DGRAPH_DECL Status decode(Frame frame, StepDone& message) {
  return detail::guarded([&] {
    detail::FrameReader in(frame, MessageType::StepDone);
    const std::byte* at = in.head().take(40);
    message.session = load<SessionId>(at);
    message.step = load<StepId>(at + 8);
    message.last = load<StepId>(at + 16);
    message.messages = load<std::uint64_t>(at + 24);
    message.status = read_status(in.head());
    detail::get_tensors(in, load<std::uint32_t>(at + 32), message.fetches);
    detail::get_timings(in.head(), load<std::uint32_t>(at + 36), message.timings);
    in.expect_end();
  });
}

DGRAPH_DECL Frame encode(const AbortStep& message) {
  detail::FrameWriter out(MessageType::AbortStep);
  std::byte* at = out.head().take(16);
  store(at, message.session);
  store(at + 8, message.step);
  write_status(out.head(), message.status);
  return out.finish();
}

DGRAPH_DECL Status decode(Frame frame, AbortStep& message) {
  return detail::guarded([&] {
    detail::FrameReader in(frame, MessageType::AbortStep);
    const std::byte* at = in.head().take(16);
    message.session = load<SessionId>(at);
    message.step = load<StepId>(at + 8);
    message.status = read_status(in.head());
    in.expect_end();
  });
}

DGRAPH_DECL Frame encode(const EdgeAck& message) {
  detail::FrameWriter out(MessageType::EdgeAck, 32);
  std::byte* at = out.head().take(32);
  store(at, message.session);
  store(at + 8, message.handle);
  store(at + 16, message.step);
  store(at + 24, static_cast<std::uint64_t>(message.edge));
  return out.finish();
}

DGRAPH_DECL Status decode(Frame frame, EdgeAck& message) {
  return detail::guarded([&] {
    detail::FrameReader in(frame, MessageType::EdgeAck);
    const std::byte* at = in.head().take(32);
    message.session = load<SessionId>(at);
    message.handle = load<HandleId>(at + 8);
    message.step = load<StepId>(at + 16);
    message.edge = load<std::uint32_t>(at + 24);
    in.expect_end();
  });
}

DGRAPH_DECL Frame encode(const Data& message) {
  detail::FrameWriter out(MessageType::Data);
  ByteWriter& head = out.head();
  std::byte* at = head.take(24);
  store(at, message.session);
  store(at + 8, message.handle);
  store(at + 16, detail::count_of(message.entries.size()));
  store(at + 20, std::uint32_t{0});
  std::uint32_t bodies = 0;
  for (const DataEntry& entry : message.entries) {
    const std::size_t bytes = tensor_body_bytes(entry.value);
    if (bytes == 0) continue;
    ++bodies;
    at = head.take(detail::kDataBody);
    store(at, entry.step);
    store(at + 8, static_cast<std::uint64_t>(bytes));
    store(at + 16, entry.edge);
    store(at + 20, static_cast<std::uint32_t>(entry.value.dtype()));
  }
  if (bodies) head.patch(kPrefixBytes + 20, bodies);
  for (const DataEntry& entry : message.entries) {
    const std::size_t depth = entry.iterations.size();
    if (depth > UINT16_MAX) fail(Code::InvalidArgument, "an edge lies in ", depth, " frames");
    const bool value = entry.value.has_value();
    at = head.take(detail::kDataEntry + 8 * depth);
    store(at, entry.step);
    store(at + 8, entry.edge);
    store(at + 12, static_cast<std::uint8_t>((entry.dead ? detail::kEntryDead : 0) |
                                             (value ? detail::kEntryValue : 0)));
    store(at + 13, std::uint8_t{0});
    store(at + 14, static_cast<std::uint16_t>(depth));
    for (std::size_t i = 0; i < depth; ++i)
      store(at + detail::kDataEntry + 8 * i, entry.iterations[i]);
    if (value) write_tensor(head, out.bodies(), entry.value);
  }
  return out.finish();
}

DGRAPH_DECL Status decode(Frame frame, Data& message) {
  return detail::guarded([&] {
    detail::FrameReader in(frame, MessageType::Data);
    ByteReader& head = in.head();
    const std::byte* at = head.take(24);
    message.session = load<SessionId>(at);
    message.handle = load<HandleId>(at + 8);
    const std::size_t entries = load<std::uint32_t>(at + 16), bodies = load<std::uint32_t>(at + 20);
    if (bodies != frame.bodies.size()) head.wrong("not as many bodies as it says");
    if (bodies > head.left() / detail::kDataBody) head.wrong("more bodies than bytes");
    const std::byte* table = head.take(bodies * detail::kDataBody);
    if (entries > head.left() / detail::kDataEntry) head.wrong("more entries than bytes");
    for (std::size_t i = 0; i < entries; ++i) {
      if (i == message.entries.size()) message.entries.emplace_back();
      DataEntry& entry = message.entries[i];
      at = head.take(detail::kDataEntry);
      entry.step = load<StepId>(at);
      entry.edge = load<std::uint32_t>(at + 8);
      const auto flags = load<std::uint8_t>(at + 12);
      if (flags > (detail::kEntryDead | detail::kEntryValue)) head.wrong("no flags of an entry");
      entry.dead = (flags & detail::kEntryDead) != 0;
      const std::size_t depth = load<std::uint16_t>(at + 14);
      at = head.take(8 * depth);
      entry.iterations.clear();
      for (std::size_t k = 0; k < depth; ++k)
        entry.iterations.push_back(load<std::uint64_t>(at + 8 * k));
      entry.refused = false;
      entry.body_bytes = 0;
      entry.value.reset();
      if ((flags & detail::kEntryValue) == 0) continue;
      const std::size_t taken = in.bodies().taken();
      const std::uint64_t size = taken < bodies ? frame.bodies[taken].size : 0;
      entry.value = read_tensor(head, in.bodies(), &entry.refused);
      if (in.bodies().taken() == taken) continue;
      const DataBody told = detail::get_data_body(table + taken * detail::kDataBody);
      if (told.step != entry.step || told.edge != entry.edge ||
          (!entry.refused && (told.dtype != entry.value.dtype() || told.bytes != size)))
        head.wrong("an entry and what was said of its body differ");
      entry.body_bytes = entry.refused ? 0 : size;
    }
    message.entries.resize(entries);
    in.expect_end();
  });
}

}  // namespace dgraph::wire

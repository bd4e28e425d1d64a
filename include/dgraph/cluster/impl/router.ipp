#pragma once
#include <dgraph/cluster/router.hpp>

#include <dgraph/wire/message_codec.hpp>

namespace dgraph {

DGRAPH_DECL void Router::attach(const std::shared_ptr<Peers>& peers, const std::shared_ptr<Master>& master,
                                const std::shared_ptr<Worker>& worker) {
  peers_ = peers;
  master_ = master;
  worker_ = worker;
}

template <class Message>
void Router::send(std::uint32_t task, const Message& message) {
  if (const auto peers = peers_.lock()) peers->send(task, wire::encode(message));
}

// To the own task or to another one.
#define DGRAPH_DETAIL_ROUTE(whom, call)                       \
  if (task != self_) return send(task, message);              \
  if (const auto own = whom.lock()) own->call;

DGRAPH_DECL void Router::post(std::uint32_t task, RegisterPartition message) {
  DGRAPH_DETAIL_ROUTE(worker_, register_partition(self_, std::move(message)))
}
DGRAPH_DECL void Router::post(std::uint32_t task, const Deregister& message) {
  DGRAPH_DETAIL_ROUTE(worker_, deregister(message))
}
DGRAPH_DECL void Router::post(std::uint32_t task, StartStep message) {
  DGRAPH_DETAIL_ROUTE(worker_, start_step(self_, std::move(message)))
}
DGRAPH_DECL void Router::post(std::uint32_t task, FeedStep message) {
  DGRAPH_DETAIL_ROUTE(worker_, feed_step(std::move(message)))
}
DGRAPH_DECL void Router::post(std::uint32_t task, StepFetched message) {
  DGRAPH_DETAIL_ROUTE(master_, on_step_fetched(self_, std::move(message)))
}
DGRAPH_DECL void Router::post(std::uint32_t task, const AbortStep& message) {
  DGRAPH_DETAIL_ROUTE(worker_, abort_step(message))
}
DGRAPH_DECL void Router::post(std::uint32_t task, const StopRepeat& message) {
  DGRAPH_DETAIL_ROUTE(worker_, stop_repeat(message))
}
DGRAPH_DECL void Router::post(std::uint32_t task, const EndWorkerSession& message) {
  DGRAPH_DETAIL_ROUTE(worker_, end_session(message))
}
DGRAPH_DECL void Router::post(std::uint32_t task, const Registered& message) {
  DGRAPH_DETAIL_ROUTE(master_, on_registered(self_, message))
}
DGRAPH_DECL void Router::post(std::uint32_t task, StepDone message) {
  DGRAPH_DETAIL_ROUTE(master_, on_step_done(self_, std::move(message)))
}
DGRAPH_DECL void Router::post(std::uint32_t task, const RepeatProgress& message) {
  DGRAPH_DETAIL_ROUTE(master_, on_repeat_progress(self_, message))
}
#undef DGRAPH_DETAIL_ROUTE

DGRAPH_DECL void Router::post(std::uint32_t task, const Data& message) { send(task, message); }
DGRAPH_DECL void Router::post(std::uint32_t task, const Refused& message) { send(task, message); }
DGRAPH_DECL void Router::post(std::uint32_t task, const EdgeAck& message) { send(task, message); }
DGRAPH_DECL void Router::post(std::uint32_t task, const Announce& message) { send(task, message); }
DGRAPH_DECL void Router::post(std::uint32_t task, const RequestBody& message) { send(task, message); }

DGRAPH_DECL void Router::on_peer_message(std::uint32_t task, MessageType type, Frame frame) {
  const Status status = dispatch(task, type, std::move(frame));
  if (status.ok()) return;
  const auto peers = peers_.lock();
  if (!peers) return;
  logger_.warn("closing the channel to ", peers->tasks()[task].describe(), ": ", status);
  if (const auto channel = peers->channel(task)) channel->close(status);
}

DGRAPH_DECL Status Router::dispatch(std::uint32_t task, MessageType type, Frame frame) {
  const auto worker = worker_.lock();
  const auto master = master_.lock();
  if (!worker || !master) return Status();
  const auto take = [&](auto message, auto use) {
    Status status = wire::decode(std::move(frame), message);
    if (status.ok()) use(message);
    return status;
  };
  switch (type) {
    case MessageType::Data: return take(Data{}, [&](Data& m) { worker->on_data(task, std::move(m)); });
    case MessageType::StartStep: return take(StartStep{}, [&](StartStep& m) { worker->start_step(task, std::move(m)); });
    case MessageType::StepDone: return take(StepDone{}, [&](StepDone& m) { master->on_step_done(task, std::move(m)); });
    case MessageType::EdgeAck: return take(EdgeAck{}, [&](EdgeAck& m) { worker->on_edge_ack(m); });
    case MessageType::AbortStep: return take(AbortStep{}, [&](AbortStep& m) { worker->abort_step(m); });
    case MessageType::Announce: return take(Announce{}, [&](Announce& m) { worker->on_announce(task, m); });
    case MessageType::RequestBody: return take(RequestBody{}, [&](RequestBody& m) { worker->on_request_body(task, m); });
    case MessageType::Refused: return take(Refused{}, [&](Refused& m) { worker->on_refused(task, m); });
    case MessageType::FeedStep: return take(FeedStep{}, [&](FeedStep& m) { worker->feed_step(std::move(m)); });
    case MessageType::StepFetched:
      return take(StepFetched{}, [&](StepFetched& m) { master->on_step_fetched(task, std::move(m)); });
    case MessageType::Registered: return take(Registered{}, [&](Registered& m) { master->on_registered(task, m); });
    case MessageType::Deregister: return take(Deregister{}, [&](Deregister& m) { worker->deregister(m); });
    case MessageType::StopRepeat: return take(StopRepeat{}, [&](StopRepeat& m) { worker->stop_repeat(m); });
    case MessageType::RepeatProgress:
      return take(RepeatProgress{}, [&](RepeatProgress& m) { master->on_repeat_progress(task, m); });
    case MessageType::EndWorkerSession:
      return take(EndWorkerSession{}, [&](EndWorkerSession& m) { worker->end_session(m); });
    case MessageType::RegisterPartition: {
      RegisterPartition message;
      const Status status = wire::decode(std::move(frame), message, ops_);
      if (status.ok())
        worker->register_partition(task, std::move(message));
      else if (message.session != 0 && status.code() == Code::InvalidArgument)
        post(task, Registered{message.session, message.handle, status});
      else
        return status;
      return Status();
    }
    default: return errors::InvalidArgument("unexpected message ", wire::message_name(type), " from a task");
  }
}

DGRAPH_DECL Body Router::peer_body(std::uint32_t, MessageType type, std::span<const std::byte> head, std::size_t index,
                                   std::uint64_t bytes) {
  constexpr std::uint64_t kMostOther = std::uint64_t{8} << 30;
  const auto worker = worker_.lock();
  if (!worker) return {};
  if (type == MessageType::Data) {
    const auto header = wire::peek_data(head);
    const auto body = wire::peek_data_body(head, index);
    if (!header || !body || body->bytes != bytes) return {};
    return worker->body_buffer(header->session, header->handle, body->edge, bytes);
  }
  if (bytes > kMostOther) return {};
  try {
    Ref<Buffer> buffer = allocate_buffer(static_cast<std::size_t>(bytes));
    std::byte* const data = buffer->data();
    return {std::move(buffer), data, static_cast<std::size_t>(bytes)};
  } catch (const std::bad_alloc&) {
    return {};
  }
}

DGRAPH_DECL void Router::on_peer_lost(std::uint32_t task, std::uint64_t, const Status& why) {
  logger_.info(why.message());
  if (const auto worker = worker_.lock()) worker->on_peer_lost(task, why);
  if (const auto master = master_.lock()) master->on_peer_lost(task, why);
}

}  // namespace dgraph

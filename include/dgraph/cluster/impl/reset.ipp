#pragma once
#include <dgraph/cluster/reset.hpp>

#include <atomic>
#include <utility>

#include <dgraph/cluster/master_link.hpp>
#include <dgraph/wire/message_codec.hpp>

namespace dgraph {
namespace detail {

class ResetMessenger final : public ChannelHandler {
 public:
  ResetMessenger(Reset message, Function<void(const Status&)> finished)
      : message_(std::move(message)), finished_(std::move(finished)) {}
  void on_open(const PeerIdentity&) override {
    // It must outlive a peer that is silent.
    alive_ = channel->keep_alive();
    channel->send(message_);
  }
  void on_message(MessageType, Frame frame) override {
    ResetDone answer;
    Status status = wire::decode(std::move(frame), answer);
    end(status.ok() ? answer.status : status);
    if (channel) channel->close(Status(Code::Cancelled, "done"));
  }
  void on_closed(const Status& why) override {
    end(why);
    alive_.reset();
    channel.reset();
  }
  std::shared_ptr<Channel> channel;

 private:
  void end(const Status& status) {
    if (!finished_) return;
    auto finished = std::move(finished_);
    finished(status);
  }
  const Reset message_;
  Function<void(const Status&)> finished_;
  std::shared_ptr<void> alive_;
};

}  // namespace detail

DGRAPH_DECL void send_reset(AnyTransport& transport, const std::string& address, Time deadline,
                            ChannelOptions options, Reset message,
                            Function<void(const Status&)> finished) {
  auto messenger =
      std::make_shared<detail::ResetMessenger>(std::move(message), std::move(finished));
  options.self.role = PeerRole::Client;
  // Events of the channel come on the driver: this must run there, so that none comes before the next line is done.
  messenger->channel =
      Channel::connect(transport, address, deadline, std::move(options), messenger);
}

DGRAPH_DECL void reset_server(const std::shared_ptr<AnyTransport>& transport,
                              const std::string& target, std::vector<std::string> containers,
                              Duration limit) {
  struct Waiting {
    std::atomic<bool> done{false};
    Status status;
  };
  const auto waiting = std::make_shared<Waiting>();
  const auto host = transport->host();
  const Time deadline = host->now() + limit;
  host->post([waiting, transport, target, deadline, message = Reset{1, true, std::move(containers)},
              id = host->random_id()]() mutable {
    const auto finished = [waiting](const Status& status) {
      waiting->status = status;
      waiting->done.store(true);
    };
    ChannelOptions options;
    options.self.incarnation = id;
    try {
      send_reset(*transport, target, deadline, std::move(options), std::move(message), finished);
    } catch (...) {
      finished(current_exception_status());
    }
  });
  // The server waits for its peers as long as it may.
  if (!host->drive([&] { return waiting->done.load(std::memory_order_acquire); },
                   deadline + std::chrono::seconds(15)))
    fail(Code::DeadlineExceeded, "the server at ", target, " has not answered a reset in time");
  if (!waiting->status.ok())
    throw Error(Status(waiting->status.code(), errors::text("reset of the server at ", target, ": ",
                                                            waiting->status.message())));
}

}  // namespace dgraph

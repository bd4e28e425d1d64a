#pragma once
#include <dgraph/transport/stream_link.hpp>

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

namespace dgraph::detail {

DGRAPH_DECL std::string system_message(int error) { return std::generic_category().message(error); }

DGRAPH_DECL StreamLink::StreamLink(std::shared_ptr<HostCore> core, std::shared_ptr<StreamScratch> scratch,
                                   int descriptor, std::string peer)
    : core_(std::move(core)), scratch_(std::move(scratch)), descriptor_(descriptor), peer_(std::move(peer)) {
  set_limits(FrameLimits());
}

DGRAPH_DECL StreamLink::~StreamLink() {
  if (!watch_ && !abandoned_) ::close(descriptor_);
}

DGRAPH_DECL void StreamLink::start(Reactor& reactor, std::shared_ptr<LinkHandler> handler) {
  if (!handler) {
    close(errors::Cancelled("refused"));
    return;
  }
  handler_ = std::move(handler);
  std::shared_ptr<Watch> watch = reactor.watch(descriptor_, true, shared_from_this());
  const std::lock_guard lock(mutex_);
  watch_ = std::move(watch);
  if (waiting_) watch_->want_write();
}

DGRAPH_DECL void StreamLink::set_limits(const FrameLimits& limits) {
  most_head_ = limits.head;
  most_bodies_ = limits.bodies;
  most_body_ = limits.body;
}

DGRAPH_DECL FrameLimits StreamLink::limits() const {
  FrameLimits limits;
  limits.head = most_head_;
  limits.bodies = most_bodies_;
  limits.body = most_body_;
  return limits;
}

DGRAPH_DECL void StreamLink::send(Frame frame) {
  OutgoingFrame out(std::move(frame), next_number_++);
  Lock lock(mutex_);
  if (closed_ || broken_) return;
  queued_ += out.left();
  if (writing_ || waiting_) {
    (out.whole() ? whole_frames_ : large_frames_).push_back(std::move(out));
    return;
  }
  writing_ = true;
  write(lock, &out, kSenderBudget);
}

DGRAPH_DECL StreamLink::Written StreamLink::write_pieces(std::span<const OutgoingFrame::Piece> pieces,
                                                         std::uint64_t& bytes) {
  iovec parts[kPieces];
  std::size_t total = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    parts[i].iov_base = const_cast<std::byte*>(pieces[i].data());
    parts[i].iov_len = pieces[i].size();
    total += pieces[i].size();
  }
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = pieces.size();
  ssize_t sent;
  do {
    sent = ::sendmsg(descriptor_, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? Written::WouldBlock : Written::Failed;
  bytes = static_cast<std::uint64_t>(sent);
  return bytes == total ? Written::All : Written::Part;
}

DGRAPH_DECL void StreamLink::write(Lock& lock, OutgoingFrame* first, std::uint64_t budget) {
  if (first != nullptr) {
    lock.unlock();
    OutgoingFrame::Piece pieces[kPieces];
    std::uint64_t sent = 0;
    const Written written = write_pieces({pieces, first->pieces(pieces)}, sent);
    const int error = errno;
    const std::uint64_t left = first->left();
    first->advance(sent);
    lock.lock();
    queued_ -= left - first->left();
    if (!first->finished()) (first->whole() ? whole_frames_ : large_frames_).push_front(std::move(*first));
    if (written == Written::WouldBlock || written == Written::Part) leave_to_driver();
    if (written == Written::Failed) write_failed(error);
    budget -= std::min(budget, sent);
  }
  if (!waiting_ && !broken_) write_queued(lock, budget);
  writing_ = false;
  if (closed_) end_output(lock);
}

DGRAPH_DECL void StreamLink::write_queued(Lock& lock, std::uint64_t budget) {
  std::vector<OutgoingFrame> finished;
  Written written = Written::All;
  int error = 0;
  while (written == Written::All && budget > 0 && !(whole_frames_.empty() && large_frames_.empty())) {
    OutgoingFrame::Piece pieces[kPieces];
    std::size_t count = 0;
    // A record that has begun must end first; between records the small frames go before the large ones.
    const bool large = whole_frames_.empty() || (!large_frames_.empty() && !large_frames_.front().between_records());
    std::deque<OutgoingFrame>& frames = large ? large_frames_ : whole_frames_;
    if (large) {
      count = frames.front().pieces(pieces);
    } else {
      for (auto frame = frames.begin(); frame != frames.end() && count < kPieces; ++frame) {
        count += frame->pieces(std::span(pieces).subspan(count));
      }
    }
    lock.unlock();
    std::uint64_t sent = 0;
    written = write_pieces({pieces, count}, sent);
    error = errno;
    lock.lock();
    budget -= std::min(budget, sent);
    while (sent > 0) {
      OutgoingFrame& frame = frames.front();
      const std::uint64_t left = frame.left();
      sent -= frame.advance(sent);
      queued_ -= left - frame.left();
      if (!frame.finished()) continue;
      finished.push_back(std::move(frame));
      frames.pop_front();
    }
    if (finished.empty()) continue;
    // What the frames own may do anything when it dies, so not under the lock.
    lock.unlock();
    finished.clear();
    lock.lock();
  }
  if (written == Written::Failed) {
    write_failed(error);
  } else if (!whole_frames_.empty() || !large_frames_.empty()) {
    leave_to_driver();
  }
}

DGRAPH_DECL void StreamLink::leave_to_driver() {
  waiting_ = true;
  if (watch_) watch_->want_write();
}

DGRAPH_DECL void StreamLink::write_failed(int error) {
  broken_ = true;
  // The other side may have said why before it went: what has arrived is read before the link is given up.
  core_->post([self = shared_from_this(), error] {
    while (!self->closed_ && self->on_readable()) {
    }
    self->lost(errors::Unavailable("lost the connection to ", self->peer_, ": ", system_message(error)));
  });
}

DGRAPH_DECL void StreamLink::on_writable() {
  Lock lock(mutex_);
  waiting_ = false;
  if (writing_ || closed_ || broken_) return;
  writing_ = true;
  write(lock, nullptr, kDriverBudget);
}

DGRAPH_DECL void StreamLink::close(Status why) {
  Lock lock(mutex_);
  if (closed_) return;
  why_ = std::move(why);
  closed_ = true;
  if (writing_) return;
  if (waiting_ && !broken_ && !abandoned_) {
    writing_ = true;
    waiting_ = false;
    write(lock, nullptr, kSenderBudget);
  } else {
    end_output(lock);
  }
}

DGRAPH_DECL void StreamLink::end_output(Lock& lock) {
  std::deque<OutgoingFrame> whole, large;
  whole.swap(whole_frames_);
  large.swap(large_frames_);
  queued_ = 0;
  if (!abandoned_) ::shutdown(descriptor_, SHUT_WR);
  lock.unlock();
  core_->post([self = shared_from_this()] { self->finish(); });
}

DGRAPH_DECL bool StreamLink::on_readable() {
  bool any = false;
  for (std::size_t left = kReadBudget; left > 0 && !closed_;) {
    const FrameDecoder::Space space = decoder_.space(scratch_->get());
    iovec parts[2] = {{space.first.data(), space.first.size()}, {space.second.data(), space.second.size()}};
    ssize_t got;
    do {
      got = ::readv(descriptor_, parts, space.second.empty() ? 1 : 2);
    } while (got < 0 && errno == EINTR);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return any;
    any = true;
    if (got < 0) {
      lost(errors::Unavailable("lost the connection to ", peer_, ": ", system_message(errno)));
      return true;
    }
    if (got == 0) {
      lost(errors::Unavailable(peer_, " closed the connection", decoder_.between_frames() ? "" : " within a frame"));
      return true;
    }
    const auto bytes = static_cast<std::size_t>(got);
    Status status;
    try {
      handler_->on_bytes();
      status = decoder_.commit(bytes, *this);
    } catch (...) {
      status = current_exception_status();
    }
    if (!status.ok()) {
      close(Status(status.code(), errors::text("from ", peer_, ": ", status.message())));
      return true;
    }
    if (bytes < space.first.size() + space.second.size()) return true;
    left -= std::min(left, bytes);
  }
  return any;
}

DGRAPH_DECL Body StreamLink::body_buffer(std::span<const std::byte> head, std::size_t index, std::uint64_t bytes) {
  return handler_->body_buffer(head, index, bytes);
}

DGRAPH_DECL bool StreamLink::on_frame(Frame frame) {
  if (closed_) return false;
  handler_->on_frame(std::move(frame));
  return !closed_;
}

DGRAPH_DECL void StreamLink::lost(Status why) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    closed_ = true;
    why_ = std::move(why);
    // Its writer ends it.
    if (writing_) return;
  }
  finish();
}

DGRAPH_DECL void StreamLink::finish() {
  if (std::exchange(finished_, true)) return;
  std::deque<OutgoingFrame> whole, large;
  std::shared_ptr<Watch> watch;
  {
    const std::lock_guard lock(mutex_);
    whole.swap(whole_frames_);
    large.swap(large_frames_);
    queued_ = 0;
    abandoned_ = true;
    watch = watch_;
  }
  // Bytes left unread would make the system reset the connection, and the other side might lose what was sent last.
  const std::span<std::byte> scratch = scratch_->get();
  for (std::size_t left = kReadBudget; left >= scratch.size(); left -= scratch.size()) {
    if (::recv(descriptor_, scratch.data(), scratch.size(), MSG_DONTWAIT) <= 0) break;
  }
  if (watch) {
    watch->close();
  } else {
    ::close(descriptor_);
  }
  if (const auto handler = std::move(handler_)) handler->on_closed(why_);
}

DGRAPH_DECL void StreamLink::on_abandoned() {
  std::shared_ptr<LinkHandler> handler;
  Lock lock(mutex_);
  closed_ = true;
  abandoned_ = true;
  handler = std::move(handler_);
  while (writing_) {
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
  }
  lock.unlock();
}

}  // namespace dgraph::detail

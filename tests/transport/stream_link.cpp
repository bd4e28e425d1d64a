#include <dgraph/transport/stream_link.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include <dgraph/transport/asio_reactor.hpp>

#include "link_suite.hpp"

using namespace dgraph;
using namespace dgraph::test;
using detail::HostCore;
using detail::StreamLink;
using detail::StreamScratch;

namespace {

/// A link on one end of a socket pair; the test holds the other end.
struct OneEnd {
  explicit OneEnd(FrameLimits limits = wide_limits()) {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    far = ends[1];
    link = std::make_shared<StreamLink>(core, std::make_shared<StreamScratch>(), ends[0], "unix://peer");
    link->set_limits(limits);
    recorder->set_link(link);
    core->post([this] { link->start(core->reactor(&detail::make_asio_reactor), recorder); });
  }
  ~OneEnd() {
    recorder->set_link(nullptr);
    core->shutdown();
    if (far >= 0) ::close(far);
  }

  template <class Until>
  bool wait(Until until) {
    return core->drive(until, core->now() + 20s);
  }
  void write(const std::vector<std::byte>& bytes) const {
    REQUIRE(::send(far, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
  }
  std::size_t read_all(std::vector<std::byte>& to) const {
    std::byte part[65536];
    ssize_t got;
    while ((got = ::recv(far, part, sizeof part, MSG_DONTWAIT)) > 0) to.insert(to.end(), part, part + got);
    return to.size();
  }
  void hang_up() { ::close(std::exchange(far, -1)); }

  std::shared_ptr<HostCore> core = std::make_shared<HostCore>(transport::HostOptions());
  std::shared_ptr<Recorder> recorder = std::make_shared<Recorder>();
  std::shared_ptr<StreamLink> link;
  int far = -1;
};

std::vector<std::byte> record_of(Frame frame) {
  detail::OutgoingFrame out(std::move(frame), 1);
  detail::OutgoingFrame::Piece pieces[8];
  std::vector<std::byte> bytes;
  for (std::size_t i = 0, count = out.pieces(pieces); i < count; ++i) {
    bytes.insert(bytes.end(), pieces[i].begin(), pieces[i].end());
  }
  return bytes;
}

}  // namespace

TEST_CASE("stream link: the sender's thread has written when send returns") {
  OneEnd end;
  const Frame frame{head_of(7), {body_of(1000, 1)}};
  end.link->send(frame);
  std::vector<std::byte> bytes;
  end.read_all(bytes);
  CHECK(bytes == record_of(frame));
  CHECK(end.link->queued_bytes() == 0);
}

TEST_CASE("stream link: what does not fit waits for the driver, with small frames first") {
  OneEnd end;
  REQUIRE(end.wait([&] { return end.recorder.use_count() > 1; }));
  const std::size_t size = 20 * Link::kChunk;
  end.link->send({head_of(1), {body_of(size, 1)}});
  end.link->send(frame_of(2));
  CHECK(end.link->queued_bytes() > 10 * Link::kChunk);
  std::vector<std::byte> bytes;
  REQUIRE(end.wait([&] {
    end.read_all(bytes);
    return end.link->queued_bytes() == 0;
  }));
  end.read_all(bytes);
  // The small frame's record lies behind the first chunk of the large one.
  const std::vector<std::byte> small = record_of(frame_of(2));
  const auto at = std::search(bytes.begin(), bytes.end(), small.begin(), small.end());
  REQUIRE(at != bytes.end());
  CHECK(at - bytes.begin() < static_cast<std::ptrdiff_t>(2 * Link::kChunk));
}

TEST_CASE("stream link: frames come from bytes in any pieces") {
  OneEnd end;
  const std::vector<std::byte> bytes = record_of({head_of(9), {body_of(300, 4)}});
  for (const std::byte byte : bytes) {
    end.write({byte});
    end.core->drive([] { return false; }, end.core->now() + 100us);
  }
  REQUIRE(end.wait([&] { return end.recorder->count == 1; }));
  CHECK(is_body_of(end.recorder->frames()[0].bodies.at(0), 300, 4));
  CHECK(end.recorder->signs >= 2);
}

TEST_CASE("stream link: the last words of the other side are heard, though it is gone") {
  OneEnd end;
  end.write(record_of(frame_of(1)));
  end.write(record_of(frame_of(2)));
  end.hang_up();
  // Writing fails; what came before is read all the same.
  end.link->send(frame_of(3));
  REQUIRE(end.wait([&] { return end.recorder->closed == 1; }));
  CHECK(end.recorder->count == 2);
  CHECK(end.recorder->why().code() == Code::Unavailable);
  CHECK_THAT(end.recorder->why().message(), contains("unix://peer"));
}

TEST_CASE("stream link: an end within a frame is said to be one") {
  OneEnd end;
  std::vector<std::byte> bytes = record_of(frame_of(1));
  bytes.resize(20);
  end.write(bytes);
  REQUIRE(end.wait([&] { return end.recorder->signs > 0; }));
  end.hang_up();
  REQUIRE(end.wait([&] { return end.recorder->closed == 1; }));
  CHECK_THAT(end.recorder->why().message(), contains("within a frame"));
}

TEST_CASE("stream link: a refused one is closed without a word") {
  OneEnd end;
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
  std::atomic<bool> started{false};
  end.core->post([&] {
    const auto link = std::make_shared<StreamLink>(end.core, std::make_shared<StreamScratch>(), ends[0], "unix://other");
    link->start(end.core->reactor(&detail::make_asio_reactor), nullptr);
    started = true;
  });
  REQUIRE(end.wait([&] {
    char byte;
    return started && ::recv(ends[1], &byte, 1, MSG_DONTWAIT) == 0;
  }));
  ::close(ends[1]);
}

TEST_CASE("stream link: after its host has ended it does nothing, and harms no other descriptor") {
  OneEnd end;
  REQUIRE(end.wait([&] { return end.recorder.use_count() > 1; }));
  end.core->shutdown();
  CHECK(end.recorder.use_count() == 1);
  CHECK(end.recorder->closed == 0);
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
  end.link->send(frame_of(1));
  end.link->close(errors::Cancelled("late"));
  char byte;
  for (const int descriptor : ends) {
    CHECK(::recv(descriptor, &byte, 1, MSG_DONTWAIT) < 0);
    CHECK(errno == EAGAIN);
  }
  for (const int descriptor : ends) ::close(descriptor);
}

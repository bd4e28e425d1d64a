// The floor of a transfer: one process asks, another sends that many bytes over a bare loopback socket.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.hpp"

namespace bench {

namespace {

void check(bool fine, const char* what) {
  if (fine) return;
  std::perror(what);
  std::exit(1);
}

void move_all(int socket, std::vector<std::byte>& data, bool in) {
  for (std::size_t at = 0; at < data.size();) {
    const ssize_t n = in ? ::read(socket, data.data() + at, data.size() - at)
                         : ::write(socket, data.data() + at, data.size() - at);
    check(n > 0, "bare socket");
    at += static_cast<std::size_t>(n);
  }
}

int no_delay(int socket) {
  const int on = 1;
  check(socket >= 0 && ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0, "socket");
  return socket;
}

// Sends the bytes each time one byte comes.
[[noreturn]] void serve(const sockaddr_in& address, std::size_t bytes) {
  const int socket = no_delay(::socket(AF_INET, SOCK_STREAM, 0));
  check(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, "connect");
  std::vector<std::byte> data(bytes, std::byte{1});
  for (char one; ::read(socket, &one, 1) == 1;) move_all(socket, data, false);
  ::_exit(0);
}

}  // namespace

Timing bare_transfer(std::size_t bytes) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  socklen_t length = sizeof address;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  check(::bind(listener, reinterpret_cast<sockaddr*>(&address), length) == 0 && ::listen(listener, 1) == 0 &&
            ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) == 0,
        "listen");
  const pid_t child = ::fork();
  if (child == 0) serve(address, bytes);
  const int socket = no_delay(::accept(listener, nullptr, nullptr));
  std::vector<std::byte> data(bytes);
  const Timing timing = timed(
      [&] {
        check(::write(socket, "x", 1) == 1, "ask");
        move_all(socket, data, true);
      },
      2.0, 3);
  ::close(socket);
  ::close(listener);
  ::waitpid(child, nullptr, 0);
  return timing;
}

}  // namespace bench

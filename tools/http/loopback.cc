#include "loopback.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace evt::tools::http {
namespace {

constexpr int kTries = 16;  // at a port that is free on both addresses
constexpr int kBacklog = 64;

Descriptor listening(const void* address, socklen_t size, sa_family_t family) {
  Descriptor made(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made.is_open()) return {};
  const int on = 1;
  // So that a port that was just left can be asked for again; and so that ::1 is not every address.
  setsockopt(made.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (family == AF_INET6) setsockopt(made.number(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (bind(made.number(), static_cast<const sockaddr*>(address), size) != 0) return {};
  if (listen(made.number(), kBacklog) != 0) return {};
  return made;
}

Descriptor listening_4(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return listening(&address, sizeof address, AF_INET);
}

Descriptor listening_6(std::uint16_t port) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  address.sin6_port = htons(port);
  return listening(&address, sizeof address, AF_INET6);
}

std::uint16_t port_of(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

// A machine without IPv6.
bool has_no_such_address(int error) { return error == EADDRNOTAVAIL || error == EAFNOSUPPORT; }

Status no_port(std::uint16_t port, int error) {
  return Status(Code::kIo,
                "cannot listen on port " + std::to_string(port) + " of the loopback: " + std::strerror(error));
}

}  // namespace

Result<Loopback> Loopback::open(std::uint16_t port) {
  int error = 0;
  for (int tries = port == 0 ? kTries : 1; tries > 0; --tries) {
    Loopback loopback;
    Descriptor first = listening_4(port);
    if (!first.is_open()) return no_port(port, errno);
    loopback.port_ = port_of(first.number());
    loopback.sockets_.push_back(std::move(first));
    Descriptor second = listening_6(loopback.port_);
    error = errno;
    if (second.is_open()) loopback.sockets_.push_back(std::move(second));
    if (loopback.sockets_.size() == 2 || has_no_such_address(error)) return loopback;
    if (error != EADDRINUSE) break;
  }
  return no_port(port, error);
}

}  // namespace evt::tools::http

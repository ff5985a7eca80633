// Sockets that listen on this machine's loopback, and on no other address.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <vector>

#include "descriptor.h"

namespace evt::tools::http {

class Loopback {
 public:
  // 127.0.0.1 and, if this machine has it, ::1, with one port: this one, or with 0 one that is free on both. An error
  // if another program has it on either: requests for localhost could reach that one.
  static Result<Loopback> open(std::uint16_t port);

  std::uint16_t port() const { return port_; }
  const std::vector<Descriptor>& sockets() const { return sockets_; }

 private:
  std::uint16_t port_ = 0;
  std::vector<Descriptor> sockets_;
};

}  // namespace evt::tools::http

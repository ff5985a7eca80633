#include "open_sockets.h"

#include <sys/socket.h>

namespace evt::tools::http {
namespace {

void discard_input(int socket) {
  char bytes[4096];
  while (recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
  }
}

}  // namespace

void OpenSockets::begin(int socket) {
  const std::lock_guard lock(mutex_);
  sockets_.insert(socket);
  if (!is_ending_) return;
  shutdown(socket, SHUT_RDWR);
  discard_input(socket);
}

void OpenSockets::end(int socket) {
  const std::lock_guard lock(mutex_);
  sockets_.erase(socket);
  ended_.notify_all();
}

void OpenSockets::end_all() {
  std::unique_lock lock(mutex_);
  is_ending_ = true;
  for (const int socket : sockets_) shutdown(socket, SHUT_RDWR);
  ended_.wait(lock, [this] { return sockets_.empty(); });
}

}  // namespace evt::tools::http

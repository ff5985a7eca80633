// The sockets of connections that have a thread each, and their common end.
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>

namespace evt::tools::http {

// Thread-safe.
class OpenSockets {
 public:
  // Before the thread of the connection starts. From end_all() on it finds nothing to read.
  void begin(int socket);

  // Before the socket is closed.
  void end(int socket);

  // Shuts all down, so that their threads read no further request, and handlers that look at their connection end.
  // Waits until none is left.
  void end_all();

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::set<int> sockets_;
  bool is_ending_ = false;
};

}  // namespace evt::tools::http

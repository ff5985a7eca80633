// What a handler knows of the connection that it answers: whether its answer is still wanted. A copy may be used as
// long as the handler, or the Response::next that it returned, runs.
#pragma once

#include <atomic>

namespace evt::tools::http {

class Connection {
 public:
  // A connected socket, and whether the server is about to end.
  Connection(int socket, const std::atomic<bool>& is_ending) : socket_(socket), is_ending_(&is_ending) {}

  // False when the client has closed its side, as a browser does that no longer wants the answer, and when the server
  // ends. Costs a system call: a handler that computes for long asks every few milliseconds.
  bool is_open() const;

 private:
  int socket_;
  const std::atomic<bool>* is_ending_;
};

}  // namespace evt::tools::http

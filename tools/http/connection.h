// What a handler knows of the connection that it answers: whether its answer is still wanted. A copy may be used as
// long as the handler, or the Response::next that it returned, runs.
#pragma once

namespace evt::tools::http {

class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}

  // False when the client has closed its side, as a browser does that no longer wants the answer, and when the server
  // ends. Costs a system call: a handler that computes for long asks every few milliseconds.
  bool is_open() const;

 private:
  int socket_;
};

}  // namespace evt::tools::http

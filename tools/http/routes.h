// Which handler answers a request that has access.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "access.h"
#include "message.h"

namespace evt::tools::http {

// What a handler knows of the connection that it answers: whether its answer is still wanted. A copy may be used as
// long as the handler, or the Response::next that it returned, runs.
class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}

  // False when the client has closed its side, as a browser does that no longer wants the answer, and when the server
  // ends. Costs a system call: a handler that computes for long asks every few milliseconds.
  bool is_open() const;

 private:
  int socket_;
};

// Called from several threads at once.
using Handler = std::function<Response(const Request&, const Connection&)>;

class Routes {
 public:
  explicit Routes(Access access) : access_(std::move(access)) {}

  // For this path and those below it; "/" is the page alone. The longest prefix that fits answers.
  void add(const std::string& prefix, Handler handler) { handlers_[prefix] = std::move(handler); }

  Response answer(const Request& request, const Connection& connection) const;

 private:
  const Handler* handler_of(const std::string& path) const;

  Access access_;
  std::map<std::string, Handler> handlers_;
};

}  // namespace evt::tools::http

// Which handler answers a request that has access.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "access.h"
#include "connection.h"
#include "response.h"

namespace evt::tools::http {

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

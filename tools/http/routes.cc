#include "routes.h"

#include <poll.h>

namespace evt::tools::http {

// From the path itself upwards, name by name.
const Handler* Routes::handler_of(const std::string& path) const {
  std::string prefix = path;
  while (!prefix.empty()) {
    const auto found = handlers_.find(prefix);
    if (found != handlers_.end()) return &found->second;
    prefix.erase(prefix.rfind('/'));
  }
  return nullptr;
}

Response Routes::answer(const Request& request, const Connection& connection) const {
  if (const std::optional<Refusal> refusal = access_.refuse(request)) return refusal_response(*refusal);
  const Handler* const handler = handler_of(request.path);
  if (handler == nullptr) return refusal_response({404, "there is nothing at this path"});
  return (*handler)(request, connection);
}

bool Connection::is_open() const {
  pollfd waiting{socket_, POLLRDHUP, 0};
  return poll(&waiting, 1, 0) == 0;
}

}  // namespace evt::tools::http

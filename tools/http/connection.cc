#include "connection.h"

#include <poll.h>

namespace evt::tools::http {

bool Connection::is_open() const {
  pollfd waiting{socket_, POLLRDHUP, 0};
  return poll(&waiting, 1, 0) == 0;
}

}  // namespace evt::tools::http

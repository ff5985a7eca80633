// Serves pages to the user's browser until the user has seen enough.
#pragma once

#include <evt/status.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "routes.h"

namespace evt::tools::http {

struct ServeOptions {
  std::uint16_t port = 0;                    // 0: one that is free
  std::vector<std::string> allowed_hosts{};  // further values of Host, such as localhost:9000
  std::chrono::milliseconds idle = std::chrono::minutes(30);
  bool opens_browser = true;
};

// Opens the page "/" of these routes in the user's browser, with the token in the fragment #k= of its address. Where no
// browser is opened, standard output has one line, the address. Serves until SIGINT, SIGTERM, or the idle time without
// a request; standard error has the sentences. Errors: it cannot serve; kIo, of standard output.
Status serve(const ServeOptions& options, const std::function<void(Routes&)>& add_routes);

}  // namespace evt::tools::http

// Traces in the user's browser, until the user has seen enough.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>
#include <vector>

#include "viewed_traces.h"

namespace evt::tools {

struct BrowserOptions {
  std::uint16_t port = 0;                  // 0: one that is free
  std::vector<std::string> allowed_hosts;  // names and ports by which the browser asks for the page, too
  std::int64_t idle_ns = 0;                // how long the page may ask for nothing
  bool no_open = false;                    // the address is printed
};

Status view_in_browser(const BrowserOptions& wanted, ViewedTraces& traces);

}  // namespace evt::tools

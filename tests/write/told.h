// What a session reports to its `on_error`.
#pragma once

#include <evt/writer.h>

#include <atomic>
#include <string>

namespace evt::testing {

struct Told {
  std::atomic<int> times{0};
  std::string message;
  static void tell(void* self, const evt_error* error) {
    auto& told = *static_cast<Told*>(self);
    told.message = error->message;
    ++told.times;
  }
};

}  // namespace evt::testing

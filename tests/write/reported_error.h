// What a session reports to its `on_error`.
#pragma once

#include <evt/writer.h>

#include <atomic>
#include <string>

namespace evt::testing {

// What it reports of a Sink that fails.
inline constexpr const char* kNoSpace = "cannot write the sink: No space left on device";

struct ReportedError {
  std::atomic<int> times{0};
  std::string message;
  static void tell(void* self, const evt_error* error) {
    auto& reported = *static_cast<ReportedError*>(self);
    reported.message = error->message;
    ++reported.times;
  }
};

}  // namespace evt::testing

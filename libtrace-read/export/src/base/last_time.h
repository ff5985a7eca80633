// How long after the event before an event was, in lines that follow one another.
#pragma once

#include <evt/trace.h>

#include <cstdint>

namespace evt {

class LastTime {
 public:
  // Events of this session follow. The first one counts from the session's start, unless events of the same session
  // were in front, of another opening of its trace.
  void begin(const Session& session) {
    if (session.uuid != session_) ns_ = 0;
    session_ = session.uuid;
  }
  std::int64_t step_to(std::int64_t ns) {
    const auto step = static_cast<std::uint64_t>(ns) - static_cast<std::uint64_t>(ns_);
    ns_ = ns;
    return static_cast<std::int64_t>(step);
  }

 private:
  Session::Uuid session_{};
  std::int64_t ns_ = 0;
};

}  // namespace evt

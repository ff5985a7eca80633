// Time since the previous event, for consecutive lines.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <utility>

namespace evt {

class LastTime {
 public:
  // Events of this trace follow; if it is the only file, later calls open the same trace again.
  void open(bool is_only_file) { is_opened_again_ = std::exchange(is_open_, true) && is_only_file; }
  // Events of this session follow: the first one counts from its start. Returns false if it continues from before its
  // trace was opened again.
  bool begin(const Session& session) {
    if (std::exchange(is_opened_again_, false) && session.uuid == session_) return false;
    session_ = session.uuid;
    ns_ = 0;
    return true;
  }
  std::int64_t step_to(std::int64_t ns) {
    const auto step = static_cast<std::uint64_t>(ns) - static_cast<std::uint64_t>(ns_);
    ns_ = ns;
    return static_cast<std::int64_t>(step);
  }

 private:
  bool is_open_ = false;
  bool is_opened_again_ = false;
  Session::Uuid session_{};
  std::int64_t ns_ = 0;
};

}  // namespace evt

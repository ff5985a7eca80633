// The flusher's own stream, in which it records its work, and when the process was stopped.
#pragma once

#include "format-spec/src/ring/control_page.h"
#include "recording.h"
#include "stop_clock.h"

namespace evt {

// Used by the flusher's thread.
class FlusherStream {
 public:
  explicit FlusherStream(Recording& recording) : recording_(recording) {}

  // Called around each sleep, in ns of CLOCK_MONOTONIC.
  void sleep(std::uint64_t now_ns, std::uint64_t until_ns);
  void wake(std::uint64_t now_ns);
  // Records what is due and can be recorded now. `worked`: blocks were written since the last call.
  void record(bool worked);

  // That another process switched types; `type` is null if that is not recorded. Returns false if it is off.
  bool record_switch(const evt_type* type, const ring::Switch& asked);

 private:
  bool open();
  void record_work(std::uint64_t ns);
  void record_stop();

  Recording& recording_;
  StreamState* stream_ = nullptr;
  bool has_failed_ = false;
  std::uint64_t recorded_ns_ = 0;  // part of the thread's processor time
  StopClock stops_;
  StopClock::Stop stop_;  // not recorded yet; ns 0: none
};

}  // namespace evt

// Types that other processes switch, through the control page of the ring.
#pragma once

#include "flusher_stream.h"
#include "format-spec/src/ring/control_page.h"
#include "ring.h"

namespace evt {

// Used by the flusher's thread. Believes nothing of the page but the switches in it, which are copied first.
class TypeSwitches {
 public:
  TypeSwitches(Recording& recording, Ring& ring) : recording_(recording), ring_(ring) {}

  // Applies what was asked for since the last call, and records it; what cannot be done now is done the next time.
  void apply(FlusherStream& stream);

 private:
  // Who asks without end is not heard: each pattern that was ever given is kept.
  static constexpr std::uint32_t kMost = 4096;

  bool apply(const ring::Switch& asked, FlusherStream& stream);
  bool declare_event();

  Recording& recording_;
  Ring& ring_;
  const evt_type* event_ = nullptr;  // null: not declared yet, or off
  std::uint64_t done_ = 0;           // the latest that was looked at
  std::uint32_t applied_ = 0;
};

}  // namespace evt

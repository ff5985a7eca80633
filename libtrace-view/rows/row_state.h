// What a row of a cpu or of a thread can show at a moment.
#pragma once

#include "shares.h"

namespace evt::view {

// From the base of a row to its top, as they are drawn: at most one of them at a time.
enum class RowState : Key {
  kRunning,
  kCollecting,     // the collector works
  kCollectorSync,  // it has done its part and waits for the others
  kCollectorIdle,  // it has nothing to do
  kRunnable,
  kOutside,
  kWaiting,
  kUnknown,
};
inline constexpr std::size_t kRowStates = 8;

constexpr Key key_of(RowState state) { return static_cast<Key>(state); }

}  // namespace evt::view

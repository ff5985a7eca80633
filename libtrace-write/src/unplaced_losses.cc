#include "unplaced_losses.h"

namespace evt {

void UnplacedLosses::add(std::uint64_t count, std::uint64_t ticks) {
  std::uint64_t none = 0;
  __atomic_compare_exchange_n(&first_ticks_, &none, ticks, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  __atomic_store_n(&last_ticks_, ticks, __ATOMIC_RELAXED);
  __atomic_fetch_add(&count_, count, __ATOMIC_RELEASE);
}

void UnplacedLosses::record(evt_writer* writer) {
  const std::uint64_t count = __atomic_exchange_n(&count_, 0, __ATOMIC_ACQUIRE);
  if (count == 0) return;
  evt_stream* const stream = evt_stream_open(writer, "signal handlers");
  const std::uint64_t first = __atomic_load_n(&first_ticks_, __ATOMIC_RELAXED);
  const std::uint64_t last = __atomic_load_n(&last_ticks_, __ATOMIC_RELAXED);
  evt_stream_lost(stream, EVT_LOST_REENTERED, count, first, last > first ? last : first);
  evt_stream_seal(stream);
}

}  // namespace evt

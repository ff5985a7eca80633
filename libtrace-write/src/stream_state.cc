#include "stream_state.h"

#include <algorithm>

namespace evt {
namespace {

// What the cursor of a stream without a slot points to: the next event finds no room and asks for a slot.
std::uint8_t no_room[1];

}  // namespace

void begin_slot(StreamState& stream, SlotState* slot) {
  stream.slot = slot;
  stream.has_waited = false;
  slot->stream = &stream;
  empty_slot(stream, *slot);
  stream.hot.commit = &slot->memory->commit;
  __atomic_store_n(&stream.hot.cursor, slot->rows, __ATOMIC_RELAXED);
  // Close fills the last slots itself: not for a moment may their producers see room in them.
  const bool off = __atomic_load_n(stream.all_off, __ATOMIC_ACQUIRE);
  std::uint8_t* const limit = off ? nullptr : slot->rows + slot->capacity - kLostRoom;
  __atomic_store_n(&stream.hot.limit, limit, __ATOMIC_RELAXED);
  // Streams are switched off after `all_off` is set: a producer that does not see it here is seen there.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (__atomic_load_n(stream.all_off, __ATOMIC_ACQUIRE)) switch_off(stream);
}

void empty_slot(StreamState& stream, SlotState& slot) {
  prepare_slot(slot, stream.id, clock_of(stream), stream.next_ordinal, stream.hot.base, stream.losses->recorded);
}

std::uint8_t* no_slot() { return no_room; }

void want_slow_path(StreamState& stream) {
  if (!is_off(stream)) __atomic_store_n(&stream.hot.limit, stream.hot.cursor, __ATOMIC_RELAXED);
}

void commit_row(StreamState& stream, std::size_t size) {
  evt_stream& hot = stream.hot;
  __atomic_store_n(hot.commit, *hot.commit + ((std::uint64_t{1} << 32) + size), __ATOMIC_RELEASE);
  __atomic_store_n(&hot.cursor, hot.cursor + size, __ATOMIC_RELAXED);
}

void set_base(StreamState& stream, std::uint64_t ticks) {
  evt_stream& hot = stream.hot;
  const bool empty = *hot.commit == 0;
  if (empty) {
    stream.slot->memory->base_ticks = ticks;
  } else if ((ticks - hot.base) >> 32 != 0) {
    RowWriter(hot.cursor).time_base(ticks, 0);
    commit_row(stream, RowWriter::kTimeBaseSize);
  } else {
    return;
  }
  hot.base = ticks;
  if (!empty || !stream.jump_pending) return;
  // A jump is the first row of its block, so that readers find it without walking rows.
  stream.jump_pending = false;
  RowWriter(hot.cursor).time_base(ticks, EVT_TIME_BASE_JUMP);
  commit_row(stream, RowWriter::kTimeBaseSize);
}

void append_lost_row(StreamState& stream, std::uint16_t cause, std::uint64_t count, std::uint64_t first_ticks,
                     std::uint64_t last_ticks) {
  set_base(stream, last_ticks);
  const auto delta = static_cast<std::uint32_t>(last_ticks - stream.hot.base);
  RowWriter(stream.hot.cursor).lost(delta, cause, count, first_ticks < last_ticks ? last_ticks - first_ticks : 0);
  commit_row(stream, RowWriter::kLostSize);
  stream.lost_total += count;
  __atomic_fetch_add(&stream.losses->recorded[known_cause(cause)], count, __ATOMIC_RELAXED);
}

void append_end_row(StreamState& stream, std::uint64_t ticks) {
  set_base(stream, ticks);
  RowWriter(stream.hot.cursor).end(static_cast<std::uint32_t>(ticks - stream.hot.base));
  commit_row(stream, RowWriter::kEndSize);
}

void record_losses(StreamState& stream) {
  ring::StreamRecord& losses = *stream.losses;
  for (std::uint16_t cause = 1; cause < EVT_LOST_CAUSES; ++cause) {
    const std::uint64_t count = __atomic_load_n(&losses.lost[cause], __ATOMIC_RELAXED) - losses.recorded[cause];
    if (count == 0) continue;
    std::uint64_t first = __atomic_load_n(&losses.first_lost_ticks, __ATOMIC_RELAXED);
    std::uint64_t last = __atomic_load_n(&losses.lost_ticks, __ATOMIC_RELAXED);
    if (losses.lost_clock_id != stream.slot->clock_id()) first = last = evt_now(&stream.hot);  // the clock has stepped
    append_lost_row(stream, cause, count, first, last);
  }
}

bool has_unrecorded_losses(const StreamState& stream) {
  bool unrecorded = false;
  for (int cause = 1; cause < EVT_LOST_CAUSES; ++cause) {
    unrecorded |= __atomic_load_n(&stream.losses->lost[cause], __ATOMIC_RELAXED) !=
                  __atomic_load_n(&stream.losses->recorded[cause], __ATOMIC_RELAXED);
  }
  return unrecorded;
}

void count_lost(StreamState& stream, evt_lost_cause cause, std::uint64_t ticks) {
  if (ticks == kNow) ticks = evt_now(&stream.hot);
  count_lost(stream, static_cast<std::uint16_t>(cause), 1, ticks, ticks);
}

void count_lost(StreamState& stream, std::uint16_t cause, std::uint64_t count, std::uint64_t first_ticks,
                std::uint64_t last_ticks) {
  ring::StreamRecord& losses = *stream.losses;
  if (has_unrecorded_losses(stream)) {
    first_ticks = std::min(first_ticks, __atomic_load_n(&losses.first_lost_ticks, __ATOMIC_RELAXED));
    last_ticks = std::max(last_ticks, __atomic_load_n(&losses.lost_ticks, __ATOMIC_RELAXED));
  }
  __atomic_store_n(&losses.lost_clock_id, clock_of(stream), __ATOMIC_RELAXED);
  __atomic_store_n(&losses.first_lost_ticks, first_ticks, __ATOMIC_RELAXED);
  __atomic_store_n(&losses.lost_ticks, last_ticks, __ATOMIC_RELAXED);
  __atomic_fetch_add(&losses.lost[cause], count, __ATOMIC_RELAXED);
}

}  // namespace evt

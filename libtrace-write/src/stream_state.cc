#include "stream_state.h"

#include <time.h>

#include <algorithm>

namespace evt {
namespace {

// The cursor of a stream without a slot points here: the next event finds no room and asks for a slot.
std::uint8_t no_room[1];

// The ordinal of the stream's next row. Its producer may be at work.
std::uint64_t end_of_rows(const StreamState& stream) {
  const SlotState* const slot = __atomic_load_n(&stream.slot, __ATOMIC_RELAXED);
  if (slot == nullptr) return __atomic_load_n(&stream.next_ordinal, __ATOMIC_RELAXED);
  return __atomic_load_n(&slot->memory->first_ordinal, __ATOMIC_RELAXED) + ring::rows_of(slot->committed());
}

}  // namespace

void begin_slot(StreamState& stream, SlotState* slot) {
  __atomic_store_n(&stream.slot, slot, __ATOMIC_RELAXED);
  stream.has_waited = false;
  __atomic_store_n(&slot->stream, &stream, __ATOMIC_RELAXED);
  empty_slot(stream, *slot);
  stream.hot.commit = &slot->memory->commit;
  __atomic_store_n(&stream.hot.cursor, slot->rows, __ATOMIC_RELAXED);
  open_room(stream, slot->rows + slot->capacity - kLostRoom);
}

void open_room(StreamState& stream, std::uint8_t* limit) {
  // Close fills the last slots itself: their producers must never see room in them.
  const bool off = __atomic_load_n(stream.all_off, __ATOMIC_ACQUIRE);
  __atomic_store_n(&stream.hot.limit, off ? nullptr : limit, __ATOMIC_RELAXED);
  // Streams are switched off after `all_off` is set: a producer that does not see it here is seen there.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (__atomic_load_n(stream.all_off, __ATOMIC_ACQUIRE)) switch_off(stream);
}

SlotState* detach_slot(StreamState& stream) {
  SlotState* const slot = stream.slot;
  if (slot == nullptr) return nullptr;
  __atomic_store_n(&stream.slot, nullptr, __ATOMIC_RELAXED);
  __atomic_store_n(&stream.hot.cursor, no_slot(), __ATOMIC_RELAXED);
  return slot;
}

void await_claim(const StreamState& stream) {
  for (int i = 0; __atomic_load_n(&stream.hot.claimed, __ATOMIC_ACQUIRE) != 0; ++i) {
    const timespec pause = {0, i < 10 ? 1'000 : 100'000};
    nanosleep(&pause, nullptr);
  }
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
    const std::uint32_t clock_id = __atomic_load_n(&losses.lost_clock_id, __ATOMIC_RELAXED);
    if (clock_id != stream.slot->clock_id()) first = last = evt_now(&stream.hot);  // the clock has stepped
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

void count_turned_away(StreamState& stream) {
  ring::StreamRecord& losses = *stream.losses;
  const std::uint64_t at = end_of_rows(stream);
  if (__atomic_load_n(&losses.turned_away_at, __ATOMIC_RELAXED) != at) {
    __atomic_store_n(&losses.turned_away, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&losses.turned_away_at, at, __ATOMIC_RELAXED);
  }
  count_lost(stream, EVT_LOST_REENTERED, kNow);
  __atomic_fetch_add(&losses.turned_away, 1, __ATOMIC_RELAXED);
}

std::uint64_t blame_unfinished_event(StreamState& stream) {
  ring::StreamRecord& losses = *stream.losses;
  if (__atomic_load_n(&losses.turned_away_at, __ATOMIC_RELAXED) != end_of_rows(stream)) return 0;
  const std::uint64_t turned_away = __atomic_exchange_n(&losses.turned_away, 0, __ATOMIC_RELAXED);
  const std::uint64_t unrecorded = __atomic_load_n(&losses.lost[EVT_LOST_REENTERED], __ATOMIC_RELAXED) -
                                   __atomic_load_n(&losses.recorded[EVT_LOST_REENTERED], __ATOMIC_RELAXED);
  const std::uint64_t count = std::min(turned_away, unrecorded);
  __atomic_fetch_add(&losses.lost[EVT_LOST_UNFINISHED], count, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&losses.lost[EVT_LOST_REENTERED], count, __ATOMIC_RELAXED);
  return count;
}

void record_losses_beside(StreamState& stream, SlotState& slot) {
  StreamState beside = {};
  beside.hot.clock = stream.hot.clock;
  beside.recording = stream.recording;
  beside.all_off = stream.all_off;
  beside.clock_id = stream.clock_id;
  beside.id = stream.id;
  beside.losses = stream.losses;
  beside.next_ordinal = stream.rows_written;
  begin_slot(beside, &slot);
  record_losses(beside);
  slot.stream = &stream;
}

}  // namespace evt

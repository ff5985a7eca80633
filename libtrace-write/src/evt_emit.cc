// Part of <evt/emit.h>, the slow half of emitting: full slots, far time stamps, wide type numbers, large events.
#include <evt/emit.h>

#include "backend.h"
#include "format-spec/src/base/shorten_text.h"
#include "format-spec/src/row/row_writer.h"
#include "recording.h"
#include "row_in_progress.h"

namespace evt {
namespace {

evt_begun_ no_row(StreamState& stream) {
  EVT_SIGNAL_FENCE_();
  __atomic_store_n(&stream.hot.busy, 0, __ATOMIC_RELEASE);
  return {nullptr, 0};
}

// By more than cores differ. Stamps of the caller may come in any order.
bool has_stepped_back(const StreamState& stream, std::uint64_t ticks) {
  const std::uint64_t millisecond = stream.recording->clock().hz() / 1000;
  return ticks < stream.hot.base && stream.hot.base - ticks > millisecond;
}

enum class Grown : std::uint8_t { kYes, kNo, kNoMemory };

// Room for a row in progress with `wanted` bytes of payload.
Grown grow(StreamState& stream, evt_row* row, std::size_t payload, std::size_t wanted, std::uint64_t ticks) {
  const std::size_t room = slot_room(wanted);
  if (stream.overflow == nullptr && room != 0) {
    const Moved moved = stream.recording->backend().move_row(stream, row, payload, room + kLostRoom, ticks);
    if (moved != Moved::kNoRoom) return moved == Moved::kYes ? Grown::kYes : Grown::kNo;
  }
  return move_to_overflow(stream, row, payload, wanted) ? Grown::kYes : Grown::kNoMemory;
}

// Ensures room for `size` more bytes in the row, in place or elsewhere. REQUIRES: its true start.
Grown make_room_for(StreamState& stream, evt_row* row, std::size_t size) {
  const std::size_t payload = payload_of(*row);
  const std::uint64_t ticks = ticks_of(stream, *row);
  if (size > EVT_MAX_EVENT_ROW || payload + size > kMaxPayload) {
    count_lost(stream, EVT_LOST_TOO_LARGE, ticks);
    return Grown::kNo;
  }
  if (stream.overflow != nullptr && static_cast<std::size_t>(row->end - row->p) >= size) return Grown::kYes;
  const Grown grown = grow(stream, row, payload, payload + size, ticks);
  if (grown == Grown::kNoMemory) count_lost(stream, EVT_LOST_TOO_LARGE, ticks);
  return grown;
}

}  // namespace
}  // namespace evt

using evt::state_of;
using evt::StreamState;

evt_begun_ evt_begin_slow_(evt_stream* s, const evt_type* type, enum evt_stamp_ stamp, uint64_t ticks) {
  StreamState& stream = *state_of(s);
  const std::uint32_t number = __atomic_load_n(&type->number, __ATOMIC_RELAXED);
  if (number == 0) return evt::no_row(stream);
  evt::await_claim(stream);
  if (evt::is_off(stream)) {
    evt::count_if_late(stream);
    return evt::no_row(stream);
  }
  constexpr std::size_t kNeeded = EVT_ROW_ROOM_ + evt::kWideNumber + evt::RowWriter::kTimeBaseSize * 2;
  if (evt::room_in(stream) < static_cast<std::ptrdiff_t>(kNeeded)) {
    const bool has_ticks = stamp == EVT_STAMP_GIVEN_ || stamp == EVT_STAMP_READ_;
    const std::uint64_t when = has_ticks ? ticks : evt::kNow;
    if (!stream.recording->backend().make_room(stream, kNeeded, when)) return evt::no_row(stream);
  }
  if (stamp == EVT_STAMP_NOW_) ticks = evt_now(s);
  if (stamp == EVT_STAMP_ORDERED_) ticks = evt_now_ordered(s);
  if (stamp != EVT_STAMP_GIVEN_ && evt::has_stepped_back(stream, ticks)) stream.recording->backend().look_at_clock();
  evt::set_base(stream, ticks);
  return evt::begin_row(stream, number, ticks);
}

void evt_room_slow_(evt_row* row, size_t size) {
  if (row->start == nullptr) return;
  StreamState& stream = *state_of(row->stream);
  bool has_room = false;
  if (stream.recording != nullptr) {  // else a fork child, made in the middle of the event
    evt::to_true_start(row);
    has_room = evt::make_room_for(stream, row, size) == evt::Grown::kYes;
  }
  if (has_room) {
    evt::to_inline_start(row);
  } else {
    row->p = row->end = row->start = nullptr;
  }
}

void evt_commit_slow_(const evt_row* of) {
  evt_row row = *of;
  if (row.stream == nullptr) return;
  StreamState& stream = *state_of(row.stream);
  if (stream.recording == nullptr) return;
  // It was committed before.
  if (__atomic_load_n(&row.stream->busy, __ATOMIC_RELAXED) == 0) return;
  evt::to_true_start(&row);
  if (row.start != nullptr && stream.overflow == nullptr) {  // a row of a wide type
    evt::finish_row(stream, row);
  } else if (row.start != nullptr && stream.recording->ours()) {
    stream.recording->backend().write_overflow(stream, row, evt::payload_of(row), evt::ticks_of(stream, row));
  }
  // Losses during the event, recorded where they happened.
  const bool has_room = stream.slot != nullptr && evt::room_in(stream) >= static_cast<std::ptrdiff_t>(evt::kLostRoom);
  if (has_room && !stream.jump_pending) evt::record_losses(stream);
  evt_cancel_slow_(row.stream);
}

void evt_cancel_slow_(evt_stream* s) {
  evt::drop_overflow(*state_of(s));
  EVT_SIGNAL_FENCE_();
  __atomic_store_n(&s->busy, 0, __ATOMIC_RELEASE);
}

void evt_row_abandon(evt_stream* s) {
  StreamState& stream = *state_of(s);
  if (stream.recording == nullptr || __atomic_load_n(&s->busy, __ATOMIC_RELAXED) == 0) return;
  evt::blame_unfinished_event(stream);
  evt_cancel_slow_(s);
}

void evt_reentered_(evt_stream* s) { evt::count_turned_away(*state_of(s)); }

uint64_t evt_clock_slow_(const evt_stream* s) {
  const evt::Recording* const recording = state_of(s)->recording;
  return recording == nullptr ? 0 : recording->clock().now();
}

size_t evt_cut_text_(evt_stream* s, const char* text, size_t size) {
  if (s != nullptr) __atomic_fetch_add(&state_of(s)->texts_cut, 1, __ATOMIC_RELAXED);
  return evt::shorten_at_character(text, size, 0xFFFF);
}

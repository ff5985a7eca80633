// The slow half of emitting: full buffers, far time stamps, wide type numbers, large events.
#include <evt/emit.h>
#include <sys/mman.h>

#include "format-spec/src/text_cut.h"
#include "writer.h"

namespace evt {
namespace {

// Makes room for a row; when the session ends over it, the row is what is lost.
bool make_room(StreamState& stream, Row row, std::uint64_t ticks) {
  if (flush(stream, row)) return true;
  if (stream.failed) count_lost(stream, EVT_LOST_SINK, ticks);
  return false;
}

// A short row's header, then 4 more for the one that a big row needs.
constexpr std::size_t kBigExtra = EVT_BIG_ROW_HEADER_SIZE - EVT_ROW_HEADER_SIZE;

evt_row no_row(StreamState& stream) {
  EVT_SIGNAL_FENCE_();
  __atomic_store_n(&stream.hot.busy, 0, __ATOMIC_RELEASE);
  return {nullptr, nullptr, nullptr, nullptr, 0};
}

std::ptrdiff_t room_in(const StreamState& stream) {
  return __atomic_load_n(&stream.hot.limit, __ATOMIC_RELAXED) - stream.hot.cursor;
}

bool is_off(const StreamState& stream) { return __atomic_load_n(&stream.hot.limit, __ATOMIC_RELAXED) == nullptr; }

// The row moves into mapped memory that grows, there to become a block of its own.
bool move_to_overflow(StreamState& stream, evt_row* row, std::size_t payload, std::size_t wanted) {
  constexpr std::size_t kFront = EVT_EVENTS_HEADER_SIZE + kTimeBaseRow + EVT_BIG_ROW_HEADER_SIZE;
  std::size_t size = 256 << 10;
  while (size < kFront + wanted + EVT_ALIGNMENT) size *= 2;
  void* memory = stream.overflow == nullptr
                     ? mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                     : mremap(stream.overflow, stream.overflow_size, size, MREMAP_MAYMOVE);
  if (memory == MAP_FAILED) return false;
  const bool first = stream.overflow == nullptr;
  stream.overflow = static_cast<std::uint8_t*>(memory);
  stream.overflow_size = size;
  if (first) memcpy(stream.overflow + kFront, row->start + EVT_ROW_HEADER_SIZE, payload);
  row->start = stream.overflow + kFront - EVT_ROW_HEADER_SIZE;
  row->p = stream.overflow + kFront + payload;
  row->end = stream.overflow + size - EVT_ALIGNMENT;
  return true;
}

bool fits_empty_buffer(const StreamState& stream, std::size_t payload) {
  const std::size_t row = EVT_ROW_HEADER_SIZE + payload;
  return stream.overflow == nullptr && row <= EVT_ROW_MAX_SHORT &&
         static_cast<std::ptrdiff_t>(row + kTimeBaseRow) <=
             __atomic_load_n(&stream.hot.limit, __ATOMIC_RELAXED) - stream.rows();
}

// The rows before it go out, and the row moves to the front of the buffer.
bool move_to_front(StreamState& stream, evt_row* row, std::size_t payload, std::uint64_t ticks) {
  const std::uint8_t* const old = row->start + EVT_ROW_HEADER_SIZE;
  if (!make_room(stream, Row::kInProgress, ticks)) return false;
  set_base(stream, ticks);
  row->start = stream.hot.cursor;
  memmove(row->start + EVT_ROW_HEADER_SIZE, old, payload);
  row->p = row->start + EVT_ROW_HEADER_SIZE + payload;
  row->end = __atomic_load_n(&stream.hot.limit, __ATOMIC_RELAXED);
  row->head = (row->head & ~std::uint64_t{0xFFFFFFFF}) | (ticks - stream.hot.base);
  return row->end != nullptr;
}

void drop_overflow(StreamState& stream) {
  if (stream.overflow != nullptr) munmap(stream.overflow, stream.overflow_size);
  stream.overflow = nullptr;
  stream.overflow_size = 0;
}

// Writes the row in the overflow as a block, after all rows before it.
bool write_overflow(StreamState& stream, const evt_row& row, std::size_t payload) {
  if (!stream.writer->ours()) return false;
  const std::uint64_t ticks = stream.hot.base + (row.head & 0xFFFFFFFF);
  if (Lock::held_by_this_thread()) {
    count_lost(stream, EVT_LOST_REENTERED, ticks);
    return false;
  }
  const Lock lock(*stream.writer);
  // Losses are told of behind the row: they came after it had begun.
  if (!flush_locked(stream, Row::kInProgress)) {
    if (stream.failed) count_lost(stream, EVT_LOST_SINK, ticks);
    return false;
  }
  const std::size_t short_size = EVT_ROW_HEADER_SIZE + payload;
  const bool big = short_size > EVT_ROW_MAX_SHORT;
  std::uint8_t* const start = big ? row.start - kBigExtra : row.start;
  const std::uint64_t type = row.head >> 32 & 0xFFFF;
  evt_store_u64(start, type << 32 | (big ? 0 : short_size << 48));
  if (big) evt_store_u32(start + EVT_ROW_HEADER_SIZE, static_cast<std::uint32_t>(short_size + kBigExtra));

  return write_lone_row(stream, start, static_cast<std::size_t>(row.p - start), ticks) &&
         flush_locked(stream, Row::kNone);
}

}  // namespace
}  // namespace evt

using evt::state_of;
using evt::StreamState;

evt_row evt_begin_slow_(evt_stream* s, const evt_type* type, enum evt_stamp_ stamp, uint64_t ticks) {
  StreamState& stream = *state_of(s);
  const std::uint32_t number = __atomic_load_n(&type->number, __ATOMIC_RELAXED);
  if (number == 0 || evt::is_off(stream)) return evt::no_row(stream);
  constexpr std::size_t kNeeded = EVT_ROW_ROOM_ + evt::kTimeBaseRow;
  if (evt::room_in(stream) < static_cast<std::ptrdiff_t>(kNeeded) && !evt::make_room(stream, evt::Row::kNone, ticks)) {
    return evt::no_row(stream);
  }
  if (stamp == EVT_STAMP_NOW_) ticks = evt_now(s);
  if (stamp == EVT_STAMP_ORDERED_) ticks = evt_now_ordered(s);
  evt::set_base(stream, ticks);

  const bool wide = number >= EVT_TYPE_FIRST_RESERVED;
  const std::uint64_t type_in_row = wide ? std::uint64_t{EVT_ROW_WIDE} : number;
  evt_row row = {s->cursor + EVT_ROW_HEADER_SIZE, __atomic_load_n(&s->limit, __ATOMIC_RELAXED), s->cursor, s,
                 (ticks - s->base) | type_in_row << 32};
  if (row.end == nullptr) return evt::no_row(stream);  // closed meanwhile
  if (wide) evt_u32(&row, number);
  return row;
}

evt_row evt_room_slow_(evt_row r, size_t size) {
  if (r.start == nullptr) return r;
  StreamState& stream = *state_of(r.stream);
  const std::uint64_t ticks = stream.hot.base + (r.head & 0xFFFFFFFF);
  const auto payload = static_cast<std::size_t>(r.p - r.start) - EVT_ROW_HEADER_SIZE;
  if (size <= EVT_MAX_EVENT_ROW && payload + size + EVT_BIG_ROW_HEADER_SIZE <= EVT_MAX_EVENT_ROW) {
    if (stream.overflow != nullptr && static_cast<std::size_t>(r.end - r.p) >= size) return r;
    if (evt::fits_empty_buffer(stream, payload + size)) {
      if (evt::move_to_front(stream, &r, payload, ticks)) return r;
    } else if (evt::move_to_overflow(stream, &r, payload, payload + size)) {
      return r;
    } else {
      evt::count_lost(stream, EVT_LOST_TOO_LARGE, ticks);
    }
  } else {
    evt::count_lost(stream, EVT_LOST_TOO_LARGE, ticks);
  }
  r.p = r.end = r.start = nullptr;
  return r;
}

void evt_commit_slow_(evt_row r) {
  if (r.stream == nullptr) return;
  StreamState& stream = *state_of(r.stream);
  if (r.start != nullptr && stream.overflow != nullptr) {
    evt::write_overflow(stream, r, static_cast<std::size_t>(r.p - r.start) - EVT_ROW_HEADER_SIZE);
  } else if (r.start == nullptr && !evt::is_off(stream)) {
    evt::flush(stream, evt::Row::kNone);  // so that the loss is told where it happened
  }
  evt_cancel_slow_(r);
}

void evt_cancel_slow_(evt_row r) {
  StreamState& stream = *state_of(r.stream);
  evt::drop_overflow(stream);
  EVT_SIGNAL_FENCE_();
  __atomic_store_n(&stream.hot.busy, 0, __ATOMIC_RELEASE);
}

void evt_reentered_(evt_stream* s) { evt::count_lost(*state_of(s), EVT_LOST_REENTERED, evt_now(s)); }

uint64_t evt_clock_slow_(const evt_stream* s) {
  const evt_writer* const writer = state_of(s)->writer;
  return writer == nullptr ? 0 : writer->clock.now();
}

size_t evt_cut_text_(evt_stream* s, const char* text, size_t size) {
  if (s != nullptr) __atomic_fetch_add(&state_of(s)->texts_cut, 1, __ATOMIC_RELAXED);
  return evt::cut_at_character(text, size, 0xFFFF);
}

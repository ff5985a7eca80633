// The slow half of emitting: full slots, far time stamps, wide type numbers, large events.
#include <evt/emit.h>
#include <sys/mman.h>

#include "format-spec/src/base/text_cut.h"
#include "format-spec/src/row/row_header.h"
#include "format-spec/src/row/row_writer.h"
#include "recording.h"

namespace evt {
namespace {

// The inline half, which is C, has its own numbers.
static_assert(EVT_ROW_FRONT_ == RowHeader::kSmall && EVT_ROW_MAX_SMALL_ == RowHeader::kMaxSmallRow);

// A small row's header, then 4 more for the one that a large row needs.
constexpr std::size_t kLargeExtra = RowHeader::kLarge - RowHeader::kSmall;

// The front of an overflow: it becomes a slot of its own.
constexpr std::size_t kSlotAt = ring::round_up(sizeof(SlotState), 64);
constexpr std::size_t kFront = kSlotAt + sizeof(ring::Slot) + RowWriter::kTimeBaseSize + RowHeader::kLarge;

evt_begun_ no_row(StreamState& stream) {
  EVT_SIGNAL_FENCE_();
  __atomic_store_n(&stream.hot.busy, 0, __ATOMIC_RELEASE);
  return {nullptr, 0};
}

// Its fields follow the header at once for all that the inline half knows: in a row of a wide type the number comes
// first, so there the row is taken to start so much later. The inline half never finishes such a row.
constexpr std::size_t kWideNumber = 4;
bool is_wide(const evt_row& row) { return RowHeader::type_of(row.head) == EVT_ROW_WIDE; }
std::uint8_t* true_start(const evt_row& row) {
  return row.start != nullptr && is_wide(row) ? row.start - kWideNumber : row.start;
}

// The row moves into mapped memory that grows, there to become a block of its own.
bool move_to_overflow(StreamState& stream, evt_row* row, std::size_t payload, std::size_t wanted) {
  std::size_t size = 256 << 10;
  while (size < kFront + wanted + EVT_ALIGNMENT) size *= 2;
  void* memory = stream.overflow == nullptr
                     ? mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                     : mremap(stream.overflow, stream.overflow_size, size, MREMAP_MAYMOVE);
  if (memory == MAP_FAILED) return false;
  const bool first = stream.overflow == nullptr;
  stream.overflow = static_cast<std::uint8_t*>(memory);
  stream.overflow_size = size;
  if (first) memcpy(stream.overflow + kFront, row->start + RowHeader::kSmall, payload);
  row->start = stream.overflow + kFront - RowHeader::kSmall;
  row->p = stream.overflow + kFront + payload;
  row->end = stream.overflow + size - EVT_ALIGNMENT;
  return true;
}

void drop_overflow(StreamState& stream) {
  if (stream.overflow != nullptr) munmap(stream.overflow, stream.overflow_size);
  stream.overflow = nullptr;
  stream.overflow_size = 0;
}

// The row's bytes so far, at the front of the slot that the stream fills now.
void put_at_front(StreamState& stream, evt_row* row, const std::uint8_t* bytes, std::size_t payload,
                  std::uint64_t ticks) {
  set_base(stream, ticks);
  row->start = stream.hot.cursor;
  memmove(row->start + RowHeader::kSmall, bytes, payload);
  row->p = row->start + RowHeader::kSmall + payload;
  row->end = __atomic_load_n(&stream.hot.limit, __ATOMIC_RELAXED);
  row->head = RowHeader::word(static_cast<std::uint32_t>(ticks - stream.hot.base), RowHeader::type_of(row->head), 0);
}

// The rows before it go out inline, and the row moves to the front of the slot.
bool move_inline(StreamState& stream, evt_row* row, std::size_t payload, std::uint64_t ticks) {
  const std::uint8_t* const bytes = row->start + RowHeader::kSmall;
  if (!flush(stream, Row::kInProgress)) {
    if (stream.writer->output.failed()) count_lost(stream, EVT_LOST_SINK, ticks);
    return false;
  }
  put_at_front(stream, row, bytes, payload, ticks);
  return row->end != nullptr;
}

// A jump says something of the row behind it: where that one leaves the slot, it goes along.
void take_back_jump(StreamState& stream) {
  if (stream.slot == nullptr || ring::rows_of(*stream.hot.commit) != 1) return;
  SlotState& slot = *stream.slot;
  if (RowHeader::type_of(RowHeader::word_at(slot.rows)) != EVT_ROW_TIME_BASE) return;
  stream.jump_pending = true;
  prepare_slot(slot, stream.id, slot.memory->first_ordinal, stream.hot.base, stream.losses->told);
  __atomic_store_n(&stream.hot.cursor, slot.rows, __ATOMIC_RELAXED);
}

// Tells of what was lost before the row, in front of it. What was lost since it was begun is told behind it.
void tell_losses_before(StreamState& stream, std::uint64_t ticks) {
  const std::uint64_t lost_ticks = __atomic_load_n(&stream.losses->lost_ticks, __ATOMIC_RELAXED);
  if (stream.slot != nullptr && !stream.jump_pending && lost_ticks <= ticks) tell_losses(stream);
}

// The row moves to another slot, and the one with the rows before it is handed over.
bool move_to_slot(StreamState& stream, evt_row* row, std::size_t payload, SlotState* slot, std::uint64_t ticks) {
  SlotState* const full = stream.slot;
  take_back_jump(stream);
  grow_next_slot(stream);
  stream.next_ordinal = full->memory->first_ordinal + ring::rows_of(full->committed());
  begin_slot(stream, slot);
  tell_losses_before(stream, ticks);
  put_at_front(stream, row, row->start + RowHeader::kSmall, payload, ticks);
  full->last = false;
  hand_over(stream, full);
  return row->end != nullptr;
}

enum class Moved { kYes, kNo, kNoMemory };

Moved move(StreamState& stream, evt_row* row, std::size_t payload, std::size_t wanted, std::uint64_t ticks) {
  const std::size_t short_size = RowHeader::kSmall + wanted;
  const std::size_t room = short_size + RowWriter::kTimeBaseSize * 2 + kLostRoom;
  if (stream.overflow == nullptr && short_size <= RowHeader::kMaxSmallRow) {
    if (!stream.writer->has_flusher()) {
      if (room <= stream.slot->capacity - kLostRoom) {
        return move_inline(stream, row, payload, ticks) ? Moved::kYes : Moved::kNo;
      }
    } else if (SlotState* const slot = take_slot(stream, room)) {
      return move_to_slot(stream, row, payload, slot, ticks) ? Moved::kYes : Moved::kNo;
    }
  }
  return move_to_overflow(stream, row, payload, wanted) ? Moved::kYes : Moved::kNoMemory;
}

// Makes the overflow a slot that holds this one row, behind the row of a jump if there is one.
SlotState& make_slot(StreamState& stream, const evt_row& row, std::size_t payload, std::uint64_t ticks) {
  const std::uint64_t short_size = RowHeader::kSmall + payload;
  const bool is_large = short_size > RowHeader::kMaxSmallRow;
  std::uint8_t* rows = is_large ? row.start - kLargeExtra : row.start;
  RowHeader{0, RowHeader::type_of(row.head), is_large, is_large ? short_size + kLargeExtra : short_size}.write(rows);
  std::uint64_t count = 1;
  if (stream.jump_pending) {
    stream.jump_pending = false;
    count = 2;
    rows -= RowWriter::kTimeBaseSize;
    RowWriter(rows).time_base(ticks, EVT_TIME_BASE_JUMP);
  }
  auto& slot = *reinterpret_cast<SlotState*>(stream.overflow);
  slot = {};
  slot.memory = reinterpret_cast<ring::Slot*>(stream.overflow + kSlotAt);
  slot.rows = rows;
  slot.stream = &stream;
  slot.mapped = stream.overflow_size;
  prepare_slot(slot, stream.id, stream.next_ordinal, ticks, stream.losses->told);
  slot.memory->commit = count << 32 | static_cast<std::uint32_t>(row.p - rows);
  stream.next_ordinal += count;
  return slot;
}

// Writes the row in the overflow as a block, after all rows before it. Losses are told of behind it: they came after it
// had begun.
void write_inline(StreamState& stream, const evt_row& row, std::size_t payload, std::uint64_t ticks) {
  if (Lock::held_by_this_thread()) return count_lost(stream, EVT_LOST_REENTERED, ticks);
  const Lock lock(*stream.writer);
  take_back_jump(stream);
  if (flush_locked(stream, Row::kInProgress)) {
    SlotState& slot = make_slot(stream, row, payload, ticks);
    const bool written = write_rows(*stream.writer, slot, slot.committed());
    prepare_slot(*stream.slot, stream.id, stream.next_ordinal, stream.hot.base, stream.losses->told);
    if (written) {
      flush_locked(stream, Row::kNone);
      return;
    }
  }
  if (stream.writer->output.failed()) count_lost(stream, EVT_LOST_SINK, ticks);
}

// Hands the row in the overflow over as a slot, and waits until it is in the file: until then a kill would lose it.
void hand_over_overflow(StreamState& stream, const evt_row& row, std::size_t payload, std::uint64_t ticks) {
  if (!wait_for_own_blocks(stream)) return count_lost(stream, EVT_LOST_RING_FULL, ticks);
  take_back_jump(stream);
  tell_losses_before(stream, ticks);
  hand_over(stream, false);
  SlotState& slot = make_slot(stream, row, payload, ticks);
  stream.overflow = nullptr;  // the flusher's
  stream.overflow_size = 0;
  hand_over(stream, &slot);
  wait_for_own_blocks(stream);
}

// An event that found no slot large enough when it grew, and may find one now.
bool put_into_slot(StreamState& stream, evt_row* row, std::size_t payload, std::uint64_t ticks) {
  const std::size_t size = RowHeader::kSmall + payload;
  if (size > RowHeader::kMaxSmallRow) return false;
  SlotState* const slot = take_slot(stream, size + RowWriter::kTimeBaseSize * 2);
  if (slot == nullptr) return false;
  take_back_jump(stream);
  tell_losses_before(stream, ticks);
  hand_over(stream, false);
  begin_slot(stream, slot);
  put_at_front(stream, row, row->start + RowHeader::kSmall, payload, ticks);
  evt_store_u64(row->start, row->head | RowHeader::word(0, 0, static_cast<std::uint16_t>(size)));
  commit_row(stream, size);
  return true;
}

void commit_overflow(StreamState& stream, evt_row row) {
  if (!stream.writer->ours()) return;
  const std::uint64_t ticks = stream.hot.base + RowHeader::delta_of(row.head);
  const std::size_t payload = static_cast<std::size_t>(row.p - row.start) - RowHeader::kSmall;
  if (!stream.writer->has_flusher()) {
    write_inline(stream, row, payload, ticks);
  } else if (!put_into_slot(stream, &row, payload, ticks)) {
    hand_over_overflow(stream, row, payload, ticks);
  }
}

}  // namespace
}  // namespace evt

using evt::RowHeader;
using evt::RowWriter;
using evt::state_of;
using evt::StreamState;

evt_begun_ evt_begin_slow_(evt_stream* s, const evt_type* type, enum evt_stamp_ stamp, uint64_t ticks) {
  StreamState& stream = *state_of(s);
  const std::uint32_t number = __atomic_load_n(&type->number, __ATOMIC_RELAXED);
  if (number == 0 || evt::is_off(stream)) return evt::no_row(stream);
  constexpr std::size_t kNeeded = EVT_ROW_ROOM_ + evt::kWideNumber + RowWriter::kTimeBaseSize * 2;
  if (evt::room_in(stream) < static_cast<std::ptrdiff_t>(kNeeded)) {
    const std::uint64_t when = stamp == EVT_STAMP_GIVEN_ ? ticks : evt::kNow;
    if (!evt::make_room(stream, kNeeded, when)) return evt::no_row(stream);
  }
  if (stamp == EVT_STAMP_NOW_) ticks = evt_now(s);
  if (stamp == EVT_STAMP_ORDERED_) ticks = evt_now_ordered(s);
  evt::set_base(stream, ticks);

  const auto delta = static_cast<std::uint32_t>(ticks - s->base);
  if (number < EVT_TYPE_FIRST_RESERVED) {
    return {s->cursor, RowHeader::word(delta, static_cast<std::uint16_t>(number), 0)};
  }
  evt_store_u32(s->cursor + RowHeader::kSmall, number);
  return {s->cursor + evt::kWideNumber, RowHeader::word(delta, EVT_ROW_WIDE, 0)};
}

void evt_room_slow_(evt_row* row, size_t size) {
  if (row->start == nullptr) return;
  StreamState& stream = *state_of(row->stream);
  if (stream.writer == nullptr) {  // a fork child, made in the middle of the event
    row->p = row->end = row->start = nullptr;
    return;
  }
  const std::uint64_t ticks = stream.hot.base + RowHeader::delta_of(row->head);
  row->start = evt::true_start(*row);
  const auto payload = static_cast<std::size_t>(row->p - row->start) - RowHeader::kSmall;
  evt::Moved moved = evt::Moved::kNoMemory;
  if (size <= EVT_MAX_EVENT_ROW && payload + size + RowHeader::kLarge <= EVT_MAX_EVENT_ROW) {
    const bool has_room = stream.overflow != nullptr && static_cast<std::size_t>(row->end - row->p) >= size;
    moved = has_room ? evt::Moved::kYes : evt::move(stream, row, payload, payload + size, ticks);
  }
  if (moved == evt::Moved::kYes) {
    if (evt::is_wide(*row)) row->start += evt::kWideNumber;
    return;
  }
  if (moved == evt::Moved::kNoMemory) evt::count_lost(stream, EVT_LOST_TOO_LARGE, ticks);
  row->p = row->end = row->start = nullptr;
}

void evt_commit_slow_(const evt_row* of) {
  evt_row row = *of;
  if (row.stream == nullptr) return;
  StreamState& stream = *state_of(row.stream);
  if (stream.writer == nullptr) return;
  row.start = evt::true_start(row);
  if (row.start != nullptr && stream.overflow != nullptr) {
    evt::commit_overflow(stream, row);
  } else if (row.start != nullptr) {  // of a wide type
    const auto size = static_cast<std::size_t>(row.p - row.start);
    evt_store_u64(row.start, row.head | RowHeader::word(0, 0, static_cast<std::uint16_t>(size)));
    evt::commit_row(stream, size);
  }
  // What was lost on the way, where it happened.
  const bool has_room = stream.slot != nullptr && evt::room_in(stream) >= static_cast<std::ptrdiff_t>(evt::kLostRoom);
  if (has_room && !stream.jump_pending) evt::tell_losses(stream);
  evt_cancel_slow_(row.stream);
}

void evt_cancel_slow_(evt_stream* s) {
  evt::drop_overflow(*state_of(s));
  EVT_SIGNAL_FENCE_();
  __atomic_store_n(&s->busy, 0, __ATOMIC_RELEASE);
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

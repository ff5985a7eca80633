#include "row_in_progress.h"

#include <string.h>
#include <sys/mman.h>

#include "format-spec/src/row/row_header.h"
#include "format-spec/src/row/row_writer.h"

namespace evt {
namespace {

// The inline half, which is C, has separate constants.
static_assert(EVT_ROW_FRONT_ == RowHeader::kSmall && EVT_ROW_MAX_SMALL_ == RowHeader::kMaxSmallRow);
static_assert(kMaxPayload == EVT_MAX_EVENT_ROW - RowHeader::kLarge);

// A small row's header, then 4 more for the one that a large row needs.
constexpr std::size_t kLargeExtra = RowHeader::kLarge - RowHeader::kSmall;

// The beginning of an overflow, which becomes a separate slot.
constexpr std::size_t kSlotAt = ring::round_up(sizeof(SlotState), 64);
constexpr std::size_t kFront = kSlotAt + sizeof(ring::Slot) + RowWriter::kTimeBaseSize + RowHeader::kLarge;

}  // namespace

evt_begun_ begin_row(StreamState& stream, std::uint32_t number, std::uint64_t ticks) {
  std::uint8_t* const cursor = stream.hot.cursor;
  const auto delta = static_cast<std::uint32_t>(ticks - stream.hot.base);
  if (number < EVT_TYPE_FIRST_RESERVED) {
    return {cursor, RowHeader::word(delta, static_cast<std::uint16_t>(number), 0)};
  }
  evt_store_u32(cursor + RowHeader::kSmall, number);
  return {cursor + kWideNumber, RowHeader::word(delta, EVT_ROW_WIDE, 0)};
}

bool is_wide(const evt_row& row) { return RowHeader::type_of(row.head) == EVT_ROW_WIDE; }

void to_true_start(evt_row* row) {
  if (row->start != nullptr && is_wide(*row)) row->start -= kWideNumber;
}

void to_inline_start(evt_row* row) {
  if (is_wide(*row)) row->start += kWideNumber;
}

std::uint64_t ticks_of(const StreamState& stream, const evt_row& row) {
  return stream.hot.base + RowHeader::delta_of(row.head);
}

std::size_t payload_of(const evt_row& row) { return static_cast<std::size_t>(row.p - row.start) - RowHeader::kSmall; }

std::size_t slot_room(std::size_t payload) {
  const std::size_t size = RowHeader::kSmall + payload;
  return size > RowHeader::kMaxSmallRow ? 0 : size + RowWriter::kTimeBaseSize * 2;
}

void put_at_front(StreamState& stream, evt_row* row, std::size_t payload, std::uint64_t ticks) {
  const std::uint8_t* const bytes = row->start + RowHeader::kSmall;
  set_base(stream, ticks);
  row->start = stream.hot.cursor;
  memmove(row->start + RowHeader::kSmall, bytes, payload);
  row->p = row->start + RowHeader::kSmall + payload;
  row->end = limit_of(stream);
  row->head = RowHeader::word(static_cast<std::uint32_t>(ticks - stream.hot.base), RowHeader::type_of(row->head), 0);
}

void finish_row(StreamState& stream, const evt_row& row) {
  const auto size = static_cast<std::size_t>(row.p - row.start);
  evt_store_u64(row.start, row.head | RowHeader::word(0, 0, static_cast<std::uint16_t>(size)));
  commit_row(stream, size);
}

void take_back_jump(StreamState& stream) {
  if (stream.slot == nullptr || ring::rows_of(*stream.hot.commit) != 1) return;
  SlotState& slot = *stream.slot;
  if (RowHeader::type_of(RowHeader::word_at(slot.rows)) != EVT_ROW_TIME_BASE) return;
  stream.jump_pending = true;
  prepare_slot(slot, stream.id, clock_of(stream), slot.memory->first_ordinal, stream.hot.base, stream.losses->recorded);
  __atomic_store_n(&stream.hot.cursor, slot.rows, __ATOMIC_RELAXED);
}

void record_losses_before(StreamState& stream, std::uint64_t ticks) {
  const std::uint64_t lost_ticks = __atomic_load_n(&stream.losses->lost_ticks, __ATOMIC_RELAXED);
  if (stream.slot != nullptr && !stream.jump_pending && lost_ticks <= ticks) record_losses(stream);
}

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

SlotState& slot_of_overflow(StreamState& stream, const evt_row& row, std::size_t payload, std::uint64_t ticks) {
  const std::size_t short_size = RowHeader::kSmall + payload;
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
  prepare_slot(slot, stream.id, clock_of(stream), stream.next_ordinal, ticks, stream.losses->recorded);
  slot.memory->commit = count << 32 | static_cast<std::uint32_t>(row.p - rows);
  __atomic_store_n(&stream.next_ordinal, stream.next_ordinal + count, __ATOMIC_RELAXED);
  return slot;
}

}  // namespace evt

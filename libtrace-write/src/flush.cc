// Rows leave their stream: what a block says of them, losses, and the flush itself.
#include <unistd.h>

#include "writer.h"

namespace evt {
namespace {

struct RowFacts {
  std::uint64_t first_ticks = UINT64_MAX;
  std::uint64_t last_ticks = 0;
  std::uint32_t rows = 0;
  std::uint64_t events = 0;
  bool unsorted = false;
};

// One walk over finished rows. They are our own, so nothing is checked.
RowFacts walk(const std::uint8_t* row, const std::uint8_t* end, std::uint64_t base) {
  RowFacts facts;
  for (; row < end; ++facts.rows) {
    const std::uint64_t head = evt_load_u64(row);
    const auto type = static_cast<std::uint16_t>(head >> 32);
    const auto short_size = static_cast<std::uint16_t>(head >> 48);
    if (type == EVT_ROW_TIME_BASE) {
      base = evt_load_u64(row + EVT_ROW_HEADER_SIZE);
    } else {
      const std::uint64_t ticks = base + (head & 0xFFFFFFFF);
      facts.unsorted |= ticks < facts.last_ticks;
      facts.first_ticks = ticks < facts.first_ticks ? ticks : facts.first_ticks;
      facts.last_ticks = ticks > facts.last_ticks ? ticks : facts.last_ticks;
      facts.events += type < EVT_TYPE_FIRST_RESERVED || type == EVT_ROW_WIDE ? 1 : 0;
    }
    row += short_size != 0 ? short_size : evt_load_u32(row + EVT_ROW_HEADER_SIZE);
  }
  if (facts.first_ticks > facts.last_ticks) facts.first_ticks = facts.last_ticks = base;
  return facts;
}

void store_time_base(std::uint8_t* row, std::uint64_t ticks, std::uint32_t flags) {
  evt_store_u64(row, std::uint64_t{EVT_ROW_TIME_BASE} << 32 | std::uint64_t{kTimeBaseRow} << 48);
  evt_store_u64(row + EVT_ROW_HEADER_SIZE, ticks);
  evt_store_u32(row + EVT_ROW_HEADER_SIZE + 8, flags);
}

// It says something of the row that comes next, and stays with it.
bool holds_only_a_jump(const StreamState& stream) {
  if (stream.hot.rows != 1) return false;
  const std::uint64_t head = evt_load_u64(stream.rows());
  return static_cast<std::uint16_t>(head >> 32) == EVT_ROW_TIME_BASE;
}

void append_lost_rows(StreamState& stream) {
  for (std::uint16_t cause = 1; cause < EVT_LOST_CAUSES; ++cause) {
    const std::uint64_t count = __atomic_exchange_n(&stream.lost_pending[cause], 0, __ATOMIC_RELAXED);
    if (count > 0) append_lost_row(stream, cause, count, stream.lost_ticks);
  }
}

// Writes `events` and the rows behind the header room at `block`, after the metadata that they need.
bool write_block(StreamState& stream, std::uint8_t* block, EventsHeader events, const RowFacts& facts) {
  evt_writer& writer = *stream.writer;
  events.stream_id = stream.id;
  events.clock_id = 1;
  events.first_ticks = facts.first_ticks;
  events.last_ticks = facts.last_ticks;
  events.stream_seq = stream.seq;
  events.first_ordinal = stream.ordinal;
  events.lost_total = stream.lost_total;
  const std::uint16_t flags = facts.unsorted ? EVT_FLAG_UNSORTED : 0;
  stream.ordinal += events.row_count;
  if (!writer.write_housekeeping() || !writer.output.write_events(block, flags, events)) {
    writer.counts.lost[EVT_LOST_SINK] += facts.events;
    writer.session_failed();
    stream.failed = true;
    return false;
  }
  stream.seq += 1;
  writer.rows_written += events.row_count;
  writer.counts.events_written += facts.events;
  return true;
}

void empty(StreamState& stream) {
  stream.hot.rows = 0;
  __atomic_store_n(&stream.hot.cursor, stream.rows(), __ATOMIC_RELAXED);
  stream.block_base = stream.hot.base;
}

// After a failed write: what the stream still holds is lost.
void give_up_rows(StreamState& stream) {
  stream.writer->counts.lost[EVT_LOST_SINK] += walk(stream.rows(), stream.hot.cursor, stream.block_base).events;
  empty(stream);
}

}  // namespace

void count_lost(StreamState& stream, evt_lost_cause cause, std::uint64_t ticks) {
  stream.lost_ticks = ticks;
  __atomic_fetch_add(&stream.lost_pending[cause], 1, __ATOMIC_RELAXED);
}

void put_time_base(StreamState& stream, std::uint64_t ticks, std::uint32_t flags) {
  store_time_base(stream.hot.cursor, ticks, flags);
  stream.hot.rows += 1;
  stream.hot.cursor += kTimeBaseRow;
}

void set_base(StreamState& stream, std::uint64_t ticks) {
  evt_stream& hot = stream.hot;
  if (hot.rows == 0) {
    hot.base = stream.block_base = ticks;
  } else if ((ticks - hot.base) >> 32 != 0) {
    put_time_base(stream, ticks, 0);
    hot.base = ticks;
  }
}

void append_lost_row(StreamState& stream, std::uint16_t cause, std::uint64_t count, std::uint64_t ticks) {
  set_base(stream, ticks);
  std::uint8_t* const row = stream.hot.cursor;
  evt_store_u64(row, (ticks - stream.hot.base) | std::uint64_t{EVT_ROW_LOST} << 32 | std::uint64_t{kLostRow} << 48);
  evt_store_u64(row + 8, count);
  evt_store_u16(row + 16, cause);
  stream.hot.cursor += kLostRow;
  stream.hot.rows += 1;
  stream.lost_total += count;
  stream.writer->counts.lost[cause < EVT_LOST_CAUSES ? cause : 0] += count;
  stream.writer->lost_written += count;
}

bool flush_locked(StreamState& stream, Row row) {
  if (stream.block == nullptr) return false;
  if (!stream.writer->usable()) {
    __atomic_store_n(&stream.hot.limit, nullptr, __ATOMIC_RELAXED);
    stream.failed = stream.writer->output.failed();
    if (stream.failed) give_up_rows(stream);
    return false;
  }
  if (row == Row::kNone) append_lost_rows(stream);
  if (stream.hot.rows == 0 || holds_only_a_jump(stream)) return true;

  std::uint8_t* const end = stream.hot.cursor;
  EventsHeader events;
  events.base_ticks = stream.block_base;
  events.rows_size = static_cast<std::uint32_t>(end - stream.rows());
  // The padding behind the rows may overwrite the start of a row in progress, which is put back.
  std::uint8_t behind[EVT_ALIGNMENT];
  memcpy(behind, end, sizeof behind);
  const RowFacts facts = walk(stream.rows(), end, stream.block_base);
  events.row_count = facts.rows;  // hot.rows may be one ahead of the cursor in a producer that was stopped
  const bool written = write_block(stream, stream.block, events, facts);
  memcpy(end, behind, sizeof behind);
  empty(stream);
  return written;
}

bool flush(StreamState& stream, Row row) {
  if (!stream.writer->ours()) {
    __atomic_store_n(&stream.hot.limit, nullptr, __ATOMIC_RELAXED);
    return false;
  }
  if (Lock::held_by_this_thread()) {
    count_lost(stream, EVT_LOST_REENTERED, evt_now(&stream.hot));
    return false;
  }
  const Lock lock(*stream.writer);
  return flush_locked(stream, row);
}

bool write_lone_row(StreamState& stream, std::uint8_t* row, std::size_t size, std::uint64_t ticks) {
  RowFacts facts{ticks, ticks, 1, 1, false};
  if (holds_only_a_jump(stream)) {
    // It was held back for this row, and goes in front of it.
    row -= kTimeBaseRow;
    size += kTimeBaseRow;
    facts.rows += 1;
    store_time_base(row, ticks, EVT_TIME_BASE_JUMP);
    empty(stream);
  }
  EventsHeader events;
  events.base_ticks = ticks;
  events.row_count = facts.rows;
  events.rows_size = static_cast<std::uint32_t>(size);
  return write_block(stream, row - EVT_EVENTS_HEADER_SIZE, events, facts);
}

}  // namespace evt

// What was taken from a ring, as blocks: RingRecovery's other half.
#include <algorithm>
#include <cstring>

#include "format-spec/src/block/block_framer.h"
#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/row/row_writer.h"
#include "ring_recovery.h"
#include "ring_walk.h"

namespace evt {
namespace {

std::uint64_t sum_of(const std::uint64_t* counts) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < ring::kCauses; ++i) sum += counts[i];
  return sum;
}

void append_lost_row(Buffer& rows, std::uint16_t cause, std::uint64_t count) {
  std::uint8_t* const row = rows.extend(RowWriter::kLostSize);
  if (row != nullptr) RowWriter(row).lost(0, cause, count);
}

}  // namespace

bool RingRecovery::append_blocks(Buffer& out, FileOrdinals file, bool living) {
  out.append(log_.data(), log_.size());
  append_slots(file, living, out);
  const auto* const records = reinterpret_cast<const ring::StreamRecord*>(records_.data());
  for (std::size_t i = 0; i < records_.size() / sizeof(ring::StreamRecord); ++i) {
    if (i > 0 && records[i].id == records[i - 1].id) continue;  // a stream has one record
    append_untold(records[i], file, living, out);
  }
  append_session(out);
  return out.ok();
}

void RingRecovery::append_session(Buffer& out) const {
  std::uint8_t front[EVT_BLOCK_HEADER_SIZE];
  BlockHeader header;
  if (!read(0, front, sizeof front) || load_block_header(front, sizeof front, &header) != HeaderState::kGood ||
      header.header_size != EVT_BLOCK_HEADER_SIZE || header.payload_size > header_.front_size) {
    return;
  }
  Buffer payload;
  std::uint8_t* const bytes = payload.extend(header.payload_size);
  if (bytes == nullptr || !read(sizeof front, bytes, payload.size())) return;
  if (crc32c(0, bytes, payload.size()) != header.payload_crc) return;
  const BlockFramer framer = BlockFramer::of_ring(header.session_id);
  append_block(out, framer.front(header.type, payload.data(), payload.size()), payload.data(), payload.size());
}

void RingRecovery::append_slots(FileOrdinals file, bool living, Buffer& out) {
  auto* const slots = reinterpret_cast<Found*>(found_.data());
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < found_.size() / sizeof(Found); ++i) {
    const std::uint32_t stream = slots[i].slot.stream_id;
    if (i == 0 || slots[i - 1].slot.stream_id != stream) next = file.next(file.self, stream);
    append_slot(slots[i], next, living, out);
    next = slots[i].end = std::max(next, slots[i].end);
  }
}

// `next`: behind the last row of the stream that there is so far.
void RingRecovery::append_slot(Found& found, std::uint64_t next, bool living, Buffer& out) {
  if (!found.has_rows) return;
  std::uint32_t from = ring::rows_of(found.slot.flushed);
  // The writer was killed, or went on, between writing rows and saying so here.
  if (next > found.slot.first_ordinal + from) {
    const std::uint64_t in_file = next - found.slot.first_ordinal;
    if (in_file >= ring::rows_of(found.slot.commit)) return;
    from = static_cast<std::uint32_t>(in_file);
  }
  // A slot that was looked at before these rows were made has the ones before them, and the file has not yet.
  if (living && found.slot.first_ordinal + from > next) return;
  append_events(found.slot, copied_.data() + found.rows_at, from, out);
  found.end = found.slot.first_ordinal + ring::rows_of(found.slot.commit);
}

// REQUIRES: `slot.commit` has been found to be what the rows are.
void RingRecovery::append_events(const ring::Slot& slot, const std::uint8_t* rows, std::uint32_t from, Buffer& out) {
  const std::size_t all = ring::bytes_of(slot.commit);
  const std::uint32_t count = ring::rows_of(slot.commit) - from;
  if (count == 0 || slot.first_ordinal > UINT64_MAX - ring::rows_of(slot.commit)) return;
  RingWalk before(slot.base_ticks);
  const std::size_t start = before.over(rows, all, from);
  RingWalk walk(before.base);
  const std::size_t size = start == SIZE_MAX ? SIZE_MAX : walk.over(rows + start, all - start, count);
  if (size == SIZE_MAX) return;
  EventsHeader events;
  events.stream_id = slot.stream_id;
  events.clock_id = static_cast<std::uint16_t>(slot.clock_id);
  events.base_ticks = before.base;
  events.first_ticks = walk.first_ticks <= walk.last_ticks ? walk.first_ticks : walk.base;
  events.last_ticks = walk.first_ticks <= walk.last_ticks ? walk.last_ticks : walk.base;
  events.row_count = count;
  events.rows_size = static_cast<std::uint32_t>(size);
  events.first_ordinal = slot.first_ordinal + from;
  events.lost_total = sum_of(slot.told) + before.told_total() + walk.told_total();
  StoredRows stored;  // as they are
  stored.flags = walk.unsorted ? EVT_FLAG_UNSORTED : 0;
  stored.size = stored.raw_size = events.rows_size;
  stored.crc = events.rows_crc = crc32c(0, rows + start, size);
  append_block(out, BlockFramer::of_ring(header_.session_id).front(events, stored), rows + start, size);
  rows_ += count;
}

const RingRecovery::Found* RingRecovery::newest_of(std::uint32_t stream) const {
  const auto* const slots = reinterpret_cast<const Found*>(found_.data());
  std::size_t from = 0;
  std::size_t to = found_.size() / sizeof(Found);
  while (from < to) {  // to the first slot of a later stream
    const std::size_t middle = from + (to - from) / 2;
    if (slots[middle].slot.stream_id <= stream) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from > 0 && slots[from - 1].slot.stream_id == stream ? &slots[from - 1] : nullptr;
}

// Behind the last row of the stream, in the file or appended.
std::uint64_t RingRecovery::end_of(const Found* newest, std::uint64_t next) {
  return newest != nullptr && newest->end > next ? newest->end : next;
}

// Rows record losses when their stream gets a slot again; a kill may have come before.
void RingRecovery::append_untold(const ring::StreamRecord& record, FileOrdinals file, bool living, Buffer& out) {
  bool any = false;
  for (const std::uint64_t count : record.lost) any |= count != 0;
  if (!any) return;
  ring::Slot slot = {};
  slot.stream_id = record.id;
  slot.clock_id = 1;
  slot.base_ticks = record.lost_ticks;
  slot.first_ordinal = record.next_ordinal;
  std::memcpy(slot.told, record.told, sizeof slot.told);
  // A row that was finished just before the kill is not in the record yet; where slots have been used again, only the
  // record knows.
  const Found* const newest = newest_of(record.id);
  if (newest != nullptr && newest->has_rows) {
    const std::uint32_t rows = ring::rows_of(newest->slot.commit);
    RingWalk walk(newest->slot.base_ticks);
    walk.over(copied_.data() + newest->rows_at, ring::bytes_of(newest->slot.commit), rows);
    slot.first_ordinal = std::max(slot.first_ordinal, newest->slot.first_ordinal + rows);
    for (std::size_t cause = 0; cause < ring::kCauses; ++cause) {
      slot.told[cause] = std::max(slot.told[cause], newest->slot.told[cause] + walk.told[cause]);
    }
  }
  // The file has later rows: they record the losses, or a recovery that recorded them put these rows there. And a
  // living writer may have recorded them in rows behind those that were copied.
  const std::uint64_t next = file.next(file.self, record.id);
  const std::uint64_t end = end_of(newest, next);
  if (end > slot.first_ordinal || (living && end < slot.first_ordinal)) return;
  Buffer rows;
  std::uint64_t count = 0;
  for (std::uint16_t cause = 1; cause < EVT_LOST_CAUSES; ++cause) {
    if (record.lost[cause] <= slot.told[cause]) continue;
    append_lost_row(rows, cause, record.lost[cause] - slot.told[cause]);
    ++count;
  }
  slot.commit = count << 32 | rows.size();
  if (rows.ok()) append_events(slot, rows.data(), 0, out);
}

}  // namespace evt

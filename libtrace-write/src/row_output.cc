// Rows leave their stream as blocks: from a slot by whoever writes the trace, or inline where there is no flusher.
#include "row_output.h"

#include "recording.h"

namespace evt {

UnwrittenRows describe_rows(SlotState& slot, std::uint64_t commit, TypeCounts* counts) {
  const std::uint64_t flushed = slot.flushed();
  const StreamState& stream = *slot.stream;
  if (flushed == 0) slot.base = slot.memory->base_ticks;
  UnwrittenRows described;
  described.slot = &slot;
  described.commit = commit;
  described.rows = slot.rows + ring::bytes_of(flushed);
  const RowFacts& facts = described.facts = walk(described.rows, slot.rows + ring::bytes_of(commit), slot.base, counts);
  EventsHeader& events = described.events;
  events.stream_id = slot.memory->stream_id;
  events.clock_id = 1;
  events.base_ticks = slot.base;
  events.first_ticks = facts.first_ticks;
  events.last_ticks = facts.last_ticks;
  events.row_count = ring::rows_of(commit) - ring::rows_of(flushed);
  events.rows_size = ring::bytes_of(commit) - ring::bytes_of(flushed);
  events.stream_seq = stream.blocks_written;
  events.first_ordinal = slot.memory->first_ordinal + ring::rows_of(flushed);
  events.lost_total = stream.lost_written + facts.lost;
  return described;
}

void note_written(evt_writer& writer, const UnwrittenRows& written) {
  SlotState& slot = *written.slot;
  StreamState& stream = *slot.stream;
  const RowFacts& facts = written.facts;
  const EventsHeader& events = written.events;
  __atomic_store_n(&slot.memory->flushed, written.commit, __ATOMIC_RELEASE);
  slot.base = facts.base;
  slot.unwritten_since = 0;
  stream.blocks_written += 1;
  stream.rows_written = events.first_ordinal + events.row_count;
  stream.lost_written = events.lost_total;
  if (events.last_ticks > stream.last_ticks) stream.last_ticks = events.last_ticks;
  if (events.first_ordinal == 0 || events.first_ticks < stream.first_ticks) stream.first_ticks = events.first_ticks;
  writer.rows_written += events.row_count;
  writer.lost_written += facts.lost;
  __atomic_fetch_add(&writer.events_written, facts.events, __ATOMIC_RELAXED);
}

bool write_rows(evt_writer& writer, SlotState& slot, std::uint64_t commit) {
  if (commit == slot.flushed()) return true;
  const UnwrittenRows rows = describe_rows(slot, commit, writer.output.begin_counts());
  const std::uint16_t flags = rows.facts.unsorted ? EVT_FLAG_UNSORTED : 0;
  if (!writer.write_housekeeping() || !writer.output.write_events(rows.rows, flags, rows.events)) return false;
  note_written(writer, rows);
  return true;
}

void give_up_rows(SlotState& slot) {
  const std::uint64_t flushed = slot.flushed();
  const std::uint64_t commit = slot.committed();
  const std::uint64_t events =
      walk(slot.rows + ring::bytes_of(flushed), slot.rows + ring::bytes_of(commit), slot.base, nullptr).events;
  __atomic_fetch_add(&slot.stream->losses->lost[EVT_LOST_SINK], events, __ATOMIC_RELAXED);
  __atomic_store_n(&slot.memory->flushed, commit, __ATOMIC_RELEASE);
}

bool flush_locked(StreamState& stream, Row row) {
  if (stream.slot == nullptr) return false;
  SlotState& slot = *stream.slot;
  const bool usable = stream.writer->usable();
  if (usable && row == Row::kNone) tell_losses(stream);
  if (!usable || !write_rows(*stream.writer, slot, slot.committed())) {
    __atomic_store_n(&stream.hot.limit, nullptr, __ATOMIC_RELAXED);
    if (stream.writer->output.failed()) give_up_rows(slot);
    return false;
  }
  stream.next_ordinal += ring::rows_of(slot.committed());
  begin_slot(stream, &slot);
  return !is_off(stream);
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

}  // namespace evt

#include "row_output.h"

#include <algorithm>

#include "format-spec/src/row/row_reader.h"

namespace evt {
namespace {

// The rows come from another core's cache, and each row states where the next one is: the walk prefetches this many
// bytes ahead.
constexpr std::size_t kAhead = 1024;

void note_times(RowStats* facts, std::uint64_t first, std::uint64_t last, bool unsorted) {
  facts->unsorted |= unsorted || first < facts->last_ticks;
  if (first < facts->first_ticks) facts->first_ticks = first;
  if (last > facts->last_ticks) facts->last_ticks = last;
}

template <bool kCount>
RowStats walk_rows(const std::uint8_t* rows, std::size_t size, std::uint64_t base, TypeCounts* counts) {
  RowStats facts;
  RowReader reader(rows, size, base);
  for (;;) {
    // Rows of events that share a base: their deltas show their order.
    std::uint32_t lowest = UINT32_MAX;
    std::uint32_t highest = 0;
    bool steps_back = false;
    std::uint64_t events = 0;
    reader.each_ordinary([&](std::uint32_t delta, std::uint16_t type, const std::byte* payload, std::size_t) {
      __builtin_prefetch(payload + kAhead);
      if constexpr (kCount) counts->count(type);
      steps_back |= delta < highest;
      highest = delta > highest ? delta : highest;
      lowest = delta < lowest ? delta : lowest;
      ++events;
      return true;
    });
    facts.events += events;
    if (events > 0) note_times(&facts, reader.base() + lowest, reader.base() + highest, steps_back);
    const RowView* const row = reader.next();
    if (row == nullptr) break;
    if constexpr (kCount) counts->count(row->type);
    if (row->type == EVT_ROW_TIME_BASE) continue;
    note_times(&facts, row->ticks, row->ticks, false);
    facts.events += row->is_event() ? 1 : 0;
    if (row->is_lost()) facts.lost += row->lost_count();
  }
  facts.base = reader.base();
  if (facts.first_ticks > facts.last_ticks) facts.first_ticks = facts.last_ticks = facts.base;
  return facts;
}

constexpr std::uint64_t kCoresDifferMs = 1;  // their counters, at most

// Recomputes the times with another bound.
void time_rows(const std::uint8_t* row, const std::uint8_t* end, std::uint64_t base, std::uint64_t bound,
               RowStats* facts) {
  facts->first_ticks = UINT64_MAX;
  facts->last_ticks = 0;
  facts->passes_bound = false;
  RowReader reader(row, static_cast<std::size_t>(end - row), base);
  while (const RowView* const view = reader.next()) {
    if (view->type == EVT_ROW_TIME_BASE) continue;
    if (view->ticks > bound) {
      facts->passes_bound = true;
    } else {
      note_times(facts, view->ticks, view->ticks, false);
    }
  }
  if (facts->first_ticks > facts->last_ticks) facts->first_ticks = facts->last_ticks = base < bound ? base : bound;
}

// Walks over our own finished rows once. `bound`: the latest possible time of a row. `counts`: gets their types, unless
// null.
RowStats walk(const std::uint8_t* row, const std::uint8_t* end, std::uint64_t base, std::uint64_t bound,
              TypeCounts* counts) {
  const auto size = static_cast<std::size_t>(end - row);
  RowStats facts =
      counts != nullptr ? walk_rows<true>(row, size, base, counts) : walk_rows<false>(row, size, base, nullptr);
  if (facts.last_ticks > bound) time_rows(row, end, base, bound, &facts);
  return facts;
}

}  // namespace

UnwrittenRows RowOutput::describe(SlotState& slot, std::uint64_t commit, TypeCounts* counts) const {
  const std::uint64_t flushed = slot.flushed();
  const StreamState& stream = *slot.stream;
  slot.base = slot.base_of_unwritten();
  UnwrittenRows described;
  described.slot = &slot;
  described.commit = commit;
  described.rows = slot.rows + ring::bytes_of(flushed);
  EventsHeader& events = described.events;
  events.clock_id = slot.clock_id();
  events.bound_ticks = epochs_.bound(events.clock_id, kCoresDifferMs);
  const RowStats& facts = described.facts =
      walk(described.rows, slot.rows + ring::bytes_of(commit), slot.base, events.latest_possible(), counts);
  events.stream_id = slot.memory->stream_id;
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

void RowOutput::set_bound(UnwrittenRows* rows, std::uint64_t bound_ticks) {
  EventsHeader& events = rows->events;
  events.bound_ticks = bound_ticks;
  if (!rows->facts.passes_bound) return;
  time_rows(rows->rows, rows->rows + events.rows_size, events.base_ticks, events.latest_possible(), &rows->facts);
  events.first_ticks = rows->facts.first_ticks;
  events.last_ticks = rows->facts.last_ticks;
}

void RowOutput::note_written(const UnwrittenRows& written) {
  SlotState& slot = *written.slot;
  StreamState& stream = *slot.stream;
  const RowStats& facts = written.facts;
  const EventsHeader& events = written.events;
  if (trigger_ != nullptr && trigger_->seeks()) trigger_->find(events, written.rows);
  __atomic_store_n(&slot.memory->flushed, written.commit, __ATOMIC_RELEASE);
  slot.base = facts.base;
  slot.latest = std::max(slot.latest, events.last_ticks);
  slot.unwritten_since = 0;
  stream.blocks_written += 1;
  stream.rows_written = events.first_ordinal + events.row_count;
  stream.lost_written = events.lost_total;
  if (events.last_ticks > stream.last_ticks) stream.last_ticks = events.last_ticks;
  const bool is_same_time = events.clock_id == stream.latest_clock &&
                            !begins_with_jump({reinterpret_cast<const std::byte*>(written.rows), events.rows_size});
  if (!is_same_time || events.last_ticks > stream.latest_ticks) stream.latest_ticks = events.last_ticks;
  stream.latest_clock = events.clock_id;
  if (events.first_ordinal == 0 || events.first_ticks < stream.first_ticks) stream.first_ticks = events.first_ticks;
  rows_written_ += events.row_count;
  lost_written_ += facts.lost;
  __atomic_fetch_add(&events_written_, facts.events, __ATOMIC_RELAXED);
}

bool RowOutput::write_block(const std::uint8_t* rows, bool unsorted, const EventsHeader& events,
                            const PieceTableBytes* table) {
  if (trigger_ != nullptr) trigger_->look(counts_);  // they end with the index
  const bool is_written = blocks_.write_events(rows, unsorted ? EVT_FLAG_UNSORTED : 0, events, table);
  if (is_written && trigger_ != nullptr) trigger_->note_written();
  return is_written;
}

bool RowOutput::write(SlotState& slot, std::uint64_t commit) {
  const UnwrittenRows rows = describe(slot, commit, begin_counts());
  if (!write_block(rows.rows, rows.facts.unsorted, rows.events)) return false;
  note_written(rows);
  return true;
}

void RowOutput::give_up(SlotState& slot) {
  const std::uint64_t flushed = slot.flushed();
  const std::uint64_t commit = slot.committed();
  const RowStats facts =
      walk(slot.rows + ring::bytes_of(flushed), slot.rows + ring::bytes_of(commit), slot.base, UINT64_MAX, nullptr);
  if (facts.events > 0) count_lost(*slot.stream, EVT_LOST_SINK, facts.events, facts.first_ticks, facts.last_ticks);
  __atomic_store_n(&slot.memory->flushed, commit, __ATOMIC_RELEASE);
}

}  // namespace evt

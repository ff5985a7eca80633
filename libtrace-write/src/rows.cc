#include "rows.h"

#include "format-spec/src/row/row_reader.h"

namespace evt {
namespace {

// The rows come from another core's cache, and the one before states where the next one is: the walk asks for what
// it will need this many bytes early.
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
    // Rows of events that count from one base: their order shows in what they count.
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

}  // namespace

RowStats walk(const std::uint8_t* row, const std::uint8_t* end, std::uint64_t base, std::uint64_t bound,
              TypeCounts* counts) {
  const auto size = static_cast<std::size_t>(end - row);
  RowStats facts =
      counts != nullptr ? walk_rows<true>(row, size, base, counts) : walk_rows<false>(row, size, base, nullptr);
  if (facts.last_ticks > bound) time_rows(row, end, base, bound, &facts);
  return facts;
}

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

}  // namespace evt

#include "rows.h"

#include "format-spec/src/row/row_reader.h"

namespace evt {
namespace {

// The rows come from another core's cache, and where the next one is stands in the one before: what the walk will need
// is asked for so many bytes early.
constexpr std::size_t kAhead = 1024;

template <bool kCount>
RowFacts walk_rows(const std::uint8_t* rows, std::size_t size, std::uint64_t base, TypeCounts* counts) {
  RowFacts facts;
  RowReader reader(rows, size, base);
  while (const RowView* const row = reader.next()) {
    __builtin_prefetch(row->bytes.data() + kAhead);
    if constexpr (kCount) counts->count(row->type);
    if (row->type == EVT_ROW_TIME_BASE) continue;
    facts.unsorted |= row->ticks < facts.last_ticks;
    if (row->ticks < facts.first_ticks) facts.first_ticks = row->ticks;
    if (row->ticks > facts.last_ticks) facts.last_ticks = row->ticks;
    facts.events += row->is_event() ? 1 : 0;
    if (row->is_lost()) facts.lost += row->lost_count();
  }
  facts.base = reader.base();
  if (facts.first_ticks > facts.last_ticks) facts.first_ticks = facts.last_ticks = facts.base;
  return facts;
}

}  // namespace

RowFacts walk(const std::uint8_t* row, const std::uint8_t* end, std::uint64_t base, TypeCounts* counts) {
  const auto size = static_cast<std::size_t>(end - row);
  return counts != nullptr ? walk_rows<true>(row, size, base, counts) : walk_rows<false>(row, size, base, nullptr);
}

}  // namespace evt

#include "snapshot_trigger.h"

#include <stdlib.h>
#include <string.h>

#include "format-spec/src/row/row_reader.h"
#include "glob.h"

namespace evt {

void SnapshotTrigger::release() {
  free(glob_);
  free(numbers_);
  glob_ = nullptr;
  numbers_ = nullptr;
}

bool SnapshotTrigger::watch(const char* glob) {
  glob_ = strdup(glob);
  numbers_ = static_cast<std::uint8_t*>(calloc((UINT16_MAX + 1) / 8, 1));
  return glob_ != nullptr && numbers_ != nullptr;
}

void SnapshotTrigger::declared(const char* name, std::uint32_t number) {
  if (numbers_ == nullptr || number > UINT16_MAX || !matches(glob_, name)) return;
  has_matched_ = true;
  __atomic_fetch_or(&numbers_[number / 8], static_cast<std::uint8_t>(1 << number % 8), __ATOMIC_RELAXED);
}

void SnapshotTrigger::look(const TypeCounts* counts) {
  rows_in_block_ = 0;
  seeks_ = counts_ = counts == nullptr;
  for (std::uint32_t i = 0; counts != nullptr && i < counts->met; ++i) {
    const std::uint16_t type = counts->types[i];
    if (!has(type)) continue;
    rows_in_block_ += counts->rows[type];
    seeks_ = is_armed_;
  }
}

void SnapshotTrigger::find(const EventsHeader& events, const std::uint8_t* rows) {
  RowReader reader(rows, events.rows_size, events.base_ticks);
  for (std::uint64_t row = events.first_ordinal; const RowView* const view = reader.next(); ++row) {
    if (!has(view->type)) continue;
    if (counts_) ++rows_;
    if (!is_armed_ || (met_.type != 0 && met_.ticks <= view->ticks)) continue;
    met_ = {view->type, events.stream_id, row, view->ticks, events.clock_id};
  }
}

std::uint64_t SnapshotTrigger::take(Met* met) {
  const std::uint64_t rows = rows_;
  *met = met_;
  met_ = Met();
  rows_ = 0;
  return rows;
}

}  // namespace evt

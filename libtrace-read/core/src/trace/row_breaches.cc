#include "row_breaches.h"

#include <evt/names.h>
#include <fmt/core.h>

#include <algorithm>

#include "libtrace-read/core/src/block/multiplexed_blocks.h"
#include "libtrace-read/core/src/event/interned_fields.h"

namespace evt {

void RowBreaches::find(const Piece& piece, Bytes rows) {
  RowReader reader(rows, piece.base_ticks);
  std::uint64_t latest = 0;
  bool is_first = true;
  bool is_unsorted = false;
  while (const RowView* const row = reader.next()) {
    check_reserved(*row, is_first && !is_multiplexed(block_.events.layout));
    if (row->is_event()) check_event(*row);
    is_first = false;
    const bool has_time = row->type != EVT_ROW_TIME_BASE && row->ticks <= block_.events.latest_possible();
    if (!has_time) continue;
    is_unsorted |= row->ticks < latest;
    latest = std::max(latest, row->ticks);
  }
  if (is_unsorted && (block_.header.flags & EVT_FLAG_UNSORTED) == 0) {
    say("a row is earlier than one before it, and the block has not the flag 4");
  }
}

void RowBreaches::check_reserved(const RowView& row, bool may_jump) {
  if (row.type < EVT_TYPE_FIRST_RESERVED) return;
  const auto expect_size = [&](const char* of, std::size_t size) {
    if (row.payload.size() != size) say(fmt::format("{} has {} bytes, expected {}", of, row.payload.size(), size));
  };
  switch (row.type) {
    case EVT_ROW_TIME_BASE:
      expect_size("a TIME_BASE row", EVT_TIME_BASE_PAYLOAD);
      if (row.delta != 0) say("a TIME_BASE row has a delta");
      if (row.is_jump() && !may_jump) say("a jump is not in the first row of its block, or is in a piece");
      if (row.is_time_base() && (evt_load_u32(row.payload.data() + 8) & ~std::uint32_t{EVT_TIME_BASE_JUMP}) != 0) {
        say("a TIME_BASE row has flags that are not given out");
      }
      return;
    case EVT_ROW_LOST:
      expect_size("a LOST row", EVT_LOST_PAYLOAD);
      if (row.is_lost() && named_number(NumberList::kLossCause, row.lost_cause()) == nullptr) {
        say(fmt::format("a LOST row has the cause {}, which is not in REGISTRY.md", row.lost_cause()));
      }
      return;
    case EVT_ROW_WIDE:
      if (row.is_event() && row.number() >= EVT_TYPE_FIRST_RESERVED && row.number() <= UINT16_MAX) {
        say(fmt::format("a WIDE row has the reserved number {}", row.number()));
      }
      return;
    case EVT_ROW_END:
      return expect_size("an END row", 0);
    case EVT_ROW_PADDING:
      return;
    default:
      say(fmt::format("a row has the reserved type {:#x}", row.type));
  }
}

void RowBreaches::check_event(const RowView& row) {
  const std::uint32_t number = row.number();
  if (number == 0) return say("a row has type 0");
  const EventType* const type = session_.types.find(number);
  if (type == nullptr) return say(fmt::format("event type {} is used and not described before", number));
  const std::size_t size = row.fields().size();
  if (type->declared_size() != EVT_SIZE_VARIABLE && type->declared_size() != size) {
    say(fmt::format("event type {} has {} bytes by its record, a row {}", type->name(), type->declared_size(), size));
  }
  for_each_interned(*type, row.fields(), [&](const std::byte* at) {
    const std::uint32_t id = evt_load_u32(at);
    if (id != 0 && !session_.session->strings.contains(id)) {
      say(fmt::format("string {} is used and not described before", id));
    }
  });
}

}  // namespace evt

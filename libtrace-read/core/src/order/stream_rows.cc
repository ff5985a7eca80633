#include "stream_rows.h"

#include <evt/little_endian.h>
#include <fmt/core.h>

#include <algorithm>

#include "format-spec/src/row/row_reader.h"
#include "libtrace-read/core/src/base/cursor.h"
#include "libtrace-read/core/src/base/damaged.h"

namespace evt {

OrderKey StreamRows::least_key() const {
  const EventsHeader& events = blocks_.first().events;
  return std::max(floor_, context_.key_of(events.clock_id, events.first_ticks));
}

bool StreamRows::next_key(OrderKey* key) {
  Found row;
  if (!find(Want::kKey, &row)) return false;
  *key = row.key;
  return true;
}

StreamRows::Stop StreamRows::take(const OrderKey& limit, std::size_t most_bytes, RowBuffer* rows, OrderKey* next) {
  const auto is_full = [&] {
    return rows->room() == 0 || (context_.slices->kept_bytes() > most_bytes && !rows->empty());
  };
  Found row;
  for (;;) {
    if (blocks_.has_slice() && blocks_.is_open() && !place_.jump && is_new() && !is_full()) {
      take_ordinary(limit, rows);
    }
    if (!find(Want::kAll, &row)) return Stop::kEnd;
    *next = row.key;
    if (row.key > limit) return Stop::kLater;
    if (is_full()) return Stop::kFull;
    if (row.stamp != 0) count_impossible();
    rows->begin_piece(info_, *place_.clock, place_.ordinal, row.stamp);
    rows->put(rows->size(), row.key,
              {row.payload, row.ticks, row.type, static_cast<std::uint32_t>(row.payload_size), rows->piece()});
    rows->grow(1);
    place_.latest_key = row.key;
    if (place_.jump) {
      place_.jump = false;  // that was the marker; its row comes next
    } else {
      place_.times.step_over(row.ticks);
      step_over(row.size);
    }
  }
}

// A row may be taken again, in another window or by another reader.
void StreamRows::count_impossible() const {
  if (place_.ordinal < info_.impossible_before) return;
  info_.impossible_before = place_.ordinal + 1;
  ++info_.impossible_stamps;
}

// Nearly all rows are short, contain events, and are complete in the slice: takes them up to one that needs a closer
// look.
void StreamRows::take_ordinary(const OrderKey& limit, RowBuffer* rows) {
  switch (context_.order) {
    case OrderBy::kTicks:
      return take_ordinary<OrderBy::kTicks>(limit, rows);
    case OrderBy::kNs:
      return take_ordinary<OrderBy::kNs>(limit, rows);
    case OrderBy::kNsClockTicks:
      return take_ordinary<OrderBy::kNsClockTicks>(limit, rows);
  }
}

template <OrderBy kOrder>
void StreamRows::take_ordinary(const OrderKey& limit, RowBuffer* rows) {
  // If only time orders, only time is compared and kept.
  const auto what_orders = [](const OrderKey& key) {
    if constexpr (kOrder == OrderBy::kNsClockTicks) {
      return key;
    } else {
      return key.time;
    }
  };
  auto last = what_orders(limit);
  if constexpr (kOrder == OrderBy::kTicks) last = std::min(last, place_.times.latest_possible());
  auto latest = what_orders(place_.latest_key);
  const Bytes bytes = blocks_.rows();
  const std::uint64_t base = place_.base;
  const std::uint64_t latest_possible = place_.times.latest_possible();
  if (base > latest_possible) return;
  const std::uint64_t most_delta = latest_possible - base;
  const std::size_t begin = rows->size();
  const std::size_t most = begin + std::min<std::size_t>(place_.rows_left, rows->room());
  std::size_t at = begin;
  rows->begin_piece(info_, *place_.clock, place_.ordinal);
  const std::uint32_t piece = rows->piece();
  RowReader reader(bytes, base);
  reader.each_ordinary([&](std::uint32_t delta, std::uint16_t type, const std::byte* payload, std::size_t size) {
    if (at == most) return false;
    // By ticks, impossible stamps are after `last`.
    if constexpr (kOrder != OrderBy::kTicks) {
      if (delta > most_delta) return false;
    }
    const std::uint64_t ticks = base + delta;
    const auto key = std::max(latest, what_orders(RowContext::key_of<kOrder>(place_.clock_id, *place_.clock, ticks)));
    if (key > last) return false;
    rows->put(at, key, {payload, ticks, context_.types->find(type), static_cast<std::uint32_t>(size), piece});
    latest = key;
    ++at;
    return true;
  });
  const std::size_t taken = at - begin;
  rows->grow(taken);
  if (taken > 0) place_.times.step_over(rows->rows()[at - 1].ticks);
  if constexpr (kOrder == OrderBy::kNsClockTicks) {
    place_.latest_key = latest;
  } else {
    place_.latest_key.time = latest;
  }
  blocks_.step_over(bytes.size() - reader.left());
  place_.ordinal += taken;
  place_.rows_left -= static_cast<std::uint32_t>(taken);
}

// Finds the next row to return, without stepping over it.
bool StreamRows::find(Want want, Found* row) {
  for (;;) {
    switch (look(want, row)) {
      case Step::kRow:
        return true;
      case Step::kEnd:
        return false;
      case Step::kSkip:
        // Rows of the format itself have a time too, except a time base, which sets one.
        if (row->number != EVT_ROW_TIME_BASE) {
          place_.latest_key = row->key;
          place_.times.step_over(row->ticks);
        }
        step_over(row->size);
        break;
      case Step::kMoved:
        break;
    }
  }
}

StreamRows::Step StreamRows::look(Want want, Found* row) {
  if (!blocks_.is_open() && !open_part()) return Step::kEnd;
  const std::uint64_t left_in_block = blocks_.left();
  if (place_.rows_left == 0 && place_.is_extract) {
    leave_part();
    return Step::kMoved;
  }
  if (left_in_block == 0 || place_.rows_left == 0) {
    if (left_in_block != 0 || place_.rows_left != 0) {
      give_up(damaged(fmt::format("{} rows and {} bytes of rows do not go together", blocks_.header().row_count,
                                  blocks_.header().rows_size)));
    } else {
      leave_part();
    }
    return Step::kMoved;
  }
  const Bytes rows = blocks_.rows();
  const std::size_t left = rows.size();
  if (left >= RowHeader::kLarge || (left >= RowHeader::kSmall && left == left_in_block)) {
    const std::byte* const p = rows.data();
    const RowHeader header = RowHeader::read(p, left);
    row->size = header.size;
    if (!header.fits(left_in_block)) {
      give_up(damaged(fmt::format("row {} of stream {} claims {} bytes, {} are left in its block", place_.ordinal,
                                  info_.id, row->size, left_in_block)));
      return Step::kMoved;
    }
    const bool reserved_type = header.type >= EVT_TYPE_FIRST_RESERVED;
    if (row->size <= left || (want == Want::kKey && !reserved_type)) {
      const std::uint64_t stamp = place_.base + header.delta;
      row->ticks = place_.times.of(stamp);
      row->stamp = place_.times.is_possible(stamp) ? 0 : stamp;
      row->key = std::max(place_.latest_key, context_.key_of(place_.clock_id, *place_.clock, row->ticks));
      row->payload = p + header.header_size();
      row->payload_size = row->size - header.header_size();
      row->number = header.type;
      if (reserved_type) return reserved(row, {row->payload, row->payload_size});
      return is_new() ? found(want, row) : Step::kSkip;
    }
  } else if (left > 0 && left == left_in_block) {
    give_up(damaged(fmt::format("the rows of stream {} end inside a row", info_.id)));
    return Step::kMoved;
  } else {
    row->size = RowHeader::kLarge;
  }
  // The row continues after the slice.
  if (const Status status = blocks_.read_on(row->size); !status.ok()) give_up(status);
  return Step::kMoved;
}

// Handles a row of the format itself. Invalid ones are skipped, like unknown ones.
StreamRows::Step StreamRows::reserved(Found* row, Bytes payload) {
  Cursor in(payload);
  const std::uint32_t type = row->number;
  if (type == EVT_ROW_TIME_BASE) {
    const std::uint64_t base = in.u64();
    const std::uint32_t flags = in.u32();
    if (in.ok()) place_.base = base;
    const bool first = place_.ordinal == blocks_.header().first_ordinal && !blocks_.is_piece();
    if (in.ok() && first && is_new() && (flags & EVT_TIME_BASE_JUMP) != 0) place_.jump = context_.markers;
    return Step::kSkip;
  }
  if (!is_new()) return Step::kSkip;
  if (type == EVT_ROW_WIDE) {
    const std::uint32_t number = in.u32();
    if (!in.ok() || (number >= EVT_TYPE_FIRST_RESERVED && number <= 0xFFFF)) return Step::kSkip;
    row->number = number;
    row->payload += sizeof number;
    row->payload_size -= sizeof number;
    return found(Want::kAll, row);
  }
  if (type == EVT_ROW_END && context_.ends) {
    row->type = context_.types->end();
    row->payload_size = 0;
    return mark(row);
  }
  if (type != EVT_ROW_LOST || !context_.markers || payload.size() < EVT_LOST_PAYLOAD) return Step::kSkip;
  row->type = context_.types->lost();
  row->payload_size = EVT_LOST_PAYLOAD;  // a later version may append fields, which this one ignores
  return mark(row);
}

StreamRows::Step StreamRows::found(Want want, Found* row) {
  if (want == Want::kAll) row->type = context_.types->find(row->number);
  return mark(row);
}

// The marker before the first row after a step in time shares only that row's time.
StreamRows::Step StreamRows::mark(Found* row) {
  if (place_.jump) {
    row->type = context_.types->jump();
    row->payload_size = 0;
  }
  return Step::kRow;
}

void StreamRows::step_over(std::size_t size) {
  blocks_.step_over(size);
  place_.ordinal += 1;
  place_.rows_left -= 1;
}

bool StreamRows::open_part() {
  while (!blocks_.at_end()) {
    if (blocks_.is_first()) place_.latest_key = least_key();
    const Status status = blocks_.open();
    begin_part();
    if (status.ok()) return true;
    give_up(status);
  }
  return false;
}

void StreamRows::begin_part() {
  const EventsHeader& part = blocks_.header();
  place_.rows_left = part.row_count;
  place_.ordinal = part.first_ordinal;
  place_.first_new = 0;
  const auto number = static_cast<std::size_t>(&blocks_.part() - of_.parts.data());
  const Extract* const extract = context_.data->extract_of(info_.id, number);
  place_.is_extract = extract != nullptr;
  if (extract != nullptr) {
    const std::uint64_t rows = extract->rows.end - std::min(extract->rows.end, part.first_ordinal);
    place_.rows_left = static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, part.row_count));
    place_.first_new = extract->rows.begin;
  }
  place_.base = part.base_ticks;
  place_.times = RowTimes(part);
  place_.clock_id = part.clock_id;
  place_.clock = &context_.clocks->find(part.clock_id)->second;  // parts of unknown clocks have been left out
}

void StreamRows::leave_part() {
  if (blocks_.header().row_count > 0) place_.lost_before = blocks_.header().lost_total;
  blocks_.leave();
}

void StreamRows::give_up(const Status& why) {
  // No table describes this piece: how many rows of which streams are gone is unknown.
  const bool is_unknown = blocks_.is_piece() && blocks_.header().row_count == 0;
  const EventsHeader& part = is_unknown ? blocks_.block().events : blocks_.header();
  const auto ns_of = [&](std::uint64_t ticks) {
    return distance_ns(context_.session->start_ns, context_.clocks->at(part.clock_id).to_ns(ticks));
  };
  UnreadableRows lost;
  lost.block = &blocks_.block();
  lost.piece = blocks_.piece();
  lost.session_number = context_.session_number;
  lost.session = context_.session;
  lost.stream = is_unknown ? 0 : info_.id;
  lost.info = is_unknown ? nullptr : &info_;
  lost.rows = is_unknown ? part.row_count : place_.rows_left;
  if (!is_new()) lost.rows -= std::min(lost.rows, place_.first_new - place_.ordinal);
  const bool is_all = !is_unknown && place_.rows_left == part.row_count && !place_.is_extract;
  if (is_all && place_.lost_before && part.lost_total > *place_.lost_before) {
    lost.lost = part.lost_total - *place_.lost_before;
  }
  if (lost.rows > 0) {  // else the part may not have been opened, and has no clock
    lost.from_ns = ns_of(part.first_ticks);
    lost.to_ns = ns_of(part.last_ticks);
  }
  context_.ledger->lose(lost, why);
  leave_part();
}

}  // namespace evt

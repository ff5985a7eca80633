#include "stream_rows.h"

#include <evt/little_endian.h>
#include <fmt/format.h>

#include <algorithm>

#include "cursor.h"
#include "format-spec/src/crc32c.h"

namespace evt {

std::uint64_t StreamRows::key_of(std::uint64_t ticks) const {
  if (!context_.by_ns) return ticks;
  return static_cast<std::uint64_t>(place_.clock->to_ns(ticks)) ^ (std::uint64_t{1} << 63);
}

bool StreamRows::next_key(std::uint64_t* key) {
  Row row;
  std::size_t size = 0;
  if (!find(&row, &size)) return false;
  *key = row.key;
  return true;
}

bool StreamRows::take(std::uint64_t limit, std::size_t most, std::size_t most_bytes, std::vector<Row>* rows) {
  Row row;
  std::size_t size = 0;
  while (find(&row, &size) && row.key <= limit) {
    const bool full = rows->size() >= most || (context_.kept_bytes > most_bytes && !rows->empty());
    if (full) return false;
    rows->push_back(row);
    place_.latest_key = row.key;
    if (place_.jump) {
      place_.jump = false;  // that was the marker; its row comes next
    } else {
      step_over(size);
    }
  }
  return true;
}

// The next row that is handed out, without stepping over it.
bool StreamRows::find(Row* row, std::size_t* size) {
  for (;;) {
    switch (look(row, size)) {
      case Step::kRow:
        return true;
      case Step::kEnd:
        return false;
      case Step::kSkip:
        step_over(*size);
        break;
      case Step::kMoved:
        break;
    }
  }
}

StreamRows::Step StreamRows::look(Row* row, std::size_t* size) {
  if (!place_.open && !open_block()) return place_.block < blocks_.size() ? Step::kMoved : Step::kEnd;
  const std::size_t left = place_.slice->size - place_.at;
  const std::uint64_t rows_at = place_.slice_start + place_.at;
  const std::uint64_t left_in_block = block().events.rows_size - rows_at;
  if (left_in_block == 0 || place_.rows_left == 0) {
    if (left_in_block != 0 || place_.rows_left != 0) {
      give_up(fmt::format("{} rows and {} bytes of rows do not go together", block().events.row_count,
                          block().events.rows_size));
    } else {
      leave_block();
    }
    return Step::kMoved;
  }
  const std::byte* const p = place_.slice->data.get() + place_.at;
  std::size_t header = EVT_ROW_HEADER_SIZE;
  if (left >= EVT_BIG_ROW_HEADER_SIZE || (left >= header && left == left_in_block)) {
    const std::uint64_t head = evt_load_u64(p);
    const auto type = static_cast<std::uint16_t>(head >> 32);
    *size = static_cast<std::uint16_t>(head >> 48);
    if (*size == 0) {
      header = EVT_BIG_ROW_HEADER_SIZE;
      *size = left >= header ? evt_load_u32(p + EVT_ROW_HEADER_SIZE) : 0;
    }
    if (*size >= header && *size <= left) {
      row->ticks = place_.base + (head & 0xFFFFFFFF);
      row->key = std::max(place_.latest_key, key_of(row->ticks));
      row->ordinal = place_.ordinal;
      row->payload = p + header;
      row->payload_size = static_cast<std::uint32_t>(*size - header);
      row->type = type;
      row->run = run_;
      row->clock = place_.clock;
      if (type >= EVT_TYPE_FIRST_RESERVED) return reserved(row, type, {row->payload, row->payload_size});
      if (place_.jump) row->type = EVT_ROW_TIME_BASE;
      return Step::kRow;
    }
    if (*size < header || *size > left_in_block) {
      give_up(fmt::format("row {} of stream {} says it has {} bytes, {} are left in its block", place_.ordinal,
                          info_.id, *size, left_in_block));
      return Step::kMoved;
    }
  } else if (left == left_in_block) {
    give_up(fmt::format("the rows of stream {} end inside a row", info_.id));
    return Step::kMoved;
  } else {
    *size = EVT_BIG_ROW_HEADER_SIZE;
  }
  // The row goes on behind the slice.
  if (!read_slice(rows_at, *size)) give_up("its rows cannot be read again");
  return Step::kMoved;
}

// A row of the format's own. What does not make sense is skipped, as an unknown one would be.
StreamRows::Step StreamRows::reserved(Row* row, std::uint16_t type, Bytes payload) {
  Cursor in(payload);
  if (type == EVT_ROW_TIME_BASE) {
    const std::uint64_t base = in.u64();
    const std::uint32_t flags = in.u32();
    if (in.ok()) place_.base = base;
    const bool first = place_.ordinal == block().events.first_ordinal;
    if (in.ok() && first && (flags & EVT_TIME_BASE_JUMP) != 0) place_.jump = context_.markers;
    return Step::kSkip;
  }
  const bool wide = type == EVT_ROW_WIDE && payload.size() >= 4;
  if (!wide && (type != EVT_ROW_LOST || !context_.markers || payload.size() < EVT_LOST_PAYLOAD)) return Step::kSkip;
  if (wide) {
    row->type = in.u32();
    row->payload += 4;
    row->payload_size -= 4;
  }
  if (place_.jump) row->type = EVT_ROW_TIME_BASE;
  return Step::kRow;
}

void StreamRows::step_over(std::size_t size) {
  place_.at += size;
  place_.ordinal += 1;
  place_.rows_left -= 1;
}

bool StreamRows::open_block() {
  while (place_.block < blocks_.size()) {
    const EventsHeader& events = block().events;
    place_.open = true;
    place_.base = events.base_ticks;
    place_.ordinal = events.first_ordinal;
    place_.rows_left = events.row_count;
    const auto clock = context_.clocks->find(events.clock_id);
    place_.clock = clock == context_.clocks->end() ? nullptr : &clock->second;
    const bool whole = block().header.payload_size <= context_.slice_size;
    std::uint32_t crc = 0;
    bool readable = read_slice(0, 0);
    if (readable) {
      crc = whole ? crc32c(0, place_.slice->data.get(), place_.slice->size) : context_.blocks->checksum(block());
      readable = crc == block().header.payload_crc;
    }
    if (readable && crc == events.rows_crc) return true;
    give_up(fmt::format("payload checksum is {:08x}, header says {:08x}", crc,
                        readable ? events.rows_crc : block().header.payload_crc));
  }
  return false;
}

// At least `wanted` bytes of rows from `start` on, more if a slice has more.
bool StreamRows::read_slice(std::uint64_t start, std::size_t wanted) {
  const std::uint64_t left = block().events.rows_size - start;
  const auto size =
      static_cast<std::size_t>(std::min<std::uint64_t>(left, std::max<std::uint64_t>(wanted, context_.slice_size)));
  auto slice = std::make_shared<SliceBytes>();
  slice->data = std::make_unique_for_overwrite<std::byte[]>(size);
  slice->size = context_.blocks->read(block(), start, slice->data.get(), size);
  if (slice->size < std::min<std::uint64_t>(left, wanted)) return false;
  if (place_.slice != nullptr) {
    context_.kept_bytes += place_.slice->size;
    context_.kept.push_back(std::move(place_.slice));
  }
  place_.slice = std::move(slice);
  place_.slice_start = start;
  place_.at = 0;
  return true;
}

void StreamRows::leave_block() {
  place_.block += 1;
  place_.open = false;
}

void StreamRows::give_up(std::string reason) {
  const Block& bad = block();
  if (context_.damaged_blocks->insert(bad.offset).second) {
    context_.damage->push_back({bad.offset, bad.end() - bad.offset, std::move(reason)});
    info_.missing += place_.rows_left;
    context_.session->missing += place_.rows_left;
  }
  leave_block();
}

}  // namespace evt

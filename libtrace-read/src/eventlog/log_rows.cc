#include "log_rows.h"

#include <evt/little_endian.h>

#include <algorithm>
#include <cstring>

#include "../raw_bytes.h"
#include "format-spec/src/crc32c.h"

namespace evt::eventlog {
namespace {

// Bytes of an event of a log without a payload.
constexpr std::size_t kLeastOfEvent = 10;
// Of one row: a time base before it, the largest header, a wide number.
constexpr std::size_t kMostOfHead = EVT_ROW_HEADER_SIZE + EVT_TIME_BASE_PAYLOAD + EVT_BIG_ROW_HEADER_SIZE + 4;

void store_head(std::uint8_t* out, std::uint64_t delta, std::uint16_t type, std::size_t size) {
  evt_store_u64(out, delta | std::uint64_t{type} << 32 | std::uint64_t{size} << 48);
}

}  // namespace

bool LogRows::read(std::span<const Segment> segments) {
  std::size_t total = 0;
  for (const Segment& segment : segments) total += segment.size;
  bytes_.resize(total);
  std::size_t at = 0;
  for (const Segment& segment : segments) {
    if (log_.read_at(segment.offset, bytes_.data() + at, segment.size) != segment.size) return false;
    at += segment.size;
  }
  return true;
}

// Room for whatever so many bytes of a log can become: most of it is never touched.
void LogRows::reserve(std::size_t bytes) {
  const std::size_t most =
      (bytes / kLeastOfEvent + 1) * (kMostOfHead + LogType::kMostGrowth) + LogType::kGrowth * bytes;
  if (most <= capacity_) return;
  rows_ = std::make_unique_for_overwrite<std::byte[]>(most);
  capacity_ = most;
}

void LogRows::begin(std::uint64_t base) {
  size_ = 0;
  base_ = first_ticks_ = latest_ticks_ = base;
  row_count_ = time_bases_ = 0;
  recent_count_ = 0;
  std::fill(counts_.begin(), counts_.end(), 0);
}

// REQUIRES: an event not before the base.
void LogRows::put(const LogEvent& event) {
  std::uint8_t* out = raw(rows_.get()) + size_;
  if (event.ticks - base_ > UINT32_MAX) {
    constexpr std::size_t kSize = EVT_ROW_HEADER_SIZE + EVT_TIME_BASE_PAYLOAD;
    store_head(out, 0, EVT_ROW_TIME_BASE, kSize);
    evt_store_u64(out + EVT_ROW_HEADER_SIZE, event.ticks);
    evt_store_u32(out + EVT_ROW_HEADER_SIZE + 8, 0);
    out += kSize;
    base_ = event.ticks;
    ++time_bases_;
    ++row_count_;
    recent_count_ = 0;
  }
  const std::uint32_t number = event.type->number();
  const bool is_wide = number > UINT16_MAX;
  const std::uint16_t type = is_wide ? std::uint16_t{EVT_ROW_WIDE} : static_cast<std::uint16_t>(number);
  // Room is left for a small header; a large row, which is rare, is moved.
  std::uint8_t* p = out + EVT_ROW_HEADER_SIZE;
  if (is_wide) {
    evt_store_u32(p, number);
    p += 4;
  }
  p = event.type->translate(event.payload, event.payload_size, p);
  auto size = static_cast<std::size_t>(p - out);
  if (size > EVT_ROW_MAX_SHORT) {
    std::memmove(out + EVT_BIG_ROW_HEADER_SIZE, out + EVT_ROW_HEADER_SIZE, size - EVT_ROW_HEADER_SIZE);
    size += EVT_BIG_ROW_HEADER_SIZE - EVT_ROW_HEADER_SIZE;
    evt_store_u32(out + EVT_ROW_HEADER_SIZE, static_cast<std::uint32_t>(size));
    store_head(out, event.ticks - base_, type, 0);
  } else {
    store_head(out, event.ticks - base_, type, size);
  }
  ++row_count_;
  ++counts_[event.type->place()];
  const auto at = static_cast<std::size_t>(out - raw(rows_.get()));
  recent_[recent_count_++ % kRecent] = {event.ticks, at};
  size_ = at + size;
}

// Puts the last row, of that time, in front of those that are later; false if it would have to pass too many.
bool LogRows::move_back(std::uint64_t ticks, std::size_t at) {
  const std::size_t size = size_ - at;
  std::size_t place = recent_count_ - 1;
  const std::size_t least = recent_count_ > kRecent ? recent_count_ - kRecent : 0;
  while (place > least && recent_[(place - 1) % kRecent].ticks > ticks) {
    const Recent& before = recent_[(place - 1) % kRecent];
    recent_[place % kRecent] = {before.ticks, before.at + size};
    --place;
  }
  if (place == least) return false;
  const std::size_t to = place + 1 < recent_count_ ? recent_[(place + 1) % kRecent].at - size : at;
  recent_[place % kRecent] = {ticks, to};
  std::byte* const rows = rows_.get();
  std::rotate(rows + to, rows + at, rows + size_);
  return true;
}

// Events of a capability are in order but for a few: the end of a collection is told with the time it had, behind its
// statistics. False if the log is not what it was.
bool LogRows::make_in_order(bool* in_order) {
  const std::uint8_t* p = raw(bytes_.data());
  const std::uint8_t* const end = p + bytes_.size();
  *in_order = true;
  bool first = true;
  for (LogEvent event; p < end; p += event.size) {
    if (read_event(types_, p, static_cast<std::size_t>(end - p), &event) != Found::kEvent) return false;
    if (first) begin(event.ticks);
    first = false;
    const bool late = event.ticks < latest_ticks_;
    if (late && event.ticks < base_) return *in_order = false, true;
    put(event);
    if (late && !move_back(event.ticks, recent_[(recent_count_ - 1) % kRecent].at)) return *in_order = false, true;
    latest_ticks_ = std::max(latest_ticks_, event.ticks);
  }
  return !first;
}

bool LogRows::make_sorted() {
  events_.clear();
  const std::uint8_t* p = raw(bytes_.data());
  const std::uint8_t* const end = p + bytes_.size();
  for (LogEvent event; p < end; p += event.size) {
    if (read_event(types_, p, static_cast<std::size_t>(end - p), &event) != Found::kEvent) return false;
    events_.push_back(event);
  }
  std::stable_sort(events_.begin(), events_.end(),
                   [](const LogEvent& a, const LogEvent& b) { return a.ticks < b.ticks; });
  begin(events_.front().ticks);
  for (const LogEvent& event : events_) put(event);
  latest_ticks_ = events_.back().ticks;
  return true;
}

bool LogRows::make(std::span<const Segment> segments) {
  bool in_order = false;
  if (!read(segments)) return false;
  reserve(bytes_.size());
  if (!make_in_order(&in_order)) return false;
  return in_order || make_sorted();
}

EventsHeader LogRows::events() const {
  EventsHeader events;
  events.base_ticks = events.first_ticks = first_ticks_;
  events.last_ticks = latest_ticks_;
  events.row_count = row_count_;
  events.rows_size = static_cast<std::uint32_t>(size_);
  events.rows_crc = crc32c(0, rows_.get(), size_);
  return events;
}

// Wide types are counted together, as they stand in rows.
std::vector<TypeCount> LogRows::counts() const {
  std::vector<TypeCount> counts;
  std::uint64_t wide = 0;
  for (std::size_t place = 0; place < counts_.size(); ++place) {
    const std::uint32_t number = types_.types()[place]->number();
    if (number > UINT16_MAX) {
      wide += counts_[place];
    } else if (counts_[place] > 0) {
      counts.push_back({number, counts_[place]});
    }
  }
  if (time_bases_ > 0) counts.push_back({EVT_ROW_TIME_BASE, time_bases_});
  if (wide > 0) counts.push_back({EVT_ROW_WIDE, wide});
  std::sort(counts.begin(), counts.end(), [](const TypeCount& a, const TypeCount& b) { return a.number < b.number; });
  return counts;
}

}  // namespace evt::eventlog

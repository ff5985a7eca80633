#include "log_rows.h"

#include <evt/little_endian.h>

#include <algorithm>
#include <cstring>

#include "../raw_bytes.h"
#include "format-spec/src/crc32c.h"

namespace evt::eventlog {
namespace {

// An event that comes late passes so many at most one by one; more are sorted together.
constexpr std::size_t kFew = 64;

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

// Events of a capability are in order but for a few: the end of a collection is told with the time it had, behind its
// statistics.
void LogRows::add(const LogEvent& event) {
  entries_.push_back({event.ticks, event.type, event.payload, event.payload_size});
  std::size_t at = entries_.size() - 1;
  const std::size_t least = at > kFew ? at - kFew : 0;
  while (at > least && entries_[at - 1].ticks > entries_[at].ticks) {
    std::swap(entries_[at - 1], entries_[at]);
    --at;
  }
  if (at > 0 && entries_[at - 1].ticks > entries_[at].ticks) sorted_ = false;
}

void LogRows::count(std::uint32_t type) {
  if (counts_.size() <= type) counts_.resize(std::size_t{type} + 1);
  if (counts_[type]++ == 0) met_.push_back(type);
}

std::uint8_t* LogRows::put(const Entry& entry, std::uint64_t* base, std::uint8_t* out) {
  if (entry.ticks - *base > UINT32_MAX) {
    constexpr std::size_t kSize = EVT_ROW_HEADER_SIZE + EVT_TIME_BASE_PAYLOAD;
    store_head(out, 0, EVT_ROW_TIME_BASE, kSize);
    evt_store_u64(out + EVT_ROW_HEADER_SIZE, entry.ticks);
    evt_store_u32(out + EVT_ROW_HEADER_SIZE + 8, 0);
    out += kSize;
    *base = entry.ticks;
    ++row_count_;
    count(EVT_ROW_TIME_BASE);
  }
  const std::uint32_t number = entry.type->number();
  const bool is_wide = number > UINT16_MAX;
  const std::uint16_t type = is_wide ? std::uint16_t{EVT_ROW_WIDE} : static_cast<std::uint16_t>(number);
  // Room is left for a small header; a large row, which is rare, is moved.
  std::uint8_t* p = out + EVT_ROW_HEADER_SIZE;
  if (is_wide) {
    evt_store_u32(p, number);
    p += 4;
  }
  p = entry.type->translate(entry.payload, entry.payload_size, p);
  auto size = static_cast<std::size_t>(p - out);
  if (size > EVT_ROW_MAX_SHORT) {
    std::memmove(out + EVT_BIG_ROW_HEADER_SIZE, out + EVT_ROW_HEADER_SIZE, size - EVT_ROW_HEADER_SIZE);
    size += EVT_BIG_ROW_HEADER_SIZE - EVT_ROW_HEADER_SIZE;
    evt_store_u32(out + EVT_ROW_HEADER_SIZE, static_cast<std::uint32_t>(size));
    store_head(out, entry.ticks - *base, type, 0);
  } else {
    store_head(out, entry.ticks - *base, type, size);
  }
  ++row_count_;
  count(type);
  return out + size;
}

void LogRows::reserve(std::size_t size) {
  if (size <= capacity_) return;
  rows_ = std::make_unique_for_overwrite<std::byte[]>(size);
  capacity_ = size;
}

bool LogRows::make(std::span<const Segment> segments) {
  size_ = 0;
  for (const std::uint32_t type : met_) counts_[type] = 0;
  met_.clear();
  row_count_ = 0;
  entries_.clear();
  sorted_ = true;
  if (!read(segments)) return false;
  const std::uint8_t* p = raw(bytes_.data());
  const std::uint8_t* const end = p + bytes_.size();
  std::size_t most = 0;
  for (LogEvent event; p < end; p += event.size) {
    if (read_event(types_, p, static_cast<std::size_t>(end - p), &event) != Found::kEvent) return false;
    add(event);
    most += LogType::kMostGrowth + event.payload_size * (event.type->is_variable() ? LogType::kGrowth : 1);
  }
  if (entries_.empty()) return false;
  if (!sorted_) {
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.ticks < b.ticks; });
  }
  reserve(most);
  std::uint64_t base = entries_.front().ticks;
  std::uint8_t* out = raw(rows_.get());
  for (const Entry& entry : entries_) out = put(entry, &base, out);
  size_ = static_cast<std::size_t>(out - raw(rows_.get()));
  return true;
}

EventsHeader LogRows::events() const {
  EventsHeader events;
  events.base_ticks = events.first_ticks = entries_.front().ticks;
  events.last_ticks = entries_.back().ticks;
  events.row_count = row_count_;
  events.rows_size = static_cast<std::uint32_t>(size_);
  events.rows_crc = crc32c(0, rows_.get(), size_);
  return events;
}

std::vector<TypeCount> LogRows::counts() const {
  std::vector<TypeCount> counts;
  for (const std::uint32_t type : met_) counts.push_back({type, counts_[type]});
  std::sort(counts.begin(), counts.end(), [](const TypeCount& a, const TypeCount& b) { return a.number < b.number; });
  return counts;
}

}  // namespace evt::eventlog

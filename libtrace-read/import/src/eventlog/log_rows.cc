#include "log_rows.h"

#include <algorithm>

#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/row/row_writer.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt::eventlog {
namespace {

// Size of an event in a log without its payload.
constexpr std::size_t kMinEvent = 10;
// For one row: a time base before it, the largest header, a wide number.
constexpr std::size_t kMaxHead = RowWriter::kTimeBaseSize + RowWriter::kMaxEventFront;

}  // namespace

bool LogRows::read(std::span<const Segment> segments) {
  std::size_t total = 0;
  for (const Segment& segment : segments) total += static_cast<std::size_t>(segment.bytes());
  bytes_.resize(total);
  losses_.clear();
  std::size_t at = 0;
  for (const Segment& segment : segments) {
    if (segment.is_loss()) {
      losses_.push_back({at, segment.offset, segment.lost()});
      continue;
    }
    const auto size = static_cast<std::size_t>(segment.size);
    if (log_.read_at(segment.offset, bytes_.data() + at, size) != size) return false;
    at += size;
  }
  return true;
}

// Calls take(event) for what was read, in the order of the log, until that returns false. A loss is an event without a
// type, whose payload_size is the number of lost events. Returns false if the log has changed.
template <typename Take>
bool LogRows::each_event(Take take) {
  const std::uint8_t* const front = raw(bytes_.data());
  auto loss = losses_.begin();
  for (std::size_t at = 0; at < bytes_.size() || loss != losses_.end();) {
    LogEvent event;
    if (loss != losses_.end() && loss->at == at) {
      event.ticks = loss->ticks;
      event.payload_size = static_cast<std::size_t>(loss->count);
      ++loss;
    } else if (read_event(types_, front + at, bytes_.size() - at, &event) != Found::kEvent) {
      return false;
    }
    at += event.size;
    if (!take(event)) break;
  }
  return true;
}

// Reserves room for all rows that `bytes` bytes of a log, and the losses in it, can become: most of it is never
// touched.
void LogRows::reserve(std::size_t bytes) {
  const std::size_t most = (bytes / kMinEvent + 1) * (kMaxHead + LogType::kMaxGrowth) + LogType::kGrowth * bytes +
                           losses_.size() * (kMaxHead + RowWriter::kLostSize);
  if (most <= capacity_) return;
  rows_ = std::make_unique_for_overwrite<std::byte[]>(most);
  capacity_ = most;
}

void LogRows::begin(std::uint64_t base) {
  size_ = 0;
  base_ = first_ticks_ = latest_ticks_ = base;
  row_count_ = time_bases_ = losses_put_ = 0;
  lost_ = 0;
  recent_count_ = 0;
  std::ranges::fill(counts_, 0);
}

// The place of a row of this time, after a time base if it needs one. REQUIRES: a time not before the base.
std::uint8_t* LogRows::begin_row(std::uint64_t ticks) {
  std::uint8_t* const out = raw(rows_.get()) + size_;
  if (ticks - base_ <= UINT32_MAX) return out;
  RowWriter writer(out);
  writer.time_base(ticks, 0);
  base_ = ticks;
  ++time_bases_;
  ++row_count_;
  recent_count_ = 0;
  return writer.at();
}

void LogRows::end_row(std::uint64_t ticks, const std::uint8_t* row, const std::uint8_t* end) {
  ++row_count_;
  const auto at = static_cast<std::size_t>(row - raw(rows_.get()));
  recent_[recent_count_++ % kRecent] = {ticks, at};
  size_ = static_cast<std::size_t>(end - raw(rows_.get()));
}

void LogRows::put(const LogEvent& event) {
  if (event.type == nullptr) {
    put_loss(event.ticks, event.payload_size);
  } else {
    put_event(event);
  }
}

void LogRows::put_loss(std::uint64_t ticks, std::uint64_t count) {
  std::uint8_t* const out = begin_row(ticks);
  RowWriter writer(out);
  writer.lost(static_cast<std::uint32_t>(ticks - base_), EVT_LOST_DAMAGE, count, 0);
  ++losses_put_;
  lost_ += count;
  end_row(ticks, out, writer.at());
}

void LogRows::put_event(const LogEvent& event) {
  std::uint8_t* const out = begin_row(event.ticks);
  const std::uint32_t number = event.type->number();
  RowWriter writer(out);
  const std::uint8_t* const end = event.type->translate(event.payload, event.payload_size, writer.begin_event(number));
  writer.end_event(static_cast<std::uint32_t>(event.ticks - base_), number, end);
  ++counts_[event.type->place()];
  end_row(event.ticks, out, writer.at());
}

// Moves the last row, of that time, before later ones; false if it would have to pass too many.
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

// Events of a capability are nearly in order: GHC records the end of a collection, with its time, after its statistics.
// Returns false if the log has changed.
bool LogRows::make_in_order(bool* in_order) {
  *in_order = true;
  bool first = true;
  const bool read = each_event([&](const LogEvent& event) {
    if (first) begin(event.ticks);
    first = false;
    const bool late = event.ticks < latest_ticks_;
    if (late && event.ticks < base_) return *in_order = false;
    put(event);
    if (late && !move_back(event.ticks, recent_[(recent_count_ - 1) % kRecent].at)) return *in_order = false;
    latest_ticks_ = std::max(latest_ticks_, event.ticks);
    return true;
  });
  return read && !first;
}

bool LogRows::make_sorted() {
  events_.clear();
  const bool read = each_event([&](const LogEvent& event) {
    events_.push_back(event);
    return true;
  });
  if (!read) return false;
  std::ranges::stable_sort(events_, {}, &LogEvent::ticks);
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

// Wide types are counted together, as in rows.
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
  if (losses_put_ > 0) counts.push_back({EVT_ROW_LOST, losses_put_});
  if (time_bases_ > 0) counts.push_back({EVT_ROW_TIME_BASE, time_bases_});
  if (wide > 0) counts.push_back({EVT_ROW_WIDE, wide});
  std::ranges::sort(counts, {}, &TypeCount::number);
  return counts;
}

}  // namespace evt::eventlog

#include "log_scan.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt::eventlog {
namespace {

constexpr std::size_t kWindow = 1 << 20;
constexpr std::size_t kMaxEvent = 12 + 0xFFFF;
// Bytes of a log that become a block of rows of about that size, or at most so many.
constexpr std::uint64_t kGoodPart = 256 << 10;
constexpr std::uint64_t kLargestPart = 1 << 20;
// The limit if no border is found, as after an impossible time that is later than all others: this gives up order
// rather than exceed memory.
constexpr std::uint64_t kLargestWithoutBorder = 4 * kLargestPart;
// The end of a collection comes at most two events late.
constexpr unsigned kEnoughSeen = 16;
constexpr std::size_t kMarkerSize = 24;
constexpr std::size_t kMaxDamage = 10'000;

struct Marker {
  std::uint64_t begin_ticks;
  std::uint32_t size;
  std::uint64_t end_ticks;
  std::uint16_t cap;
};

Marker marker_at(const std::uint8_t* p) {
  return {load_u64(p + 2), load_u32(p + 10), load_u64(p + 14), load_u16(p + 22)};
}

std::string text_of(const std::uint8_t* p, std::size_t size) { return {reinterpret_cast<const char*>(p), size}; }

}  // namespace

// The bytes from `offset` on, as many as are available: all of an event's, if the log has them.
const std::uint8_t* LogScan::look(std::uint64_t offset, std::size_t* size) {
  const std::uint64_t end = window_at_ + window_.size();
  if (offset < window_at_ || (end < offset + kMaxEvent && end < log_.size())) {
    const std::uint64_t left = log_.size() - std::min(offset, log_.size());
    window_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kWindow, left)));
    window_.resize(log_.read_at(offset, window_.data(), window_.size()));
    window_at_ = offset;
  }
  const auto at = static_cast<std::size_t>(std::min<std::uint64_t>(offset - window_at_, window_.size()));
  *size = window_.size() - at;
  return raw(window_.data()) + at;
}

void LogScan::run() {
  std::uint64_t at = types_.data_offset();
  LogEvent event;
  while (at < log_.size()) {
    std::size_t left = 0;
    const std::uint8_t* const p = look(at, &left);
    const Found found = left == 0 ? Found::kShort : read_event(types_, p, left, &event);
    if (found == Found::kEvent && leaves_block(at, event.size)) {
      at = go_on_behind(at, "an event goes on behind the end of its block");
    } else if (found == Found::kEvent) {
      take(event, at);
      at += event.size;
    } else if (found == Found::kEnd && at + 2 >= log_.size()) {
      closed_ = true;
      break;
    } else if (found == Found::kEnd && left > 5 && std::memcmp(p + 2, kMagic, 4) == 0) {
      closed_ = true;
      note({at + 2, log_.size() - at - 2, "another log begins here, which is not read"});
      lose(kNoCap);
      break;
    } else if (found == Found::kEnd) {
      at = go_on_behind(at, "the mark that ends a log is within it");
    } else if (found == Found::kUndeclared) {
      at = go_on_behind(at, fmt::format("event type {} is not declared", load_u16(p)));
    } else {
      at = go_on_behind(at, "the log ends inside an event");
    }
  }
  for (auto& [stream, open] : open_) {
    if (!open.segments.empty()) end_part(stream, open, open.segments.size(), open.segments.back().size);
  }
}

void LogScan::take(const LogEvent& event, std::uint64_t offset) {
  if (event.type->id() == kBlockMarker && event.payload_size >= 14) return begin_block(event, offset);
  if (event.type->tells_of_session()) learn(event);
  const std::uint32_t stream = stream_of(types_.caps_in_payloads() ? event.cap : cap_);
  if (latest_open_ == nullptr || stream != latest_stream_) {
    latest_open_ = &open_[stream];
    latest_stream_ = stream;
  }
  Open& open = *latest_open_;
  if (open.may_end && event.ticks < open.end_latest) open.may_end = false;
  if (!open.may_end && open.bytes >= kGoodPart && event.ticks >= open.latest) {
    open.may_end = true;
    open.end_segments = open.segments.size();
    open.end_size = open.segments.back().size;
    open.end_latest = open.latest;
    open.seen = 0;
  }
  append(open, offset, event.size);
  ticks_ = event.ticks;
  open.latest = std::max(open.latest, event.ticks);
  if (open.may_end && (++open.seen >= kEnoughSeen || open.bytes >= kLargestPart)) {
    end_part(stream, open, open.end_segments, open.end_size);
  } else if (open.bytes >= kLargestWithoutBorder) {
    end_part(stream, open, open.segments.size(), open.segments.back().size);
  }
}

void LogScan::append(Open& open, std::uint64_t offset, std::uint64_t size) {
  Segment* const last = open.segments.empty() ? nullptr : &open.segments.back();
  if (last != nullptr && !last->is_loss() && last->offset + last->size == offset) {
    last->size += size;
  } else {
    open.segments.push_back({offset, size});
  }
  open.bytes += size;
}

// Turns the beginning of what is open into a part; the rest stays.
void LogScan::end_part(std::uint32_t stream, Open& open, std::size_t segments, std::uint64_t last_size) {
  Part part;
  part.first_segment = static_cast<std::uint32_t>(segments_.size());
  part.segment_count = static_cast<std::uint32_t>(segments);
  const auto begin = open.segments.begin();
  segments_.insert(segments_.end(), begin, begin + static_cast<std::ptrdiff_t>(segments));
  Segment& last = segments_.back();
  const Segment rest = {last.offset + last_size, last.size - last_size};
  last.size = last_size;
  open.segments.erase(begin, begin + static_cast<std::ptrdiff_t>(segments));
  if (rest.size > 0) open.segments.insert(open.segments.begin(), rest);
  open.bytes = 0;
  for (const Segment& segment : open.segments) open.bytes += segment.bytes();
  open.may_end = false;

  if (!rows_.make(segments_of(part))) {
    const std::span<const Segment> changed = segments_of(part);
    const auto first = std::ranges::find_if(changed, [](const Segment& s) { return !s.is_loss(); });
    note({first->offset, first->size, "the log changed while it was read"});
    segments_.resize(part.first_segment);
    segments_.push_back({open.latest, Segment::kLoss + 1});
    part.segment_count = 1;
    rows_.make(segments_of(part));
  }
  part.events = rows_.events();
  part.counts = rows_.counts();
  part.lost = rows_.lost();
  part.events.lost_total = open.lost += part.lost;
  part.events.stream_id = stream;
  part.events.clock_id = 1;
  part.events.first_ordinal = open.ordinal;
  open.ordinal += part.events.row_count;
  parts_.push_back(std::move(part));
}

void LogScan::begin_block(const LogEvent& marker, std::uint64_t offset) {
  const Marker block = marker_at(marker.payload - 10);
  cap_ = block.cap;
  block_begin_ticks_ = block.begin_ticks;
  block_end_ = block.size >= kMarkerSize && block.size <= log_.size() - offset ? offset + block.size : 0;
}

// REQUIRES: an event that describes the session.
void LogScan::learn(const LogEvent& event) {
  const std::uint8_t* const p = event.payload;
  const std::size_t size = event.payload_size;
  switch (event.type->known()->id) {
    case kRtsIdentifier:
      if (size >= 4) facts_.runtime = text_of(p + 4, size - 4);
      break;
    case kProgramInvocation:
      if (facts_.arguments.empty()) facts_.arguments.push_back(text_of(p, size));
      break;
    case kProgramArguments:
      facts_.arguments.clear();
      for (std::size_t at = 4; at < size;) {
        const std::size_t length = strnlen(reinterpret_cast<const char*>(p + at), size - at);
        facts_.arguments.push_back(text_of(p + at, length));
        at += length + 1;
      }
      break;
    case kProcessId:
      if (size >= 8) facts_.pid = load_u32(p + 4);
      break;
    case kWallClockTime:
      if (size < 16 || facts_.has_wall_clock) break;
      facts_.has_wall_clock = true;
      facts_.start_utc_ns = static_cast<std::int64_t>(load_u64(p + 4) * 1'000'000'000 + load_u32(p + 12) - event.ticks);
      break;
    default:
      break;
  }
}

void LogScan::note(Damage damage) {
  if (damage_.size() < kMaxDamage) return damage_.push_back(std::move(damage));
  damage_.back().length = damage.offset + damage.length - damage_.back().offset;
}

// Something of this capability, or of an unknown one, cannot be read. It came after everything that was read of that
// stream, and no earlier than its block begins.
void LogScan::lose(std::uint16_t cap) {
  Open& open = open_[stream_of(cap)];
  open.latest = std::max(open.latest, cap == kNoCap ? ticks_ : block_begin_ticks_);
  // If a part may end here, its last segment does not change.
  const std::size_t settled = open.may_end ? open.end_segments : 0;
  if (open.segments.size() > settled && open.segments.back().is_loss()) {
    open.segments.back() = {open.latest, open.segments.back().size + 1};
  } else {
    open.segments.push_back({open.latest, Segment::kLoss + 1});
  }
}

// Notes unreadable bytes and returns the offset at which to continue.
std::uint64_t LogScan::go_on_behind(std::uint64_t offset, std::string reason) {
  std::uint64_t next = block_end_ > offset && (block_end_ == log_.size() || is_block(block_end_)) ? block_end_ : 0;
  if (next == 0) next = find_block(offset + 1);
  note({offset, next - offset, std::move(reason)});
  const bool in_block = block_end_ == 0 || offset < block_end_;
  if (in_block) lose(cap_);
  // Bytes after the block may belong to any capability.
  if (!in_block || (block_end_ != 0 && next > block_end_ && cap_ != kNoCap)) lose(kNoCap);
  block_end_ = 0;
  return next;
}

// True if bytes that look like an event reach into the next block: then they are not one.
bool LogScan::leaves_block(std::uint64_t offset, std::size_t size) {
  return offset < block_end_ && block_end_ - offset < size && is_block(block_end_);
}

// True if a block could begin here: a mark with valid numbers, and another one where its size leads.
bool LogScan::is_block(std::uint64_t offset) {
  std::byte bytes[kMarkerSize];
  const std::size_t got = log_.read_at(offset, bytes, sizeof bytes);
  if (got == 2 && load_u16(raw(bytes)) == kEndOfData) return true;
  return got == sizeof bytes && leads_on(offset, raw(bytes));
}

bool LogScan::leads_on(std::uint64_t offset, const std::uint8_t* marker) {
  const Marker block = marker_at(marker);
  if (load_u16(marker) != kBlockMarker || block.size < kMarkerSize || block.end_ticks < block.begin_ticks) return false;
  const std::uint64_t end = offset + block.size;
  if (end >= log_.size()) return true;
  std::byte next[2];
  if (log_.read_at(end, next, sizeof next) != sizeof next) return false;
  const std::uint16_t id = load_u16(raw(next));
  return id == kBlockMarker || id == kEndOfData;
}

std::uint64_t LogScan::find_block(std::uint64_t from) {
  if (types_.find(kBlockMarker) == nullptr) return log_.size();
  for (std::uint64_t at = from; at < log_.size(); ++at) {
    std::size_t left = 0;
    const std::uint8_t* const p = look(at, &left);
    if (left < kMarkerSize) break;
    const std::uint8_t pattern[2] = {0, kBlockMarker};
    const auto* const found =
        static_cast<const std::uint8_t*>(memmem(p, left - kMarkerSize + 2, pattern, sizeof pattern));
    if (found == nullptr) {
      at += left - kMarkerSize;
      continue;
    }
    at += static_cast<std::uint64_t>(found - p);
    if (leads_on(at, found)) return at;
  }
  return log_.size();
}

std::vector<std::uint32_t> LogScan::streams() const {
  std::vector<std::uint32_t> streams;
  for (const auto& [stream, open] : open_) streams.push_back(stream);
  return streams;
}

}  // namespace evt::eventlog

#include "ring_recovery.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "format-spec/src/block/block_framer.h"
#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/row/row_writer.h"

namespace evt {
namespace {

constexpr std::uint64_t kMaxFront = 1 << 20;
constexpr int kMaxFrontBlocks = 16;  // version 1 has two
constexpr std::uint64_t kLogStep = 64 << 10;
constexpr int kTries = 20;  // while a living writer changes the data

// True if a log may contain the block: anything else would become part of the trace.
bool is_of_log(const BlockHeader& block, std::uint64_t session_id) {
  const bool is_metadata =
      (block.type >= EVT_BLOCK_CLOCK && block.type <= EVT_BLOCK_STRINGS) || block.type == EVT_BLOCK_FACTS;
  return is_metadata && block.codec == EVT_CODEC_NONE && block.raw_size == block.payload_size &&
         block.payload_size <= EVT_MAX_METADATA_PAYLOAD && block.session_id == session_id &&
         block.block_no == EVT_BLOCK_NO_RECOVERED && (block.flags & EVT_FLAG_RECOVERED) != 0;
}

std::uint64_t sum_of(const std::uint64_t* counts) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < ring::kCauses; ++i) sum += counts[i];
  return sum;
}

// After the last row of the stream in the file.
std::uint64_t end_in(FileRows file, std::uint32_t stream) {
  OrdinalRange lacking;
  do {
    lacking = file.lacking(file.self, stream, lacking.end);
  } while (lacking.end != UINT64_MAX);
  return lacking.begin;
}

void append_lost_row(Buffer& rows, std::uint16_t cause, std::uint64_t count, std::uint64_t duration) {
  std::uint8_t* const row = rows.extend(RowWriter::kLostSize);
  if (row != nullptr) RowWriter(row).lost(0, cause, count, duration);
}

}  // namespace

bool RingRecovery::read(std::uint64_t offset, void* out, std::size_t size) const {
  return bytes_.read(bytes_.self, offset, out, size) == size;
}

std::uint64_t RingRecovery::end_of_front(BlockHeader* session) const {
  std::uint64_t end = 0;
  for (int i = 0; i < kMaxFrontBlocks && end < kMaxFront; ++i) {
    std::uint8_t bytes[EVT_BLOCK_HEADER_SIZE];
    BlockHeader block;
    if (!read(end, bytes, sizeof bytes) || load_block_header(bytes, sizeof bytes, &block) != HeaderState::kGood) break;
    if (i == 0) *session = block;
    end += block.header_size + block.payload_size + padding_after(std::size_t{block.payload_size});
  }
  return end;
}

// They stay zero if the version of the header did not have them.
void RingRecovery::read_later_members() {
  const std::uint32_t size = header_.header_size;
  const bool has_trace = size >= ring::kHeaderBeforeBudgets;
  const bool has_budget = size >= sizeof header_;
  if (!has_trace || !read(header_at_ + offsetof(ring::Header, trace), &header_.trace, sizeof header_.trace)) {
    header_.trace = {};
  }
  if (!has_budget || !read(header_at_ + offsetof(ring::Header, budget), &header_.budget, sizeof header_.budget)) {
    header_.budget = {};
  }
}

bool RingRecovery::open() {
  BlockHeader session;
  const std::uint64_t end = end_of_front(&session);
  if (end == 0) return false;
  // One page later, too: a CLOCK block whose header is damaged does not count as part of the front.
  const std::uint64_t first = ring::round_up(end, ring::kPage);
  for (std::uint64_t at = first; at <= first + ring::kPage && at < kMaxFront; at += ring::kPage) {
    if (!read(at, &header_, ring::kMinHeader)) return false;
    if (std::memcmp(header_.magic, ring::kMagic, sizeof header_.magic) != 0) continue;
    header_at_ = at;
    read_later_members();
    for (ring::Output& output : header_.outputs) output.path[sizeof output.path - 1] = '\0';
    header_.trace.path[sizeof header_.trace.path - 1] = '\0';
    understood_ = header_.version == 1;
    return header_.session_id == session.session_id && understood_ &&
           header_.stream_size >= sizeof(ring::StreamRecord) && header_.streams <= ring::kMaxStreams &&
           header_.areas <= ring::kMaxAreas && header_.log_capacity <= ring::kLogSize &&
           header_.front_size <= kMaxFront && header_.slot_header_size >= sizeof(ring::Slot) &&
           header_.slot_header_size < ring::kSmallestSlot;
  }
  return false;
}

bool RingRecovery::has_changed_output() const {
  std::uint64_t segment = 0;
  return read(header_at_ + offsetof(ring::Header, segment), &segment, sizeof segment) && segment != header_.segment;
}

bool RingRecovery::take() {
  // Slots first: metadata of their rows was in the log before they were committed.
  return take_slots() && take_log() && take_records();
}

bool RingRecovery::take_slots() {
  std::uint64_t slots = 0;
  std::uint64_t end = 0;  // end of the areas so far: overlapping ones would be copied twice
  for (std::uint32_t i = 0; i < header_.areas; ++i) {
    ring::Area area;
    if (!read(header_.areas_offset + i * sizeof area, &area, sizeof area)) break;
    if (area.slot_size <= header_.slot_header_size || area.slot_size > ring::kMaxSlotSize) continue;
    const std::uint64_t size = std::uint64_t{area.slot_size} * area.count;
    if (area.offset < end || area.offset > UINT64_MAX - size) continue;
    end = area.offset + size;
    slots += area.count;
    if (slots > ring::kMaxSlots) break;
    for (std::uint32_t k = 0; k < area.count; ++k) {
      Found found = {};
      found.offset = area.offset + std::uint64_t{k} * area.slot_size;
      found.size = area.slot_size - header_.slot_header_size;
      std::uint64_t generation = 0;
      // The generation before the rest, because its writer may be at work.
      if (!read(found.offset, &generation, sizeof generation) || !read(found.offset, &found.slot, sizeof found.slot)) {
        break;
      }
      ring::Slot& slot = found.slot;
      const bool used = generation != 0 && generation % 2 == 0 && slot.generation == generation && slot.commit != 0;
      if (!used || ring::bytes_of(slot.commit) > found.size) continue;
      // The slot is being reused: old rows would come again.
      const bool behind = ring::rows_of(slot.flushed) > ring::rows_of(slot.commit) ||
                          ring::bytes_of(slot.flushed) > ring::bytes_of(slot.commit);
      if (behind) slot.flushed = slot.commit;
      found_.append(&found, sizeof found);
    }
  }
  const auto earlier = [](const void* a, const void* b) {
    const ring::Slot& x = static_cast<const Found*>(a)->slot;
    const ring::Slot& y = static_cast<const Found*>(b)->slot;
    if (x.stream_id != y.stream_id) return x.stream_id < y.stream_id ? -1 : 1;
    return x.first_ordinal < y.first_ordinal ? -1 : x.first_ordinal > y.first_ordinal ? 1 : 0;
  };
  const std::size_t count = found_.size() / sizeof(Found);
  if (count > 0) std::qsort(found_.data(), count, sizeof(Found), earlier);
  auto* const all = reinterpret_cast<Found*>(found_.data());
  for (std::size_t i = 0; i < count; ++i) {
    const bool newest = i + 1 == count || all[i + 1].slot.stream_id != all[i].slot.stream_id;
    if (newest || all[i].slot.commit != all[i].slot.flushed) take_rows(all[i]);
  }
  return found_.ok() && copied_.ok();
}

void RingRecovery::take_rows(Found& found) {
  const std::size_t size = ring::bytes_of(found.slot.commit);
  const std::size_t at = copied_.size();
  std::uint8_t* const place = copied_.extend(size);
  if (place == nullptr) return;
  ring::Slot after;
  const bool read_all =
      read(found.offset + header_.slot_header_size, place, size) && read(found.offset, &after, sizeof after);
  // Reused meanwhile: the file has these rows.
  found.has_rows = read_all && after.generation == found.slot.generation;
  found.rows_at = at;
  RingWalk walk(found.slot.base_ticks);
  if (found.has_rows) found.has_rows = walk.over(place, size, ring::rows_of(found.slot.commit)) == size;
  if (!found.has_rows) copied_.truncate(at);
}

bool RingRecovery::take_log() {
  for (int i = 0; i < kTries; ++i) {
    std::uint64_t base = 0;
    std::uint64_t total = 0;
    std::uint64_t base_after = 0;
    if (!read(header_at_ + offsetof(ring::Header, log_total), &total, sizeof total) ||
        !read(header_at_ + offsetof(ring::Header, log_base), &base, sizeof base)) {
      return true;  // shortened: there is nothing more to read
    }
    if (total < base || total - base > header_.log_capacity) continue;
    const bool all = take_log_bytes(total - base);
    if (!log_.ok()) return false;
    if (all && read(header_at_ + offsetof(ring::Header, log_base), &base_after, sizeof base_after) &&
        base_after == base) {
      keep_whole_blocks();
      return true;
    }
  }
  log_.clear();
  return true;  // the writer lives, and has all of it in the file
}

// Reads as far as there are bytes, whatever size the ring's header states.
bool RingRecovery::take_log_bytes(std::uint64_t size) {
  log_.clear();
  for (std::uint64_t at = 0; at < size;) {
    const auto step = static_cast<std::size_t>(std::min(size - at, kLogStep));
    std::uint8_t* const place = log_.extend(step);
    if (place == nullptr || !read(header_.log_offset + at, place, step)) return false;
    at += step;
  }
  return true;
}

// Keeps the blocks before the first damage in the log.
void RingRecovery::keep_whole_blocks() {
  std::size_t at = 0;
  BlockHeader block;
  while (load_block_header(log_.data() + at, log_.size() - at, &block) == HeaderState::kGood &&
         is_of_log(block, header_.session_id)) {
    const std::size_t payload_at = at + block.header_size;
    const std::size_t size = block.payload_size + padding_after(block.payload_size);
    if (size > log_.size() - payload_at) break;
    if (crc32c(0, log_.data() + payload_at, block.payload_size) != block.payload_crc) break;
    at = payload_at + size;
  }
  log_.truncate(at);
}

bool RingRecovery::take_records() {
  for (std::uint32_t i = 0; i < header_.streams; ++i) {
    ring::StreamRecord record;
    if (!read(header_.streams_offset + std::uint64_t{i} * header_.stream_size, &record, sizeof record)) break;
    if (record.in_use != 0) records_.append(&record, sizeof record);
  }
  const auto by_id = [](const void* a, const void* b) {
    const std::uint32_t x = static_cast<const ring::StreamRecord*>(a)->id;
    const std::uint32_t y = static_cast<const ring::StreamRecord*>(b)->id;
    return x < y ? -1 : x > y ? 1 : 0;
  };
  const std::size_t count = records_.size() / sizeof(ring::StreamRecord);
  if (count > 0) std::qsort(records_.data(), count, sizeof(ring::StreamRecord), by_id);
  return records_.ok();
}

bool RingRecovery::append_blocks(Buffer& out, FileRows file, bool living, Unrecorded unrecorded) {
  out.append(log_.data(), log_.size());
  append_slots(file, living, out);
  const auto* const records = reinterpret_cast<const ring::StreamRecord*>(records_.data());
  const std::size_t count = unrecorded == Unrecorded::kLeftOut ? 0 : records_.size() / sizeof(ring::StreamRecord);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && records[i].id == records[i - 1].id) continue;  // a stream has one record
    append_unrecorded(records[i], file, living, out);
  }
  append_session(out);
  return out.ok() && copied_.ok();
}

void RingRecovery::append_session(Buffer& out) const {
  std::uint8_t front[EVT_BLOCK_HEADER_SIZE];
  BlockHeader header;
  if (!read(0, front, sizeof front) || load_block_header(front, sizeof front, &header) != HeaderState::kGood ||
      header.header_size != EVT_BLOCK_HEADER_SIZE || header.payload_size > header_.front_size) {
    return;
  }
  Buffer payload;
  std::uint8_t* const bytes = payload.extend(header.payload_size);
  if (bytes == nullptr || !read(sizeof front, bytes, payload.size())) return;
  if (crc32c(0, bytes, payload.size()) != header.payload_crc) return;
  BlockFramer framer = BlockFramer::of_ring(header.session_id);
  if (header_.segment > 0) framer.begin_segment();
  append_block(out, framer.front(header.type, payload.data(), payload.size()), payload.data(), payload.size());
}

void RingRecovery::append_slots(FileRows file, bool living, Buffer& out) {
  auto* const slots = reinterpret_cast<Found*>(found_.data());
  std::uint64_t in_file = 0;
  std::uint64_t done = 0;
  for (std::size_t i = 0; i < found_.size() / sizeof(Found); ++i) {
    const std::uint32_t stream = slots[i].slot.stream_id;
    if (i == 0 || slots[i - 1].slot.stream_id != stream) {
      in_file = end_in(file, stream);
      done = 0;
    }
    append_slot(slots[i], {done, in_file}, file, living, out);
    done = slots[i].end = std::max(done, slots[i].end);
  }
}

// `had.begin`: after the last row of the stream that was appended; `had.end`: after the last in the file.
void RingRecovery::append_slot(Found& found, OrdinalRange had, FileRows file, bool living, Buffer& out) {
  const ring::Slot& slot = found.slot;
  const std::uint32_t count = ring::rows_of(slot.commit);
  if (slot.first_ordinal > UINT64_MAX - count) return;
  const OrdinalRange all{slot.first_ordinal, slot.first_ordinal + count};
  for (std::uint64_t from = std::max(had.begin, all.begin); from < all.end;) {
    const OrdinalRange lacking = file.lacking(file.self, slot.stream_id, from);
    if (lacking.begin >= all.end) return;
    // A slot that was read before these rows were made has the earlier ones, which the file does not have yet.
    if (living && lacking.begin > std::max(had.begin, had.end)) return;
    // All its rows were to be in the file.
    if (!found.has_rows) take_rows(found);
    if (!found.has_rows) return;
    found.end = from = std::min(lacking.end, all.end);
    append_events(slot, copied_.data() + found.rows_at, static_cast<std::uint32_t>(lacking.begin - all.begin),
                  static_cast<std::uint32_t>(found.end - all.begin), out);
  }
}

// REQUIRES: `slot.commit` matches the rows.
void RingRecovery::append_events(const ring::Slot& slot, const std::uint8_t* rows, std::uint32_t from, std::uint32_t to,
                                 Buffer& out) {
  const std::size_t all = ring::bytes_of(slot.commit);
  const std::uint32_t count = to - from;
  if (count == 0 || slot.first_ordinal > UINT64_MAX - ring::rows_of(slot.commit)) return;
  RingWalk before(slot.base_ticks);
  const std::size_t start = before.over(rows, all, from);
  EventsHeader events;
  events.bound_ticks = slot.clock_id == header_.bound_clock_id ? header_.bound_ticks : 0;
  RingWalk walk(before.base);
  walk.latest_possible = events.latest_possible();
  const std::size_t size = start == SIZE_MAX ? SIZE_MAX : walk.over(rows + start, all - start, count);
  if (size == SIZE_MAX) return;
  events.stream_id = slot.stream_id;
  events.clock_id = static_cast<std::uint16_t>(slot.clock_id);
  events.base_ticks = before.base;
  const bool has_times = walk.first_ticks <= walk.last_ticks;
  const std::uint64_t base = std::min(walk.base, walk.latest_possible);
  events.first_ticks = has_times ? walk.first_ticks : base;
  events.last_ticks = has_times ? walk.last_ticks : base;
  events.row_count = count;
  events.rows_size = static_cast<std::uint32_t>(size);
  events.first_ordinal = slot.first_ordinal + from;
  events.lost_total = sum_of(slot.recorded) + before.recorded_total() + walk.recorded_total();
  StoredRows stored;  // uncompressed
  stored.flags = walk.unsorted ? EVT_FLAG_UNSORTED : 0;
  stored.size = stored.raw_size = events.rows_size;
  stored.crc = events.rows_crc = crc32c(0, rows + start, size);
  append_block(out, BlockFramer::of_ring(header_.session_id).front(events, stored), rows + start, size);
  rows_ += count;
}

// The first slot of a later stream.
std::size_t RingRecovery::first_behind(std::uint32_t stream) const {
  const auto* const slots = reinterpret_cast<const Found*>(found_.data());
  std::size_t from = 0;
  std::size_t to = found_.size() / sizeof(Found);
  while (from < to) {
    const std::size_t middle = from + (to - from) / 2;
    if (slots[middle].slot.stream_id <= stream) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

const RingRecovery::Found* RingRecovery::newest_of(std::uint32_t stream) const {
  const auto* const slots = reinterpret_cast<const Found*>(found_.data());
  const std::size_t behind = first_behind(stream);
  return behind > 0 && slots[behind - 1].slot.stream_id == stream ? &slots[behind - 1] : nullptr;
}

std::uint64_t RingRecovery::first_ordinal(std::uint32_t stream) const {
  const auto* const slots = reinterpret_cast<const Found*>(found_.data());
  const std::size_t first = stream == 0 ? 0 : first_behind(stream - 1);
  const bool any = first < found_.size() / sizeof(Found) && slots[first].slot.stream_id == stream;
  return any ? slots[first].slot.first_ordinal : UINT64_MAX;
}

// After the last row of the stream, in the file or appended.
std::uint64_t RingRecovery::end_of(const Found* newest, std::uint64_t next) {
  return newest != nullptr && newest->end > next ? newest->end : next;
}

// Rows record losses when their stream gets a slot again; a kill may have come before.
void RingRecovery::append_unrecorded(const ring::StreamRecord& record, FileRows file, bool living, Buffer& out) {
  bool any = false;
  for (const std::uint64_t count : record.lost) any |= count != 0;
  if (!any) return;
  ring::Slot slot = {};
  slot.stream_id = record.id;
  slot.clock_id = record.lost_clock_id;
  slot.base_ticks = record.lost_ticks;
  slot.first_ordinal = record.next_ordinal;
  std::memcpy(slot.recorded, record.recorded, sizeof slot.recorded);
  // A row that was finished just before the kill is not in the record yet; if slots have been reused, only the record
  // knows.
  const Found* const newest = newest_of(record.id);
  if (newest != nullptr && newest->has_rows) {
    const std::uint32_t rows = ring::rows_of(newest->slot.commit);
    RingWalk walk(newest->slot.base_ticks);
    walk.over(copied_.data() + newest->rows_at, ring::bytes_of(newest->slot.commit), rows);
    slot.first_ordinal = std::max(slot.first_ordinal, newest->slot.first_ordinal + rows);
    for (std::size_t cause = 0; cause < ring::kCauses; ++cause) {
      slot.recorded[cause] = std::max(slot.recorded[cause], newest->slot.recorded[cause] + walk.recorded[cause]);
    }
  }
  // The file has later rows: they record the losses, or a recovery that recorded them put these rows there. And a
  // living writer may have recorded them in rows after the copied ones.
  const std::uint64_t next = end_in(file, record.id);
  const std::uint64_t end = end_of(newest, next);
  if (end > slot.first_ordinal || (living && end < slot.first_ordinal)) return;
  const std::uint64_t duration = record.lost_ticks - std::min(record.first_lost_ticks, record.lost_ticks);
  std::uint64_t lost[EVT_LOST_CAUSES] = {};
  for (std::uint16_t cause = 1; cause < EVT_LOST_CAUSES; ++cause) {
    if (record.lost[cause] > slot.recorded[cause]) lost[cause] = record.lost[cause] - slot.recorded[cause];
  }
  // The writer died after it had begun an event: later events are lost with it.
  if (!living && record.turned_away_at == slot.first_ordinal) {
    const std::uint64_t behind = std::min(record.turned_away, lost[EVT_LOST_REENTERED]);
    lost[EVT_LOST_REENTERED] -= behind;
    lost[EVT_LOST_UNFINISHED] += behind;
  }
  Buffer rows;
  std::uint64_t count = 0;
  for (std::uint16_t cause = 1; cause < EVT_LOST_CAUSES; ++cause) {
    if (lost[cause] == 0) continue;
    append_lost_row(rows, cause, lost[cause], duration);
    ++count;
  }
  slot.commit = count << 32 | rows.size();
  if (rows.ok()) append_events(slot, rows.data(), 0, static_cast<std::uint32_t>(count), out);
}

}  // namespace evt

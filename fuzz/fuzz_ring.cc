// A ring of any content and a file that has some of its rows: what is recovered are rows that the file lacks, each
// once. Whole blocks with right checksums, rows that can be read, and no more memory than the ring has bytes.
#include <evt/trace.h>

#include <cstring>
#include <map>

#include "allocation.h"
#include "blocks.h"
#include "format-spec/src/ring/ring_recovery.h"
#include "getters.h"
#include "held_rows.h"
#include "input.h"
#include "order.h"

namespace {

namespace ring = evt::ring;
using fuzz::raw;

constexpr std::uint64_t kHeaderAt = ring::kPage;
constexpr std::uint64_t kAreasAt = 3 * ring::kPage;
constexpr std::uint64_t kStreamsAt = 4 * ring::kPage;
constexpr std::uint64_t kLogAt = 5 * ring::kPage;
constexpr std::uint64_t kSlotsAt = 6 * ring::kPage;
constexpr std::uint32_t kSlotSize = 512;
constexpr std::uint32_t kMaxSlots = 32;

// A ring as a writer leaves it, and then what the fuzzer changes of it.
class Image {
 public:
  static constexpr std::size_t kSize = kSlotsAt + std::uint64_t{kSlotSize} * kMaxSlots;

  explicit Image(const std::string& front) {
    std::memcpy(bytes_, front.data(), front.size());
    ring::Header& header = at<ring::Header>(kHeaderAt);
    std::memcpy(header.magic, ring::kMagic, sizeof header.magic);
    header.version = 1;
    header.header_size = sizeof header;
    header.session_id = fuzz::kSessionId;
    header.front_size = front.size();
    header.log_offset = kLogAt;
    header.log_capacity = kSlotsAt - kLogAt;
    header.streams_offset = kStreamsAt;
    header.stream_size = sizeof(ring::StreamRecord);
    header.areas_offset = kAreasAt;
    header.areas = 1;
    header.slot_header_size = sizeof(ring::Slot);
    at<ring::Area>(kAreasAt) = {kSlotsAt, kSlotSize, kMaxSlots};
  }

  void take_command(Input& in) {
    switch (in.u8() % 6) {
      case 0:
        return add_slot(in, in.u8());
      case 1:
        return add_record(in);
      case 2:
        return add_to_log(in);
      case 3:
        return patch(kHeaderAt + 24 + in.u8(), in);
      case 4:
        return patch(kAreasAt + in.u8(), in);
      default:
        return patch(in.u16() % kSize, in);
    }
  }
  static std::size_t read(void* self, std::uint64_t offset, void* out, std::size_t size) {
    if (offset >= kSize) return 0;
    const std::size_t there = std::min<std::size_t>(size, kSize - offset);
    std::memcpy(out, static_cast<const Image*>(self)->bytes_ + offset, there);
    return there;
  }

 private:
  template <typename T>
  T& at(std::uint64_t offset) {
    return *reinterpret_cast<T*>(bytes_ + offset);
  }

  // Behind the rows that the stream has so far, if its flags do not say otherwise.
  void add_slot(Input& in, std::uint8_t flags) {
    if (slots_ == kMaxSlots) return;
    const std::uint64_t place = kSlotsAt + std::uint64_t{kSlotSize} * slots_++;
    ring::Slot& slot = at<ring::Slot>(place);
    slot.stream_id = in.u8() % 4;
    slot.generation = (flags & 1) != 0 ? in.u8() : 2;
    slot.base_ticks = in.u16();
    slot.clock_id = (flags & 2) != 0 ? in.u32() : 1;
    std::string rows;
    const std::uint32_t count = in.u8() % 8;
    for (std::uint32_t i = 0; i < count; ++i) rows += next_row(in);
    rows.resize(std::min<std::size_t>(rows.size(), kSlotSize - sizeof slot));
    std::memcpy(bytes_ + place + sizeof slot, rows.data(), rows.size());
    slot.commit = std::uint64_t{count} << 32 | rows.size();
    slot.first_ordinal = (flags & 4) != 0 ? in.u64() : next_[slot.stream_id];
    next_[slot.stream_id] = slot.first_ordinal + count;
    if ((flags & 8) != 0) slot.flushed = slot.commit;
    if ((flags & 16) != 0) slot.flushed = in.u64();
    if ((flags & 32) != 0) slot.commit = in.u64();
    if ((flags & 64) != 0) slot.recorded[in.u8() % ring::kCauses] = in.u64();
  }
  static std::string next_row(Input& in) {
    static constexpr std::uint16_t kTypes[] = {1024, 1024, EVT_ROW_TIME_BASE, EVT_ROW_LOST, EVT_ROW_WIDE, 0};
    const std::uint16_t type = kTypes[in.u8() % std::size(kTypes)];
    const std::uint16_t delta = in.u16();
    return fuzz::row(delta, type, in.bytes(in.u8() % 32));
  }

  void add_record(Input& in) {
    if (kStreamsAt + (records_ + 1) * sizeof(ring::StreamRecord) > kLogAt) return;
    ring::StreamRecord& record = at<ring::StreamRecord>(kStreamsAt + records_ * sizeof(ring::StreamRecord));
    at<ring::Header>(kHeaderAt).streams = ++records_;
    record.id = in.u8() % 4;
    record.in_use = in.u8() % 4 != 3;
    record.lost_ticks = in.u16();
    record.first_lost_ticks = record.lost_ticks / 2;
    record.lost_clock_id = 1;
    const std::uint8_t cause = in.u8() % ring::kCauses;
    record.lost[cause] = in.u64();
    record.recorded[cause] = in.u8();
    record.next_ordinal = in.u16();
  }

  void add_to_log(Input& in) {
    ring::Header& header = at<ring::Header>(kHeaderAt);
    fuzz::Blocks log;
    evt::BlockHeader block;
    block.type = in.u8() % 10;
    block.flags = EVT_FLAG_RECOVERED;
    block.block_no = EVT_BLOCK_NO_RECOVERED;
    log.add(block, nullptr, in.bytes(in.u8()));
    const std::uint64_t at_now = header.log_total - header.log_base;
    if (at_now > kSlotsAt - kLogAt || log.size() > kSlotsAt - kLogAt - at_now) return;
    std::memcpy(bytes_ + kLogAt + at_now, log.bytes().data(), log.size());
    header.log_total += log.size();
  }

  void patch(std::uint64_t offset, Input& in) {
    const std::string bytes = in.bytes(in.u8() % 16);
    if (offset + bytes.size() <= kSize) std::memcpy(bytes_ + offset, bytes.data(), bytes.size());
  }

  alignas(ring::Header) std::uint8_t bytes_[kSize] = {};
  std::uint32_t slots_ = 0;
  std::uint32_t records_ = 0;
  std::map<std::uint32_t, std::uint64_t> next_;
};

std::string front_of_session() {
  fuzz::Blocks blocks;
  blocks.add(EVT_BLOCK_SESSION, fuzz::session_payload());
  blocks.add(EVT_BLOCK_CLOCK, fuzz::clock_payload(1));
  return blocks.bytes();
}

// The file: the first rows of some streams, with gaps between them.
void add_rows_of_file(fuzz::Blocks& file, Input& in, fuzz::HeldRows& held) {
  for (std::uint32_t count = in.u8() % 4; count > 0; --count) {
    evt::EventsHeader events;
    const std::uint8_t place = in.u8();
    events.stream_id = place % 4;
    events.clock_id = 1;
    events.first_ordinal = held.end(events.stream_id) + place / 64U;
    events.row_count = in.u8() % 16 + 1U;
    held.add(events.stream_id, events.first_ordinal, events.first_ordinal + events.row_count);
    std::string rows;
    for (std::uint32_t i = 0; i < events.row_count; ++i) rows += fuzz::row(0, 1024, "");
    file.add_rows(events, rows);
  }
}

// Whole blocks with right checksums, one behind the other, with rows that the file lacks; how many.
std::uint64_t check_blocks(const std::string& blocks, fuzz::HeldRows held) {
  std::uint64_t rows = 0;
  for (std::size_t at = 0; at < blocks.size();) {
    evt::BlockHeader header;
    const std::uint8_t* const p = raw(blocks) + at;
    FUZZ_CHECK(evt::load_block_header(p, blocks.size() - at, &header) == evt::HeaderState::kGood);
    FUZZ_CHECK(header.session_id == fuzz::kSessionId);
    FUZZ_CHECK(header.block_no == EVT_BLOCK_NO_RECOVERED && (header.flags & EVT_FLAG_RECOVERED) != 0);
    FUZZ_CHECK(header.payload_size <= blocks.size() - at - header.header_size);
    FUZZ_CHECK(evt::crc32c(0, p + header.header_size, header.payload_size) == header.payload_crc);
    const std::size_t end = at + header.header_size + header.payload_size;
    at = end + evt::padding_after(end - at);
    FUZZ_CHECK(at <= blocks.size());
    if (header.type != EVT_BLOCK_EVENTS) continue;
    const evt::EventsHeader events = evt::load_events_header(p);
    const std::uint64_t behind = events.first_ordinal + events.row_count;
    FUZZ_CHECK(behind > events.first_ordinal);
    FUZZ_CHECK(!held.has_any(events.stream_id, events.first_ordinal, behind));
    held.add(events.stream_id, events.first_ordinal, behind);
    rows += events.row_count;
  }
  return rows;
}

// The file with what was recovered behind it: all rows are there, and nothing is wrong with it but what metadata say.
void check_trace(const std::string& bytes, std::size_t file_size, std::uint64_t rows) {
  auto trace = evt::Trace::from_memory({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
  FUZZ_CHECK(trace.ok());
  fuzz::OrderCheck order;
  evt::Events events = trace->events({.markers = true, .by_ns = true});
  while (const evt::Event* event = events.next()) {
    order.add(*event);
    fuzz::use_every_getter(*event);
  }
  fuzz::use_every_getter(*trace);
  FUZZ_CHECK(trace->sessions().size() == 1);
  FUZZ_CHECK(trace->sessions().front().rows == rows);
  for (const evt::Damage& damage : trace->damage()) {
    FUZZ_CHECK(damage.offset >= file_size && damage.offset < bytes.size());
    if (bytes.size() - damage.offset < EVT_BLOCK_HEADER_SIZE) continue;
    FUZZ_CHECK(evt_load_u16(bytes.data() + damage.offset + EVT_MAGIC_SIZE) != EVT_BLOCK_EVENTS);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const bool living = in.u8() % 2 == 1;
  fuzz::Blocks file;
  file.add(EVT_BLOCK_SESSION, fuzz::session_payload());
  file.add(EVT_BLOCK_CLOCK, fuzz::clock_payload(1));
  fuzz::HeldRows held;
  add_rows_of_file(file, in, held);
  Image image(front_of_session());
  while (!in.empty()) image.take_command(in);

  const AllocationLimit limit(64 << 20);
  evt::RingRecovery recovery({&Image::read, &image});
  if (!recovery.open()) return 0;
  evt::Buffer out;
  FUZZ_CHECK(recovery.take());
  FUZZ_CHECK(recovery.append_blocks(out, held.rows(), living));
  const std::string blocks(fuzz::text_of(out));
  FUZZ_CHECK(blocks.size() <= 8 * Image::kSize);
  const std::uint64_t rows = check_blocks(blocks, held);
  FUZZ_CHECK(rows == recovery.rows());
  check_trace(file.bytes() + blocks, file.size(), held.count() + rows);
  return 0;
}

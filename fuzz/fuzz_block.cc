// One EVENTS block of any header and payload, checksums right, between two good ones of another stream: what comes of
// it is what the format defines, row by row, the rest is counted, and the neighbours lose nothing.
#include <evt/trace.h>
#include <zstd.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "allocation.h"
#include "blocks.h"
#include "format-spec/src/columns/decoder.h"
#include "getters.h"
#include "input.h"
#include "row_model.h"
#include "tests/support/row_sizes.h"

namespace {

using fuzz::kMaxClosely;
using fuzz::raw;
using fuzz::Row;

constexpr std::uint32_t kNeighbour = 2;
constexpr std::uint32_t kNeighbourRows = 3;
constexpr std::uint16_t kUnknownClock = 9;
constexpr std::uint32_t kMaxRows = 10'000;  // more of them are only slow

struct Claims {
  evt::BlockHeader header;
  evt::EventsHeader events;
  std::string payload;
  bool rows_are_certain = true;  // a decoder may not refuse them
  std::size_t memory_budget = 64 << 20;
  std::optional<std::string> rows;  // that the payload holds, whatever their checksum
};

// The rows that the payload holds, whatever their checksum; nothing when it cannot be decoded.
std::optional<std::string> rows_of(const Claims& claims) {
  std::string bytes = claims.payload;
  if (claims.header.codec == EVT_CODEC_ZSTD) {
    std::string unpacked(claims.header.raw_size, '\0');
    if (ZSTD_decompress(unpacked.data(), unpacked.size(), bytes.data(), bytes.size()) != unpacked.size()) return {};
    bytes = std::move(unpacked);
  }
  const evt::EventsHeader& events = claims.events;
  if (events.layout == EVT_LAYOUT_COLUMNS) {
    std::string rows(events.rows_size, '\0');
    evt::columns::Decoder decoder;
    if (!decoder.decode(raw(bytes), bytes.size(), events.row_count, raw(rows), rows.size()).ok()) return {};
    return rows;
  }
  if (bytes.size() != events.rows_size) return {};
  return bytes;
}

// The limits of FORMAT.md, sections 5, 7 and 11.
bool is_believable(const Claims& claims) {
  const evt::EventsHeader& events = claims.events;
  const bool plain = events.layout == EVT_LAYOUT_ROWS && claims.header.codec == EVT_CODEC_NONE;
  return claims.header.raw_size <= EVT_MAX_EVENTS_PAYLOAD && events.rows_size <= EVT_MAX_EVENTS_PAYLOAD &&
         (!plain || events.rows_size == claims.payload.size()) &&
         events.row_count <= events.rows_size / evt::testing::kRowHeader &&
         events.first_ordinal <= UINT64_MAX - events.row_count;
}

bool is_decodable(const Claims& claims) {
  return claims.events.layout <= EVT_LAYOUT_COLUMNS && claims.header.codec <= EVT_CODEC_ZSTD &&
         claims.events.clock_id != kUnknownClock;
}

std::string packed(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

// Two bytes of flags say what is claimed and what is as it should be.
Claims claims_of(Input& in) {
  Claims claims;
  evt::EventsHeader& events = claims.events;
  const std::uint16_t flags = in.u16();
  const auto flag = [&](unsigned bit) { return (flags >> bit & 1) != 0; };
  claims.header.type = EVT_BLOCK_EVENTS;
  events.stream_id = 1;
  events.layout = static_cast<std::uint8_t>(flags & 3);
  events.clock_id = flag(2) ? kUnknownClock : 1;
  const bool lies_about_rows = flag(3);
  const bool lies_about_checksum = flag(4);
  if (flag(5)) claims.header.flags = in.u16();
  if (flag(6)) claims.header.must_understand = in.u8() & 0x7F;
  if (flag(7)) events.base_ticks = in.u64();
  if (flag(8)) events.first_ticks = in.u64();
  if (flag(9)) events.last_ticks = in.u64();
  if (flag(10)) events.first_ordinal = in.u64();
  if (flag(11)) events.lost_total = in.u64();
  const bool is_packed = flag(12);
  const std::uint32_t most = flag(14) ? UINT32_MAX : 256 << 10;  // large claims are slow
  if (flag(13)) claims.header.codec = static_cast<std::uint8_t>(1 + in.u8() % 2);
  if (flag(13)) claims.header.raw_size = in.u32() % most;
  if (flag(15)) claims.memory_budget = 1 << 20;
  const bool has_counts = lies_about_rows || events.layout != EVT_LAYOUT_ROWS || flag(13);
  if (has_counts) events.row_count = in.u32() % most;
  if (has_counts) events.rows_size = in.u32() % most;
  claims.payload = in.rest();
  if (!has_counts) events.row_count = fuzz::count_rows(claims.payload);
  if (!has_counts) events.rows_size = static_cast<std::uint32_t>(claims.payload.size());
  if (is_believable(claims)) events.row_count = std::min(events.row_count, kMaxRows);
  claims.rows_are_certain = !flag(13);
  if (is_packed && !flag(13)) {
    claims.header.codec = EVT_CODEC_ZSTD;
    claims.header.raw_size = static_cast<std::uint32_t>(claims.payload.size());
    claims.payload = packed(claims.payload);
  }
  if (is_believable(claims) && is_decodable(claims)) {
    claims.rows = rows_of(claims);
    if (claims.rows) events.rows_crc = evt::crc32c(0, claims.rows->data(), claims.rows->size());
  }
  if (lies_about_checksum) {
    ++events.rows_crc;
    claims.rows_are_certain = false;
  }
  return claims;
}

void add_neighbour(fuzz::Blocks& blocks, std::uint64_t base, std::uint64_t ordinal, std::vector<Row>& expected) {
  evt::EventsHeader events;
  events.stream_id = kNeighbour;
  events.clock_id = 1;
  events.base_ticks = events.first_ticks = base;
  events.last_ticks = base + kNeighbourRows - 1;
  events.row_count = kNeighbourRows;
  events.first_ordinal = ordinal;
  std::string rows;
  for (std::uint32_t i = 0; i < kNeighbourRows; ++i) {
    rows += fuzz::row(i, 1024, fuzz::le32(i));
    expected.push_back({base + i, kNeighbour, ordinal + i, Row::kEvent, 1024, base + i, fuzz::le32(i)});
  }
  blocks.add_rows(events, rows);
}

std::string types_payload() {
  return fuzz::records_payload(2, [](evt::Buffer& out, std::uint32_t i) {
    static constexpr evt_field kFields[] = {EVT_FIELD_U32("thread"), EVT_FIELD_TEXT("why"),
                                            EVT_FIELD_OF("numbers", EVT_KIND_UNSIGNED, EVT_SHAPE_ARRAY, 2),
                                            EVT_FIELD_OF("rest", EVT_KIND_TEXT, EVT_SHAPE_LIST, 0)};
    evt_event_type type = {};
    type.name = i == 0 ? "sched.stop" : "wide";
    type.field_count = i == 0 ? 4 : 1;
    type.fields = kFields;
    evt::append_type_record(out, type, i == 0 ? 1024 : 70000);
  });
}

Row row_of(const evt::Event& event) {
  const Row::Kind kind = event.is_jump() ? Row::kJump : event.is_lost() ? Row::kLost : Row::kEvent;
  const auto* const payload = reinterpret_cast<const char*>(event.payload().data());
  return {0,
          event.stream().id,
          event.ordinal(),
          kind,
          kind == Row::kEvent ? event.type().number() : 0,
          event.ticks(),
          std::string(payload, event.payload().size())};
}

// Reads all rows; how many there are.
std::uint64_t use_all(evt::Trace& trace, bool closely) {
  std::uint64_t count = 0;
  evt::Events events = trace.events({.markers = true, .by_ns = closely});
  if (!closely) {
    while (const evt::EventBatch* batch = events.next_batch()) count += batch->size();
    return count;
  }
  while (const evt::Event* event = events.next()) {
    ++count;
    fuzz::use_every_getter(*event);
  }
  return count;
}

// Whether rows of the block were handed out; what the trace reports of the others is checked.
bool check_counts(const evt::Trace& trace, const Claims& claims, std::uint64_t shown, std::uint32_t readable) {
  const evt::Session& session = trace.sessions().front();
  const evt::EventsHeader& events = claims.events;
  const evt::StreamInfo& stream = *session.stream(1);
  FUZZ_CHECK(session.closed);
  // Other layouts may hold rows of the neighbour: there is no model of them, but what was shown is not more than there
  // is.
  if (events.layout > EVT_LAYOUT_COLUMNS) {
    FUZZ_CHECK(shown <= 2 * kNeighbourRows + 2 * std::uint64_t{events.rows_size} / evt::testing::kRowHeader);
    return false;
  }
  FUZZ_CHECK(session.stream(kNeighbour)->missing == 0);
  FUZZ_CHECK(session.rows == stream.rows + 2 * kNeighbourRows);
  const bool understood = claims.header.must_understand == 0;
  if (!is_believable(claims) || !understood || events.row_count == 0) {
    FUZZ_CHECK(stream.rows == 0 && stream.missing == 0);
    FUZZ_CHECK((session.not_understood == 1) == (is_believable(claims) && !understood));
    FUZZ_CHECK(is_believable(claims) || !trace.damage().empty());
    return false;
  }
  FUZZ_CHECK(stream.rows == events.row_count);
  FUZZ_CHECK(stream.lost == events.lost_total);
  if (!is_decodable(claims)) {
    FUZZ_CHECK(session.not_decodable == events.row_count && stream.missing == events.first_ordinal);
    return false;
  }
  const std::uint64_t given_up = stream.missing - events.first_ordinal;
  FUZZ_CHECK(given_up == events.row_count - readable || (!claims.rows_are_certain && given_up == events.row_count));
  FUZZ_CHECK(given_up == 0 || !trace.damage().empty());
  return given_up < events.row_count;
}

// Reads all rows again and compares them, one by one.
void check_rows(evt::Trace& trace, const std::vector<Row>& expected) {
  evt::Events events = trace.events({.markers = true});
  for (const Row& wanted : expected) {
    const evt::Event* const event = events.next();
    FUZZ_CHECK(event != nullptr);
    Row row = row_of(*event);
    row.key = wanted.key;
    if (row.kind == Row::kLost) row.payload = wanted.payload;  // what else is in such a row means nothing
    FUZZ_CHECK(row == wanted);
  }
  FUZZ_CHECK(events.next() == nullptr);
}

void check(const std::string& bytes, const Claims& claims, std::vector<Row> expected) {
  std::uint32_t readable = 0;
  std::vector<Row> of_block;
  if (claims.rows) {
    fuzz::Model model(claims.events);
    model.read(*claims.rows);
    readable = model.rows_read();
    of_block = std::move(model.shown());
  }
  const AllocationLimit limit(64 << 20);
  evt::ReadOptions options;
  options.memory_budget = claims.memory_budget;
  auto trace = evt::Trace::from_memory({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, options);
  FUZZ_CHECK(trace.ok());
  const std::uint64_t shown = use_all(*trace, readable < kMaxClosely);
  fuzz::use_every_getter(*trace);
  const bool was_read = check_counts(*trace, claims, shown, readable);
  if (claims.events.layout > EVT_LAYOUT_COLUMNS || readable >= kMaxClosely) return;
  if (was_read) expected.insert(expected.end(), of_block.begin(), of_block.end());
  FUZZ_CHECK(shown == expected.size());
  // A step in time that was meant precedes its row; both have one ordinal.
  std::stable_sort(expected.begin(), expected.end(), [](const Row& a, const Row& b) {
    return std::tie(a.key, a.stream, a.ordinal) < std::tie(b.key, b.stream, b.ordinal);
  });
  check_rows(*trace, expected);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const Claims claims = claims_of(in);
  std::vector<Row> expected;
  fuzz::Blocks blocks;
  blocks.add(EVT_BLOCK_SESSION, fuzz::session_payload());
  blocks.add(EVT_BLOCK_CLOCK, fuzz::clock_payload(1));
  blocks.add(EVT_BLOCK_TYPES, types_payload());
  blocks.add(EVT_BLOCK_STREAMS, fuzz::records_payload(2, [](evt::Buffer& out, std::uint32_t i) {
               evt_stream_info stream = {};
               stream.id = i + 1;
               evt::append_stream_record(out, stream);
             }));
  add_neighbour(blocks, 1000, 0, expected);
  blocks.add(claims.header, &claims.events, claims.payload);
  add_neighbour(blocks, std::uint64_t{1} << 33, kNeighbourRows, expected);
  evt::TrailerRecord trailer;
  trailer.session_size = blocks.size() + EVT_BLOCK_HEADER_SIZE + EVT_TRAILER_FIXED_SIZE;
  evt::Buffer end;
  evt::append_trailer(end, trailer);
  blocks.add(EVT_BLOCK_TRAILER, fuzz::text_of(end));
  check(blocks.bytes(), claims, std::move(expected));
  return 0;
}

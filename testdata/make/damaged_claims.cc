// Blocks whose checksums are right and that say what cannot be: FORMAT.md, sections 6, 7 and 11.
#include "archive.h"
#include "change.h"

namespace evt::testing {
namespace {

// Blocks 0 to 3 metadata; 4 an event; 5 two events, about which it lies; 6 an event; 7 TRAILER.
RawTrace rows_that(const RawTrace::ChangeHeader& header, const RawTrace::ChangeEvents& events) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2).tick(3, 3));
  if (events) trace.events_header(events);
  if (header) trace.header(header);
  return trace.events(1, Rows().tick(9, 9)).trailer();
}

// Metadata that comes again, otherwise.
RawTrace again(std::string_view text) {
  RawTrace trace = ordinary_trace();
  trace.declare("string 1 \"abcd\"\n").declare(text);
  return trace.events(1, Rows().tick(1, 1)).trailer();
}

RawTrace with_payload(std::size_t part, const ChangePayload& change) {
  RawTrace trace = ordinary_trace();
  change_payload(trace, part, change);
  return trace.events(1, Rows().tick(1, 1)).trailer();
}

RawTrace with_trailer(const RawTrace::ChangeTrailer& change) {
  return ordinary_trace().events(1, Rows().tick(1, 1)).trailer(change);
}

RawTrace another_clock() {
  RawTrace trace = ordinary_trace();
  return trace.clock({.id = 1, .hz = 1000}).events(1, Rows().tick(1, 1)).trailer();
}

RawTrace rows_of_a_clock_that_is_missing() {
  return ordinary_trace().events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2), 0, 7).trailer();
}

RawTrace string_with_two_texts() {
  RawTrace trace = ordinary_trace();
  trace.block(EVT_BLOCK_STRINGS, le32(2) + le32(1) + le32(4) + "text" + le32(1) + le32(5) + "other");
  return trace.events(1, Rows().tick(1, 1)).trailer();
}

}  // namespace

void make_damaged_claims(const Archive& archive) {
  const auto of_header = [&](const char* name, const RawTrace::ChangeHeader& change) {
    archive.add(name, rows_that(change, nullptr));
  };
  const auto of_events = [&](const char* name, const RawTrace::ChangeEvents& change) {
    archive.add(name, rows_that(nullptr, change));
  };
  of_header("damaged/claim_payload_of_4_gib.evt", [](BlockHeader& h) { h.payload_size = h.raw_size = UINT32_MAX; });
  archive.add("damaged/claim_payload_beyond_the_end.evt",
              rows_that([](BlockHeader& h) { h.payload_size = h.raw_size = 4000; },
                        [](EventsHeader& e) { e.rows_size = 4000; }));
  of_header("damaged/claim_raw_size.evt", [](BlockHeader& h) { h.raw_size += 1; });
  of_header("damaged/claim_header_size.evt", [](BlockHeader& h) { h.header_size = 2048; });
  of_header("damaged/claim_no_events_header.evt", [](BlockHeader& h) { h.header_size = EVT_BLOCK_HEADER_SIZE; });
  of_events("damaged/claim_rows_size.evt", [](EventsHeader& e) { e.rows_size = 0xFFFFFFF0; });
  of_events("damaged/claim_more_rows.evt", [](EventsHeader& e) { e.row_count = 4; });
  of_events("damaged/claim_a_billion_rows.evt", [](EventsHeader& e) { e.row_count = 1'000'000'000; });
  of_events("damaged/claim_fewer_rows.evt", [](EventsHeader& e) { e.row_count = 1; });
  of_events("damaged/claim_times.evt", [](EventsHeader& e) { e.first_ticks = 5, e.last_ticks = 4; });
  of_events("damaged/claim_lost.evt", [](EventsHeader& e) { e.lost_total = 12; });

  archive.add("damaged/types_contradict.evt", again("type 1024 tock (n u64)\n"));
  archive.add("damaged/types_contradict_in_a_field.evt", again("type 1024 tick (n i32)\n"));
  archive.add("damaged/streams_contradict.evt", again("stream 1 \"another\"\n"));
  archive.add("damaged/strings_contradict.evt", again("string 1 \"text\"\n"));
  archive.add("damaged/strings_contradict_in_a_block.evt", string_with_two_texts());
  archive.add("damaged/clocks_contradict.evt", another_clock());
  archive.add("damaged/clock_not_described.evt", rows_of_a_clock_that_is_missing());

  archive.add("damaged/session_too_short.evt", with_payload(0, [](std::string& payload) { payload.resize(90); }));
  archive.add("damaged/session_of_another_uuid.evt", with_payload(0, [](std::string& payload) {
                payload[session_fixed_at(payload) + 39] ^= 1;  // the last byte of its uuid
              }));
  archive.add("damaged/session_without_line.evt",
              with_payload(0, [](std::string& payload) { payload.assign(payload.size(), 'x'); }));
  archive.add("damaged/clock_too_short.evt", with_payload(1, [](std::string& payload) { payload.resize(20); }));
  archive.add("damaged/types_count.evt",
              with_payload(2, [](std::string& payload) { payload.replace(0, 4, le32(UINT32_MAX)); }));
  archive.add("damaged/types_record_size.evt",
              with_payload(2, [](std::string& payload) { payload.replace(4, 4, le32(UINT32_MAX)); }));
  archive.add("damaged/types_name_size.evt",
              with_payload(2, [](std::string& payload) { payload.replace(14, 2, le16(0xFFFF)); }));
  archive.add("damaged/types_message.evt",
              with_payload(2, [](std::string& payload) { payload.replace(payload.size() - 40, 16, 16, '\xFF'); }));
  archive.add("damaged/streams_record_size.evt",
              with_payload(3, [](std::string& payload) { payload.replace(4, 4, le32(0)); }));
  archive.add("damaged/strings_size.evt", [] {
    RawTrace trace = ordinary_trace();
    trace.block(EVT_BLOCK_STRINGS, le32(1) + le32(1) + le32(0x7FFFFFFF) + "text");
    return trace.events(1, Rows().tick(1, 1)).trailer();
  }());
  archive.add("damaged/trailer_size.evt", with_trailer([](TrailerRecord& facts) { facts.session_size -= 8; }));
  archive.add("damaged/trailer_rows.evt", with_trailer([](TrailerRecord& facts) { facts.rows += 1; }));
}

}  // namespace evt::testing

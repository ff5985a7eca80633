// Damage of which FORMAT.md says exactly what is left, one rule each.
#include <zstd.h>

#include "archive.h"
#include "change.h"
#include "format-spec/src/session/segment_record.h"

namespace evt::testing {
namespace {

RawTrace& recovered(RawTrace& trace) {
  return trace.header([](BlockHeader& h) { h.block_no = EVT_BLOCK_NO_RECOVERED, h.flags |= EVT_FLAG_RECOVERED; });
}

// Recovered blocks behind a TRAILER, and behind one of which the session goes on; the second has its SESSION block
// again.
RawTrace recovered_behind_trailers() {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).trailer();
  recovered(trace.events(1, Rows().tick(2, 2)));
  RawTrace other = ordinary_trace(1).events(1, Rows().tick(1, 1)).trailer();
  other.header([](BlockHeader& h) { h.flags = EVT_FLAG_MORE; });
  recovered(other.events(1, Rows().tick(2, 2)));
  recovered(other.session(1));
  return trace.append(other);
}

// A block whose payload is spoilt is whole if a recovered one is directly behind it.
RawTrace payload_flipped_before_recovered() {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).spoil_payload();
  recovered(trace.events(1, Rows().tick(2, 2)));
  return recovered(trace.session());
}

// The last block is spoilt, and the file ends in its padding.
std::string cut_in_padding() {
  RawTrace trace = ordinary_trace().events(1, Rows().row(1, 1024, le64(1) + "abc")).spoil_payload();
  const std::string bytes = trace.bytes();
  return bytes.substr(0, bytes.size() - 2);
}

RawTrace rows_with(const RawTrace::ChangeHeader& header, const RawTrace::ChangeEvents& events) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2).tick(3, 3));
  trace.events_header(events).header(header);
  return trace.events(1, Rows().tick(4, 4)).trailer();
}

// Pointers of messages that lead out of them.
RawTrace broken_messages() {
  RawTrace trace = ordinary_trace();
  const auto spoil = [&](std::size_t part, const std::function<std::size_t(const std::string&)>& message_at) {
    change_payload(trace, part,
                   [&](std::string& payload) { payload.replace(message_at(payload), 4, le32(0x7FFFFFF0)); });
  };
  spoil(0, [](const std::string& payload) { return session_fixed_at(payload) + EVT_SESSION_FIXED_SIZE; });
  spoil(1, [](const std::string&) { return std::size_t{EVT_CLOCK_FIXED_SIZE}; });
  spoil(3, [](const std::string&) { return std::size_t{4 + EVT_STREAM_RECORD_SIZE}; });
  return trace.events(1, Rows().tick(1, 1)).trailer();
}

// The same type with another role, another unit, as flags, and with other words, which may differ; and another start.
RawTrace repeats_contradict() {
  RawTrace trace = ordinary_trace();
  trace.declare("type 1025 t \"first\" role=mark (v u32 unit=bytes labels=[1=one] \"a\") (e enum8)\n");
  trace.declare("type 1025 t role=counter (v u32 unit=bytes) (e enum8) (x u8)\n");
  trace.declare("type 1025 t role=mark (v u32 unit=seconds) (e enum8) (x u8)\n");
  trace.declare("type 1025 t role=mark (v u32 unit=bytes) (e enum8 flags=true) (x u8)\n");
  trace.declare("type 1025 t \"second\" role=mark (v u32 unit=bytes labels=[1=eins] tags=[\"a.b\"] \"b\")\n");
  trace.session(0, 5);
  return trace.events(1, Rows().row(1, 1025, le32(1) + le8(3) + le8(4))).trailer();
}

// Frames that zstd can read and the format does not allow: a window of 16 MiB, a dictionary, a skippable frame.
RawTrace frames_refused() {
  const std::string row = Rows().tick(2, 2).bytes();
  const std::string content = le8(row.size() * 8 + 1) + le16(0) + row;  // the last block of a frame, stored as it is
  const std::string magic = le32(ZSTD_MAGICNUMBER);
  const std::string frames[] = {
      magic + le8(0x80) + le8(14 << 3) + le32(row.size()) + content,
      magic + le8(0xA1) + le8(7) + le32(row.size()) + content,
      le32(ZSTD_MAGIC_SKIPPABLE_START) + le32(4) + "skip" + magic + le8(0x20) + le8(row.size()) + content};
  RawTrace trace = ordinary_trace();
  for (const std::string& frame : frames) {
    trace.events(1, Rows().tick(2, 2)).store_as(frame, EVT_LAYOUT_ROWS, EVT_CODEC_ZSTD, row.size());
  }
  return trace.events(1, Rows().tick(3, 3)).trailer();
}

// The second segment of a session, alone: 9 rows were before it, 5 of stream 1, which live, up to tick 100, and 4 of
// stream 2, which it leaves out. Stream 2 has rows again.
RawTrace second_segment(bool is_stated) {
  RawTrace trace;
  trace.session().leave_out_blocks(4).session().remove(0).header([](BlockHeader& h) { h.flags = EVT_FLAG_CONTINUED; });
  SegmentRecord record;
  record.number = 1;
  record.first_block_no = header_of(trace.part(0)).block_no;
  record.rows_before = 9;
  record.stream_count = 1;
  record.clock_id = 1;
  record.ended_streams = 1;
  record.ended_rows = 4;
  Buffer payload;
  append_segment(payload, record);
  append_segment_stream(payload, {1, 1, 5, 0, 100});
  trace.block(EVT_BLOCK_SEGMENT, {reinterpret_cast<const char*>(payload.data()), payload.size()});
  if (!is_stated) trace.spoil_payload();
  trace.clock({.id = 1, .hz = 1'000'000'000}).declare("type 1024 tick (n u64)\nstream 1 \"a\"\nstream 2 \"b\"\n");
  trace.leave_out_rows(1, 5).leave_out_rows(2, 4);
  trace.events(1, Rows().tick(50, 1)).events(2, Rows().tick(75, 2)).events(1, Rows().tick(110, 3));
  trace.cut(header_of(trace.part(trace.size() - 1)).header_size);
  return trace;
}

// Rows in strings: 1 refers to 2, 2 to 3, 3 to 4; 5 and 6 to each other; 7 to itself.
RawTrace references_nest() {
  RawTrace trace = ordinary_trace();
  trace.type(1025, "r", {EVT_FIELD_OF("to", EVT_KIND_REFERENCE, EVT_SHAPE_FIXED, 4)});
  trace.type(1026, "s", {EVT_FIELD_INTERNED("text"), EVT_FIELD_OF("to", EVT_KIND_REFERENCE, EVT_SHAPE_FIXED, 4)});
  std::string records = le32(7);
  const std::uint32_t leads_to[] = {2, 3, 4, 0, 6, 5, 7};
  for (std::uint32_t i = 0; i < std::size(leads_to); ++i) {
    const std::string row = Rows().row(EVT_DELTA_IN_STRING, 1025, le32(leads_to[i])).bytes();
    records += le32(i + 1) + le32(row.size()) + row;
  }
  trace.block(EVT_BLOCK_STRINGS, records);
  Rows rows;
  for (std::uint32_t id = 1; id <= std::size(leads_to); ++id) rows.row(id, 1026, le32(id) + le32(id));
  return trace.events(1, rows).trailer();
}

// Two blocks of a session are in front of another one, the others behind it: half of its blocks are before the middle.
RawTrace session_around_another() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).trailer();
  const RawTrace inner = ordinary_trace(1).events(1, Rows().tick(2, 2)).trailer();
  for (std::size_t i = 0; i < inner.size(); ++i) trace.insert(inner.part(i), 2 + i);
  return trace;
}

// The first of two fields of one name is the one that has it.
RawTrace fields_of_one_name() {
  RawTrace trace = ordinary_trace().type(1025, "twice", {EVT_FIELD_U8("n"), EVT_FIELD_U8("m"), EVT_FIELD_U8("n")});
  return trace.events(1, Rows().row(1, 1025, "\1\2\3")).trailer();
}

// All stamps are impossible, and the header's times are later than the bound.
RawTrace bound_before_first() {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(70, 1).tick(80, 2));
  trace.events_header([](EventsHeader& e) { e.bound_ticks = 50, e.first_ticks = 60, e.last_ticks = 60; });
  return trace.events(2, Rows().tick(49, 3).tick(61, 4)).trailer();
}

// Behind garbage stands a header of a newer format, then the session goes on.
RawTrace newer_behind_garbage() {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1));
  trace.insert(
      "garbage!\x89"
      "EVU\r\n\x1a\n" +
      std::string(56, 'x'));
  return trace.events(2, Rows().tick(9, 9)).trailer();
}

// The end of a segment is spoilt, and the next one is directly behind it.
RawTrace payload_flipped_before_segment() {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).trailer();
  trace.header([](BlockHeader& h) { h.flags = EVT_FLAG_MORE; }).spoil_payload().leave_out_blocks(2);
  trace.session().header([](BlockHeader& h) { h.flags = EVT_FLAG_CONTINUED; });
  return trace.events(1, Rows().tick(2, 2));
}

// A block whose writer died in it, then the whole block, of the same number.
RawTrace cut_and_again() {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2).tick(3, 3));
  trace.repeat(trace.size() - 1).cut(130, trace.size() - 2);
  return trace.events(2, Rows().tick(4, 4)).trailer();
}

// Somebody passed on a ring's blocks, down to SESSION. Then the writer went on, and the file was cut.
RawTrace session_of_a_ring_in_the_middle() {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2));
  RawTrace ring = RawTrace().session();
  return trace.insert(recovered(ring).part(0), trace.size() - 1);
}

// A block that must be understood and is not. Its payload is spoilt as well, which does not matter.
RawTrace payload_flipped_of_what_is_not_understood() {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2));
  trace.header([](BlockHeader& h) { h.must_understand = 1; }).spoil_payload();
  return trace.events(1, Rows().tick(3, 3)).trailer();
}

// A fixed part of SESSION that no version has, of a later one.
RawTrace session_too_short_of_major_2() {
  RawTrace trace = ordinary_trace();
  change_session(trace, 0, le16(60) + le16(2));
  return trace.events(1, Rows().tick(1, 1)).trailer();
}

// Times of pieces that their rows do not have, and that their block does not have.
RawTrace times_of_pieces() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1).tick(2, 2)).events_header([](EventsHeader& e) { e.last_ticks = 3; });
  trace.events(2, Rows().tick(4, 4)).gather(2);
  trace.events(1, Rows().tick(5, 5)).events(2, Rows().tick(6, 6)).gather(2);
  trace.events_header([](EventsHeader& e) { e.last_ticks = 5; });
  return trace.events(1, Rows().tick(7, 7)).trailer();
}

// zstd can read it, but would have to be asked how much there is.
RawTrace frame_without_its_size() {
  const std::string row = Rows().tick(2, 2).bytes();
  const std::string frame = le32(ZSTD_MAGICNUMBER) + le8(0) + le8(0) + le8(row.size() * 8 + 1) + le16(0) + row;
  RawTrace trace = ordinary_trace().events(1, Rows().tick(2, 2));
  trace.store_as(frame, EVT_LAYOUT_ROWS, EVT_CODEC_ZSTD, row.size());
  return trace.events(1, Rows().tick(3, 3)).trailer();
}

// SYNC, CLOCK and TRAILER whose fixed parts would end behind their payloads.
RawTrace fixed_parts_beyond_payloads() {
  RawTrace trace = ordinary_trace();
  const auto grow = [&](std::size_t part) {
    change_payload(trace, part, [](std::string& payload) { payload.replace(0, 2, le16(payload.size() + 8)); });
  };
  trace.sync({.clock_id = 1, .ticks = 200'000'000, .ns = 202'000'000}).clock({.id = 2, .hz = 1});
  grow(4);
  grow(5);
  trace.events(1, Rows().tick(100, 1)).trailer();
  grow(7);
  return trace;
}

// Another session, and what its ring had, stand between two segments of a session. Nothing is out of place.
RawTrace segments_around_a_ring() {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).trailer();
  trace.header([](BlockHeader& h) { h.flags = EVT_FLAG_MORE; });
  const std::size_t behind = trace.size();
  trace.session().header([](BlockHeader& h) { h.flags = EVT_FLAG_CONTINUED; }).events(1, Rows().tick(2, 2));
  RawTrace other = ordinary_trace(1).events(1, Rows().tick(1, 1)).trailer();
  recovered(other.session(1));
  for (std::size_t i = 0; i < other.size(); ++i) trace.insert(other.part(i), behind + i);
  return trace;
}

}  // namespace

void make_damaged_readings(const Archive& archive) {
  archive.add("damaged/recovered_behind_trailers.evt", recovered_behind_trailers());
  archive.add("damaged/payload_flipped_before_recovered.evt", payload_flipped_before_recovered());
  archive.add("damaged/payload_flipped_before_segment.evt", payload_flipped_before_segment());
  archive.add("damaged/cut_in_padding.evt", cut_in_padding());
  archive.add("damaged/claim_raw_size_of_rows.evt",
              rows_with([](BlockHeader& h) { h.codec = EVT_CODEC_ZSTD, h.raw_size = EVT_MAX_EVENTS_PAYLOAD + 1; },
                        [](EventsHeader& e) { e.lost_total = 7; }));
  archive.add("damaged/claim_ordinals.evt", rows_with([](BlockHeader&) {},
                                                      [](EventsHeader& e) {
                                                        e.first_ordinal = UINT64_MAX - 1;
                                                        e.lost_total = 7;
                                                      }));
  archive.add("damaged/bound_before_first.evt", bound_before_first());
  archive.add("damaged/messages_broken.evt", broken_messages());
  archive.add("damaged/repeats_contradict.evt", repeats_contradict());
  archive.add("damaged/frames_refused.evt", frames_refused());
  archive.add("damaged/segment_without_a_stream.evt", second_segment(true));
  archive.add("damaged/segment_flipped.evt", second_segment(false));
  archive.add("damaged/references_nest.evt", references_nest());
  archive.add("damaged/session_around_another.evt", session_around_another());
  archive.add("damaged/fields_of_one_name.evt", fields_of_one_name());
  archive.add("damaged/magic_newer_behind_garbage.evt", newer_behind_garbage());
  archive.add("damaged/cut_and_again.evt", cut_and_again());
  archive.add("damaged/session_of_a_ring_in_the_middle.evt", session_of_a_ring_in_the_middle());
  archive.add("damaged/payload_flipped_of_what_is_not_understood.evt", payload_flipped_of_what_is_not_understood());
  archive.add("damaged/session_too_short_of_major_2.evt", session_too_short_of_major_2());
  archive.add("damaged/times_of_pieces.evt", times_of_pieces());
  archive.add("damaged/frame_without_its_size.evt", frame_without_its_size());
  archive.add("damaged/fixed_parts_beyond_payloads.evt", fixed_parts_beyond_payloads());
  archive.add("damaged/segments_around_a_ring.evt", segments_around_a_ring());
}

}  // namespace evt::testing

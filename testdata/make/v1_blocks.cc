// What the format has and this writer makes no use of, block by block: every layout with every codec, several clocks,
// metadata behind the rows that need it.
#include <zstd.h>

#include "archive.h"
#include "core/columns_of.h"
#include "core/segmented_trace.h"

namespace evt::testing {
namespace {

// Of which each segment has a TRAILER, and the session some of all.
constexpr unsigned kSeed = 1026;

Rows ten_ticks(std::uint32_t from) {
  Rows rows;
  for (std::uint32_t i = from; i < from + 10; ++i) rows.tick(i, i);
  return rows;
}

std::string frame_of(const std::string& content) {
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), 3));
  return frame;
}

// Rows and columns, as they are, in one frame and in two.
RawTrace stored_in_every_way() {
  RawTrace trace = ordinary_trace();
  trace.events(1, ten_ticks(0));
  const std::string rows = ten_ticks(10).bytes();
  trace.events(1, ten_ticks(10)).store_as(frame_of(rows), EVT_LAYOUT_ROWS, EVT_CODEC_ZSTD, rows.size());
  const std::string columns = columns_of(ten_ticks(20));
  trace.events(1, ten_ticks(20)).store_as(columns, EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, columns.size());
  const std::string more = columns_of(ten_ticks(30));
  trace.events(1, ten_ticks(30)).store_as(frame_of(more), EVT_LAYOUT_COLUMNS, EVT_CODEC_ZSTD, more.size());
  const std::string last = columns_of(ten_ticks(40));
  trace.events(1, ten_ticks(40));
  trace.store_as(frame_of(last.substr(0, 9)) + frame_of(last.substr(9)), EVT_LAYOUT_COLUMNS, EVT_CODEC_ZSTD,
                 last.size());
  return trace.trailer();
}

// Three pieces of two streams, with bases of their own, a loss and an index.
RawTrace multiplexed() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1).tick(5, 2), 100).events(2, Rows().tick(2, 3).lost(3, 7, EVT_LOST_RING_FULL), 200);
  trace.events(1, Rows().time_base(10'000'000'000).tick(0, 4), 300).gather(3);
  return trace.events(1, Rows().tick(9, 5), 10'000'000'000).index();
}

// The same pieces, ten ticks each, as columns in a frame behind their table.
RawTrace multiplexed_columns() {
  RawTrace trace = ordinary_trace();
  trace.events(1, ten_ticks(0)).events(2, ten_ticks(10)).gather(2);
  const std::string payload = trace.part(trace.size() - 1).substr(EVT_EVENTS_HEADER_SIZE);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(payload.data());
  const std::string table = payload.substr(0, piece_table_size(bytes, payload.size()));
  const std::string columns = columns_of(Rows().raw(ten_ticks(0).bytes() + ten_ticks(10).bytes(), 20));
  return trace.store_as(table + frame_of(columns), EVT_LAYOUT_MULTIPLEXED_COLUMNS, EVT_CODEC_ZSTD,
                        table.size() + columns.size());
}

SyncRecord sync_at(std::uint16_t clock, std::uint64_t ticks, std::int64_t ns) {
  SyncRecord facts;
  facts.clock_id = clock;
  facts.uncertainty_ns = 20;
  facts.ticks = ticks;
  facts.ns = ns;
  facts.utc_ns = 1767225600'000'000'000 + ns;
  return facts;
}

// Two processors' counters, and a step to a third clock in the middle of a stream.
RawTrace several_clocks() {
  RawTrace trace;
  trace.session().clock(
      {.id = 1, .kind = EVT_CLOCK_X86_TSC, .hz = 3'000'000'000, .start_ticks = 900, .tolerance_ns = 5});
  trace.clock({.id = 2, .kind = EVT_CLOCK_ARM_COUNTER, .hz = 24'000'000, .start_ticks = 70});
  trace.declare("type 1024 tick (n u64)\nstream 1 \"a\"\nstream 2 \"b\"\n");
  trace.events(1, Rows().tick(0, 1).tick(300, 2), 900).events(2, Rows().tick(0, 3).tick(3, 4), 70, 2);
  trace.sync(sync_at(1, 3'000'000'900, 1'000'000'010)).sync(sync_at(2, 24'000'070, 999'999'990));
  trace.clock({.id = 3, .kind = EVT_CLOCK_MONOTONIC, .hz = 1'000'000'000, .start_ns = 2'000'000'000});
  trace.events(1, Rows().tick(5, 5).tick(6, 6), 0, 3).events(2, Rows().tick(24'000'000, 7).tick(48'000'001, 8), 70, 2);
  return trace.trailer();
}

RawTrace metadata_behind_rows() {
  RawTrace trace = RawTrace().session();
  trace.events(1, Rows().row(5, 1024, le32(7)));
  trace.declare("type 1024 call (function interned)\nstream 1 \"a\"\nstring 7 \"main\"\n");
  return trace.clock({.id = 1, .hz = 1'000'000'000}).trailer();
}

// Rows that are no events, short rows with the long header, a time base in the middle.
RawTrace rows_of_every_form() {
  Rows rows;
  rows.tick(1, 1).row(1, EVT_ROW_PADDING, "").row(2, EVT_ROW_PADDING, "anything at all");
  rows.big_row(3, 1024, le64(3)).wide(4, 1024, le64(4)).wide(5, 70000, "wide").time_base(1000).tick(6, 6);
  return ordinary_trace().events(1, rows).trailer();
}

// One row is later than its block was made.
RawTrace impossible_stamp() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1).time_base(std::uint64_t{1} << 62).tick(0, 2).time_base(5).tick(0, 3));
  trace.events_header([](EventsHeader& e) { e.bound_ticks = 1000, e.first_ticks = 1, e.last_ticks = 5; });
  return trace.events(2, Rows().tick(6, 4)).trailer();
}

// A session in three files, as each is and one behind another. Losses, and rows that are older than their segment, are
// among its rows.
void add_segments(const Archive& archive) {
  const SegmentedTrace session(kSeed, 3);
  std::string all;
  for (std::size_t i = 0; i < session.size(); ++i) {
    archive.add("v1/segment_" + std::to_string(i) + ".evt", session.segment(i));
    all += session.segment(i);
  }
  archive.add("v1/segments.evt", all);
}

}  // namespace

void make_v1_blocks(const Archive& archive) {
  archive.add("v1/stored_in_every_way.evt", stored_in_every_way());
  archive.add("v1/gathered.evt", multiplexed().trailer());
  archive.add("v1/gathered_columns.evt", multiplexed_columns().trailer());
  archive.add("v1/several_clocks.evt", several_clocks());
  archive.add("v1/metadata_behind_rows.evt", metadata_behind_rows());
  archive.add("v1/rows_of_every_form.evt", rows_of_every_form());
  archive.add("v1/impossible_stamp.evt", impossible_stamp());
  archive.add("v1/lost_before_the_clock.evt",
              ordinary_trace().events(1, Rows().tick(5, 1).lost(9, 2, EVT_LOST_RING_FULL, 1000)).trailer());
  add_segments(archive);
  archive.add("v1/padding_behind.evt",
              ordinary_trace().events(1, Rows().tick(1, 1)).trailer().bytes() + std::string(7, '\0'));
}

}  // namespace evt::testing

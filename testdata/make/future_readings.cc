// What FORMAT.md allows and writers seldom need, one rule each: clocks, times, ticks, jumps and widths.
#include "archive.h"
#include "change.h"

namespace evt::testing {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

// Two epochs of a counter of 1 GHz, the second of which is described twice, and a counter of its own. The rows on them
// have a reading and an interval, of 8 bytes and of 4.
RawTrace epochs() {
  RawTrace trace = RawTrace().session();
  trace.clock({.id = 1, .kind = EVT_CLOCK_X86_TSC, .hz = kSecond, .start_ticks = kSecond});
  trace.clock({.id = 2, .kind = EVT_CLOCK_X86_TSC, .hz = kSecond, .start_ticks = 5 * kSecond, .start_ns = 1000000000});
  trace.clock({.id = 3, .kind = EVT_CLOCK_X86_TSC, .hz = kSecond, .start_ticks = 6 * kSecond, .start_ns = 2000000000});
  trace.clock({.id = 4, .kind = EVT_CLOCK_OTHER, .hz = kSecond, .start_ticks = 6 * kSecond, .start_ns = 2000000000});
  trace.declare("stream 1 \"a\"\n");
  trace.type(1025, "long", {EVT_FIELD_TICKS("at"), EVT_FIELD_TICK_DELTA("took")});
  trace.type(1026, "short",
             {EVT_FIELD_OF("at", EVT_KIND_TICKS, EVT_SHAPE_FIXED, 4),
              EVT_FIELD_OF("took", EVT_KIND_TICK_DELTA, EVT_SHAPE_FIXED, 4)});
  const auto add = [&](std::uint16_t clock, std::uint64_t base) {
    Rows rows;
    std::uint32_t delta = 0;
    for (const std::uint64_t at : {base - kSecond / 2, base - 2 * kSecond, base + 1}) {
      for (const std::uint64_t took : {kSecond / 4, 2 * kSecond, base + kSecond, ~kSecond}) {
        rows.row(delta + 1, 1025, le64(at) + le64(took)).row(delta + 2, 1026, le32(at) + le32(took));
        delta += 2;
      }
    }
    trace.events(1, rows, base, clock);
  };
  add(1, 3 * kSecond);
  add(2, 11 * kSecond / 2);
  add(3, 13 * kSecond / 2);
  add(4, 15 * kSecond / 2);
  return trace.trailer();
}

// A reading of 4 bytes belongs to the row's place, whatever its stamp.
RawTrace short_ticks_of_an_impossible_stamp() {
  RawTrace trace = ordinary_trace();
  trace.type(1025, "short", {EVT_FIELD_OF("at", EVT_KIND_TICKS, EVT_SHAPE_FIXED, 4)});
  const std::uint64_t base = std::uint64_t{1} << 32;
  Rows rows;
  rows.row(500, 1025, le32(400)).time_base(9 * base).row(5, 1025, le32(400)).row(6, 1025, le32(600));
  trace.events(1, rows, base);
  trace.events_header([&](EventsHeader& e) {
    e.bound_ticks = base + 1000;
    e.first_ticks = e.last_ticks = base + 500;
  });
  return trace.trailer();
}

// Ticks of three seconds, and a rate of 0, which is 1 GHz whatever the denominator.
RawTrace rates() {
  RawTrace trace = RawTrace().session();
  trace.clock({.id = 1, .hz = 1, .hz_denominator = 3}).clock({.id = 2, .hz = 0, .hz_denominator = 5});
  trace.declare("type 1024 tick (n u64)\nstream 1 \"a\"\n");
  return trace.events(1, Rows().tick(1, 1).tick(2, 2)).events(1, Rows().tick(7, 3), 7 * kSecond, 2).trailer();
}

RawTrace times_beyond_64_bits() {
  RawTrace trace = RawTrace().session();
  trace.clock({.id = 1, .hz = 1, .start_ticks = std::uint64_t{1} << 63});
  trace.declare("type 1024 tick (n u64)\nstream 1 \"a\"\n");
  return trace.events(1, Rows().tick(0, 1).tick(1, 2), std::uint64_t{1} << 63)
      .events(1, Rows().tick(0, 3), ~0ull)
      .trailer();
}

// The second pair is not later in ns, the third not in ticks, the fifth is no anchor; the fourth counts.
RawTrace pairs_not_later() {
  RawTrace trace = ordinary_trace();
  for (const auto& [ticks, ns] :
       {std::pair(1000, 2000), std::pair(2000, 2000), std::pair(1000, 2500), std::pair(3000, 3000)}) {
    trace.sync({.clock_id = 1, .ticks = static_cast<std::uint64_t>(ticks), .ns = ns, .utc_ns = ns});
  }
  trace.sync({.clock_id = 1, .flags = EVT_SYNC_NO_ANCHOR, .ticks = 3500, .ns = 9000, .utc_ns = 9000});
  return trace.events(1, Rows().tick(500, 1).tick(2000, 2).tick(4000, 3)).trailer();
}

// Rows that are no events raise the largest time so far, too.
RawTrace times_of_other_rows() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().row(100, EVT_ROW_PADDING, "").tick(50, 1).row(200, 0xFF05, "").tick(150, 2));
  trace.events(1, Rows().wide(300, 0xFF77, "").tick(250, 3).row(400, EVT_ROW_END, "").lost(350, 1, 1));
  return trace.events(2, Rows().tick(75, 4).tick(175, 5).tick(275, 6).tick(375, 7)).trailer();
}

// Jumps whose next shown row is in the next block, that are not in a block's first row, in multiplexed rows, and behind
// which nothing is shown.
RawTrace jumps() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(100, 1)).events(1, Rows().time_base(10, EVT_TIME_BASE_JUMP).row(1, EVT_ROW_PADDING, ""));
  trace.events(1, Rows().time_base(12).tick(1, 2).tick(187, 3).time_base(5, EVT_TIME_BASE_JUMP).tick(1, 4));
  trace.events(2, Rows().tick(60, 5).tick(150, 6)).events(2, Rows().time_base(20, EVT_TIME_BASE_JUMP).tick(1, 7));
  trace.gather(2);
  return trace.events(1, Rows().time_base(3, EVT_TIME_BASE_JUMP).row(1, EVT_ROW_PADDING, "")).trailer();
}

// Fields of no bytes: a value, and an array that claims three elements.
RawTrace widths_of_0() {
  RawTrace trace = ordinary_trace();
  trace.type(1025, "nothing",
             {EVT_FIELD_OF("one", EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 0), EVT_FIELD_U8("between"),
              EVT_FIELD_OF("many", EVT_KIND_UNSIGNED, EVT_SHAPE_ARRAY, 0), EVT_FIELD_U8("behind")});
  return trace.events(1, Rows().row(1, 1025, le8(7) + le16(3) + le8(9))).trailer();
}

// A layout of a later version, whose index names two streams.
RawTrace index_of_layout_of_streams() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2)).events(2, Rows().tick(3, 3)).gather(2);
  const EventsHeader known = load_events_header(raw_bytes(trace.part(trace.size() - 1)));
  trace.events(2, Rows().tick(9, 9)).index([&](IndexClaims& claims) { claims.entries[5].row_types.clear(); });
  trace.events_header([](EventsHeader& e) { e.layout = 9; }, 5);
  change_payload(trace, trace.size() - 1, [&](std::string& payload) {
    const std::string layout = le8(known.layout) + le8(EVT_CODEC_NONE) + le8(known.clock_id) + le8(2);
    payload.replace(payload.find(layout), 1, le8(9));
  });
  return trace.trailer();
}

// Rows at 100 ns, by two clocks of 4 GHz: the clock's number decides, then its ticks, then the stream.
RawTrace ties() {
  RawTrace trace = RawTrace().session();
  trace.clock({.id = 1, .hz = 4 * kSecond}).clock({.id = 2, .hz = 4 * kSecond});
  trace.declare("type 1024 tick (n u64)\nstream 1 \"a\"\nstream 2 \"b\"\nstream 3 \"c\"\nstream 4 \"d\"\n");
  trace.events(1, Rows().tick(400, 4), 0, 2).events(2, Rows().tick(402, 2)).events(3, Rows().tick(401, 1));
  return trace.events(4, Rows().tick(402, 3)).trailer();
}

// A row that a ring had, then the writer's own block with it. TRAILER counts it once.
RawTrace row_of_a_ring_before_trailer() {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1));
  RawTrace again = trace;
  trace.header([](BlockHeader& h) { h.block_no = EVT_BLOCK_NO_RECOVERED, h.flags |= EVT_FLAG_RECOVERED; });
  trace.insert(again.part(again.size() - 1));
  return trace.trailer([](TrailerRecord& t) { t.rows = 1; });
}

}  // namespace

void make_future_readings(const Archive& archive) {
  archive.add("future/epochs.evt", epochs());
  archive.add("future/short_ticks_of_an_impossible_stamp.evt", short_ticks_of_an_impossible_stamp());
  archive.add("future/rates.evt", rates());
  archive.add("future/times_beyond_64_bits.evt", times_beyond_64_bits());
  archive.add("future/pairs_not_later.evt", pairs_not_later());
  archive.add("future/times_of_other_rows.evt", times_of_other_rows());
  archive.add("future/jumps.evt", jumps());
  archive.add("future/widths_of_0.evt", widths_of_0());
  archive.add("future/index_of_layout_of_streams.evt", index_of_layout_of_streams());
  archive.add("future/ties.evt", ties());
  archive.add("future/row_of_a_ring_before_trailer.evt", row_of_a_ring_before_trailer());
}

}  // namespace evt::testing

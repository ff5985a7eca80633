// Blocks that are right, each for itself, in an order that no writer has: FORMAT.md, sections 4 and 10.
#include "archive.h"

namespace evt::testing {
namespace {

// Blocks 0 to 3 metadata; 4, 5, 6 events of stream 1, 2, 1; 7 TRAILER.
RawTrace in_order(std::uint8_t who = 0) {
  RawTrace trace = ordinary_trace(who);
  trace.events(1, Rows().tick(1, who + 1u)).events(2, Rows().tick(2, who + 2u));
  return trace.events(1, Rows().tick(3, who + 3u)).trailer();
}

// Two sessions whose blocks take turns, as when two programs write into one file.
RawTrace interleaved() {
  const RawTrace one = in_order(0x10);
  const RawTrace other = in_order(0x20);
  RawTrace both;
  for (std::size_t i = 0; i < one.size(); ++i) both.insert(one.part(i)).insert(other.part(i));
  return both;
}

// A program that copied a trace into an event, and whose own block lost its header.
RawTrace embedded(bool damaged) {
  const std::string inner = in_order(7).bytes();
  RawTrace trace = ordinary_trace();
  trace.declare("type 1025 copy (trace bytes)\n");
  trace.events(1, Rows().tick(1, 1)).events(1, Rows().row(2, 1025, le16(inner.size()) + inner));
  if (damaged) trace.spoil_header();
  return trace.events(1, Rows().tick(3, 3)).trailer();
}

// A block was torn when its writer died; recovery appended what the ring had, and says that nothing was left behind.
RawTrace torn_and_recovered() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2).tick(3, 3)).cut(132);
  trace.leave_out_rows(1, static_cast<std::uint64_t>(-2));
  const auto recovered = [](BlockHeader& h) { h.block_no = EVT_BLOCK_NO_RECOVERED, h.flags = EVT_FLAG_RECOVERED; };
  trace.events(1, Rows().tick(2, 2).tick(3, 3).tick(4, 4)).header(recovered);
  return trace.session().header(recovered);
}

RawTrace gap_in_ordinals() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).leave_out_rows(1, 5).events(1, Rows().tick(3, 3));
  return trace.trailer();
}

// Rows 0, 9 and 3 to 6, in this order.
RawTrace gap_filled_late() {
  RawTrace trace = ordinary_trace();
  for (const auto& [begin, end] : {std::pair(0U, 1U), std::pair(9U, 10U), std::pair(3U, 7U)}) {
    Rows rows;
    for (std::uint32_t n = begin; n < end; ++n) rows.tick(10 * n, n);
    trace.events(1, rows).events_header([&, first = begin](EventsHeader& events) { events.first_ordinal = first; });
  }
  return trace.trailer();
}

RawTrace rows_twice() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1).tick(2, 2)).leave_out_rows(1, static_cast<std::uint64_t>(-1));
  return trace.events(1, Rows().tick(3, 3)).events(2, Rows().tick(4, 4)).trailer();
}

}  // namespace

void make_damaged_order(const Archive& archive) {
  const std::string garbage = "bytes that belong to nobody, and are no multiple of eight";
  archive.add("damaged/session_missing.evt", in_order().remove(0));
  archive.add("damaged/clock_missing.evt", in_order().remove(1));
  archive.add("damaged/types_missing.evt", in_order().remove(2));
  archive.add("damaged/streams_missing.evt", in_order().remove(3));
  archive.add("damaged/metadata_missing.evt", in_order().remove(3).remove(2).remove(1).remove(0));
  archive.add("damaged/rows_missing.evt", in_order().remove(4));
  archive.add("damaged/blocks_missing.evt", in_order().remove(5).remove(4));
  archive.add("damaged/block_numbers_missing.evt",
              ordinary_trace().leave_out_blocks(3).events(1, Rows().tick(1, 1)).trailer());
  archive.add("damaged/ordinals_missing.evt", gap_in_ordinals());
  archive.add("damaged/ordinals_twice.evt", rows_twice());
  archive.add("damaged/ordinals_of_a_gap_late.evt", gap_filled_late());
  archive.add("damaged/block_twice.evt", in_order().repeat(5));
  archive.add("damaged/blocks_swapped.evt", in_order().swap(4, 6));
  archive.add("damaged/types_behind_rows.evt", in_order().swap(2, 4));
  archive.add("damaged/trailer_before_rows.evt", in_order().swap(6, 7));
  archive.add("damaged/trace_twice.evt", in_order().append(in_order()));
  archive.add("damaged/sessions_interleaved.evt", interleaved());
  archive.add("damaged/sessions_of_which_one_is_cut.evt", in_order(1).remove(7).append(in_order(2)));
  archive.add("damaged/trace_embedded.evt", embedded(false));
  archive.add("damaged/trace_embedded_in_damage.evt", embedded(true));
  archive.add("damaged/torn_and_recovered.evt", torn_and_recovered());
  archive.add("damaged/garbage_before.evt", in_order().insert(garbage, 0));
  archive.add("damaged/garbage_between.evt", in_order().insert(garbage, 5));
  archive.add("damaged/garbage_behind.evt", in_order().insert(garbage));
  archive.add("damaged/garbage_in_trailer_gap.evt", in_order().insert(garbage, 7));
  archive.add("damaged/zeros_between.evt", in_order().insert(std::string(512, '\0'), 5));
  archive.add("damaged/line_ends_changed.evt", [] {
    std::string bytes = in_order().bytes();  // as a transfer that takes it for text
    for (std::size_t at = 0; (at = bytes.find("\r\n", at)) != std::string::npos;) bytes.erase(at, 1);
    return bytes;
  }());
}

}  // namespace evt::testing

// Indexes that say what is not so: FORMAT.md, section 6.6.
#include "archive.h"

namespace evt::testing {
namespace {

// Blocks 0 to 3 metadata; 4, 5, 6 events of stream 1, 2, 1; 7 the index; 8 TRAILER.
RawTrace ticks() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).events(2, Rows().tick(2, 2));
  return trace.events(1, Rows().tick(3, 3).tick(4, 4));
}

RawTrace with(const RawTrace::ChangeIndex& change) { return ticks().index(change).trailer(); }

}  // namespace

void make_damaged_index(const Archive& archive) {
  archive.add("damaged/index_payload_flipped.evt", with({}).spoil_payload(7));
  archive.add("damaged/index_header_flipped.evt", with({}).spoil_header(7));
  archive.add("damaged/index_missing.evt", with({}).remove(7));
  archive.add("damaged/index_distance.evt",
              ticks().index().trailer([](TrailerRecord& facts) { facts.index_distance += 8; }));
  archive.add("damaged/index_too_old.evt", ticks().index().events(1, Rows().tick(9, 9)).trailer());
  archive.add("damaged/index_of_cut_trace.evt", with({}).remove(8));
  archive.add("damaged/index_predecessor.evt",
              with([](IndexClaims& claims) { claims.previous_distance = std::uint64_t{1} << 40; }));
  archive.add("damaged/index_leaves_out_the_front.evt",
              with([](IndexClaims& claims) { claims.entries.erase(claims.entries.begin()); }));
  archive.add("damaged/index_entries_overlap.evt",
              with([](IndexClaims& claims) { claims.entries[4].size += 8, claims.more_covered = -8; }));
  archive.add("damaged/index_entries_leave_a_gap.evt",
              with([](IndexClaims& claims) { claims.entries[4].size -= 8, claims.more_covered = 8; }));
  archive.add("damaged/index_of_another_type.evt",
              with([](IndexClaims& claims) { claims.entries[3].type = EVT_BLOCK_SYNC; }));
  archive.add("damaged/index_of_other_rows.evt", with([](IndexClaims& claims) {
                claims.entries[6].events.row_count = 1;
                claims.entries[6].row_types.pop_back();
              }));
  archive.add("damaged/index_of_other_types.evt", with([](IndexClaims& claims) {
                claims.entries[6].row_types = {1024, 1025};
              }));
  archive.add("damaged/index_of_other_ordinals.evt",
              with([](IndexClaims& claims) { claims.entries[6].events.first_ordinal = 0; }));
  archive.add("damaged/index_of_another_stream.evt", with([](IndexClaims& claims) {
                claims.entries[5].events.stream_id = 3;
                claims.streams[1].id = 3;
              }));
  archive.add("damaged/index_of_other_times.evt",
              with([](IndexClaims& claims) { claims.entries[5].events.first_ticks = 1; }));
  archive.add("damaged/index_table_of_streams.evt", with([](IndexClaims& claims) { claims.streams[1].rows = 9; }));
}

}  // namespace evt::testing

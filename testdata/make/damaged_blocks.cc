// One block is not as it was written, or not all of it is there: FORMAT.md, section 10.
#include "archive.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

// Blocks 0 to 3 metadata; 4, 5, 6, 7 events of stream 1, 2, 1, 2; 8 TRAILER.
RawTrace whole() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1).tick(2, 2)).events(2, Rows().tick(3, 3));
  return trace.events(1, Rows().tick(4, 4)).events(2, Rows().tick(5, 5).tick(6, 6)).trailer();
}

// A trace of columns, which the writer made, its rows spoilt.
std::string columns_with_a_flipped_byte(const Archive& archive) {
  RawTrace trace = RawTrace::of(read_file(archive.path_of("v1/columns.evt")));
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (header_of(trace.part(i)).type == EVT_BLOCK_EVENTS) return trace.spoil_payload(i).bytes();
  }
  throw std::runtime_error("v1/columns.evt has no rows");
}

// The payload is what its checksum says, and no zstd frame.
RawTrace broken_frame() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).store_as("no frame, but so many bytes", EVT_LAYOUT_ROWS, EVT_CODEC_ZSTD, 16);
  return trace.events(2, Rows().tick(3, 3)).trailer();
}

RawTrace broken_columns() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).store_as(std::string(40, '\x7F'), EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, 40);
  return trace.events(2, Rows().tick(3, 3)).trailer();
}

// Rows of both streams in one block, of which this byte is another: of the table, or of the rows.
RawTrace multiplexed_with_a_flipped_byte(std::size_t from_front, std::size_t from_end) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2)).events(2, Rows().tick(3, 3)).gather(2);
  std::string& part = trace.part(trace.size() - 1);
  part[from_front != 0 ? EVT_EVENTS_HEADER_SIZE + from_front : part.size() - from_end] ^= 1;
  return trace.events(1, Rows().tick(4, 4)).trailer();
}

// 6 bytes are no row, and one reaches over the end.
RawTrace broken_rows() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1).raw(le32(2) + le16(1024) + le16(6)));
  trace.events(2, Rows().tick(3, 3).raw(le32(4) + le16(1024) + le16(0xFFF0)));
  return trace.events(1, Rows().tick(5, 5)).trailer();
}

}  // namespace

void make_damaged_blocks(const Archive& archive) {
  archive.add("damaged/payload_flipped.evt", whole().spoil_payload(5));
  archive.add("damaged/payload_flipped_of_session.evt", whole().spoil_payload(0));
  archive.add("damaged/payload_flipped_of_clock.evt", whole().spoil_payload(1));
  archive.add("damaged/payload_flipped_of_types.evt", whole().spoil_payload(2));
  archive.add("damaged/payload_flipped_of_streams.evt", whole().spoil_payload(3));
  archive.add("damaged/payload_flipped_of_trailer.evt", whole().spoil_payload(8));
  archive.add("damaged/payload_flipped_of_columns.evt", columns_with_a_flipped_byte(archive));
  archive.add("damaged/header_flipped.evt", whole().spoil_header(5));
  archive.add("damaged/header_flipped_of_session.evt", whole().spoil_header(0));
  archive.add("damaged/header_flipped_of_trailer.evt", whole().spoil_header(8));
  RawTrace magic = whole();
  magic.part(6)[2] ^= 4;
  archive.add("damaged/magic_flipped.evt", magic);
  archive.add("damaged/cut_before_trailer.evt", whole().remove(8));
  archive.add("damaged/cut_in_rows.evt", whole().remove(8).cut(130, 7));
  archive.add("damaged/cut_in_header.evt", whole().remove(8).cut(50, 7));
  archive.add("damaged/cut_in_trailer.evt", whole().cut(60, 8));
  archive.add("damaged/cut_in_session.evt", whole().bytes().substr(0, 100));
  archive.add("damaged/cut_in_first_header.evt", whole().bytes().substr(0, 40));
  archive.add("damaged/frame_broken.evt", broken_frame());
  archive.add("damaged/columns_broken.evt", broken_columns());
  archive.add("damaged/gathered_table_flipped.evt", multiplexed_with_a_flipped_byte(20, 0));
  archive.add("damaged/gathered_rows_flipped.evt", multiplexed_with_a_flipped_byte(0, 12));
  archive.add("damaged/rows_broken.evt", broken_rows());
  RawTrace checksum = whole();
  checksum.events_header([](EventsHeader& e) { e.rows_crc ^= 1; }, 5);
  archive.add("damaged/rows_checksum.evt", checksum);
  archive.add("damaged/empty.evt", "");
  archive.add("damaged/not_a_trace.evt", "This is a text, and no trace at all. It has several words, and ends here.\n");
}

}  // namespace evt::testing

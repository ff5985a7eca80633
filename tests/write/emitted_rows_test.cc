// The inline half of emitting writes rows by itself: they are the bytes that RowWriter writes.
#include <evt/evt_copy.h>
#include <gtest/gtest.h>

#include "format-spec/src/row/row_reader.h"
#include "format-spec/src/row/row_writer.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

std::string as_row_writer_writes(const RowView& row) {
  const bool is_base = row.is_time_base();
  const Bytes fields = row.fields();
  std::string bytes(is_base ? RowWriter::kTimeBaseSize : RowWriter::size_of_event(row.number(), fields.size()), '?');
  RowWriter writer(reinterpret_cast<std::uint8_t*>(bytes.data()));
  if (is_base) {
    writer.time_base(row.base, row.is_jump() ? EVT_TIME_BASE_JUMP : 0);
  } else {
    std::transform(fields.begin(), fields.end(), writer.event(row.delta, row.number(), fields.size()),
                   [](std::byte byte) { return static_cast<std::uint8_t>(byte); });
  }
  return bytes;
}

// Compares each row of the blocks; how many there are.
int compare_rows(const std::string& trace) {
  int rows = 0;
  for (std::size_t at = 0; at < trace.size();) {
    BlockHeader header;
    const auto* const block = reinterpret_cast<const std::uint8_t*>(trace.data()) + at;
    if (load_block_header(block, trace.size() - at, &header) != HeaderState::kGood) throw std::runtime_error("block?");
    at += header.header_size + header.payload_size + padding_after(header.payload_size);
    if (header.type != EVT_BLOCK_EVENTS) continue;
    RowReader reader(block + header.header_size, header.payload_size, load_events_header(block).base_ticks);
    for (; const RowView* const row = reader.next(); ++rows) {
      const std::string bytes(reinterpret_cast<const char*>(row->bytes.data()), row->bytes.size());
      EXPECT_TRUE(bytes == as_row_writer_writes(*row)) << "row " << rows << " of type " << row->number();
    }
    EXPECT_TRUE(reader.at_end());
  }
  return rows;
}

TEST(EmittedRows, AreThoseOfRowWriterForEachSize) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto tick = recording->declare<Tick>();
  const auto note = recording->declare<Note>();
  const auto paper = recording->declare<Paper>();
  for (const std::size_t size : {0U, 1U, 40U, 53U, 54U, 55U, 1000U, 65'000U}) {
    stream.emit(tick, Tick{7});
    stream.emit(note, Note{std::string(size, 'n')});
  }
  for (const std::size_t size : {65'522U, 65'523U, 65'524U, 70'000U, 300'000U}) {
    stream.emit(paper, Paper{{std::string(size, 'p')}});
  }
  EXPECT_EQ(compare_rows(recording.bytes()), 21);
}

TEST(EmittedRows, AreThoseOfRowWriterForWideNumbersAndFarTimes) {
  Recording recording;
  Stream stream = recording->stream("a");
  const RuntimeType wide("wide", {EVT_FIELD_U32("n")}, 0x12345);
  const evt_type* const type = evt_declare_as(recording->get(), &wide.type, nullptr);
  ASSERT_NE(type, nullptr);
  for (std::uint32_t n = 0; n < 3; ++n) {
    recording.clock.ticks = std::uint64_t{n} << 33;  // each beyond the reach of the base before
    evt_row row = evt_begin(stream.get(), type);
    evt_u32(&row, n);
    evt_commit(&row);
  }
  EXPECT_EQ(compare_rows(recording.bytes()), 3 + 2);
}

}  // namespace
}  // namespace evt::testing

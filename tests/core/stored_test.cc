// EVENTS blocks in other forms than rows: columns, zstd frames, both; and those that lie about what they are.
#include <fmt/core.h>
#include <zstd.h>

#include "columns_of.h"
#include "format-spec/src/columns/frame.h"
#include "raw_trace.h"

namespace evt::testing {
namespace {

Rows ten_rows() {
  Rows rows;
  for (std::uint32_t i = 0; i < 10; ++i) rows.tick(i, i);
  return rows;
}

std::string frame_of(const std::string& content, bool with_size = true, int window_log = 0) {
  ZSTD_CCtx* const zstd = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(zstd, ZSTD_c_contentSizeFlag, with_size ? 1 : 0);
  if (window_log != 0) ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, window_log);
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  ZSTD_inBuffer in = {content.data(), content.size(), 0};
  ZSTD_outBuffer out = {frame.data(), frame.size(), 0};
  // A first flush keeps zstd from choosing a window that is just large enough.
  if (window_log != 0) ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_flush);
  EXPECT_EQ(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_end), 0u);
  ZSTD_freeCCtx(zstd);
  frame.resize(out.pos);
  return frame;
}

// A trace of ten rows that are stored so, and one more behind them.
RawTrace stored(std::string_view payload, std::uint8_t layout, std::uint8_t codec, std::size_t raw_size) {
  RawTrace trace = ordinary_trace();
  trace.events(1, ten_rows()).store_as(payload, layout, codec, raw_size);
  return trace.events(1, Rows().tick(20, 20)).trailer();
}
RawTrace in_frames(const std::string& frames, std::size_t raw_size) {
  return stored(frames, EVT_LAYOUT_COLUMNS, EVT_CODEC_ZSTD, raw_size);
}

std::string line(int n) { return fmt::format("0.0000000{:02} 1 tick n={}\n", n, n); }
std::string all() {
  std::string text;
  for (int i = 0; i < 10; ++i) text += line(i);
  return text + line(20);
}
// All is read but the ten rows, and this is why. Damage ends with the payload, and padding may follow it.
void expect_damage(const RawTrace& trace, const std::string& reason) {
  const std::string reading = reading_of(trace);
  EXPECT_THAT(reading, ::testing::StartsWith(line(20) + "status damaged\ndamage 4..")) << reason;
  EXPECT_THAT(reading, ::testing::EndsWith(": " + reason + "\nmissing 10 of stream 1\n"));
}

TEST(Stored, AsColumnsAreRead) {
  const std::string columns = columns_of(ten_rows());
  EXPECT_EQ(reading_of(stored(columns, EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, columns.size())), all());
}

TEST(Stored, AsColumnsInAFrameAreRead) {
  const std::string columns = columns_of(ten_rows());
  EXPECT_EQ(reading_of(in_frames(frame_of(columns), columns.size())), all());
}

TEST(Stored, AsColumnsInSeveralFramesAreRead) {
  const std::string columns = columns_of(ten_rows());
  EXPECT_EQ(reading_of(in_frames(frame_of(columns.substr(0, 9)) + frame_of(columns.substr(9)), columns.size())), all());
}

TEST(Stored, AsRowsInAFrameAreRead) {
  const std::string rows = ten_rows().bytes();
  EXPECT_EQ(reading_of(stored(frame_of(rows), EVT_LAYOUT_ROWS, EVT_CODEC_ZSTD, rows.size())), all());
}

TEST(Stored, RowsOfAnotherChecksumAreDamage) {
  const std::string columns = columns_of(ten_rows());
  RawTrace trace = ordinary_trace();
  trace.events(1, ten_rows()).events_header([](EventsHeader& events) { events.rows_crc ^= 1; });
  const std::string crc = fmt::format("{:08x}", crc32c(0, ten_rows().bytes().data(), ten_rows().bytes().size()));
  const std::string other = fmt::format("{:08x}", crc32c(0, ten_rows().bytes().data(), ten_rows().bytes().size()) ^ 1);
  trace.store_as(columns, EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, columns.size());
  trace.events(1, Rows().tick(20, 20)).trailer();
  expect_damage(trace, "rows checksum is " + crc + ", expected " + other);
}

TEST(Stored, AFrameThatWasChangedIsDamage) {
  const std::string columns = columns_of(ten_rows());
  expect_damage(in_frames(frame_of(columns), columns.size()).spoil_payload(4),
                "payload checksum is XXXXXXXX, expected XXXXXXXX");
}

// RFC 8878, section 3.1.2: a frame of bytes for others, of 8 bytes here, in front of one that is right.
TEST(Stored, WithASkippableFrameIsDamage) {
  const std::string columns = columns_of(ten_rows());
  const std::string skippable = le32(0x184D2A53) + le32(8) + std::string(8, '?');
  expect_damage(in_frames(skippable + frame_of(columns), columns.size()), "its payload has a skippable zstd frame");
}

TEST(Stored, WhatIsNoFrameIsDamage) {
  expect_damage(in_frames("no frame at all", 100), "its payload is no zstd frame");
}

TEST(Stored, AFrameMustSayItsSize) {
  const std::string columns = columns_of(ten_rows());
  expect_damage(in_frames(frame_of(columns, false), columns.size()),
                "its zstd frame does not say how large its content is");
}

TEST(Stored, AFrameMustNotBeLargerThanItsHeaderSays) {
  const std::string zeros(1 << 20, '\0');
  expect_damage(in_frames(frame_of(zeros), 1000), "its zstd frames have more than the 1000 bytes of its header");
}

TEST(Stored, AFrameMustNotBeSmallerThanItsHeaderSays) {
  const std::string columns = columns_of(ten_rows());
  expect_damage(in_frames(frame_of(columns), columns.size() + 1),
                fmt::format("its zstd frames have {} bytes, by its header {}", columns.size(), columns.size() + 1));
}

// The third byte of the frame's header has the size of the window that it wants.
TEST(Stored, AFrameMustNotWantALargeWindow) {
  std::string frame = frame_of(std::string(300, 'x'));
  frame[4] = static_cast<char>(frame[4] & ~0x20);  // no single segment: a window follows
  frame.insert(5, 1, static_cast<char>(14 << 3));  // 16 MiB
  expect_damage(in_frames(frame, 300), "its zstd frame wants a window of 16777216 bytes, 8388608 are allowed");
}

TEST(Stored, ColumnsThatAreNoneAreDamage) {
  expect_damage(stored("no col", EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, 6),
                "the directory of its columns goes beyond their end");
}

// The blocks of very many streams are read in slices; a slice of a coded block takes all of it.
TEST(Stored, BlocksLargerThanTheirShareOfTheBudgetAreReadInSlices) {
  Rows many;
  for (std::uint32_t i = 0; i < 5000; ++i) many.tick(i, i);
  const std::string columns = columns_of(many);
  RawTrace trace = ordinary_trace();
  trace.events(1, many).store_as(frame_of(columns), EVT_LAYOUT_COLUMNS, EVT_CODEC_ZSTD, columns.size());
  trace.events(2, many).store_as(frame_of(columns), EVT_LAYOUT_COLUMNS, EVT_CODEC_ZSTD, columns.size());
  trace.trailer();
  ReadOptions options;
  options.memory_budget = 16 << 10;
  const std::string events = events_of(trace.bytes());
  EXPECT_EQ(std::count(events.begin(), events.end(), '\n'), 10'000);
  EXPECT_EQ(events_of(trace.bytes(), options), events);
}

}  // namespace
}  // namespace evt::testing

// Events that are larger than a buffer, or than 64 KiB, up to the limit and over it.
#include <gtest/gtest.h>

#include "support/row_sizes.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

constexpr std::size_t kBigHeader = kLargeRowHeader;
constexpr std::size_t kCount = 4;  // of a text32
constexpr std::size_t kMaxPaper = EVT_MAX_EVENT_ROW - kBigHeader - kCount;
constexpr Recording::Setup kSmall = {.buffer_size = 4096};

std::string hex(const char* byte, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += byte;
  return text;
}

std::string paper_line(int ns, const std::string& text) {
  return "0.00000000" + std::to_string(ns) + " 1 paper text=\"" + text + "\"\n";
}

// What papers of these sizes come back as, recorded one after another.
void expect_papers(const Recording::Setup& setup, const std::vector<std::size_t>& sizes) {
  Recording recording(setup);
  Stream stream = recording->stream("a");
  const auto types = recording->declare<Paper>();
  for (const std::size_t size : sizes) stream.emit(types, Paper{{letters(size)}});
  std::vector<std::size_t> came;
  each_event(recording.bytes(), [&](const Event& event) {
    const std::string_view text = event.as<Paper>()->text.text;
    came.push_back(text.size());
    EXPECT_EQ(text, letters(text.size()));
    EXPECT_EQ(event.ordinal(), came.size() - 1);
    EXPECT_EQ(event.ticks(), came.size());
  });
  EXPECT_EQ(came, sizes);
}

TEST(Large, EventsAroundTheSizeThatAShortRowCanSayAreWhole) {
  expect_papers({}, {65'522, 65'523, 65'524, 65'525, 65'535, 65'536, 65'537});
}

TEST(Large, EventsOfSeveralMegabytesAreWhole) { expect_papers({}, {1'000'000, 1, 5'000'000, 0, 262'144}); }

TEST(Large, EventsLargerThanTheBufferAreWhole) {
  expect_papers(kSmall, {3'900, 4'000, 4'096, 4'097, 10'000, 0, 70'000, 1});
}

TEST(Large, EventsAroundTheSizeOfTheBufferAreWhole) {
  for (std::size_t size = 3'800; size < 4'200; ++size) expect_papers(kSmall, {size, 1});
}

TEST(Large, EventsKeepTheirPlaceAmongSmallOnes) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto types = recording->declare<Tick, Paper>();
  stream.emit(types, Tick{1});
  stream.emit(types, Paper{{letters(100'000)}});
  stream.emit(types, Tick{2});
  stream.emit(types, Tick{3});
  stream.emit(types, Paper{{letters(70'000)}});
  stream.emit(types, Paper{{letters(80'000)}});
  stream.emit(types, Tick{4});
  EXPECT_EQ(recording.text(),
            "type 1024 tick (n u32)\nstream 1 \"a\"\n"
            "0.000000001 1 tick n=1\n"
            "type 1025 paper (text text32)\n" +
                paper_line(2, letters(100'000)) +
                "0.000000003 1 tick n=2\n"
                "0.000000004 1 tick n=3\n" +
                paper_line(5, letters(70'000)) + paper_line(6, letters(80'000)) + "0.000000007 1 tick n=4\n");
}

TEST(Large, EventsKeepTheirPlaceWhenTheClockStepsBack) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto types = recording->declare<Tick, Paper>();
  stream.emit_at(7, types, Tick{1});
  stream.emit_at(3, types, Paper{{letters(70'000)}});
  stream.emit_at(5, types, Tick{2});
  EXPECT_EQ(recording.text(),
            "type 1024 tick (n u32)\nstream 1 \"a\"\n"
            "0.000000007 1 tick n=1\n"
            "type 1025 paper (text text32)\n" +
                paper_line(3, letters(70'000)) + "0.000000005 1 tick n=2\n");
}

TEST(Large, AnEventOfExactlyTheLimitIsWhole) {
  Recording recording;
  recording->stream("a").emit(recording->declare<Paper>(), Paper{{letters(kMaxPaper)}});
  const std::string bytes = recording.bytes();
  int events = 0;
  each_event(bytes, [&](const Event& event) {
    ++events;
    EXPECT_EQ(event.as<Paper>()->text.text, letters(kMaxPaper));
  });
  EXPECT_EQ(events, 1);
}

TEST(Large, AnEventOfOneByteMoreIsLostAndToldWhereItHappened) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto types = recording->declare<Tick, Paper>();
  stream.emit(types, Tick{1});
  stream.emit(types, Paper{{letters(kMaxPaper + 1)}});
  stream.emit(types, Tick{3});
  EXPECT_EQ(recording->counts().lost[EVT_LOST_TOO_LARGE], 1u);
  EXPECT_EQ(recording.text(), tick_text("0.000000001 1 tick n=1\n"
                                        "0.000000002 1 !lost count=1 cause=too_large duration=0.000000000\n"
                                        "0.000000003 1 tick n=3\n"
                                        "type 1025 paper (text text32)\n"));
}

TEST(Large, AnEventThatOutgrowsTheLimitFieldByFieldIsLost) {
  Recording recording(kSmall);
  Stream stream = recording->stream("a");
  const RuntimeType type("many", {EVT_FIELD_OF("a", EVT_KIND_BYTES, EVT_SHAPE_LIST, 0)});
  const TypeHandle many = *recording->declare(type.type);
  const std::string chunk = letters(60'000);
  stream.emit_with(many, [&](RowBuilder& row) {
    for (int i = 0; i < 300; ++i) row.raw(as_bytes(chunk));
  });
  stream.emit_with(many, [&](RowBuilder& row) { row.add(std::span<const Bytes>()); });
  EXPECT_EQ(recording.text(),
            "stream 1 \"a\"\n"
            "0.000000001 1 !lost count=1 cause=too_large duration=0.000000000\n"
            "type 1024 many (a bytes[])\n"
            "0.000000002 1 many a=[]\n");
}

TEST(Large, LossesInARowAreEachTold) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto types = recording->declare<Paper>();
  const std::string text = letters(kMaxPaper + 1);
  stream.emit(types, Paper{{text}});
  stream.emit(types, Paper{{text}});
  EXPECT_EQ(recording.text(),
            "stream 1 \"a\"\n"
            "0.000000001 1 !lost count=1 cause=too_large duration=0.000000000\n"
            "0.000000002 1 !lost count=1 cause=too_large duration=0.000000000\n"
            "type 1024 paper (text text32)\n");
}

TEST(Large, ASizeThatNoMemoryHasIsLostWithoutHarm) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto types = recording->declare<Cargo>();
  evt_row row = evt_begin(stream.get(), types.get<Cargo>().get());
  ASSERT_NE(row.p, nullptr);
  EXPECT_EQ(evt_room(&row, SIZE_MAX), 0);
  evt_u8(&row, 1);
  evt_commit(&row);
  EXPECT_EQ(recording.text(),
            "stream 1 \"a\"\n"
            "0.000000001 1 !lost count=1 cause=too_large duration=0.000000000\n"
            "type 1024 cargo (load bytes32)\n");
}

// A row that begins in every place of a nearly full buffer, and grows a byte at a time in C until it does not fit
// there.
TEST(Large, ARowGrowsAcrossTheEndOfItsBuffer) {
  const RuntimeType bytes("bytes", {EVT_FIELD_BYTES("b")});
  for (std::size_t fill = 3'500; fill < 3'900; ++fill) {
    Recording recording(kSmall);
    evt_stream* const stream = evt_stream_open(recording->get(), "a");
    const evt_type* const type = evt_declare(recording->get(), &bytes.type, nullptr);
    std::string expected = "type 1024 bytes (b bytes)\nstream 1 \"a\"\n0.000000001 1 bytes b=0x";
    evt_row row = evt_begin(stream, type);
    evt_u16(&row, static_cast<std::uint16_t>(fill));
    for (std::size_t i = 0; i < fill; ++i) evt_u8(&row, 0xAA);
    expected += hex("aa", fill);
    evt_commit(&row);
    expected += "\n0.000000002 1 bytes b=0x";
    row = evt_begin(stream, type);
    evt_u16(&row, 500);
    for (int i = 0; i < 500; ++i) evt_u8(&row, 0xBB);
    expected += hex("bb", 500);
    evt_commit(&row);
    expected += "\n0.000000003 1 bytes b=0x\n";
    row = evt_begin(stream, type);
    evt_u16(&row, 0);
    evt_commit(&row);
    ASSERT_EQ(recording.text(), expected) << "with " << fill;
  }
}

// The same across 64 KiB, where the row needs a longer header and a place of its own.
TEST(Large, ARowGrowsAcrossTheLargestShortSize) {
  const RuntimeType bytes("bytes", {EVT_FIELD_OF("b", EVT_KIND_BYTES, EVT_SHAPE_COUNTED32, 0)});
  for (const std::uint32_t size : {65'515u, 65'523u, 65'524u, 65'530u, 300'000u}) {
    Recording recording({.buffer_size = 1 << 20});
    evt_stream* const stream = evt_stream_open(recording->get(), "a");
    evt_row row = evt_begin(stream, evt_declare(recording->get(), &bytes.type, nullptr));
    std::string expected = "type 1024 bytes (b bytes32)\nstream 1 \"a\"\n0.000000001 1 bytes b=0x";
    evt_u32(&row, size);
    for (std::uint32_t i = 0; i < size; ++i) evt_u8(&row, 0xCC);
    expected += hex("cc", size);
    evt_commit(&row);
    ASSERT_EQ(recording.text(), expected + "\n");
  }
}

}  // namespace
}  // namespace evt::testing

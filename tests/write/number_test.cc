// The numbers of event types: chosen by the writer, pinned, and wider than 16 bits.
#include <gtest/gtest.h>

#include "write/recording.h"

namespace evt::testing {
namespace {

std::uint32_t number_of(Recording& recording, const char* name, std::uint32_t wanted = 0) {
  const RuntimeType type(name, {EVT_FIELD_U32("n")}, wanted);
  return (*recording->declare(type.type)).get()->number;
}

TEST(Number, IsTheNextOneUnlessSaid) {
  Recording recording;
  EXPECT_EQ(number_of(recording, "a"), 1024u);
  EXPECT_EQ(number_of(recording, "b"), 1025u);
}

TEST(Number, MayBeSaid) {
  Recording recording;
  EXPECT_EQ(number_of(recording, "pinned", 1), 1u);
  EXPECT_EQ(number_of(recording, "last short", 0xFEFF), 0xFEFFu);
  EXPECT_EQ(number_of(recording, "first wide", 0x10000), 0x10000u);
  EXPECT_EQ(number_of(recording, "last wide", 0xFFFFFFFF), 0xFFFFFFFFu);
}

TEST(Number, IsNotOneThatAnotherTypeSaid) {
  Recording recording;
  number_of(recording, "said", 1024);
  number_of(recording, "said too", 1025);
  EXPECT_EQ(number_of(recording, "chosen"), 1026u);
}

TEST(Number, OfATypeMayBeSaidLater) {
  Recording recording;
  EXPECT_EQ(number_of(recording, "a"), 1024u);
  EXPECT_EQ(number_of(recording, "a", 1024), 1024u);
}

TEST(Number, StepsOverTheReservedOnes) {
  if (kSanitizer) GTEST_SKIP() << "takes half a minute";
  Recording recording;
  for (std::uint32_t i = EVT_TYPE_FIRST_FREE; i < EVT_TYPE_FIRST_RESERVED; ++i) {
    ASSERT_EQ(number_of(recording, std::to_string(i).c_str()), i);
  }
  EXPECT_EQ(number_of(recording, "next"), 0x10000u);
}

TEST(Number, OfAnyWidthNamesItsEvents) {
  Recording recording;
  Stream stream = recording->stream("a");
  for (const std::uint32_t number : {1u, 0xFEFFu, 0x10000u, 0xFFFFFFFFu}) {
    const std::string name = "t" + std::to_string(number);
    const RuntimeType type(name.c_str(), {EVT_FIELD_U32("n")}, number);
    stream.emit_with(*recording->declare(type.type), [&](RowBuilder& row) { row.add(number); });
  }
  EXPECT_EQ(recording.text(),
            "type 1 t1 (n u32)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 t1 n=1\n"
            "type 65279 t65279 (n u32)\n"
            "0.000000002 1 t65279 n=65279\n"
            "type 65536 t65536 (n u32)\n"
            "0.000000003 1 t65536 n=65536\n"
            "type 4294967295 t4294967295 (n u32)\n"
            "0.000000004 1 t4294967295 n=4294967295\n");
}

TEST(Number, MayBeWideInEventsOfAnySize) {
  Recording recording;
  Stream stream = recording->stream("a");
  const RuntimeType type("wide", {EVT_FIELD_OF("text", EVT_KIND_TEXT, EVT_SHAPE_COUNTED32, 0)}, 0x12345);
  const TypeHandle wide = *recording->declare(type.type);
  std::string expected = "type 74565 wide (text text32)\nstream 1 \"a\"\n";
  int at = 0;
  for (const std::size_t size :
       std::initializer_list<std::size_t>{0, 1, 50, 65'519, 65'520, 65'521, 70'000, 1'000'000}) {
    const std::string text(size, 'x');
    stream.emit_with(wide, [&](RowBuilder& row) { row.add(LongText{text}); });
    expected += "0.00000000" + std::to_string(++at) + " 1 wide text=\"" + text + "\"\n";
  }
  EXPECT_EQ(recording.text(), expected);
}

// Rows whose fields take all the room that every row may count on, four bytes behind it for the number.
TEST(Number, MayBeWideWhereABufferIsNearlyFull) {
  for (std::size_t fill = 0; fill < 80; ++fill) {
    Recording recording({.buffer_size = 4096});
    Stream stream = recording->stream("a");
    const RuntimeType pad("pad", {EVT_FIELD_BYTES("x")});
    const RuntimeType type("wide", {EVT_FIELD_OF("key", EVT_KIND_BYTES, EVT_SHAPE_FIXED, 56)}, 0x10000);
    const TypeHandle padding = *recording->declare(pad.type);
    const TypeHandle wide = *recording->declare(type.type);
    const std::string filler(3700 + fill, 'f');
    stream.emit_with(padding, [&](RowBuilder& row) { row.add(as_bytes(filler)); });
    const std::array<std::byte, 56> key = {std::byte{7}};
    for (int i = 0; i < 3; ++i) stream.emit_with(wide, [&](RowBuilder& row) { row.add(key); });
    evt_stream_lost(stream.get(), EVT_LOST_RING_FULL, 1, 9, 9);
    std::size_t whole = 0;
    each_event(recording.bytes(), [&](const Event& event) {
      whole += event.type().name() == "wide" && event.payload().size() == 56 && event.payload()[0] == std::byte{7};
    });
    ASSERT_EQ(whole, 3u) << "with " << fill;
  }
}

}  // namespace
}  // namespace evt::testing

// Events as structs: every type that a member can have.
#include <gtest/gtest.h>

#include <limits>

#include "raw_trace.h"

namespace evt::testing {

enum class Colour : std::uint8_t { kRed = 1, kGreen = 200 };
enum class Uint128 : std::uint64_t { kHuge = 0xFFFFFFFFFFFFFFFF };

struct Numbers {
  std::uint8_t u8 = 0;
  std::uint16_t u16 = 0;
  std::uint32_t u32 = 0;
  std::uint64_t u64 = 0;
  std::int8_t i8 = 0;
  std::int16_t i16 = 0;
  std::int32_t i32 = 0;
  std::int64_t i64 = 0;
  float f32 = 0;
  double f64 = 0;
  bool yes = false;
  bool no = true;
  Colour colour{};
  Uint128 wide{};
};

struct Words {
  std::string_view text;
  LongText long_text;
  Bytes bytes;
  LongBytes long_bytes;
  std::array<std::byte, 3> id{};
  Interned name;
  Ticks at;
  TickDelta took;
};

struct Sequences {
  std::span<const std::uint16_t> numbers;
  std::span<const std::int64_t> deltas;
  std::span<const double> weights;
  std::span<const bool> flags;
  std::span<const Colour> colours;
  std::span<const Interned> names;
  std::span<const std::string_view> texts;
  std::span<const Bytes> blobs;
};

}  // namespace evt::testing

template <>
inline constexpr auto evt::schema<evt::testing::Numbers> = evt::event(
    "numbers", "", evt::field("u8", &evt::testing::Numbers::u8), evt::field("u16", &evt::testing::Numbers::u16),
    evt::field("u32", &evt::testing::Numbers::u32), evt::field("u64", &evt::testing::Numbers::u64),
    evt::field("i8", &evt::testing::Numbers::i8), evt::field("i16", &evt::testing::Numbers::i16),
    evt::field("i32", &evt::testing::Numbers::i32), evt::field("i64", &evt::testing::Numbers::i64),
    evt::field("f32", &evt::testing::Numbers::f32), evt::field("f64", &evt::testing::Numbers::f64),
    evt::field("yes", &evt::testing::Numbers::yes), evt::field("no", &evt::testing::Numbers::no),
    evt::field("colour", &evt::testing::Numbers::colour), evt::field("wide", &evt::testing::Numbers::wide));
template <>
inline constexpr auto evt::schema<evt::testing::Words> = evt::event(
    "words", "", evt::field("text", &evt::testing::Words::text),
    evt::field("long_text", &evt::testing::Words::long_text), evt::field("bytes", &evt::testing::Words::bytes),
    evt::field("long_bytes", &evt::testing::Words::long_bytes), evt::field("id", &evt::testing::Words::id),
    evt::field("name", &evt::testing::Words::name), evt::field("at", &evt::testing::Words::at),
    evt::field("took", &evt::testing::Words::took));
template <>
inline constexpr auto evt::schema<evt::testing::Sequences> = evt::event(
    "sequences", "", evt::field("numbers", &evt::testing::Sequences::numbers),
    evt::field("deltas", &evt::testing::Sequences::deltas), evt::field("weights", &evt::testing::Sequences::weights),
    evt::field("flags", &evt::testing::Sequences::flags), evt::field("colours", &evt::testing::Sequences::colours),
    evt::field("names", &evt::testing::Sequences::names), evt::field("texts", &evt::testing::Sequences::texts),
    evt::field("blobs", &evt::testing::Sequences::blobs));

namespace evt::testing {
namespace {

// Calls check with the first event as a T, and what the trace reports of itself.
template <typename T, typename Check>
void with_first(const std::string& text, Check check) {
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  const Event* const event = events.next();
  ASSERT_NE(event, nullptr);
  const std::optional<T> read = event->as<T>();
  ASSERT_TRUE(read.has_value()) << events.status().message();
  check(*read);
  EXPECT_TRUE(events.status().ok());
}

TEST(Typed, HasNumbersOfEveryWidth) {
  with_first<Numbers>(
      "type 1024 numbers (u8 u8) (u16 u16) (u32 u32) (u64 u64) (i8 i8) (i16 i16) (i32 i32) (i64 i64) (f32 f32) (f64 "
      "f64) "
      "(yes bool) (no bool) (colour enum8) (wide enum64)\n"
      "stream 1 \"a\"\n"
      "0.000000001 1 numbers u8=255 u16=65535 u32=4294967295 u64=18446744073709551615 i8=-128 i16=-32768 "
      "i32=-2147483648 "
      "i64=-9223372036854775808 f32=1.5 f64=-inf yes=7 no=false colour=200 wide=18446744073709551615\n",
      [](const Numbers& n) {
        EXPECT_EQ(n.u8, 255);
        EXPECT_EQ(n.u16, 65535);
        EXPECT_EQ(n.u32, 4294967295u);
        EXPECT_EQ(n.u64, 18446744073709551615u);
        EXPECT_EQ(n.i8, -128);
        EXPECT_EQ(n.i16, -32768);
        EXPECT_EQ(n.i32, std::numeric_limits<std::int32_t>::min());
        EXPECT_EQ(n.i64, std::numeric_limits<std::int64_t>::min());
        EXPECT_EQ(n.f32, 1.5f);
        EXPECT_EQ(n.f64, -std::numeric_limits<double>::infinity());
        EXPECT_TRUE(n.yes) << "anything but 0 is true";
        EXPECT_FALSE(n.no);
        EXPECT_EQ(n.colour, Colour::kGreen);
        EXPECT_EQ(n.wide, Uint128::kHuge);
      });
}

TEST(Typed, HasTextBytesAndWhatStandsForThem) {
  with_first<Words>(
      "type 1024 words (text text) (long_text text32) (bytes bytes) (long_bytes bytes32) (id bytes(3)) (name interned) "
      "(at ticks) (took tick_delta)\n"
      "stream 1 \"a\"\n"
      "string 5 \"five\"\n"
      "0.000000009 1 words text=\"t\\x00\\xff\" long_text=\"long\" bytes=0x0001 long_bytes=0x02 id=0x616263 "
      "name=\"five\" "
      "at=0.000000003 took=-0.000000004\n",
      [](const Words& w) {
        EXPECT_EQ(w.text, std::string_view("t\0\xFF", 3));
        EXPECT_EQ(w.long_text.text, "long");
        EXPECT_EQ(chars_of(w.bytes), std::string("\0\1", 2));
        EXPECT_EQ(chars_of(w.long_bytes.bytes), "\2");
        EXPECT_EQ(chars_of(w.id), "abc");
        EXPECT_EQ(w.name.id, 5u);
        EXPECT_EQ(w.at.value, (1ull << 62) + 3) << "ticks of the clock that traces from text have";
        EXPECT_EQ(w.took.value, -4);
      });
}

TEST(Typed, HasTextLongerThanAShortRowHolds) {
  const std::string text(200'000, 'x');
  with_first<Words>(
      "type 1024 words (long_text text32) (id bytes(3))\nstream 1 \"a\"\n0.000000009 1 words long_text=\"" + text +
          "\" id=0x616263\n",
      [&](const Words& w) {
        EXPECT_EQ(w.long_text.text, text);
        EXPECT_EQ(chars_of(w.id), "abc");
      });
}

TEST(Typed, HasArraysAndLists) {
  with_first<Sequences>(
      "type 1024 sequences (numbers u16[]) (deltas i64[]) (weights f64[]) (flags bool[]) (colours enum8[]) "
      "(names interned[]) (texts text[]) (blobs bytes[])\n"
      "stream 1 \"a\"\n"
      "0.000000001 1 sequences numbers=[1 65535] deltas=[-1] weights=[0.5 2] flags=[true false 2] colours=[1 200] "
      "names=[#3 #4] texts=[\"one\" \"\" \"three\"] blobs=[0x00 0x]\n",
      [](const Sequences& s) {
        EXPECT_EQ(std::vector(s.numbers.begin(), s.numbers.end()), (std::vector<std::uint16_t>{1, 65535}));
        EXPECT_EQ(std::vector(s.deltas.begin(), s.deltas.end()), (std::vector<std::int64_t>{-1}));
        EXPECT_EQ(std::vector(s.weights.begin(), s.weights.end()), (std::vector<double>{0.5, 2}));
        EXPECT_EQ(std::vector<int>(s.flags.begin(), s.flags.end()), (std::vector<int>{1, 0, 1}));
        EXPECT_EQ(std::vector(s.colours.begin(), s.colours.end()), (std::vector{Colour::kRed, Colour::kGreen}));
        EXPECT_EQ(std::vector(s.names.begin(), s.names.end()), (std::vector{Interned{3}, Interned{4}}));
        EXPECT_EQ(std::vector(s.texts.begin(), s.texts.end()), (std::vector<std::string_view>{"one", "", "three"}));
        ASSERT_EQ(s.blobs.size(), 2u);
        EXPECT_EQ(chars_of(s.blobs[0]), std::string(1, '\0'));
        EXPECT_EQ(chars_of(s.blobs[1]), "");
      });
}

TEST(Typed, HasEmptyArraysAndLists) {
  with_first<Sequences>(
      "type 1024 sequences (numbers u16[]) (texts text[])\nstream 1 \"a\"\n0.000000001 1 sequences numbers=[] "
      "texts=[]\n",
      [](const Sequences& s) {
        EXPECT_TRUE(s.numbers.empty());
        EXPECT_TRUE(s.texts.empty());
      });
}

TEST(Typed, KeepsArraysOfOneEventWhileItIsReadTwice) {
  const std::string bytes =
      trace_from_text("type 1024 sequences (numbers u16[])\nstream 1 \"a\"\n0.000000001 1 sequences numbers=[1 2]\n");
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  const Event* const event = events.next();
  const Sequences first = event->as<Sequences>().value();
  const Sequences second = event->as<Sequences>().value();
  EXPECT_NE(first.numbers.data(), second.numbers.data());
  EXPECT_EQ(first.numbers[1], 2);
  EXPECT_EQ(second.numbers[1], 2);
}

TEST(Typed, IsNothingForEventsOfOtherTypes) {
  const std::string bytes = trace_from_text(
      "type 1024 words (text text)\nstream 1 \"a\"\n0.000000001 1 words text=\"x\"\n0.000000002 1 type#7 +0x00\n");
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  const Event* event = events.next();
  EXPECT_FALSE(event->as<Numbers>().has_value());
  EXPECT_TRUE(event->as<Words>().has_value());
  event = events.next();
  EXPECT_FALSE(event->as<Words>().has_value()) << "of a type that is not declared";
  EXPECT_EQ(events.next(), nullptr);
  EXPECT_TRUE(events.status().ok()) << "which is no error";
}

}  // namespace
}  // namespace evt::testing

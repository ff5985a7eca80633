// The fields of an event by index, by name and one after another, with nothing known but what the trace has of them
// (FORMAT.md, section 8).
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

// A type with these fields (in the text form), and the only event of the trace, which has this payload.
class OneEvent {
 public:
  OneEvent(const std::string& fields, std::string_view payload)
      : bytes_(RawTrace()
                   .session()
                   .clock({.id = 1, .hz = 1'000'000'000})
                   .declare("type 1024 e " + fields + "\nstream 1 \"a\"\nstring 5 \"five\"\n")
                   .events(1, Rows().row(1, 1024, payload))
                   .trailer()
                   .bytes()),
        trace_(open_trace(bytes_)),
        events_(trace_.events()),
        event_(events_.next()) {}

  const Event& operator*() const { return *event_; }
  const Event* operator->() const { return event_; }
  // As the text form has it.
  std::string text() {
    const std::string line = event_lines(text_of(trace_));
    return line.substr(std::min(line.find(" e") + 2, line.size()));
  }

 private:
  std::string bytes_;
  Trace trace_;
  Events events_;
  const Event* event_;
};

const std::string kAbc = le8(1) + le16(3) + "abc" + le32(7);

TEST(Fields, AreFoundByNameAndByIndex) {
  OneEvent event("(n u8) (t text) (m u32)", kAbc);
  EXPECT_EQ(event->value("n")->as_unsigned(), 1u);
  EXPECT_EQ(event->value("t")->as_text(), "abc");
  EXPECT_EQ(event->value("m")->as_unsigned(), 7u);
  EXPECT_EQ(event->value(0)->as_unsigned(), 1u);
  EXPECT_EQ(event->value(1)->as_text(), "abc");
  EXPECT_EQ(event->value(2)->as_unsigned(), 7u);
}

TEST(Fields, ThatTheTypeLacksAreNotThere) {
  OneEvent event("(n u8) (t text) (m u32)", kAbc);
  EXPECT_FALSE(event->value("x").has_value());
  EXPECT_FALSE(event->value("").has_value());
  EXPECT_FALSE(event->value(3).has_value());
  EXPECT_FALSE(event->value(SIZE_MAX).has_value());
}

TEST(Fields, ComeOneAfterAnother) {
  OneEvent event("(n u8) (t text) (m u32)", kAbc + "rest");
  FieldWalker walker = event->values();
  EXPECT_EQ(walker.index(), 0u);
  EXPECT_EQ(walker.next()->field().name, "n");
  EXPECT_EQ(walker.index(), 1u);
  EXPECT_EQ(walker.next()->field().name, "t");
  EXPECT_EQ(chars_of(walker.rest()), le32(7) + "rest");
  EXPECT_EQ(walker.next()->field().name, "m");
  EXPECT_FALSE(walker.next().has_value());
  EXPECT_EQ(chars_of(walker.rest()), "rest") << "bytes that no field describes";
  EXPECT_EQ(event->payload().size(), kAbc.size() + 4);
}

TEST(Fields, ThatARowEndsBeforeAreNotThere) {
  OneEvent event("(n u8) (t text) (m u32)", kAbc.substr(0, 6));
  EXPECT_EQ(event->value("t")->as_text(), "abc");
  EXPECT_FALSE(event->value("m").has_value());
  EXPECT_EQ(event.text(), " n=1 t=\"abc\"\n");
}

TEST(Fields, ThatARowEndsInsideAreNotThereNorAnyLaterOne) {
  OneEvent event("(n u16) (m u8)", le8(1));
  EXPECT_FALSE(event->value("n").has_value());
  EXPECT_FALSE(event->value("m").has_value()) << "it would fit, but begins behind n";
  FieldWalker walker = event->values();
  EXPECT_FALSE(walker.next().has_value());
  EXPECT_FALSE(walker.next().has_value());
  EXPECT_EQ(chars_of(walker.rest()), le8(1));
  EXPECT_EQ(event.text(), " +0x01\n");
}

TEST(Fields, ThatClaimMoreThanTheRowHoldsAreNotThere) {
  for (const char* kind : {"text", "bytes", "u8[]", "text[]", "bytes[]"}) {
    EXPECT_EQ(OneEvent("(x " + std::string(kind) + ")", le16(4) + "abc").text(), " +0x0400616263\n") << kind;
  }
  EXPECT_EQ(OneEvent("(x text32)", le32(0xFFFFFFFF) + "abc").text(), " +0xffffffff616263\n");
  EXPECT_EQ(OneEvent("(x text[])", le16(2) + le16(1) + "a" + le16(2) + "b").text(), " +0x0200010061020062\n");
  EXPECT_EQ(OneEvent("(x u64[])", le16(0xFFFF) + le64(1)).text(), " +0xffff0100000000000000\n");
}

TEST(Fields, OfNoBytesAreValuesToo) {
  EXPECT_EQ(OneEvent("(x text) (y u8[]) (z bytes[])", le16(0) + le16(0) + le16(0)).text(), " x=\"\" y=[] z=[]\n");
}

TEST(Fields, OfWidthZeroAreValuesOfNoBytesAndArraysOfNoElements) {
  const auto field = [](const char* name, std::uint16_t kind, std::uint16_t shape) {
    return evt_field EVT_FIELD_OF(name, kind, shape, 0);
  };
  RawTrace trace = RawTrace().session().clock({.id = 1, .hz = 1'000'000'000});
  trace.type(1024, "e",
             {field("a", EVT_KIND_BYTES, EVT_SHAPE_FIXED), field("b", EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED),
              field("c", EVT_KIND_UNSIGNED, EVT_SHAPE_ARRAY), EVT_FIELD_U8("d")});
  trace.events(1, Rows().row(1, 1024, le16(3) + le8(4)));
  EXPECT_EQ(events_of(trace.bytes()), "0.000000001 1 e a=0x b=0x c=[] d=4\n");
}

TEST(Fields, OfEveryKindHaveTheirValues) {
  EXPECT_EQ(OneEvent("(a u8) (b u16) (c u32) (d u64)", le8(255) + le16(65535) + le32(4294967295) + le64(~0ull)).text(),
            " a=255 b=65535 c=4294967295 d=18446744073709551615\n");
  EXPECT_EQ(
      OneEvent("(a i8) (b i16) (c i32) (d i64)", le8(128) + le16(0xFFFF) + le32(0x80000000) + le64(1ull << 63)).text(),
      " a=-128 b=-1 c=-2147483648 d=-9223372036854775808\n");
  EXPECT_EQ(OneEvent("(a f32) (b f64)", le32(0x3FC00000) + le64(0xC004000000000000)).text(), " a=1.5 b=-2.5\n");
  EXPECT_EQ(OneEvent("(a bool) (b bool) (c bool)", le8(0) + le8(1) + le8(2)).text(), " a=false b=true c=2\n");
  EXPECT_EQ(OneEvent("(a enum8 labels=[1=one]) (b enum64 labels=[1=one])", le8(1) + le64(2)).text(), " a=one b=2\n");
  EXPECT_EQ(OneEvent("(a text) (b text32)", le16(2) + "hi" + le32(3) + "you").text(), " a=\"hi\" b=\"you\"\n");
  EXPECT_EQ(OneEvent("(a bytes) (b bytes32) (c bytes(3))", le16(1) + "a" + le32(2) + "bc" + "def").text(),
            " a=0x61 b=0x6263 c=0x646566\n");
  EXPECT_EQ(OneEvent("(a interned) (b interned) (c interned)", le32(5) + le32(6) + le32(0)).text(),
            " a=\"five\" b=#6 c=\"\"\n");
  EXPECT_EQ(OneEvent("(a ticks) (b tick_delta) (c tick_delta)", le64(7) + le64(1) + le64(~0ull)).text(),
            " a=0.000000007 b=0.000000001 c=-0.000000001\n");
}

TEST(Fields, OfSequencesHaveTheirElements) {
  EXPECT_EQ(OneEvent("(a u16[]) (b i8[]) (c f32[])", le16(2) + le16(1) + le16(2) + le16(1) + le8(255) + le16(0)).text(),
            " a=[1 2] b=[-1] c=[]\n");
  EXPECT_EQ(OneEvent("(a bool[]) (b enum16[] labels=[1=one])", le16(2) + le8(1) + le8(0) + le16(1) + le16(1)).text(),
            " a=[true false] b=[one]\n");
  EXPECT_EQ(OneEvent("(a interned[]) (b text[])", le16(1) + le32(5) + le16(2) + le16(1) + "x" + le16(0)).text(),
            " a=[\"five\"] b=[\"x\" \"\"]\n");
  EXPECT_EQ(OneEvent("(a bytes[])", le16(1) + le16(2) + "ab").text(), " a=[0x6162]\n");
}

TEST(Fields, OfAnUnknownKindAreBytes) {
  OneEvent event("(a kind77:fixed3) (b kind77:counted16) (c kind77:array2) (d kind77:list) (e u8)",
                 "abc" + le16(1) + "d" + le16(2) + "efgh" + le16(1) + le16(1) + "i" + le8(9));
  EXPECT_EQ(event.text(), " a=0x616263 b=0x64 c=[0x6566 0x6768] d=[0x69] e=9\n") << "each is stepped over by its shape";
  EXPECT_EQ(event->value("a")->kind(), Kind::kBytes);
  EXPECT_EQ(static_cast<int>(event->value("a")->field().kind), 77);
}

TEST(Fields, OfNoKindAreBytes) { EXPECT_EQ(OneEvent("(a kind0:fixed2)", "ab").text(), " a=0x6162\n"); }

TEST(Fields, WhoseKindAndShapeDoNotGoTogetherAreBytes) {
  EXPECT_EQ(OneEvent("(a kind1:fixed3) (b kind3:fixed2) (c kind4:fixed2) (d kind8:fixed8)",
                     "abc" + le16(1) + le16(1) + le64(5))
                .text(),
            " a=0x616263 b=0x0100 c=0x0100 d=0x0500000000000000\n");
  EXPECT_EQ(OneEvent("(a kind1:counted16) (b kind6:fixed2) (c kind9:array8)", le16(1) + "a" + "bc" + le16(1) + le64(1))
                .text(),
            " a=0x61 b=0x6263 c=[0x0100000000000000]\n");
}

TEST(Fields, BehindAnUnknownShapeAreOutOfReach) {
  OneEvent event("(a u8) (b kind77:shape32/4) (c u8)", "abcdef");
  EXPECT_EQ(event->value("a")->as_unsigned(), 'a');
  EXPECT_FALSE(event->value("b").has_value());
  EXPECT_FALSE(event->value("c").has_value());
  FieldWalker walker = event->values();
  EXPECT_TRUE(walker.next().has_value());
  EXPECT_FALSE(walker.next().has_value());
  EXPECT_FALSE(walker.next().has_value()) << "asking again does not help";
  EXPECT_EQ(event.text(), " a=97 +0x6263646566\n");
}

TEST(Fields, BehindAShapeOfALaterVersionThatIsCountedAreFound) {
  for (const int shape : {8, 15}) {
    OneEvent event("(a u8) (b kind77:shape" + std::to_string(shape) + "/4) (c u8)",
                   le8(1) + le16(3) + "xyz" + le8(2) + "rest");
    EXPECT_EQ(event->value("c")->as_unsigned(), 2u) << shape;
    EXPECT_EQ(chars_of(event->value("b")->bytes()), "xyz") << shape;
    EXPECT_EQ(event->value("b")->kind(), Kind::kBytes) << shape;
    EXPECT_EQ(event.text(), " a=1 b=0x78797a c=2 +0x72657374\n") << shape;
  }
  for (const int shape : {16, 31}) {
    OneEvent event("(a u8) (b kind6:shape" + std::to_string(shape) + "/0) (c u8)", le8(1) + le32(3) + "xyz" + le8(2));
    EXPECT_EQ(event.text(), " a=1 b=0x78797a c=2\n") << shape;
    EXPECT_EQ(event->value("c")->as_unsigned(), 2u) << shape;
  }
  EXPECT_EQ(OneEvent("(a kind12:shape8/0) (b u8)", le16(0) + le8(5)).text(), " a=0x b=5\n") << "of no bytes";
}

TEST(Fields, BehindAShapeWithoutACountAreOutOfReach) {
  for (const int shape : {5, 7, 32, 65535}) {
    OneEvent event("(a u8) (b kind77:shape" + std::to_string(shape) + "/0) (c u8)", le8(1) + le16(1) + "x" + le8(2));
    EXPECT_EQ(event.text(), " a=1 +0x01007802\n") << shape;
  }
}

TEST(Fields, OfACountedShapeThatClaimMoreThanTheRowHoldsAreNotThereNorAnyLaterOne) {
  const auto text_of_damaged = [](const char* shape, const std::string& payload) {
    return OneEvent(std::string("(a u8) (b kind77:") + shape + ") (c u8)", payload).text();
  };
  EXPECT_EQ(text_of_damaged("shape8/0", le8(1) + le16(4) + "abc"), " a=1 +0x0400616263\n");
  EXPECT_EQ(text_of_damaged("shape15/0", le8(1) + le16(0xFFFF) + "abc"), " a=1 +0xffff616263\n");
  EXPECT_EQ(text_of_damaged("shape16/0", le8(1) + le32(0xFFFFFFFF) + "abc"), " a=1 +0xffffffff616263\n");
  EXPECT_EQ(text_of_damaged("shape31/0", le8(1) + le16(1)), " a=1 +0x0100\n") << "the count itself is cut short";
}

TEST(Fields, OfAWidthThatNoRowHasAreNotThere) {
  OneEvent event("(a u8) (b kind77:fixed65535) (c u8)", "abc");
  EXPECT_EQ(event.text(), " a=97 +0x6263\n");
}

TEST(Value, TellsItsElementsAndTheirCount) {
  OneEvent event("(a u16[]) (b text[]) (c u8)", le16(2) + le16(5) + le16(6) + le16(1) + le16(2) + "hi" + le8(1));
  const Value numbers = *event->value("a");
  EXPECT_TRUE(numbers.is_sequence());
  EXPECT_EQ(numbers.count(), 2u);
  std::vector<std::uint64_t> seen;
  numbers.for_each([&](const Value& v) { seen.push_back(v.as_unsigned()); });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{5, 6}));
  EXPECT_EQ(chars_of(numbers.bytes()), le16(5) + le16(6));
  EXPECT_EQ(chars_of(event->value("b")->bytes()), le16(2) + "hi") << "a list's bytes have its elements' counts";
  EXPECT_FALSE(event->value("c")->is_sequence());
  EXPECT_EQ(event->value("c")->count(), 1u);
  std::uint64_t calls = 0;
  event->value("c")->for_each([&](const Value& v) { calls += v.as_unsigned(); });
  EXPECT_EQ(calls, 1u) << "one value is its own only element";
}

TEST(Value, ReadsItsBytesAsSignedUnsignedOrDouble) {
  OneEvent event("(a i8) (b u8) (c f32) (d i64)", le8(254) + le8(254) + le32(0x40200000) + le64(~0ull - 1));
  EXPECT_EQ(event->value("a")->as_signed(), -2);
  EXPECT_EQ(event->value("a")->as_unsigned(), 254u);
  EXPECT_EQ(event->value("a")->as_double(), -2.0);
  EXPECT_EQ(event->value("b")->as_double(), 254.0);
  EXPECT_EQ(event->value("c")->as_double(), 2.5);
  EXPECT_EQ(event->value("d")->as_signed(), -2);
}

}  // namespace
}  // namespace evt::testing

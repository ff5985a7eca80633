// Programs and traces of different ages (FORMAT.md, section 8, growth): what both know is read, what the program lacks
// is stepped over, what the trace lacks keeps the program's default, and what contradicts is an error that names it.
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {

// The program's idea of an event `e`.
struct Part {
  std::uint32_t n = 111;
  std::string_view text = "default";
  std::uint16_t last = 333;
};
struct Ints {
  std::uint64_t u = 1;
  std::int64_t i = 2;
  double f = 3;
  std::span<const std::uint32_t> list;
};
struct Name {
  std::string_view x;
};
struct LongName {
  LongText x;
};
struct Id {
  std::array<std::byte, 4> x{};
};

}  // namespace evt::testing

template <>
inline constexpr auto evt::schema<evt::testing::Part> = evt::event("e", "", evt::field("n", &evt::testing::Part::n),
                                                                   evt::field("text", &evt::testing::Part::text),
                                                                   evt::field("last", &evt::testing::Part::last));
template <>
inline constexpr auto evt::schema<evt::testing::Ints> = evt::event("e", "", evt::field("u", &evt::testing::Ints::u),
                                                                   evt::field("i", &evt::testing::Ints::i),
                                                                   evt::field("f", &evt::testing::Ints::f),
                                                                   evt::field("list", &evt::testing::Ints::list));
template <>
inline constexpr auto evt::schema<evt::testing::Name> = evt::event("e", "", evt::field("x", &evt::testing::Name::x));
template <>
inline constexpr auto evt::schema<evt::testing::LongName> = evt::event("e", "",
                                                                       evt::field("x", &evt::testing::LongName::x));
template <>
inline constexpr auto evt::schema<evt::testing::Id> = evt::event("e", "", evt::field("x", &evt::testing::Id::x));

namespace evt::testing {
namespace {

// A trace of one event of type `e`, with these fields.
std::string trace_of(const std::string& fields, std::string_view payload) {
  RawTrace trace = RawTrace().session().clock({.id = 1, .hz = 1'000'000'000});
  return trace.declare("type 1024 e " + fields + "\nstream 1 \"a\"\n")
      .events(1, Rows().row(1, 1024, payload))
      .trailer()
      .bytes();
}

// What a program that knows T reads, as `show` prints it; else why it reads nothing.
template <typename T, typename Show>
std::string read_as(const std::string& bytes, Show show) {
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  const Event* const event = events.next();
  if (event == nullptr) return "no event";
  const std::optional<T> read = event->as<T>();
  return read ? show(*read) : code_of(events.status()) + ": " + events.status().message();
}

std::string part_of(const std::string& fields, std::string_view payload) {
  return read_as<Part>(trace_of(fields, payload), [](const Part& p) {
    return "n=" + std::to_string(p.n) + " text=" + std::string(p.text) + " last=" + std::to_string(p.last);
  });
}

const std::string kHi = le16(2) + "hi";

TEST(Growth, NeedsNothingWhereTraceAndProgramAgree) {
  EXPECT_EQ(part_of("(n u32) (text text) (last u16)", le32(1) + kHi + le16(3)), "n=1 text=hi last=3");
}

TEST(Growth, KeepsDefaultsForFieldsThatAnOldTraceLacks) {
  EXPECT_EQ(part_of("(n u32)", le32(1)), "n=1 text=default last=333");
  EXPECT_EQ(part_of("", ""), "n=111 text=default last=333");
}

TEST(Growth, KeepsDefaultsForFieldsThatAnEarlyRowLacks) {
  constexpr const char* kFields = "(n u32) (text text) (last u16)";
  EXPECT_EQ(part_of(kFields, le32(1) + kHi), "n=1 text=hi last=333");
  EXPECT_EQ(part_of(kFields, le32(1)), "n=1 text=default last=333");
  EXPECT_EQ(part_of(kFields, ""), "n=111 text=default last=333");
}

TEST(Growth, KeepsDefaultsForAFieldThatTheRowEndsInside) {
  constexpr const char* kFields = "(n u32) (text text) (last u16)";
  EXPECT_EQ(part_of(kFields, le32(1) + kHi + le8(3)), "n=1 text=hi last=333");
  EXPECT_EQ(part_of(kFields, le32(1) + le16(3) + "hi"), "n=1 text=default last=333");
  EXPECT_EQ(part_of(kFields, le16(1)), "n=111 text=default last=333");
}

TEST(Growth, StepsOverFieldsThatANewTraceHas) {
  EXPECT_EQ(part_of("(n u32) (text text) (last u16) (new u64) (newer text)", le32(1) + kHi + le16(3) + le64(9) + kHi),
            "n=1 text=hi last=3");
}

TEST(Growth, StepsOverFieldsBetweenTheOnesItKnows) {
  EXPECT_EQ(part_of("(a u8) (n u32) (b text) (text text) (c u16[]) (last u16)",
                    le8(7) + le32(1) + kHi + kHi + le16(2) + le32(5) + le16(3)),
            "n=1 text=hi last=3");
}

TEST(Growth, StepsOverKindsThatItDoesNotKnow) {
  EXPECT_EQ(part_of("(a kind77:fixed5) (n u32) (b kind78:counted32) (text text) (c kind79:list) (last u16)",
                    "12345" + le32(1) + le32(3) + "xyz" + kHi + le16(1) + le16(1) + "l" + le16(3)),
            "n=1 text=hi last=3");
}

TEST(Growth, StepsOverCountedShapesThatItDoesNotKnow) {
  EXPECT_EQ(part_of("(n u32) (a kind77:shape9/0) (text text) (b kind6:shape16/0) (last u16)",
                    le32(1) + le16(4) + "1234" + kHi + le32(2) + "56" + le16(3)),
            "n=1 text=hi last=3");
}

TEST(Growth, CannotStepOverAShapeThatItDoesNotKnow) {
  EXPECT_EQ(part_of("(n u32) (a kind77:shape32/4) (text text) (last u16)", le32(1) + "1234" + kHi + le16(3)),
            "n=1 text=default last=333");
}

TEST(Growth, FindsFieldsInAnyOrder) {
  EXPECT_EQ(part_of("(last u16) (text text) (n u32)", le16(3) + kHi + le32(1)), "n=1 text=hi last=3");
}

TEST(Growth, SkipsBytesThatNoFieldDescribes) {
  EXPECT_EQ(part_of("(n u32)", le32(1) + "something new"), "n=1 text=default last=333");
}

TEST(Growth, TakesTheFirstOfTwoFieldsWithOneName) {
  RawTrace trace = RawTrace().session().clock({.id = 1, .hz = 1'000'000'000});
  trace.type(1024, "e", {EVT_FIELD_U32("n"), EVT_FIELD_U32("n")}).events(1, Rows().row(1, 1024, le32(1) + le32(2)));
  EXPECT_EQ(read_as<Part>(trace.bytes(), [](const Part& p) { return std::to_string(p.n); }), "1");
}

std::string ints_of(const std::string& fields, std::string_view payload) {
  return read_as<Ints>(trace_of(fields, payload), [](const Ints& v) {
    std::string text = "u=" + std::to_string(v.u) + " i=" + std::to_string(v.i) + " f=" + std::to_string(v.f);
    for (const std::uint32_t n : v.list) text += " " + std::to_string(n);
    return text;
  });
}

TEST(Growth, ReadsNarrowerNumbersIntoWiderMembers) {
  EXPECT_EQ(ints_of("(u u8) (i i8) (f f32) (list u8[])",
                    le8(255) + le8(255) + le32(0x40200000) + le16(2) + le8(7) + le8(255)),
            "u=255 i=-1 f=2.500000 7 255");
  EXPECT_EQ(ints_of("(u u16) (i i16)", le16(65535) + le16(0x8000)), "u=65535 i=-32768 f=3.000000");
  EXPECT_EQ(ints_of("(u u32) (i i32)", le32(~0u) + le32(0x80000000)), "u=4294967295 i=-2147483648 f=3.000000");
}

TEST(Growth, ReadsWhatFollowsANarrowerNumber) {
  EXPECT_EQ(ints_of("(u u8) (list u16[]) (i i64)", le8(5) + le16(1) + le16(6) + le64(7)), "u=5 i=7 f=3.000000 6");
}

TEST(Growth, ReadsShortTextIntoLongAndLongIntoShort) {
  const auto show = [](const auto& read) {
    if constexpr (requires { read.x.text; }) {
      return std::string(read.x.text);
    } else {
      return std::string(read.x);
    }
  };
  EXPECT_EQ(read_as<LongName>(trace_of("(x text)", kHi), show), "hi");
  EXPECT_EQ(read_as<Name>(trace_of("(x text32)", le32(3) + "you"), show), "you");
  EXPECT_EQ(read_as<Name>(trace_of("(x text[])", ""), show),
            "schema: event type e: field x is text list in the trace, text in this program");
}

TEST(Growth, RefusesANumberThatMightNotFit) {
  EXPECT_EQ(part_of("(n u64)", le64(1)),
            "schema: event type e: field n is unsigned of 8 bytes in the trace, unsigned of 4 bytes in this program");
  EXPECT_EQ(
      ints_of("(list u64[])", le16(0)),
      "schema: event type e: field list is unsigned array of 8 bytes in the trace, unsigned array of 4 bytes in this "
      "program");
}

TEST(Growth, RefusesAnotherKindUnderTheSameName) {
  EXPECT_EQ(part_of("(n i32)", le32(1)),
            "schema: event type e: field n is signed of 4 bytes in the trace, unsigned of 4 bytes in this program");
  EXPECT_EQ(part_of("(n u32) (text bytes)", le32(1) + kHi),
            "schema: event type e: field text is bytes in the trace, text in this program");
  EXPECT_EQ(
      part_of("(n u32[])", le16(0)),
      "schema: event type e: field n is unsigned array of 4 bytes in the trace, unsigned of 4 bytes in this program");
  EXPECT_EQ(part_of("(n kind77:fixed4)", le32(1)),
            "schema: event type e: field n is kind 77 of 4 bytes in the trace, unsigned of 4 bytes in this program");
}

TEST(Growth, RefusesBytesOfAnotherLength) {
  const auto show = [](const Id&) { return std::string("read"); };
  EXPECT_EQ(read_as<Id>(trace_of("(x bytes(4))", "abcd"), show), "read");
  EXPECT_EQ(read_as<Id>(trace_of("(x bytes(3))", "abc"), show),
            "schema: event type e: field x is bytes of 3 bytes in the trace, bytes of 4 bytes in this program");
}

TEST(Growth, SaysTheFirstContradictionAndGoesOn) {
  RawTrace raw = RawTrace().session().clock({.id = 1, .hz = 1'000'000'000});
  raw.declare("type 1024 e (n i32)\ntype 1025 f (n u32)\nstream 1 \"a\"\n");
  const std::string bytes = raw.events(1, Rows().row(1, 1024, le32(1)).row(2, 1025, le32(2))).bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  EXPECT_FALSE(events.next()->as<Part>().has_value());
  EXPECT_EQ(events.next()->value("n")->as_unsigned(), 2u);
  EXPECT_EQ(events.next(), nullptr);
  EXPECT_EQ(code_of(events.status()), "schema");
  EXPECT_EQ(code_of(trace.status()), "truncated") << "the trace itself is only truncated";
}

// The widths are claims of the file; added up they are more than an int holds.
TEST(Growth, IsNotMisledByWidthsThatNoRowCanHave) {
  const auto wide = [](const char* name, std::uint32_t width) {
    return evt_field EVT_FIELD_OF(name, EVT_KIND_BYTES, EVT_SHAPE_FIXED, width);
  };
  const auto part_behind = [&](std::vector<evt_field> fields) {
    fields.push_back(EVT_FIELD_U32("n"));
    RawTrace trace = RawTrace().session().clock({.id = 1, .hz = 1'000'000'000}).type(1024, "e", fields);
    trace.events(1, Rows().row(1, 1024, "12345678")).trailer();
    return read_as<Part>(trace.bytes(), [](const Part& p) { return "n=" + std::to_string(p.n); });
  };
  EXPECT_EQ(part_behind({wide("a", 0x7FFFFFFF), wide("b", 0x7FFFFFFF), wide("c", 2)}), "n=111");
  EXPECT_EQ(part_behind({wide("a", 0xFFFFFFFF)}), "n=111");
  EXPECT_EQ(part_behind({wide("a", 4), wide("b", 0xFFFFFFFC)}), "n=111");
}

}  // namespace
}  // namespace evt::testing

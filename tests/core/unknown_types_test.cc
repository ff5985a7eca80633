// Events of types that the trace does not declare.
#include <gtest/gtest.h>

#include <set>

#include "raw_trace.h"
#include "support/sanitizer.h"

namespace evt::testing {
namespace {

TEST(UnknownType, IsNamedByItsNumber) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().row(1, 7, "ab").row(2, 0xFEFF, "").wide(3, 70000, "c").wide(4, 0xFFFFFFFF, "").row(5, 0, "d"));
  EXPECT_EQ(events_of(trace.bytes()),
            "0.000000001 1 type#7 +0x6162\n"
            "0.000000002 1 type#65279\n"
            "0.000000003 1 type#70000 +0x63\n"
            "0.000000004 1 type#4294967295\n"
            "0.000000005 1 type#0 +0x64\n");
}

TEST(UnknownType, HasItsNumberAndNothingElse) {
  const std::string bytes = ordinary_trace().events(1, Rows().row(1, 7, "ab").row(2, 7, "")).bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  const EventType* const type = &events.next()->type();
  EXPECT_EQ(type->number(), 7u);
  EXPECT_FALSE(type->declared());
  EXPECT_TRUE(type->fields().empty());
  EXPECT_EQ(type->role(), Role::kNone);
  EXPECT_EQ(&events.next()->type(), type) << "the same number is the same type";
  EXPECT_EQ(trace.sessions()[0].types.size(), 1u) << "what a trace declares does not grow by what it does not";
}

TEST(UnknownType, ThatAWideRowNamesIsTheOneOfAShortRow) {
  const std::string bytes =
      ordinary_trace().events(1, Rows().row(1, 7, "").wide(2, 7, "").wide(3, 1024, le64(5))).bytes();
  EXPECT_EQ(events_of(bytes), "0.000000001 1 type#7\n0.000000002 1 type#7\n0.000000003 1 tick n=5\n");
}

TEST(UnknownType, HasAnotherNameInEachSession) {
  RawTrace trace = ordinary_trace().events(1, Rows().row(1, 7, "")).trailer();
  RawTrace next = RawTrace().session(1).clock({.id = 1, .hz = 1'000'000'000});
  next.declare("type 7 seven (n u8)\n").events(1, Rows().row(1, 7, le8(1)));
  EXPECT_EQ(events_of(trace.append(next).bytes()), "0.000000001 1 type#7\n0.000000001 1 seven n=1\n");
}

// An address sanitizer keeps what was freed from being used again, so places tell nothing of memory.
constexpr bool kPlacesTell = !kSanitizer;

// A hostile trace may have any number of them; each has its name all the same.
TEST(UnknownType, IsOneOfManyThatTakeNoMemoryForEver) {
  constexpr std::uint32_t kMany = 60'000;
  RawTrace trace = ordinary_trace();
  Rows rows;
  for (std::uint32_t i = 0; i < kMany; ++i) rows.wide(i, 100'000 + i, "");
  const std::string bytes = trace.events(1, rows).bytes();
  Trace opened = open_trace(bytes);
  Events events = opened.events();
  std::set<const EventType*> places;
  for (std::uint32_t i = 0; i < kMany; ++i) {
    const Event* const event = events.next();
    ASSERT_NE(event, nullptr);
    EXPECT_EQ(event->type().number(), 100'000 + i);
    EXPECT_EQ(event->type().name(), "type#" + std::to_string(100'000 + i));
    places.insert(&event->type());
  }
  EXPECT_EQ(events.next(), nullptr);
  if (kPlacesTell) {
    EXPECT_LE(places.size(), 20'000u) << "those that are kept, and a window of others at a time";
  }
}

}  // namespace
}  // namespace evt::testing

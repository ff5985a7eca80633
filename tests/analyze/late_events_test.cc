// Events that state when they began and ended: what can be timed is, and what would be put elsewhere is not.
#include <gtest/gtest.h>

#include <string>

#include "libtrace-read/analyze/src/duration.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

// The duration of an event at 1000 ns, by these fields; -1: it is not timed.
std::int64_t duration_by(const std::string& fields, const std::string& values) {
  const std::string bytes =
      trace_from_text("type 1024 whole role=span " + fields + "\nstream 1 \"a\"\n0.000001000 1 whole " + values + "\n");
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  const auto duration = duration_of(*events.next(), 1000);
  return duration ? static_cast<std::int64_t>(duration->ns) : -1;
}

constexpr const char* kBegan = "(began ticks role=began) ";
constexpr const char* kEnded = "(ended ticks role=ended) ";
constexpr const char* kLasted = "(lasted tick_delta role=duration)";

TEST(Duration, AloneEndsAtItsEvent) { EXPECT_EQ(duration_by(kLasted, "lasted=0.000000300"), 300); }

TEST(Duration, IsFromWhenItBegan) {
  EXPECT_EQ(duration_by(kBegan, "began=0.000000400"), 600);
  EXPECT_EQ(duration_by(std::string(kBegan) + kEnded, "began=0.000000400 ended=0.000001000"), 600);
  EXPECT_EQ(duration_by(std::string(kEnded) + kLasted, "ended=0.000001000 lasted=0.000000300"), 300);
  EXPECT_EQ(duration_by(std::string(kBegan) + kLasted, "began=0.000000400 lasted=0.000000600"), 600);
}

TEST(Duration, OfWhatEndedBeforeItsEventIsNotTimed) {
  EXPECT_EQ(duration_by(std::string(kBegan) + kEnded, "began=0.000000400 ended=0.000000900"), -1);
  EXPECT_EQ(duration_by(std::string(kEnded) + kLasted, "ended=0.000000900 lasted=0.000000300"), -1);
  EXPECT_EQ(duration_by(std::string(kBegan) + kLasted, "began=0.000000400 lasted=0.000000300"), -1);
}

TEST(Duration, OfAnAbsentValueIsNone) {
  EXPECT_EQ(duration_by("(lasted u32 role=duration unit=nanoseconds absent=0)", "lasted=0"), -1);
  EXPECT_EQ(duration_by("(lasted u32 role=duration unit=nanoseconds absent=0)", "lasted=7"), 7);
}

TEST(Duration, CountsByItsScale) {
  EXPECT_EQ(duration_by("(lasted u32 role=duration unit=microseconds scale=-1)", "lasted=5"), 500);
  EXPECT_EQ(duration_by("(lasted u8 role=duration unit=nanoseconds scale=2)", "lasted=3"), 300);
}

TEST(Duration, OfFourBytesHasASign) {
  EXPECT_EQ(duration_by("(lasted kind10:fixed4 role=duration)", "lasted=0.000000300"), 300);
  EXPECT_EQ(duration_by("(lasted kind10:fixed4 role=duration)", "lasted=-0.000000300"), 0) << "taken as 0";
}

}  // namespace
}  // namespace evt::testing

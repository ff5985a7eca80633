// Events that state when they began and ended: what can be timed is, and what would be put elsewhere is not.
#include <evt/analysis/extent.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

#include "support/text_trace.h"

namespace evt::testing {
namespace {

// From when to when an event at 1000 ns has it, by these fields; empty: it is not timed.
std::string extent_by(const std::string& fields, const std::string& values) {
  const std::string bytes =
      trace_from_text("type 1024 whole role=span " + fields + "\nstream 1 \"a\"\n0.000001000 1 whole " + values + "\n");
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  const auto extent = extent_of(*events.next(), 1000);
  return extent ? fmt::format("{} to {}", extent->began_ns, extent->ended_ns) : "";
}

constexpr const char* kBegan = "(began ticks role=began) ";
constexpr const char* kEnded = "(ended ticks role=ended) ";
constexpr const char* kLasted = "(lasted tick_delta role=duration)";

TEST(Extent, AloneEndsAtItsEvent) { EXPECT_EQ(extent_by(kLasted, "lasted=0.000000300"), "700 to 1000"); }

TEST(Extent, IsFromWhenItBegan) {
  EXPECT_EQ(extent_by(kBegan, "began=0.000000400"), "400 to 1000");
  EXPECT_EQ(extent_by(std::string(kBegan) + kEnded, "began=0.000000400 ended=0.000001000"), "400 to 1000");
  EXPECT_EQ(extent_by(std::string(kEnded) + kLasted, "ended=0.000001000 lasted=0.000000300"), "700 to 1000");
  EXPECT_EQ(extent_by(std::string(kBegan) + kLasted, "began=0.000000400 lasted=0.000000600"), "400 to 1000");
}

TEST(Extent, OfWhatEndedBeforeItsEventIsWhereItWas) {
  EXPECT_EQ(extent_by(std::string(kBegan) + kEnded, "began=0.000000400 ended=0.000000900"), "400 to 900");
  EXPECT_EQ(extent_by(std::string(kEnded) + kLasted, "ended=0.000000900 lasted=0.000000300"), "600 to 900");
  EXPECT_EQ(extent_by(std::string(kBegan) + kLasted, "began=0.000000400 lasted=0.000000300"), "400 to 700");
}

TEST(Extent, EndsNotBehindItsEvent) {
  EXPECT_EQ(extent_by(std::string(kBegan) + kEnded, "began=0.000000400 ended=0.000001001"), "");
}

TEST(Extent, OfAnAbsentValueIsNone) {
  EXPECT_EQ(extent_by("(lasted u32 role=duration unit=nanoseconds absent=0)", "lasted=0"), "");
  EXPECT_EQ(extent_by("(lasted u32 role=duration unit=nanoseconds absent=0)", "lasted=7"), "993 to 1000");
}

TEST(Extent, CountsByItsScale) {
  EXPECT_EQ(extent_by("(lasted u32 role=duration unit=microseconds scale=-1)", "lasted=5"), "500 to 1000");
  EXPECT_EQ(extent_by("(lasted u8 role=duration unit=nanoseconds scale=2)", "lasted=3"), "700 to 1000");
}

TEST(Extent, OfFourBytesHasASign) {
  EXPECT_EQ(extent_by("(lasted kind10:fixed4 role=duration)", "lasted=0.000000300"), "700 to 1000");
  EXPECT_EQ(extent_by("(lasted kind10:fixed4 role=duration)", "lasted=-0.000000300"), "1000 to 1000") << "taken as 0";
}

}  // namespace
}  // namespace evt::testing

// Why threads stop, of traces that have no end of reasons.
#include "libtrace-read/analyze/src/stop_reasons.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "support/text_trace.h"

namespace evt::testing {
namespace {

constexpr std::string_view kStopTypes =
    "type 1024 stop role=threadStop (thread u64 role=thread) (why u32 role=reason)\n"
    "type 1025 end role=threadStop (thread u64 role=thread) (why enum8 role=reason labels=[1=blocked 2=finished])\n"
    "stream 1 \"a\"\n";

TEST(StopReasons, BeyondFourThousandAreOne) {
  std::string text(kStopTypes);
  for (unsigned i = 0; i < 5000; ++i) text += fmt::format("0.{:09} 1 stop thread=1 why={}\n", i, i);
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  StopReasons reasons;
  std::vector<std::uint32_t> indexes;
  while (const Event* const event = events.next()) indexes.push_back(reasons.of(*event));
  ASSERT_EQ(indexes.size(), 5000U);
  EXPECT_EQ(indexes[0], 0U);
  EXPECT_EQ(indexes[4095], 4095U);
  EXPECT_EQ(indexes[4096], 4096U);
  EXPECT_EQ(indexes[4999], 4096U);
  ASSERT_EQ(reasons.all().size(), 4097U);
  EXPECT_EQ(reasons.all()[4095].text, "reason 4095");
  EXPECT_EQ(reasons.all()[4096].text, "(other reasons)");
}

TEST(StopReasons, KnowWhichOnesAThreadDoesNotComeBackFrom) {
  const std::string bytes =
      trace_from_text(std::string(kStopTypes) +
                      "0.1 1 end thread=1 why=blocked\n0.2 1 end thread=1 why=finished\n0.3 1 stop thread=1 why=2\n");
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  std::vector<bool> ends;
  while (const Event* const event = events.next()) ends.push_back(StopReasons::ends_thread(*event));
  EXPECT_EQ(ends, (std::vector<bool>{false, true, false}));
  const std::vector<EventType>& types = trace.sessions().front().types;
  EXPECT_EQ(StopReasons::ending_number(types[0]), std::nullopt);
  EXPECT_EQ(StopReasons::ending_number(types[1]), 2U);
}

}  // namespace
}  // namespace evt::testing

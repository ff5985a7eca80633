// The total order of events (FORMAT.md, section 9).
#include <gtest/gtest.h>

#include "support/text_trace.h"

namespace evt::testing {
namespace {

// The text form comes back in order, whatever the order of its lines.
void expect_order(std::string_view written, std::string_view read) {
  const std::string declarations = "type 1024 tick \"\" (n u8)\nstream 1 \"a\"\nstream 2 \"b\"\n";
  std::string text = text_of_trace(trace_from_text(declarations + std::string(written)));
  std::string events;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    if (text[at] >= '0' && text[at] <= '9') events += text.substr(at, end - at);
    at = end;
  }
  EXPECT_EQ(events, read);
}

TEST(Order, IsByTimeOverAllStreams) {
  expect_order(
      "0.000000003 1 tick n=3\n"
      "0.000000001 2 tick n=1\n"
      "0.000000002 2 tick n=2\n",
      "0.000000001 2 tick n=1\n"
      "0.000000002 2 tick n=2\n"
      "0.000000003 1 tick n=3\n");
}

TEST(Order, OfEqualTimesIsByStreamThenByPlaceInTheStream) {
  expect_order(
      "0.000000001 2 tick n=1\n"
      "0.000000001 2 tick n=2\n"
      "0.000000001 1 tick n=3\n",
      "0.000000001 1 tick n=3\n"
      "0.000000001 2 tick n=1\n"
      "0.000000001 2 tick n=2\n");
}

TEST(Order, KeepsAStreamsOwnOrderWhenItsClockFallsBehind) {
  expect_order(
      "0.000000005 1 tick n=1\n"
      "0.000000004 1 tick n=2\n"
      "0.000000004 2 tick n=3\n",
      "0.000000004 2 tick n=3\n"
      "0.000000005 1 tick n=1\n"
      "0.000000004 1 tick n=2\n");
}

TEST(Order, FollowsAStreamThatSaysItStepsBack) {
  expect_order(
      "0.000000005 1 tick n=1\n"
      "0.000000002 1 !jump\n"
      "0.000000002 1 tick n=2\n"
      "0.000000004 2 tick n=3\n",
      "0.000000002 1 !jump\n"
      "0.000000002 1 tick n=2\n"
      "0.000000004 2 tick n=3\n"
      "0.000000005 1 tick n=1\n");
}

TEST(Order, KnowsTimesBeforeTheSessionBegan) {
  expect_order(
      "0.000000001 1 tick n=2\n"
      "-0.000000001 2 tick n=1\n",
      "0.000000001 1 tick n=2\n");
}

}  // namespace
}  // namespace evt::testing

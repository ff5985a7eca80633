// Where rows are in time, as the headers of blocks have it.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include "support/text_trace.h"

namespace evt::testing {
namespace {

std::vector<std::string> words_of(const Trace& trace, std::size_t session) {
  std::vector<std::string> words;
  for (const Trace::RowsInTime& rows : trace.rows_in_time(trace.sessions()[session])) {
    words.push_back(fmt::format("{}: {} from {} to {}", rows.stream->name, rows.rows, rows.first_ns, rows.last_ns));
  }
  return words;
}

TEST(RowsInTime, AreThoseOfTheBlocksOfEachStream) {
  const std::string bytes = trace_from_text(
      "type 1 note\nstream 1 \"a\"\nstream 2 \"b\"\nstream 3 \"empty\"\n"
      "0.000001000 1 note\n0.000002000 2 note\n0.000003000 1 note\n0.000009000 1 note\n");
  const Trace trace = open_trace(bytes);
  EXPECT_THAT(words_of(trace, 0), ::testing::ElementsAre("a: 3 from 1000 to 9000", "b: 1 from 2000 to 2000"));
}

TEST(RowsInTime, OfASessionOfAnotherTraceAreNone) {
  const std::string bytes = trace_from_text("type 1 note\nstream 1 \"a\"\n0.000001000 1 note\n");
  const Trace trace = open_trace(bytes);
  const Trace other = open_trace(bytes);
  EXPECT_TRUE(trace.rows_in_time(other.sessions()[0]).empty());
}

}  // namespace
}  // namespace evt::testing

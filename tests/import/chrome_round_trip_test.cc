// What evt writes as Chrome's JSON, read again.
#include <evt/export/timeline_export.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "analyze/random_spans.h"
#include "eventlog_reading.h"

namespace evt::testing {
namespace {

std::string chrome_of(Trace& trace) {
  const auto file = chrome_json();
  Timeline first(trace, {});
  while (first.next_session()) {
    file->look_at_session(first);
    while (const TimelineItem* const item = first.next()) file->look(*item);
    file->end_look();
  }
  TextBuffer out;
  file->begin(out, trace);
  Timeline timeline(trace, {});
  while (timeline.next_session()) {
    file->begin_session(out, timeline);
    while (const TimelineItem* const item = timeline.next()) file->take(out, *item);
    file->end_session(out);
  }
  file->end(out);
  return std::string(out.text());
}

// Spans and calls with their threads, counters and marks, each a line; in order of the lines.
std::multiset<std::string> what_is_drawn(Trace& trace) {
  std::multiset<std::string> drawn;
  Timeline timeline(trace, {});
  while (timeline.next_session()) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::int64_t>> open;
    while (const TimelineItem* const item = timeline.next()) {
      const auto thread = [&] {
        return item->thread < Actor::kOthers ? timeline.actors().threads()[item->thread].name_or_number("thread") : "";
      };
      if (item->kind == ItemKind::kEnded) {
        drawn.insert(fmt::format("{} {} on {}: {} to {}", item->is_call ? "call" : "span",
                                 timeline.names().text(item->name), thread(), item->began_ns, item->ended_ns));
      }
      if (item->kind != ItemKind::kRow || item->event->event == nullptr) continue;
      const Event& event = *item->event->event;
      if (item->event->role == Role::kMark) {
        drawn.insert(fmt::format("mark {} at {}",
                                 timeline.names().text(timeline.names().said_by(event, Role::kMessage)), item->ns));
      }
      if (item->event->role == Role::kCounter) {
        const std::uint32_t thread_of_stream = timeline.actors().thread_of(*item->stream);
        drawn.insert(fmt::format("counter {} on {} at {}: {}",
                                 timeline.names().text(timeline.names().of(event, Role::kName)),
                                 timeline.actors().threads()[thread_of_stream].name_or_number("thread"), item->ns,
                                 event.value(Role::kValue)->as_signed()));
      }
    }
  }
  return drawn;
}

void expect_the_same_again(const std::string& text) {
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  const std::string json = chrome_of(trace);
  Trace again = open_trace(json);
  EXPECT_EQ(what_is_drawn(again), what_is_drawn(trace)) << text << json;
  EXPECT_EQ(again.sessions().front().start_utc_ns, trace.sessions().front().start_utc_ns);
  EXPECT_TRUE(again.damage().empty());
}

TEST(ChromeRoundTrip, SpansAndCallsOfRandomProgramsAreTheSameAgain) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    expect_the_same_again(RandomSpans(seed).text());
    if (HasFailure()) return;
  }
}

TEST(ChromeRoundTrip, CountersAndMarksOfRandomProgramsAreTheSameAgain) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::string text =
        "type 13 mark role=mark (message text role=message)\n"
        "type 1027 heap role=counter (name text role=name) (bytes i64 role=value unit=bytes)\n"
        "stream 1 \"one\"\nstream 2 \"two \\\"quoted\\\" \\x01\"\n";
    std::uint64_t now = 0;
    for (int i = 0; i < 50; ++i) {
      now += random() % 3 * (random() % 5'000'000'000);
      const std::string front = fmt::format("{}.{:09} {} ", now / 1'000'000'000, now % 1'000'000'000, 1 + random() % 2);
      text += front + (random() % 2 == 0 ? fmt::format("mark message=\"m{}\"\n", random() % 4)
                                         : fmt::format("heap name=\"c{}\" bytes={}\n", random() % 3,
                                                       static_cast<std::int32_t>(random())));
    }
    expect_the_same_again(text);
    if (HasFailure()) return;
  }
}

TEST(ChromeRoundTrip, SpansThatOverlapAreTheSameAgain) {
  expect_the_same_again(
      "type 1024 was role=span (name text role=name) (d u32 role=duration unit=nanoseconds)\n"
      "type 1025 called role=call (f text role=function) (d u32 role=duration unit=nanoseconds)\n"
      "stream 1 \"a\"\n"
      "0.000000100 1 was name=\"x\" d=60\n"
      "0.000000120 1 was name=\"y\" d=50\n"
      "0.000000130 1 called f=\"z\" d=25\n"
      "0.000000200 1 was name=\"x\" d=10\n");
}

}  // namespace
}  // namespace evt::testing

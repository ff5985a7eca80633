// Spans that begin and end at one tick as others do: what is inside of what follows from when they end.
#include <evt/analysis/span_doubts.h>
#include <evt/analysis/spans.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/text_trace.h"

namespace evt::testing {
namespace {

constexpr const char* kTiedTypes =
    "type 1024 begin role=spanBegin (name text role=name)\n"
    "type 1025 end role=spanEnd\n"
    "type 1026 whole role=span (name text role=name) (duration tick_delta role=duration)\n"
    "stream 1 \"a\" thread=1\n";

using SelfTimes = std::map<std::string, std::uint64_t>;

SelfTimes self_times_of(const std::string& events) {
  const std::string bytes = trace_from_text(kTiedTypes + events);
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  EXPECT_TRUE(timeline.next_session());
  Spans spans(timeline, {});
  SpanDoubts doubts;
  while (const TimelineItem* const item = timeline.next()) {
    spans.take(*item);
    doubts.take(*item);
  }
  EXPECT_EQ(doubts.of(SpanKind::kSpan).overlaps, 0U);
  SelfTimes times;
  for (const Spans::Row& row : spans.rows(SpanKind::kSpan)) times[timeline.names().text(row.name)] = row.self_ns;
  return times;
}

TEST(TiedSpans, OneThatIsRecordedAtItsEndIsAroundWhatBeganWithItAndEndedBefore) {
  EXPECT_EQ(self_times_of("0.000000100 1 begin name=\"inner\"\n"
                          "0.000000200 1 end\n"
                          "0.000000300 1 whole name=\"outer\" duration=0.000000200\n"),
            (SelfTimes{{"inner", 100}, {"outer", 100}}));
}

TEST(TiedSpans, OneThatIsRecordedAtItsEndIsInWhatBeganWithItAndGoesOn) {
  EXPECT_EQ(self_times_of("0.000000100 1 begin name=\"outer\"\n"
                          "0.000000200 1 whole name=\"inner\" duration=0.000000100\n"
                          "0.000000300 1 end\n"),
            (SelfTimes{{"inner", 100}, {"outer", 100}}));
}

TEST(TiedSpans, OneThatIsRecordedAtItsEndIsBetweenTwoThatBeganWithIt) {
  EXPECT_EQ(self_times_of("0.000000100 1 begin name=\"outer\"\n"
                          "0.000000100 1 begin name=\"inner\"\n"
                          "0.000000150 1 end\n"
                          "0.000000200 1 whole name=\"middle\" duration=0.000000100\n"
                          "0.000000300 1 end\n"),
            (SelfTimes{{"inner", 50}, {"middle", 50}, {"outer", 100}}));
}

// Spans inside of spans at coarse times, some recorded by two events and some by one.
class Nest {
 public:
  explicit Nest(unsigned seed) : random_(seed) { add(0, 40, 0); }

  const std::string& text() const { return text_; }
  const SelfTimes& self_times() const { return self_; }

 private:
  int pick(int from, int below) { return from + static_cast<int>(random_() % static_cast<unsigned>(below - from)); }
  static std::string at(int ns) { return fmt::format("0.{:09} 1 ", ns); }

  void add(int from, int to, int depth) {
    const std::string name = fmt::format("s{}", self_.size());
    std::uint64_t& self = self_[name];
    self = static_cast<std::uint64_t>(to - from);
    const bool is_whole = pick(0, 2) == 0;
    if (!is_whole) text_ += at(from) + fmt::format("begin name=\"{}\"\n", name);
    for (int now = from; depth < 5 && now < to;) {
      const int begin = pick(now, to);
      const int end = pick(begin + 1, to + 1);
      if (pick(0, 4) > 0) {
        add(begin, end, depth + 1);
        self_[name] -= static_cast<std::uint64_t>(end - begin);
      }
      now = end;
    }
    text_ +=
        is_whole ? at(to) + fmt::format("whole name=\"{}\" duration=0.{:09}\n", name, to - from) : at(to) + "end\n";
  }

  std::mt19937 random_;
  std::string text_;
  SelfTimes self_;
};

TEST(TiedSpans, HaveTheirOwnTimeInAnyNestOfThem) {
  for (unsigned seed = 0; seed < 300 && !::testing::Test::HasFailure(); ++seed) {
    const Nest nest(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, nest.text()));
    EXPECT_EQ(self_times_of(nest.text()), nest.self_times());
  }
}

}  // namespace
}  // namespace evt::testing

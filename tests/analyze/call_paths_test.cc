// Call paths of small traces, of which a hand count knows the truth.
#include <evt/analysis/call_paths.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <optional>

#include "support/text_trace.h"
#include "timeline_items.h"

namespace evt::testing {
namespace {

constexpr std::string_view kPathTypes =
    "type 4 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 5 stop role=threadStop (thread u64 role=thread) (reason enum8 role=reason "
    "labels=[0=preempted 1=blocked 2=finished])\n"
    "type 6 frozen role=stopped (duration tick_delta role=duration)\n"
    "type 7 work role=overhead (duration u32 role=duration unit=nanoseconds)\n"
    "type 1024 begin role=spanBegin (thread u64 role=thread) (name text role=name)\n"
    "type 1025 end role=spanEnd (thread u64 role=thread)\n"
    "type 1026 enter role=callBegin (thread u64 role=thread) (function text role=function)\n"
    "type 1027 leave role=callEnd (thread u64 role=thread) (function text role=function)\n"
    "type 1028 call role=call (thread u64 role=thread) (function text role=function) "
    "(duration tick_delta role=duration)\n"
    "type 1029 tick\n"
    "type 1030 rest role=callBegin (thread u64 role=thread) (function text role=function) (of text role=resource)\n"
    "stream 1 \"s\"\n";

struct PathOptions {
  bool by_thread = false;
  std::int64_t from_ns = INT64_MIN;
  std::optional<std::uint64_t> subtract_event_ps{};
  std::function<bool(const Event&)> wanted{};
};

// A line for each path: its count, unfinished, sum, self, running and stopped nanoseconds.
std::string paths_of(const std::string& events, const PathOptions& wanted = {}) {
  const std::string bytes = trace_from_text(std::string(kPathTypes) + events);
  Trace trace = open_trace(bytes);
  Timeline::Options options;
  options.wanted = wanted.wanted;
  Timeline timeline(trace, options);
  EXPECT_TRUE(timeline.next_session());
  CallPaths paths(timeline, {.by_thread = wanted.by_thread, .subtract_event_ps = wanted.subtract_event_ps});
  take_all(timeline, paths, wanted.from_ns);
  std::string text;
  std::vector<std::string> names;
  std::uint64_t self_ns = 0;
  for (const CallPaths::Node& node : paths.nodes()) {
    if (node.is_root()) {
      const auto& threads = timeline.actors().threads();
      names.push_back(node.thread == Actor::kNone ? "" : fmt::format("t{}", threads[node.thread].number));
      continue;
    }
    const std::string name = node.is_other_paths() ? "(other paths)" : timeline.names().text(node.name);
    names.push_back(names[node.parent] + (names[node.parent].empty() ? "" : ";") + name);
    self_ns += node.self.ns;
    if (node.count + node.sum_ns + node.self.ns == 0) continue;
    text += fmt::format("{} {} {} {} {} {} {}\n", names.back(), node.count, node.unfinished, node.sum_ns, node.self.ns,
                        node.self.running_ns, node.self.stopped_ns);
  }
  std::uint64_t inside_ns = 0;
  for (const CallPaths::Inside& each : paths.inside()) inside_ns += each.time.ns;
  if (!wanted.wanted) {
    EXPECT_EQ(self_ns, inside_ns);
  }
  return text;
}

// a from 0 to 100, in it b from 10 to 90, in that a again from 20 to 60.
constexpr const char* kRecursion =
    "0.000000000 1 begin thread=1 name=\"a\"\n0.000000010 1 begin thread=1 name=\"b\"\n"
    "0.000000020 1 begin thread=1 name=\"a\"\n0.000000060 1 end thread=1\n0.000000090 1 end thread=1\n"
    "0.000000100 1 end thread=1\n";

TEST(CallPaths, OfRecursionHaveTheSumOfTheOutermostAlone) {
  EXPECT_EQ(paths_of(kRecursion), "a 1 0 100 20 20 0\na;b 1 0 80 40 40 0\na;b;a 1 0 0 40 40 0\n");
}

TEST(CallPaths, SpansAndCallsAreInOneStackAndAreNotOneName) {
  EXPECT_EQ(paths_of("0.000000000 1 begin thread=1 name=\"a\"\n0.000000010 1 enter thread=1 function=\"a\"\n"
                     "0.000000030 1 leave thread=1 function=\"a\"\n0.000000050 1 end thread=1\n"),
            "a 1 0 50 30 30 0\na;a 1 0 20 20 20 0\n");
}

TEST(CallPaths, OfTwoThreadsAreOneTreeOrTwo) {
  const std::string events =
      "0.000000000 1 begin thread=1 name=\"a\"\n0.000000010 1 begin thread=2 name=\"a\"\n"
      "0.000000020 1 begin thread=2 name=\"b\"\n0.000000025 1 end thread=2\n0.000000030 1 end thread=1\n"
      "0.000000050 1 end thread=2\n";
  EXPECT_EQ(paths_of(events), "a 2 0 70 65 65 0\na;b 1 0 5 5 5 0\n");
  EXPECT_EQ(paths_of(events, {.by_thread = true}), "t1;a 1 0 30 30 30 0\nt2;a 1 0 40 35 35 0\nt2;a;b 1 0 5 5 5 0\n");
}

// The thread runs from 0 to 20 and from 50 to 100; the process is stopped from 60 to 70.
TEST(CallPaths, RunWhileTheirThreadDoesAndTheProcessIsNotStopped) {
  EXPECT_EQ(paths_of("0.000000000 1 run thread=1 cpu=0\n0.000000010 1 begin thread=1 name=\"a\"\n"
                     "0.000000020 1 stop thread=1 reason=preempted\n0.000000050 1 run thread=1 cpu=0\n"
                     "0.000000070 1 frozen duration=0.000000010\n0.000000100 1 end thread=1\n"),
            "a 1 0 90 90 50 10\n");
}

TEST(CallPaths, OfAThreadThatWaitsLoseNothingToAStop) {
  EXPECT_EQ(paths_of("0.000000000 1 run thread=1 cpu=0\n0.000000010 1 begin thread=1 name=\"a\"\n"
                     "0.000000020 1 stop thread=1 reason=blocked\n0.000000040 1 frozen duration=0.000000010\n"
                     "0.000000050 1 run thread=1 cpu=0\n0.000000100 1 end thread=1\n"),
            "a 1 0 90 90 60 0\n");
}

TEST(CallPaths, OfWhatIsRecordedWhenItHasEndedAreInItWhatWasMeanwhile) {
  EXPECT_EQ(paths_of("0.000000010 1 begin thread=1 name=\"a\"\n0.000000030 1 call thread=1 function=\"in\" "
                     "duration=0.000000010\n0.000000050 1 call thread=1 function=\"out\" duration=0.000000035\n"
                     "0.000000060 1 end thread=1\n"),
            "a 1 0 50 15 15 0\na;out 1 0 35 25 25 0\na;out;in 1 0 10 10 10 0\n");
}

TEST(CallPaths, OfWhatHasNotEndedAreUntilTheEnd) {
  EXPECT_EQ(paths_of("0.000000010 1 begin thread=1 name=\"a\"\n0.000000030 1 begin thread=1 name=\"b\"\n"
                     "0.000000100 1 tick\n"),
            "a 1 1 90 20 20 0\na;b 1 1 70 70 70 0\n");
}

// From 20 on b is in nothing any more, and c is in b.
TEST(CallPaths, OfWhatOutlivesWhatItBeganInAreOthersFromThen) {
  EXPECT_EQ(paths_of("0.000000000 1 begin thread=1 name=\"a\"\n0.000000010 1 enter thread=1 function=\"b\"\n"
                     "0.000000020 1 end thread=1\n0.000000030 1 enter thread=1 function=\"c\"\n"
                     "0.000000035 1 leave thread=1 function=\"c\"\n0.000000050 1 leave thread=1 function=\"b\"\n"),
            "a 1 0 20 10 10 0\na;b 1 0 10 10 10 0\nb 0 0 30 25 25 0\nb;c 1 0 5 5 5 0\n");
}

// The first f is from 0 to 40, the second from 10 to 60; together 60.
TEST(CallPaths, OfOneNameThatOverlapsItselfHaveTheSumOfBothTogether) {
  EXPECT_EQ(paths_of("0.000000000 1 tick\n0.000000040 1 call thread=1 function=\"f\" duration=0.000000040\n"
                     "0.000000060 1 call thread=1 function=\"f\" duration=0.000000050\n"),
            "f 1 0 60 30 30 0\nf;f 1 0 0 30 30 0\n");
}

TEST(CallPaths, CountFromAMoment) {
  EXPECT_EQ(paths_of(kRecursion, {.from_ns = 50}), "a 1 0 50 10 10 0\na;b 1 0 40 30 30 0\na;b;a 1 0 0 10 10 0\n");
}

// In a from 0 to 300: b from 100 to 200, in which tracing took 5 ns beside its events, and c from 240 to 280, which one
// event records when it is over.
constexpr const char* kCostly =
    "0.000000000 1 begin thread=1 name=\"a\"\n0.000000100 1 begin thread=1 name=\"b\"\n"
    "0.000000150 1 work duration=5\n0.000000200 1 end thread=1\n"
    "0.000000280 1 call thread=1 function=\"c\" duration=0.000000040\n0.000000300 1 end thread=1\n";

// a: the begin of b, the event of c and its own end. b: the work, its event and the end of b.
TEST(CallPaths, CanBeWithoutWhatTracingTook) {
  EXPECT_EQ(paths_of(kCostly), "a 1 0 300 160 160 0\na;b 1 0 100 100 100 0\na;c 1 0 40 40 40 0\n");
  EXPECT_EQ(paths_of(kCostly, {.subtract_event_ps = 1000}),
            "a 1 0 290 157 157 0\na;b 1 0 93 93 93 0\na;c 1 0 40 40 40 0\n");
}

TEST(CallPaths, ShorterThanWhatTracingTookAreNothing) {
  EXPECT_EQ(paths_of(kRecursion, {.subtract_event_ps = 25'000}),
            "a 1 0 20 0 0 0\na;b 1 0 20 5 5 0\na;b;a 1 0 0 15 15 0\n");
}

TEST(CallPaths, WithoutWhatTracingTookCountFromAMoment) {
  EXPECT_EQ(paths_of(kCostly, {.from_ns = 160, .subtract_event_ps = 1000}),
            "a 1 0 137 58 58 0\na;b 1 0 39 39 39 0\na;c 1 0 40 40 40 0\n");
}

TEST(CallPaths, OfWhatIsPathOptionsHaveItsTimesAlone) {
  const auto spans_b = [](const Event& event) {
    return event.type().name() == "begin" && event.value("name")->as_text() == "b";
  };
  EXPECT_EQ(paths_of(kRecursion, {.wanted = spans_b}), "a;b 1 0 80 40 40 0\n");
}

TEST(CallPaths, DeeperThanIsKeptAreOfTheNameAlone) {
  std::string events;
  for (unsigned i = 0; i < 600; ++i) events += fmt::format("0.{:09} 1 enter thread=1 function=\"f\"\n", i);
  events += "0.000000700 1 enter thread=1 function=\"g\"\n0.000000800 1 leave thread=1 function=\"g\"\n";
  for (unsigned i = 0; i < 600; ++i) events += fmt::format("0.{:09} 1 leave thread=1 function=\"f\"\n", 1000 + i);
  const std::string text = paths_of(events);
  // At levels 513 to 599 one ns each, then 101 until g, 200 until the innermost ends, and one for each on the way back.
  EXPECT_EQ(text.substr(text.find("(other paths)")),
            "(other paths);f 88 0 0 475 475 0\n(other paths);g 1 0 100 100 100 0\n");
  EXPECT_EQ(text.substr(0, text.find('\n')), "f 1 0 1599 2 2 0");
}

// The paths of before it are no paths of a range.
TEST(CallPaths, DeeperThanIsKeptAreThoseOfTheRangeAlone) {
  std::string events;
  for (unsigned i = 0; i < 600; ++i) events += fmt::format("0.{:09} 1 enter thread=1 function=\"f\"\n", i);
  for (unsigned i = 0; i < 600; ++i) events += fmt::format("0.{:09} 1 leave thread=1 function=\"f\"\n", 1000 + i);
  events += "0.000002000 1 enter thread=1 function=\"f\"\n";
  const auto has_other_paths = [&](std::int64_t from_ns) {
    const std::string bytes = trace_from_text(std::string(kPathTypes) + events);
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    EXPECT_TRUE(timeline.next_session());
    CallPaths paths(timeline, {});
    take_all(timeline, paths, from_ns);
    return paths.has_other_paths();
  };
  EXPECT_TRUE(has_other_paths(1050));
  EXPECT_FALSE(has_other_paths(1900));
}

// Who sleeps would have slept anyway; a call inside of that would have gone on.
TEST(CallPaths, OfACallThatSleepsLoseNothingToAStop) {
  EXPECT_EQ(paths_of("0.000000000 1 run thread=1 cpu=0\n"
                     "0.000000010 1 rest thread=1 function=\"sleep\" of=\"sleep\"\n"
                     "0.000000040 1 enter thread=1 function=\"handler\"\n"
                     "0.000000060 1 leave thread=1 function=\"handler\"\n"
                     "0.000000080 1 frozen duration=0.000000060\n"
                     "0.000000100 1 leave thread=1 function=\"sleep\"\n"),
            "sleep 1 0 90 70 70 0\n"
            "sleep;handler 1 0 20 20 0 20\n");
}

// The one inside goes on, and is in the sleep that is left around it.
TEST(CallPaths, OfASpanInASleepLoseNothingWhenTheCallBetweenThemEnds) {
  EXPECT_EQ(paths_of("0.000000000 1 run thread=1 cpu=0\n"
                     "0.000000010 1 rest thread=1 function=\"sleep\" of=\"sleep\"\n"
                     "0.000000020 1 enter thread=1 function=\"f\"\n"
                     "0.000000030 1 begin thread=1 name=\"s\"\n"
                     "0.000000040 1 leave thread=1 function=\"f\"\n"
                     "0.000000060 1 frozen duration=0.000000010\n"
                     "0.000000070 1 end thread=1\n"
                     "0.000000080 1 leave thread=1 function=\"sleep\"\n"),
            "sleep 1 0 70 20 20 0\n"
            "sleep;f 1 0 20 10 10 0\n"
            "sleep;f;s 1 0 10 10 10 0\n"
            "sleep;s 0 0 30 30 30 0\n");
}

}  // namespace
}  // namespace evt::testing

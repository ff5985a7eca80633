// Arrows between rows: which there are, by hand and by a model that knows each of them when it makes the trace.
#include "libtrace-view/flows/flows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analyze/scheduling.h"
#include "merged.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

using view::Flow;
using view::FlowEnd;
using view::FlowKind;
using view::Flows;
using Texts = std::vector<std::string>;

constexpr TimeRange kAlways{INT64_MIN, INT64_MAX};

std::string text_of_end(const FlowEnd& end) {
  if (end.cpu != Actor::kNone) return fmt::format("cpu {} at {}", end.cpu, end.ns);
  if (end.life != view::ThreadLives::kNone) return fmt::format("life {} at {}", end.life, end.ns);
  return fmt::format("stream {} at {}", end.stream, end.ns);
}

std::string text_of_flow(const Flow& flow) {
  constexpr const char* kWords[] = {"wake", "steal", "message", "arrow"};
  return fmt::format("{}: {}, {}", kWords[static_cast<int>(flow.kind)], text_of_end(flow.from), text_of_end(flow.to));
}

struct FoundFlows {
  Texts all;
  std::uint64_t more = 0;
  std::uint64_t items_read = 0;
};

FoundFlows flows_in(const std::string& bytes, Flows::Options options) {
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  EXPECT_TRUE(timeline.next_session());
  Flows flows(timeline.actors(), std::move(options));
  FoundFlows found;
  for (const TimelineItem* item = nullptr; !flows.is_done() && (item = timeline.next()) != nullptr;) {
    flows.take(*item);
    ++found.items_read;
  }
  flows.finish();
  for (const Flow& flow : flows.all()) found.all.push_back(text_of_flow(flow));
  found.more = flows.more();
  return found;
}

Texts flows_of(const std::string& text, TimeRange range = kAlways) {
  return flows_in(trace_from_text(text), {range, 1000, {}}).all;
}

// Thread 1 wakes thread 2, which has waited since 30 ns.
std::string woken(const std::string& rest) {
  return std::string(kThreadTypes) +
         "stream 1 \"scheduler\"\n"
         "0.000000010 1 thread.run thread=1 cpu=0\n"
         "0.000000020 1 thread.run thread=2 cpu=1\n"
         "0.000000030 1 thread.stop thread=2 reason=blocked object=0\n"
         "0.000000040 1 thread.wake thread=2 waker=1\n" +
         rest;
}

TEST(Flows, LeadFromWhoWakesAThreadToWhenItRuns) {
  EXPECT_EQ(flows_of(woken("0.000000070 1 thread.run thread=2 cpu=0\n")), (Texts{"wake: life 0 at 40, life 1 at 70"}));
}

TEST(Flows, EndAtTheWakeUpOfAThreadThatDoesNotRun) {
  EXPECT_EQ(flows_of(woken("0.000000090 1 mark message=\"end\"\n")), (Texts{"wake: life 0 at 40, life 1 at 40"}));
  EXPECT_EQ(flows_of(woken("0.000000090 1 thread.exit thread=2\n")), (Texts{"wake: life 0 at 40, life 1 at 40"}));
}

TEST(Flows, LeadFromNowhereIfItIsNotKnownWhoWokeAThread) {
  const std::string text = std::string(kThreadTypes) +
                           "stream 1 \"scheduler\"\n"
                           "0.000000020 1 thread.run thread=2 cpu=1\n"
                           "0.000000030 1 thread.stop thread=2 reason=blocked object=0\n"
                           "0.000000040 1 thread.wake thread=2 waker=0\n"
                           "0.000000050 1 thread.run thread=2 cpu=1\n";
  EXPECT_EQ(flows_of(text), Texts());
}

TEST(Flows, AreThoseThatTouchTheRange) {
  const std::string text = woken(
      "0.000000070 1 thread.run thread=2 cpu=0\n"
      "0.000000100 1 mark message=\"end\"\n");
  for (const TimeRange range : {TimeRange{0, 40}, {40, 40}, {50, 60}, {70, 80}, {0, 100}}) {
    EXPECT_EQ(flows_of(text, range).size(), 1u) << range.from_ns << " to " << range.to_ns;
  }
  for (const TimeRange range : {TimeRange{0, 39}, {71, 100}}) {
    EXPECT_EQ(flows_of(text, range), Texts()) << range.from_ns << " to " << range.to_ns;
  }
}

// Of a spark, the other stream is the one with the victim's number in its name.
TEST(Flows, LeadFromTheCapabilityThatASparkIsStolenFrom) {
  const std::string text =
      "type 1 run.here role=threadRun (thread u64 role=thread)\n"
      "type 2 steal role=sparkSteal (victim_cap u16)\n"
      "stream 2 \"cap 0\"\nstream 3 \"cap 1\"\n"
      "0.000000010 2 run.here thread=1\n"
      "0.000000020 3 run.here thread=2\n"
      "0.000000030 3 steal victim_cap=0\n"
      "0.000000040 3 steal victim_cap=7\n";
  EXPECT_EQ(flows_of(text), (Texts{"steal: cpu 0 at 30, cpu 1 at 30"}));
}

TEST(Flows, LeadFromTheCpuThatASparkIsStolenFrom) {
  const std::string text = std::string(kThreadTypes) +
                           "type 14 steal role=sparkSteal (thread u64 role=thread) (victim u32)\n"
                           "stream 1 \"scheduler\"\n"
                           "0.000000010 1 thread.run thread=1 cpu=4\n"
                           "0.000000020 1 thread.run thread=2 cpu=5\n"
                           "0.000000030 1 steal thread=2 victim=4\n";
  EXPECT_EQ(flows_of(text), (Texts{"steal: cpu 0 at 30, cpu 1 at 30"}));
}

constexpr const char* kMessages =
    "type 1 send role=messageSend (id u64 role=flow)\n"
    "type 2 receive role=messageReceive (id u64 role=flow)\n"
    "type 3 out role=flowOut (id u64 role=flow)\n"
    "type 4 in role=flowIn (id u64 role=flow)\n"
    "stream 1 \"a\"\nstream 2 \"b\"\n";

// The threads are those of the streams, of which no event has a state: they have no lives.
TEST(Flows, LeadFromWhereAMessageIsSentToWhereItIsReceived) {
  EXPECT_EQ(flows_of(std::string(kMessages) +
                     "0.000000010 1 send id=5\n0.000000020 1 send id=6\n"
                     "0.000000030 2 receive id=6\n0.000000040 2 receive id=5\n0.000000050 2 receive id=5\n"),
            (Texts{"message: stream 0 at 20, stream 1 at 30", "message: stream 0 at 10, stream 1 at 40"}));
}

TEST(Flows, LeadBackWhereClocksPutTheReceiptBeforeTheSending) {
  EXPECT_EQ(flows_of(std::string(kMessages) + "0.000000010 2 receive id=5\n0.000000012 1 send id=5\n"),
            (Texts{"message: stream 0 at 12, stream 1 at 10"}));
}

TEST(Flows, LeadFromOneArrowToAllThatNameIt) {
  EXPECT_EQ(flows_of(std::string(kMessages) +
                     "0.000000005 2 in id=5\n0.000000010 1 out id=5\n0.000000020 2 in id=5\n0.000000030 1 in id=5\n"
                     "0.000000040 2 out id=5\n0.000000050 1 in id=5\n"),
            (Texts{"arrow: stream 0 at 10, stream 1 at 20", "arrow: stream 0 at 10, stream 0 at 30",
                   "arrow: stream 1 at 40, stream 0 at 50"}));
}

std::string part_with(const std::string& line, const std::string& scope, const char* uuid) {
  return fmt::format(
      "evtrace text 1\nsession uuid=0x{} start=1767225600.000000000 program=\"p\"\n"
      "type 1 send role=messageSend (id u64 role=flow{})\ntype 2 receive role=messageReceive (id u64 role=flow{})\n"
      "stream 1 \"a\"\n{}",
      uuid, scope, scope, line);
}

// A number that is known everywhere joins parts; another is of its part alone.
TEST(Flows, LeadFromPartToPartByNumbersOfTheNetwork) {
  const auto found = [](const std::string& scope) {
    const std::string bytes =
        merged_of({part_with("0.000000010 1 send id=5\n", scope, "000102030405460788090a0b0c0d0e01"),
                   part_with("0.000000030 1 receive id=5\n", scope, "000102030405460788090a0b0c0d0e02")});
    return flows_in(bytes, {kAlways, 1000, {}}).all;
  };
  EXPECT_EQ(found(" scope=network"), (Texts{"message: stream 0 at 10, stream 1 at 30"}));
  EXPECT_EQ(found(""), Texts());
}

std::string pairs_of_messages(int count) {
  std::string text = kMessages;
  for (int i = 1; i <= count; ++i) text += fmt::format("0.{:09} 1 send id={}\n0.{:09} 2 receive id={}\n", i, i, i, i);
  return trace_from_text(text);
}

TEST(Flows, AreCountedBeyondTheLimit) {
  const FoundFlows found = flows_in(pairs_of_messages(5), {kAlways, 2, {}});
  EXPECT_EQ(found.all, (Texts{"message: stream 0 at 1, stream 1 at 1", "message: stream 0 at 2, stream 1 at 2"}));
  EXPECT_EQ(found.more, 3u);
}

TEST(Flows, OfOtherRowsAreNotCounted) {
  const FoundFlows found =
      flows_in(pairs_of_messages(5), {kAlways, 2, [](const Flow& flow) { return flow.from.ns == 4; }});
  EXPECT_EQ(found.all, (Texts{"message: stream 0 at 4, stream 1 at 4"}));
  EXPECT_EQ(found.more, 0u);
}

TEST(Flows, AreDoneBehindTheRange) {
  const FoundFlows found = flows_in(pairs_of_messages(1000), {{1, 3}, 100, {}});
  EXPECT_EQ(found.all.size(), 3u);
  EXPECT_LT(found.items_read, 20u);
}

// What was sent first is forgotten first.
TEST(Flows, ForgetMessagesOfWhichTooManyAreNotReceived) {
  std::string text = kMessages;
  const int count = static_cast<int>(view::OpenMessages::kMost) + 1;
  for (int i = 1; i <= count; ++i) text += fmt::format("0.{:09} 1 send id={}\n", i, i);
  text += fmt::format("0.9 2 receive id=2\n0.9 2 receive id={}\n0.9 2 receive id=1\n", count);
  EXPECT_EQ(flows_of(text), (Texts{"message: stream 0 at 2, stream 1 at 900000000",
                                   fmt::format("message: stream 0 at {}, stream 1 at 900000000", count)}));
}

// Threads that wait and are woken at random, with what they are woken by.
struct Waking {
  std::string text = std::string(kThreadTypes) + "stream 1 \"scheduler\"\n";
  std::vector<std::pair<std::int64_t, std::int64_t>> wakes;  // when, and when it runs; in order of the latter

  explicit Waking(unsigned seed) {
    std::mt19937 random(seed);
    constexpr int kThreads = 6;
    std::int64_t now = 0;
    std::vector<int> state(kThreads + 1);  // 0 waits, 1 could run, 2 runs
    std::vector<std::int64_t> woken_at(kThreads + 1);
    const auto add = [&](const std::string& line) { text += fmt::format("0.{:09} 1 {}\n", now, line); };
    for (int thread = 1; thread <= kThreads; ++thread) {
      now += 1;
      add(fmt::format("thread.run thread={} cpu={}", thread, thread));
      state[static_cast<std::size_t>(thread)] = 2;
    }
    // Thread 1 never waits: it is the one that wakes others.
    for (int step = 0; step < 300; ++step) {
      const auto thread = static_cast<std::size_t>(2 + random() % (kThreads - 1));
      now += 1 + static_cast<std::int64_t>(random() % 20);
      if (state[thread] == 2) {
        add(fmt::format("thread.stop thread={} reason=blocked object=0", thread));
      } else if (state[thread] == 0) {
        add(fmt::format("thread.wake thread={} waker=1", thread));
        woken_at[thread] = now;
      } else {
        add(fmt::format("thread.run thread={} cpu={}", thread, thread));
        wakes.emplace_back(woken_at[thread], now);
      }
      state[thread] = (state[thread] + 1) % 3;
    }
    for (std::size_t thread = 2; thread <= kThreads; ++thread) {
      if (state[thread] == 1) wakes.emplace_back(woken_at[thread], woken_at[thread]);
    }
  }
};

TEST(Flows, AreThoseOfAModelInEveryRange) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Waking model(seed);
    const std::string bytes = trace_from_text(model.text);
    std::mt19937 random(seed);
    for (int i = 0; i < 20; ++i) {
      const auto from = static_cast<std::int64_t>(random() % 3500);
      const TimeRange range{from, from + static_cast<std::int64_t>(random() % 300)};
      std::vector<std::pair<std::int64_t, std::int64_t>> wanted;
      for (const auto& wake : model.wakes) {
        if (wake.second >= range.from_ns && wake.first <= range.to_ns) wanted.push_back(wake);
      }
      Trace trace = open_trace(bytes);
      Timeline timeline(trace, {});
      ASSERT_TRUE(timeline.next_session());
      Flows flows(timeline.actors(), {range, 1000, {}});
      while (const TimelineItem* const item = timeline.next()) {
        if (flows.is_done()) break;
        flows.take(*item);
      }
      flows.finish();
      std::vector<std::pair<std::int64_t, std::int64_t>> found;
      for (const Flow& flow : flows.all()) found.emplace_back(flow.from.ns, flow.to.ns);
      std::sort(found.begin(), found.end());
      std::sort(wanted.begin(), wanted.end());
      ASSERT_EQ(found, wanted) << "seed " << seed << " from " << range.from_ns << " to " << range.to_ns;
    }
  }
}

// Messages, arrows and wake-ups of a random schedule.
std::string sending(unsigned seed) {
  std::mt19937 random(seed);
  std::string text = std::string(kThreadTypes) +
                     "type 71 send role=messageSend (id u64 role=flow)\n"
                     "type 72 receive role=messageReceive (id u64 role=flow)\n"
                     "type 73 out role=flowOut (id u64 role=flow)\ntype 74 in role=flowIn (id u64 role=flow)\n"
                     "stream 1 \"scheduler\"\n";
  constexpr const char* kEvents[] = {"send", "receive", "out", "in"};
  std::int64_t now = 0;
  for (int i = 0; i < 300; ++i) {
    now += 1 + static_cast<std::int64_t>(random() % 9);
    const auto thread = 1 + random() % 5;
    const std::string at = fmt::format("0.{:09} 1 ", now);
    switch (random() % 4) {
      case 0:
        text += at + fmt::format("thread.run thread={} cpu={}\n", thread, thread % 2);
        break;
      case 1:
        text += at + fmt::format("thread.stop thread={} reason=blocked object=0\n", thread);
        break;
      case 2:
        text += at + fmt::format("thread.wake thread={} waker={}\n", thread, 1 + random() % 5);
        break;
      default:
        text += at + fmt::format("{} id={}\n", kEvents[random() % 4], random() % 12);
    }
  }
  return text;
}

struct Collected {
  Texts texts;
  std::uint64_t more = 0;
  friend bool operator==(const Collected&, const Collected&) = default;
};

Collected collected(Timeline& timeline, Flows& flows) {
  for (const TimelineItem* item = nullptr; !flows.is_done() && (item = timeline.next()) != nullptr;) flows.take(*item);
  flows.finish();
  Collected all{{}, flows.more()};
  for (const Flow& flow : flows.all()) all.texts.push_back(text_of_flow(flow));
  return all;
}

TEST(Flows, AreTheSameFromAMomentBeforeTheRange) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const std::string bytes = trace_from_text(sending(seed));
    Trace trace = open_trace(bytes);
    Timeline whole(trace, {});
    ASSERT_TRUE(whole.next_session());
    const view::Scale scale(0, 1, 1);
    view::ThreadLives lives(whole.actors(), scale);
    view::OpenFlows open(whole.actors(), lives);
    int moments = 0;
    for (int items = 0; const TimelineItem* const item = whole.next(); ++items) {
      lives.take(*item);
      open.take(*item, true, [](const Flow&) {});
      const std::optional<Timeline::Mark> mark = items % 20 == 0 ? whole.mark() : std::nullopt;
      if (!mark) continue;
      ++moments;
      const Flows::Options options{{mark->ns() + 1, mark->ns() + 60}, 4, {}};
      Timeline behind = whole.behind(*mark, INT64_MAX);
      Flows later(behind.actors(), Flows::Moment{lives, open}, options);
      Timeline start(trace, {});
      ASSERT_TRUE(start.next_session());
      Flows all(start.actors(), options);
      ASSERT_EQ(collected(behind, later), collected(start, all)) << "seed " << seed << ", behind " << mark->ns();
    }
    EXPECT_GT(moments, 5);
  }
}

}  // namespace
}  // namespace evt::testing

// The timeline of a trace, item by item.
#include <evt/timeline.h>
#include <fmt/core.h>

#include "item_words.h"
#include "scheduling.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

constexpr std::string_view kItemTypes =
    "type 9 span.begin role=spanBegin (name text role=name)\ntype 10 span.end role=spanEnd\n"
    "type 11 span.complete role=span (name text role=name) (duration tick_delta role=duration)\n"
    "type 1040 my.begin role=spanBegin (thread u64 role=thread) (name text role=name)\n"
    "type 1041 my.end role=spanEnd (thread u64 role=thread)\n"
    "type 1042 late role=span (name text role=name) (began ticks role=began) (ended ticks role=ended)\n"
    "type 20 process.stopped role=stopped (duration tick_delta role=duration)\n"
    "type 1043 lock role=callBegin (function interned role=function) (object u64 role=object) (holder u64 "
    "role=holder)\n"
    "type 1044 unlock role=lockRelease (object u64 role=object) (thread u64 role=thread)\n"
    "type 21 gc.start role=gcStart (generation u16 role=generation)\ntype 22 gc.end role=gcEnd\n";

class TimelineItems : public ::testing::Test {
 protected:
  // Each item but those that only repeat that there was an event.
  std::string items(const std::string& text, Timeline::Options options = {}) {
    const std::string bytes = trace_from_text(std::string(kThreadTypes) + std::string(kItemTypes) + text);
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, std::move(options));
    if (!timeline.next_session()) return "no session";
    std::string words;
    while (const TimelineItem* const item = timeline.next()) words += words_of(*item, timeline);
    return words;
  }

 private:
  static std::string flags_of(const TimelineItem& item) {
    std::string flags;
    if (item.is_open) flags += ", open";
    if (item.is_cut) flags += ", cut";
    if (item.overlaps) flags += ", overlaps";
    if (item.is_uncertain) flags += ", uncertain";
    if (!item.is_wanted) flags += ", not wanted";
    return flags + "\n";
  }
  static std::string words_of(const TimelineItem& item, Timeline& timeline) {
    static constexpr const char* kStates[] = {"unknown", "runnable", "running", "waiting", "outside", "ended"};
    const std::string at = fmt::format("{}: ", item.ns);
    const auto thread = [&] { return timeline.actors().threads()[item.thread].number; };
    switch (item.kind) {
      case ItemKind::kThread:
        return at + fmt::format("thread {}", thread()) + flags_of(item);
      case ItemKind::kState:
        return at + fmt::format("{} {}", thread(), kStates[static_cast<std::size_t>(item.state)]) + flags_of(item);
      case ItemKind::kWake:
        return at + fmt::format("{} woken", thread()) + flags_of(item);
      case ItemKind::kUncertain:
        return at + fmt::format("{} uncertain since {}", thread(), item.began_ns) + flags_of(item);
      case ItemKind::kBegan:
        return at + fmt::format("{} begins {} in {}", thread(), timeline.names().text(item.name), item.depth) +
               (item.other == Actor::kNone ? "" : " of " + words_of_thread(item.other, timeline.actors())) +
               flags_of(item);
      case ItemKind::kLockRelease:
        return at + fmt::format("{} releases {}", thread(), item.value) + flags_of(item);
      case ItemKind::kEnded:
        return at +
               fmt::format("{} ends {} in {} after {}", thread(), timeline.names().text(item.name), item.depth,
                           item.ended_ns - item.began_ns) +
               flags_of(item);
      case ItemKind::kStopBegan:
        return at + "stopped" + flags_of(item);
      case ItemKind::kStopEnded:
        return at + "goes on" + flags_of(item);
      case ItemKind::kCollection:
        return at + fmt::format("collection {} of {} to {}", item.value, item.began_ns, item.ended_ns) + flags_of(item);
      default:
        return "";
    }
  }
};

TEST_F(TimelineItems, OfWhatIsRecordedAtItsEndBeginWhereItBegan) {
  EXPECT_EQ(items("stream 1 \"a\" thread=7\n0.000000010 1 span.begin name=\"outer\"\n"
                  "0.000000020 1 mark message=\"x\"\n"
                  "0.000000030 1 span.complete name=\"inner\" duration=0.000000015\n0.000000040 1 span.end\n"),
            "10: thread 7\n10: 7 begins outer in 0\n15: 7 begins inner in 1\n30: 7 ends inner in 1 after 15\n"
            "40: 7 ends outer in 0 after 30\n40: 7 ended, open\n");
}

TEST_F(TimelineItems, OfWhatWasRecordedLaterThanItEndedAreWhereItWas) {
  EXPECT_EQ(items("stream 1 \"a\" thread=7\n0.000000010 1 mark message=\"x\"\n0.000000050 1 mark message=\"x\"\n"
                  "0.000000090 1 late name=\"w\" began=0.000000020 ended=0.000000040\n"),
            "20: thread 7\n20: 7 begins w in 0\n40: 7 ends w in 0 after 20\n90: 7 ended, open\n");
}

TEST_F(TimelineItems, OfTheSameBeginAreTheOuterOneFirst) {
  EXPECT_EQ(items("stream 1 \"a\" thread=7\n0.000000010 1 mark message=\"x\"\n"
                  "0.000000020 1 span.complete name=\"inner\" duration=0.000000010\n"
                  "0.000000030 1 span.complete name=\"outer\" duration=0.000000020\n"),
            "10: thread 7\n10: 7 begins outer in 0\n10: 7 begins inner in 1\n20: 7 ends inner in 1 after 10\n"
            "30: 7 ends outer in 0 after 20\n30: 7 ended, open\n");
}

TEST_F(TimelineItems, OfWhatNeitherIsInsideTheOtherOverlap) {
  EXPECT_EQ(
      items("stream 1 \"a\" thread=7\n0.000000010 1 mark message=\"x\"\n"
            "0.000000030 1 span.complete name=\"first\" duration=0.000000020\n"
            "0.000000040 1 span.complete name=\"second\" duration=0.000000020\n"),
      "10: thread 7\n10: 7 begins first in 0\n20: 7 begins second in 1\n30: 7 ends first in 0 after 20, overlaps\n"
      "40: 7 ends second in 0 after 20\n40: 7 ended, open\n");
}

TEST_F(TimelineItems, OfSpansFollowTheThreadToItsOtherStream) {
  EXPECT_EQ(items("stream 1 \"cap 0\"\nstream 2 \"cap 1\"\n0.000000000 1 thread.run thread=1 cpu=0\n"
                  "0.000000000 1 span.begin name=\"A\"\n0.000000100 1 thread.stop thread=1 reason=preempted object=0\n"
                  "0.000000200 2 thread.run thread=1 cpu=1\n0.000000300 2 span.end\n"
                  "0.000000300 2 thread.stop thread=1 reason=finished object=0\n"),
            "0: thread 1\n0: 1 running\n0: 1 begins A in 0\n100: 1 runnable\n200: 1 running\n"
            "300: 1 ends A in 0 after 300\n300: 1 ended\n");
}

TEST_F(TimelineItems, OfLocksNameWhoHoldsThemAndWhoReleasesThem) {
  EXPECT_EQ(items("stream 1 \"a\" thread=7\nstream 2 \"b\"\nstring 1 \"pthread_mutex_lock\"\n"
                  "0.000000010 1 lock function=\"pthread_mutex_lock\" object=64 holder=42\n"
                  "0.000000020 1 lock function=\"pthread_mutex_lock\" object=65 holder=0\n"
                  "0.000000030 2 unlock object=64 thread=42\n"),
            "10: thread 7\n10: 7 begins pthread_mutex_lock in 0 of 42\n20: 7 begins pthread_mutex_lock in 1\n"
            "30: thread 42\n30: 42 releases 64\n30: 7 ends pthread_mutex_lock in 1 after 10, open\n"
            "30: 7 ends pthread_mutex_lock in 0 after 20, open\n30: 7 ended, open\n30: 42 ended, open\n");
}

TEST_F(TimelineItems, OfSpansAreOfTheThreadThatTheyName) {
  EXPECT_EQ(items("stream 1 \"all\"\n0.000000000 1 my.begin thread=1 name=\"A\"\n"
                  "0.000000010 1 my.begin thread=2 name=\"B\"\n0.000000020 1 my.end thread=1\n"
                  "0.000000420 1 my.end thread=2\n"),
            "0: thread 1\n0: 1 begins A in 0\n10: thread 2\n10: 2 begins B in 0\n20: 1 ends A in 0 after 20\n"
            "420: 2 ends B in 0 after 410\n420: 1 ended, open\n420: 2 ended, open\n");
}

TEST_F(TimelineItems, OfWhatIsOpenEndWithTheirThread) {
  EXPECT_EQ(items("stream 1 \"all\"\n0.000000000 1 my.begin thread=1 name=\"A\"\n0.000000010 1 thread.exit thread=1\n"
                  "0.000000020 1 thread.create thread=1\n"),
            "0: thread 1\n0: 1 begins A in 0\n10: 1 ended\n10: 1 ends A in 0 after 10, cut\n20: thread 1\n"
            "20: 1 runnable\n20: 1 ended, open\n");
}

// Its event is of the third thread 5, by its number; it began on the first one.
TEST_F(TimelineItems, OfWhatIsRecordedAsAWholeEndOnTheThreadOnWhichItBegan) {
  EXPECT_EQ(items("stream 1 \"a\"\n0.000000010 1 thread.create thread=5\n0.000000020 1 thread.exit thread=5\n"
                  "0.000000030 1 thread.create thread=5\n0.000000040 1 thread.exit thread=5\n"
                  "0.000000050 1 thread.create thread=5\n0.000000060 1 thread.run thread=5 cpu=0\n"
                  "0.000000070 1 span.complete name=\"long\" duration=0.000000055\n"
                  "0.000000080 1 span.complete name=\"own\" duration=0.000000005\n"),
            "10: thread 5\n10: 5 runnable\n15: 5 begins long in 0\n20: 5 ended\n30: thread 5\n30: 5 runnable\n"
            "40: 5 ended\n50: thread 5\n50: 5 runnable\n60: 5 running\n70: 5 ends long in 0 after 55\n"
            "75: 5 begins own in 0\n80: 5 ends own in 0 after 5\n80: 5 ended, open\n");
}

TEST_F(TimelineItems, OfWhatEndedBeforeItsThreadsNumberWasUsedAgainEndThen) {
  EXPECT_EQ(items("stream 1 \"a\"\n0.000000010 1 thread.create thread=5\n0.000000020 1 thread.exit thread=5\n"
                  "0.000000030 1 thread.create thread=5\n0.000000040 1 thread.run thread=5 cpu=0\n"
                  "0.000000050 1 late name=\"w\" began=0.000000015 ended=0.000000025\n"),
            "10: thread 5\n10: 5 runnable\n15: 5 begins w in 0\n20: 5 ended\n25: 5 ends w in 0 after 10\n"
            "30: thread 5\n30: 5 runnable\n40: 5 running\n50: 5 ended, open\n");
}

// Stream a ran the first thread 5 and did not see it leave, so the event is of that; it began on the second.
TEST_F(TimelineItems, OfWhatIsRecordedAsAWholeEndOnTheThreadThatHadTheNumberThen) {
  EXPECT_EQ(items("stream 1 \"a\"\nstream 2 \"b\"\n0.000000010 1 thread.run thread=5 cpu=0\n"
                  "0.000000020 2 thread.exit thread=5\n0.000000030 2 thread.create thread=5\n"
                  "0.000000050 1 span.complete name=\"x\" duration=0.000000010\n0.000000060 2 mark message=\"end\"\n"),
            "10: thread 5\n10: 5 running\n20: 5 ended\n30: thread 5\n30: 5 runnable\n40: 5 begins x in 0\n"
            "50: 5 ends x in 0 after 10\n60: 5 ended, open\n");
}

// Who ran there for no time was there before, whatever stream it is on.
TEST_F(TimelineItems, OfOneTickAreInTheOrderThatFits) {
  EXPECT_EQ(items("stream 1 \"w1\" thread=1\nstream 2 \"w2\" thread=2\n0.000000100 1 thread.run thread=1 cpu=0\n"
                  "0.000000100 2 thread.run thread=2 cpu=0\n"
                  "0.000000100 2 thread.stop thread=2 reason=preempted object=0\n"
                  "0.000000200 1 thread.stop thread=1 reason=preempted object=0\n"),
            "100: thread 1\n100: 1 running\n100: 1 runnable\n100: thread 2\n100: 2 running\n100: 2 runnable\n"
            "100: 1 running\n200: 1 runnable\n200: 1 ended, open\n200: 2 ended, open\n");
}

TEST_F(TimelineItems, OfAThreadThatStopsAfterItEndedAreNone) {
  EXPECT_EQ(items("stream 1 \"a\"\nstream 2 \"b\"\n0.000000000 2 thread.run thread=7 cpu=0\n"
                  "0.000000100 1 thread.exit thread=7\n"
                  "0.000000100 2 thread.stop thread=7 reason=called_out object=0\n"),
            "0: thread 7\n0: 7 running\n100: 7 ended\n");
}

TEST_F(TimelineItems, OfAWakeAreOneForEachWait) {
  EXPECT_EQ(items("stream 1 \"a\"\nstream 2 \"b\"\n0.000000000 1 thread.run thread=7 cpu=0\n"
                  "0.000000010 1 thread.stop thread=7 reason=blocked object=0\n"
                  "0.000000020 1 thread.wake thread=7 waker=8\n0.000000020 2 thread.wake thread=7 waker=8\n"),
            "0: thread 7\n0: 7 running\n10: 7 waiting\n20: 7 woken\n20: 7 runnable\n20: 7 runnable\n"
            "20: 7 ended, open\n");
}

TEST_F(TimelineItems, OfStopsAreWhereTheyWere) {
  EXPECT_EQ(items("stream 1 \"log\"\n0.000000010 1 mark message=\"x\"\n"
                  "0.000000040 1 process.stopped duration=0.000000020\n"),
            "20: stopped\n40: goes on\n");
}

TEST_F(TimelineItems, OfCollectionsAreOneForStreamsThatOneLeads) {
  const std::string streams = "type 1100 sync role=gcSync\nstream 1 \"w0\"\nstream 2 \"w1\"\n";
  EXPECT_EQ(items(streams + "0.000000100 1 gc.start generation=0\n0.000000110 2 gc.start generation=0\n"
                            "0.000000190 2 gc.end\n0.000000200 1 gc.end\n"),
            "200: collection 0 of 100 to 200\n200: collection 0 of 110 to 190\n");
  EXPECT_EQ(items(streams + "0.000000100 1 gc.start generation=0\n0.000000110 2 gc.start generation=0\n"
                            "0.000000190 2 gc.end\n0.000000200 1 gc.end\n0.000000210 1 sync\n"),
            "210: collection 0 of 100 to 200\n");
  EXPECT_EQ(items(streams + "0.000000100 1 gc.start generation=0\n0.000000150 2 gc.start generation=1\n"
                            "0.000000200 1 gc.end\n0.000000250 1 gc.start generation=0\n0.000000300 2 gc.end\n"
                            "0.000000400 1 gc.end\n"),
            "250: collection 0 of 100 to 200\n400: collection 1 of 150 to 300\n400: collection 0 of 250 to 400\n");
}

// Its program does not run meanwhile, whether events show that it would, or it is only taken to.
TEST_F(TimelineItems, OfACollectionOnAThreadHoldTheThread) {
  EXPECT_EQ(items("stream 1 \"vm\"\n0.000000000 1 thread.run thread=1 cpu=0\n0.000000010 1 gc.start generation=0\n"
                  "0.000000030 1 gc.end\n0.000000040 1 mark message=\"end\"\n"),
            "0: thread 1\n0: 1 running\n10: 1 runnable\n30: 1 running\n40: collection 0 of 10 to 30\n"
            "40: 1 ended, open\n");
  EXPECT_EQ(items("stream 1 \"vm\" thread=1\n0.000000000 1 span.begin name=\"x\"\n"
                  "0.000000010 1 gc.start generation=0\n0.000000030 1 gc.end\n0.000000040 1 span.end\n"),
            "0: thread 1\n0: 1 begins x in 0\n10: 1 runnable\n30: 1 unknown\n40: 1 ends x in 0 after 40\n"
            "40: collection 0 of 10 to 30\n40: 1 ended, open\n");
  // Another cpu's scheduler takes it off and puts it on again in between.
  EXPECT_EQ(items("stream 1 \"vm\" thread=1\nstream 2 \"cpu\"\n0.000000000 2 thread.run thread=1 cpu=0\n"
                  "0.000000010 1 gc.start generation=0\n"
                  "0.000000015 2 thread.stop thread=1 reason=blocked object=0\n"
                  "0.000000020 2 thread.run thread=1 cpu=1\n0.000000030 1 gc.end\n"
                  "0.000000040 1 mark message=\"end\"\n"),
            "0: thread 1\n0: 1 running\n10: 1 runnable\n15: 1 waiting\n20: 1 runnable\n30: 1 running\n"
            "40: collection 0 of 10 to 30\n40: 1 ended, open\n");
}

TEST_F(TimelineItems, OfAPartEndWhereItEnds) {
  Timeline::Options options;
  options.range = [](const Session&) { return TimeRange{0, 25}; };
  EXPECT_EQ(items("stream 1 \"a\" thread=7\n0.000000010 1 span.begin name=\"outer\"\n"
                  "0.000000040 1 span.complete name=\"inner\" duration=0.000000020\n0.000000050 1 span.end\n",
                  options),
            "10: thread 7\n10: 7 begins outer in 0\n20: 7 begins inner in 1\n25: 7 ends inner in 1 after 5, open\n"
            "25: 7 ends outer in 0 after 15, open\n25: 7 ended, open\n");
}

TEST_F(TimelineItems, ThatAreNotWantedAreMarkedAndChangeNothing) {
  Timeline::Options options;
  options.wanted = [](const Event& event) { return event.type().name() == "my.end"; };
  EXPECT_EQ(items("stream 1 \"all\"\n0.000000000 1 my.begin thread=1 name=\"A\"\n0.000000020 1 my.end thread=1\n"
                  "0.000000030 1 my.begin thread=1 name=\"B\"\n",
                  options),
            "0: thread 1, not wanted\n0: 1 begins A in 0, not wanted\n20: 1 ends A in 0 after 20\n"
            "30: 1 begins B in 0, not wanted\n30: 1 ends B in 0 after 0, open, not wanted\n30: 1 ended, open\n");
}

}  // namespace
}  // namespace evt::testing

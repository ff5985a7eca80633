// Statistics of a part of a trace are those of that range of the whole: of random traces, cut at random, for every
// analysis, to the nanosecond.
#include <fmt/core.h>

#include <cstdlib>
#include <random>

#include "analyze/story_addition.h"
#include "analyze/thread_stories.h"
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class CutStatistics : public AtTheShell {
 protected:
  static constexpr const char* kAll = "cpu,threads,share,spans,usage,stops,gc,overhead,events";

  // Without the whole length of runs that go on at the end: a part does not have what is behind it.
  std::string statistics(const std::string& of) const {
    return run("evt stats " + of +
               " 2> said | sed -E 's/^([^,]*,[^,]*,[0-9]+,[0-9.]*,)[0-9]+(,[0-9]+,[0-9]+,[0-9]+,[0-9]+\r?)$/\\1\\2/'")
        .out;
  }
  static std::string range(std::int64_t from, std::int64_t to) {
    return fmt::format("--from {}ns --to {}ns", from, to);
  }

  void expect_same(const std::string& what, std::int64_t from, std::int64_t to) const {
    run("evt cut " + range(from, to) + " whole.evt -o part.evt 2> said");
    for (const std::string form : {"--csv", "--csv --no-checkpoints"}) {
      given_file("part.out", statistics(what + " " + form + " part.evt"));
      given_file("whole.out", statistics(what + " " + form + " " + range(from, to) + " whole.evt"));
      EXPECT_EQ(run("test -s whole.out && diff whole.out part.out").out, "") << range(from, to);
    }
  }
};

// What is drawn, in any order: threads are numbered in that in which they are met.
constexpr const char* kDrawn = " 2> said | grep -v '\"ph\":\"M\"' | sed -E 's/\"(tid|id)\":[0-9]+,//; s/,$//' | sort";

TEST_F(CutStatistics, AndPicturesAreThoseOfTheRangeInTheWhole) {
  for (unsigned seed = 0; seed < 12 && !HasFailure(); ++seed) {
    const agreement::Story story(seed);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    given_trace("whole.evt", story.text());
    const std::string part = range(story.end_ns() / 3, story.end_ns() * 3 / 4);
    EXPECT_EQ(run("evt cut " + part + " whole.evt -o part.evt").status, 0);
    for (const std::string form : {"chrome", "folded"}) {
      const std::string of_whole = run("evt convert --format " + form + " " + part + " whole.evt" + kDrawn).out;
      EXPECT_NE(of_whole, "");
      EXPECT_EQ(run("evt convert --format " + form + " part.evt" + kDrawn).out, of_whole) << form << " " << part;
    }
    const std::string times = " 2> said | grep '^#'";
    EXPECT_EQ(run("evt convert --format vcd part.evt" + times).out,
              run("evt convert --format vcd " + part + " whole.evt" + times).out)
        << part;
  }
}

TEST_F(CutStatistics, AreThoseOfTheRangeInTheWhole) {
  const char* const request = std::getenv("EVT_CUTS");  // the first seed
  const unsigned first = request != nullptr ? static_cast<unsigned>(std::strtoul(request, nullptr, 10)) : 0;
  for (unsigned seed = first; seed < first + 50 && !HasFailure(); ++seed) {
    const agreement::Story story(seed);
    const std::string text = seed % 2 == 0 ? story.text() : StoryAddition(seed).to(story.text());
    SCOPED_TRACE(fmt::format("seed {}", seed));
    given_trace("whole.evt", text);
    std::mt19937 random(seed);
    const std::set<std::int64_t> all = story.moments();
    const std::vector<std::int64_t> moments(all.begin(), all.end());
    const auto a_moment = [&] {
      return moments[random() % moments.size()] + static_cast<std::int64_t>(random() % 3) - 1;
    };
    for (int i = 0; i < 2; ++i) {
      const auto [from, to] = std::minmax({a_moment(), a_moment()});
      expect_same(kAll, std::max<std::int64_t>(from, 0), std::max<std::int64_t>(to, 1));
    }
  }
}

// A run, a wait and a span across the whole range; a call that was recorded behind it; two cpus on one stream.
constexpr std::string_view kAcross =
    "type 1 thread.create role=threadCreate (thread u64 role=thread)\n"
    "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 5 thread.stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason "
    "labels=[0=unknown 1=preempted 2=yielded 3=blocked])\n"
    "type 1024 span.open role=spanBegin (name text role=name)\ntype 1025 span.close role=spanEnd\n"
    "type 1026 call.whole role=call (thread u64 role=thread) (function text role=function) (duration tick_delta "
    "role=duration)\ntype 1027 tick\nstream 1 \"a\"\nstream 2 \"b\"\n"
    "0.000000010 1 thread.run thread=1 cpu=0\n0.000000020 1 thread.run thread=2 cpu=1\n"
    "0.000000030 1 span.open name=\"outer\"\n0.000000040 2 thread.create thread=3\n"
    "0.000000040 2 thread.run thread=3 cpu=2\n0.000000050 2 thread.stop thread=3 reason=blocked\n"
    "0.000000100 1 tick\n0.000000150 2 tick\n0.000000190 2 tick\n"
    "0.000000300 1 span.close\n0.000000400 1 call.whole thread=1 function=\"read\" duration=0.000000280\n"
    "0.000000500 1 thread.stop thread=1 reason=preempted\n0.000000600 1 tick\n";

TEST_F(CutStatistics, AreOfWhatGoesOnAcrossTheRange) {
  given_trace("whole.evt", kAcross);
  EXPECT_EQ(run("evt cut --from 100ns --to 200ns whole.evt -o part.evt && evt dump part.evt"),
            prints("   0.000000100  a  carried.thread.run    thread=1 cpu=0 since=0.000000010\n"
                   "   0.000000100  a  carried.thread.run    thread=2 cpu=1 since=0.000000020\n"
                   "   0.000000100  a  carried.span.open     name=\"outer\" since=0.000000030\n"
                   "   0.000000100  a  tick\n"
                   "   0.000000100  b  carried.thread.create thread=3 since=0.000000040\n"
                   "   0.000000100  b  carried.thread.run    thread=3 cpu=2 since=0.000000040\n"
                   "   0.000000100  b  carried.thread.stop   thread=3 reason=blocked since=0.000000050\n"
                   "   0.000000150  b  tick\n"
                   "   0.000000190  b  tick\n"
                   "   0.000000400  a  call.whole            thread=1 function=\"read\" duration=0.000000280\n"));
  EXPECT_EQ(statistics("cpu --csv part.evt"),
            "thread,name,running_ns,percent,current_ns,so_far_ns,slices,uncertain_ns,idle_ns\r\n"
            "1,,100,100,,190,0,0,0\r\n2,,100,100,,180,0,0,0\r\n");
  EXPECT_EQ(statistics("threads --csv part.evt | tr -d '\\r' | sed -n '/^3/p'"),
            "3,,40,,waiting,0,0,100,0,0,0,0,0,0,0\n3,blocked,0,100\n");
  EXPECT_EQ(statistics("share --csv part.evt | tr -d '\\r' | cut -d, -f1-4 | sed -n '/^outer/p;/^read/p'"),
            "outer,span,1,100\nread,call,1,80\n")
      << "thread 2 is in the span, thread 1 from 120 ns on in the call";
  EXPECT_EQ(statistics("events --csv part.evt"), "event,events,percent,rate_per_second\r\ntick,3,100,30000000\r\n");
  expect_same(kAll, 100, 200);
}

TEST_F(CutStatistics, HaveWhatAnEndedThreadLeftOpenWhoseNumberIsUsedAgain) {
  given_trace("whole.evt",
              "type 1 thread.create role=threadCreate (thread u64 role=thread)\n"
              "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
              "type 8 thread.exit role=threadExit (thread u64 role=thread)\n"
              "type 1024 enter role=callBegin (function text role=function)\ntype 1025 tick\n"
              "stream 1 \"a\"\nstream 2 \"b\"\n"
              "0.000000010 1 thread.run thread=4 cpu=0\n0.000000020 1 thread.exit thread=4\n"
              "0.000000030 1 enter function=\"read\"\n"
              "0.000000040 2 thread.create thread=4\n0.000000050 2 thread.run thread=4 cpu=1\n"
              "0.000000060 2 thread.exit thread=4\n0.000000100 1 tick\n0.000000200 1 tick\n");
  expect_same(kAll, 100, 200);
  EXPECT_EQ(statistics("spans --csv part.evt | tr -d '\\r' | sed -n '/^stream/,/^$/p'"),
            "stream,thread,kind,open,since_ns,for_ns\n1,4,call,read,30,170\n\n")
      << "the end of the second thread 4 is not that of the first";
}

// Events of stream a were lost: threads 1 and 2 were first met there, by what begins and by what is recorded as a
// whole, and thread 3 on b.
TEST_F(CutStatistics, HaveFromWhichStreamAThreadWithoutAStateIsKnown) {
  given_trace("whole.evt",
              "type 6 thread.wake role=threadWake (thread u64 role=thread)\n"
              "type 1024 call.open role=callBegin (thread u64 role=thread) (function text role=function)\n"
              "type 1025 call.close role=callEnd (thread u64 role=thread)\n"
              "type 1026 call.whole role=call (thread u64 role=thread) (function text role=function) "
              "(duration tick_delta role=duration)\ntype 1027 tick\nstream 1 \"a\"\nstream 2 \"b\"\n"
              "0.000000010 1 call.open thread=1 function=\"read\"\n0.000000020 2 call.close thread=1\n"
              "0.000000030 1 call.whole thread=2 function=\"read\" duration=0.000000005\n"
              "0.000000040 2 call.open thread=2 function=\"write\"\n"
              "0.000000050 2 call.open thread=3 function=\"write\"\n0.000000060 1 call.close thread=3\n"
              "0.000000080 1 !lost count=5 cause=ring_full duration=0.000000003\n0.000000100 2 tick\n"
              "0.000000150 2 thread.wake thread=1\n0.000000150 2 thread.wake thread=2\n"
              "0.000000150 2 thread.wake thread=3\n0.000000200 2 tick\n");
  expect_same(kAll, 100, 200);
  EXPECT_EQ(statistics("threads --csv part.evt | tr -d '\\r' | cut -d, -f1,10,11 | sed -n '1,4p'"),
            "thread,not_known_ns,uncertain_ns\n1,50,0\n2,50,0\n3,50,0\n");
  EXPECT_EQ(statistics("spans --csv part.evt | tr -d '\\r' | sed -n '/^stream/,/^$/p'"),
            "stream,thread,kind,open,since_ns,for_ns\n2,2,call,write,40,160\n\n")
      << "the calls of threads 1 and 3 have ended";
}

// The run of thread 6 on stream a ends when thread 1 takes its cpu; it runs again on b, which is no move, so that what
// leaves a then is thread 6.
TEST_F(CutStatistics, HaveThatAThreadRanElsewhereWhileItsStreamHadNotSeenItLeave) {
  given_trace("whole.evt",
              "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
              "type 5 thread.stop role=threadStop (thread u64 role=thread)\ntype 1024 leave role=threadStop\n"
              "type 1025 tick\nstream 1 \"a\"\nstream 2 \"b\"\n"
              "0.000000010 1 thread.run thread=6 cpu=0\n0.000000020 2 thread.run thread=1 cpu=0\n"
              "0.000000030 2 thread.run thread=6 cpu=3\n0.000000040 2 thread.stop thread=1\n"
              "0.000000100 1 tick\n0.000000150 1 leave\n0.000000200 1 tick\n");
  for (const std::int64_t from : {100, 160}) expect_same(kAll, from, 200);
  EXPECT_EQ(run("evt stats threads --csv --from 160ns whole.evt | cut -d, -f1,5,6 | sed -n '/^6/p'").out,
            "6,not known,0\n");
}

// Thread 6 leaves the stream behind the range, another stops, and then a call is over that began in the range.
TEST_F(CutStatistics, HaveOfWhichThreadACallIsThatWasRecordedBehindTheRange) {
  given_trace("whole.evt",
              "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
              "type 5 thread.stop role=threadStop (thread u64 role=thread)\ntype 1024 leave role=threadStop\n"
              "type 1025 did role=call (function text role=function) (duration tick_delta role=duration)\n"
              "type 1026 tick\nstream 1 \"a\"\n"
              "0.000000010 1 thread.run thread=6 cpu=1\n0.000000100 1 tick\n0.000000200 1 tick\n"
              "0.000000210 1 leave\n0.000000220 1 thread.stop thread=4\n"
              "0.000000230 1 did function=\"read\" duration=0.000000050\n");
  expect_same(kAll, 100, 200);
  EXPECT_EQ(statistics("spans --csv part.evt | tr -d '\\r' | sed -n '/^stream/,/^$/p'"),
            "stream,thread,kind,open,since_ns,for_ns\n1,#1,call,read,180,20\n\n");
}

// A collection works on thread 6 from 10 ns on. That there is such a thread shows at 50 ns, by a call that began at 20.
TEST_F(CutStatistics, HaveACollectionOnAThreadThatIsKnownOnlyByACallWhichBeganLater) {
  given_trace("whole.evt",
              "type 1024 gc.begin role=gcStart (thread u64 role=thread)\ntype 22 gc.end role=gcEnd\n"
              "type 1025 call.whole role=call (thread u64 role=thread) (function text role=function) "
              "(duration tick_delta role=duration)\ntype 1026 tick\nstream 1 \"a\"\nstream 2 \"b\"\n"
              "0.000000010 1 gc.begin thread=6\n0.000000050 2 call.whole thread=6 function=\"read\" "
              "duration=0.000000030\n0.000000100 2 tick\n0.000000150 1 gc.end\n0.000000200 2 tick\n");
  EXPECT_EQ(run("evt cut --from 100ns whole.evt -o part.evt && evt dump part.evt"),
            prints("   0.000000100  a  carried.gc.begin   thread=6 since=0.000000010\n"
                   "   0.000000100  b  carried.call.whole thread=6 function=\"read\" duration=0.000000030 "
                   "since=0.000000050\n"
                   "   0.000000100  b  tick\n"
                   "   0.000000150  a  gc.end\n"
                   "   0.000000200  b  tick\n"));
  expect_same(kAll, 100, 200);
}

// The collection of stream b began first in the whole, and that of a in the part, where the earlier one of b is over.
TEST_F(CutStatistics, HaveCollectorsInTheOrderOfTheirStreams) {
  given_trace("whole.evt",
              "type 21 gc.start role=gcStart (generation u16 role=generation)\ntype 22 gc.end role=gcEnd\n"
              "type 1024 tick\nstream 1 \"a\"\nstream 2 \"b\"\n"
              "0.000000010 2 gc.start generation=1\n0.000000020 1 gc.start generation=1\n"
              "0.000000030 2 gc.end\n0.000000040 2 gc.start generation=1\n"
              "0.000000100 1 tick\n0.000000201 1 tick\n");
  expect_same(kAll, 100, 201);
  EXPECT_EQ(statistics("share --csv part.evt | cut -d, -f2,7 | sed -n '/^gc of/p'"), "gc of a,51\ngc of b,50\n");
}

TEST_F(CutStatistics, OfACutOfACutAreThoseOfTheInnerRange) {
  for (const unsigned seed : {3U, 7U, 12U}) {
    const agreement::Story story(seed);
    given_trace("whole.evt", StoryAddition(seed).to(story.text()));
    const std::int64_t end = story.end_ns();
    const std::string inner = range(end / 3, end / 2);
    run("evt cut " + range(end / 4, end * 3 / 4) + " whole.evt -o outer.evt; evt cut " + inner +
        " outer.evt -o part.evt; evt cut " + inner + " whole.evt -o direct.evt");
    EXPECT_EQ(statistics(std::string(kAll) + " --csv part.evt"), statistics(std::string(kAll) + " --csv direct.evt"));
    EXPECT_EQ(statistics(std::string(kAll) + " --csv part.evt"),
              statistics(std::string(kAll) + " --csv " + inner + " whole.evt"));
    EXPECT_EQ(run("evt dump part.evt 2> said | grep -c carried.carried").out, "0\n") << "a twin again is that twin";
  }
}

// The outer part has no event but those carried into it; it goes on behind them.
TEST_F(CutStatistics, OfACutOfACutGoToTheEndOfTheInnerRange) {
  given_trace("whole.evt",
              "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\ntype 1024 tick\n"
              "stream 1 \"a\"\n0.000000010 1 thread.run thread=1 cpu=0\n0.000000900 1 tick\n");
  EXPECT_EQ(run("evt cut --from 100ns --to 600ns whole.evt -o outer.evt; evt cut --from 200ns --to 500ns outer.evt -o "
                "part.evt; evt stats cpu --csv part.evt | tr -d '\\r' | cut -d, -f1,3,4"),
            prints("thread,running_ns,percent\n1,300,100\n"));
}

TEST_F(CutStatistics, WithoutAnEndAreThoseUpToTheLastEvent) {
  given_trace("whole.evt", kAcross);
  EXPECT_EQ(run("evt cut --from 250ns whole.evt -o part.evt && evt stats cpu --csv part.evt"),
            run("evt stats cpu --csv --from 250ns whole.evt"));
  run("evt cut --to 250ns whole.evt -o part.evt");
  EXPECT_EQ(statistics("cpu --csv part.evt"), statistics("cpu --csv --to 250ns whole.evt"));
}

TEST_F(CutStatistics, WithoutStateAreOfWhatItRecordsAlone) {
  given_trace("whole.evt", kAcross);
  EXPECT_EQ(run("evt cut --no-state --from 100ns --to 200ns whole.evt -o part.evt && evt dump --count part.evt"),
            prints("3\n"));
}

}  // namespace
}  // namespace evt::testing

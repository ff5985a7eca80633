// evt test: what must hold of a trace. The values are counted by hand.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kTypes =
    "type 9 span.begin role=spanBegin (name text role=name)\n"
    "type 10 span.end role=spanEnd\n"
    "type 33 gc.start role=gcStart\n"
    "type 34 gc.end role=gcEnd\n"
    "type 1024 tick\n"
    "stream 1 \"main\"\n";

class Assertions : public AtTheShell {
 protected:
  // Spans of 100 and 150 ms, a collection of 20 ms, a tick.
  Assertions() {
    given_trace("a.evt", std::string(kTypes) +
                             "0.1 1 span.begin name=\"load page\"\n0.2 1 span.end\n"
                             "0.3 1 span.begin name=\"draw\"\n0.45 1 span.end\n"
                             "0.5 1 gc.start\n0.52 1 gc.end\n0.6 1 tick\n");
  }
  void expect_refused(const std::string& assertion, const std::string& sentence) const {
    EXPECT_EQ(run("evt test '" + assertion + "' a.evt"), refuses(2, "evt test: " + sentence + "\n"));
  }
};

TEST_F(Assertions, HoldOrNotAndTheStatusSaysIt) {
  EXPECT_EQ(run("evt test 'max(span:\"load page\") <= 100ms' 'lost == 0' a.evt"),
            prints("held  value   assertion\n"
                   "yes   100 ms  max(span:\"load page\") <= 100ms\n"
                   "yes   0       lost == 0\n"));
  EXPECT_EQ(run("evt test 'max(span:\"load page\") < 100ms' 'events > 6' a.evt"),
            (Outcome{1,
                     "held  value   assertion\n"
                     "no    100 ms  max(span:\"load page\") < 100ms\n"
                     "yes   7       events > 6\n",
                     ""}));
}

TEST_F(Assertions, OfSeveralRowsHoldForEach) {
  EXPECT_EQ(run("evt test 'max(span) < 150ms' 'max(span) <= 150ms' 'min(span:*d*) > 99ms' 'sum(span:d*) = 0.15' a.evt"),
            (Outcome{1,
                     "held  value               assertion\n"
                     "no    150 ms (draw)       max(span) < 150ms\n"
                     "yes   150 ms (draw)       max(span) <= 150ms\n"
                     "yes   100 ms (load page)  min(span:*d*) > 99ms\n"
                     "yes   150 ms              sum(span:d*) = 0.15s\n",
                     ""}));
}

TEST_F(Assertions, AreJoinedAsConditionsAre) {
  EXPECT_EQ(run("evt test 'lost=0 and not (damage>0 or max(gc.pause)>=20ms)' 'duration<1 or lost>5' a.evt"),
            (Outcome{1,
                     "held  value          assertion\n"
                     "no    0, 0, 20.0 ms  lost=0 and not (damage>0 or max(gc.pause)>=20ms)\n"
                     "yes   500 ms, 0      duration<1s or lost>5\n",
                     ""}));
}

// Three values of truth: the table of Kleene's logic.
TEST_F(Assertions, OfWhatIsNotThereAreNotKnown) {
  const std::string nothing = "max(span:x) > 0";
  const auto held = [&](const std::string& assertion) {
    const std::string out = run("evt test --quiet --csv '" + assertion + "' a.evt | tail -n 1").out;
    return out.substr(0, out.find(','));
  };
  EXPECT_EQ(held(nothing), "not known");
  EXPECT_EQ(held("not " + nothing), "not known");
  EXPECT_EQ(held(nothing + " and lost=0"), "not known");
  EXPECT_EQ(held(nothing + " and lost>0"), "no");
  EXPECT_EQ(held(nothing + " or lost=0"), "yes");
  EXPECT_EQ(held(nothing + " or lost>0"), "not known");
  EXPECT_EQ(held("count(span:x) = 0"), "yes");
  EXPECT_EQ(run("evt test 'max(span:x) < 1' a.evt"),
            (Outcome{1, "held       value  assertion\nnot known  -      max(span:x) < 1s\n",
                     "evt test: a.evt: max(span:x) < 1: no span is called x; there are draw, load page\n"}));
}

TEST_F(Assertions, OfANameThatIsNotThereSayWhichIsNear) {
  const auto note = [&](const std::string& assertion) { return run("evt test '" + assertion + "' a.evt >out").err; };
  EXPECT_EQ(note("max(span:drew) < 1s"),
            "evt test: a.evt: max(span:drew) < 1s: no span is called drew; did you mean draw?\n");
  EXPECT_EQ(note("max(call) < 1s"), "evt test: a.evt: max(call) < 1s: there are no calls\n");
  EXPECT_EQ(note("rate(event:tock) > 0"),
            "evt test: a.evt: rate(event:tock) > 0: no event type is called tock; did you mean tick?\n");
}

TEST_F(Assertions, ShowTheUnitOfTimesWithoutOne) {
  EXPECT_EQ(run("evt test 'max(span:draw) < 10 and not min(span) > 2.5' 'max(span:draw) < 10us or lost = 0' a.evt"),
            prints("held  value                       assertion\n"
                   "yes   150 ms, 100 ms (load page)  max(span:draw) < 10s and not min(span) > 2.5s\n"
                   "yes   150 ms, 0                   max(span:draw) < 10us or lost = 0\n"));
}

TEST_F(Assertions, TakePercentilesThatNoTableHas) {
  EXPECT_EQ(run("evt test 'p30(span:draw) >= 149ms' 'p50(span:draw) < 151ms' a.evt | cut -c 1-5"),
            prints("held \nyes  \nyes  \n"));
}

TEST_F(Assertions, MayBeOfAnyTableOfAnAnalysis) {
  EXPECT_EQ(run("evt test 'productivity(gc) > 95%' 'mutator(gc.gc) = 480ms' 'count(events.events:tick) = 1' "
                "'trimmed_mean(span:draw) = 150ms' a.evt"),
            prints("held  value   assertion\n"
                   "yes   96.0 %  productivity(gc) > 95%\n"
                   "yes   480 ms  mutator(gc.gc) = 480ms\n"
                   "yes   1       count(events.events:tick) = 1\n"
                   "yes   150 ms  trimmed_mean(span:draw) = 150ms\n"));
}

TEST_F(Assertions, AreOfTheTimesThatAreAskedFor) {
  EXPECT_EQ(run("evt test --from 0.25 'count(span) = 1' --event 'span.*' a.evt"),
            prints("held  value  assertion\nyes   1      count(span) = 1\n"));
}

TEST_F(Assertions, OfSeveralTracesNameThem) {
  given_trace("b.evt", std::string(kTypes) + "0.1 1 tick\n");
  EXPECT_EQ(run("evt test 'events > 1' a.evt b.evt"), (Outcome{1,
                                                               "held  value  assertion   trace\n"
                                                               "yes   7      events > 1  a.evt\n"
                                                               "no    1      events > 1  b.evt\n",
                                                               ""}));
  EXPECT_EQ(run("evt test 'events > 1' a.evt none.evt"),
            (Outcome{3, "held  value  assertion   trace\nyes   7      events > 1  a.evt\n",
                     "evt test: cannot open none.evt: No such file or directory\n"}));
}

TEST_F(Assertions, MayBeInAFile) {
  given_file("budget", "# of a page\n\n  max(span:draw) < 1s  \nlost == 0\n");
  EXPECT_EQ(run("evt test --assertions budget a.evt"), prints("held  value   assertion\n"
                                                              "yes   150 ms  max(span:draw) < 1s\n"
                                                              "yes   0       lost == 0\n"));
  EXPECT_EQ(run("evt test --assertions none a.evt"), refuses(2, "evt test: --assertions: cannot read none\n"));
}

TEST_F(Assertions, HaveAReportForContinuousIntegration) {
  given_file("a=b.evt", "no trace");
  EXPECT_EQ(
      run("evt test --junit r.xml 'lost=0' 'max(span:draw)<1ms' 'max(span:\"<x>\")<1' a.evt a=b.evt >out 2>notes; "
          "python3 -c 'import xml.etree.ElementTree as t; t.parse(\"r.xml\")' && cat r.xml"),
      prints("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<testsuites>\n"
             "  <testsuite name=\"a.evt\" tests=\"3\" failures=\"1\" errors=\"1\">\n"
             "    <testcase classname=\"a.evt\" name=\"lost=0\"/>\n"
             "    <testcase classname=\"a.evt\" name=\"max(span:draw)&lt;1ms\">\n"
             "      <failure message=\"it is 150 ms\"/>\n"
             "    </testcase>\n"
             "    <testcase classname=\"a.evt\" name=\"max(span:&quot;&lt;x&gt;&quot;)&lt;1\">\n"
             "      <error message=\"no span is called &lt;x&gt;; there are draw, load page\"/>\n"
             "    </testcase>\n"
             "  </testsuite>\n"
             "  <testsuite name=\"a=b.evt\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
             "    <testcase classname=\"a=b.evt\" name=\"the whole trace is read\">\n"
             "      <error message=\"a=b.evt is not a trace: it begins with plain text\"/>\n"
             "    </testcase>\n"
             "  </testsuite>\n"
             "</testsuites>\n"));
}

TEST_F(Assertions, AreObjectsForPrograms) {
  EXPECT_EQ(run("evt test --json 'lost=0' 'max(span:x)<1' a.evt 2>notes"),
            (Outcome{1,
                     "{\"file\":\"a.evt\",\"assertions\":[{\"assertion\":\"lost=0\",\"held\":\"yes\",\"value\":\"0\"},"
                     "{\"assertion\":\"max(span:x)<1\",\"held\":\"not known\",\"value\":\"-\",\"why\":\"no span is "
                     "called x; there are draw, load page\"}]}\n",
                     ""}));
}

TEST_F(Assertions, ThatMakeNoSenseAreRefusedWithTheirPlace) {
  expect_refused("max(spam:x)<1", "column 1 of max(spam:x)<1: there is no table spam; did you mean span or spans?");
  expect_refused("p99(draw)<1", "column 1 of p99(draw)<1: there is no table draw; try p99(span:draw)");
  expect_refused(
      "longest(gc)<1",
      "column 1 of longest(gc)<1: the table gc.gc has no column longest; its columns are total mutator collector "
      "stopping concurrent collections productivity");
  expect_refused("max(span:x<1", "column 11 of max(span:x<1: expected ), found <");
  expect_refused("max()<1", "column 5 of max()<1: expected a table, such as span:sum, found )");
  expect_refused("max(span:)<1", "column 10 of max(span:)<1: expected a name after the colon, found )");
  expect_refused("max(span:x)<foo",
                 "column 13 of max(span:x)<foo: expected a length of time like 1.5, 200ms or 3us, found foo");
  expect_refused("lots<5", "column 1 of lots<5: a trace has no fact lots; did you mean lost?");
  expect_refused("weather<5",
                 "column 1 of weather<5: a trace has no fact weather; expected one of lost missing damage sessions "
                 "events duration, or a column of a table such as max(span:sum)");
  expect_refused("lost ~ 5", "column 8 of lost ~ 5: patterns match strings, and this is a number");
  EXPECT_EQ(run("evt test a.evt"), refuses(2, "evt test: expected an assertion such as 'lost == 0', found none\n"));
  EXPECT_EQ(run("evt test 'lost=0'"), refuses(2, "evt test: expected a trace after the assertions, found none\n"));
}

// The index of a trace tells nothing of damage: all of it is read.
TEST_F(Assertions, AboutDamageReadTheWholeTrace) {
  std::string text(kTypes);
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + " 1 tick\n";
  given_trace("d.evt", text);
  EXPECT_EQ(run("python3 -c 'b = bytearray(open(\"d.evt\", \"rb\").read()); b[len(b) // 2] ^= 1; open(\"d.evt\", "
                "\"wb\").write(b)'"),
            prints(""));
  for (const std::string assertion : {"damage = 0", "missing = 0", "lost = 0 and damage = 0"}) {
    EXPECT_EQ(run("evt test -q '" + assertion + "' d.evt").status, 1) << assertion;
    EXPECT_EQ(run("evt test -q --to 1s '" + assertion + "' d.evt").status, 1) << assertion;
  }
  EXPECT_EQ(run("evt test -q 'count(event:tick) > 0' d.evt").status, 1);
  EXPECT_THAT(
      run("evt test -q --junit r.xml 'events > 1' d.evt; cat r.xml").out,
      ::testing::HasSubstr("name=\"the whole trace is read\">\n      <error message=\"it is damaged or truncated\"/>"));
}

TEST_F(Assertions, CountNothingWhereNothingWasComputed) {
  expect_refused("count(gc.reasons) = 0",
                 "column 1 of count(gc.reasons) = 0: the table gc.reasons exists only with an option of evt stats");
  EXPECT_EQ(run("evt cut --every 2 a.evt -o s.evt && evt test -q 'count(span:draw) = 0' s.evt").status, 1);
}

TEST_F(Assertions, OfManyTracesOpenOneAtATime) {
  EXPECT_EQ(
      run("for i in $(seq 60); do cp a.evt $i.evt; done; ulimit -n 40; evt test 'lost = 0' [0-9]*.evt | grep -c ^yes"),
      prints("60\n"));
}

}  // namespace
}  // namespace evt::testing

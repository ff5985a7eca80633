// evt merge: several traces become one.
#include <fmt/core.h>

#include "traces_to_merge.h"

namespace evt::testing {
namespace {

class Merge : public TracesToMerge {
 protected:
  void given_two() {
    given("a.evt", 1, 0,
          "type 1024 send (id u32)\ntype 1025 say (what interned)\nstream 1 \"main\"\nstring 1 \"hello\"\n"
          "0.001000000 1 send id=1\n0.002000000 1 say what=#1\n0.003000000 1 send id=3\n");
    given("b.evt", 2, 500,
          "type 1024 receive (id u32)\ntype 1025 say (what interned)\nstream 7 \"main\"\nstring 1 \"world\"\n"
          "string 2 \"hello\"\n"
          "0.001000000 7 receive id=1\n0.002000000 7 say what=#1\n0.002500000 7 say what=#2\n");
  }
  // What it prints on standard error for inputs that have nothing to do with each other.
  Outcome merged(const std::string& names) { return run("evt merge " + names + " -o m.evt 2> said"); }
};

TEST_F(Merge, PutsEventsInTheOrderOfTime) {
  given_two();
  EXPECT_EQ(merged("a.evt b.evt"), prints(""));
  EXPECT_EQ(content_of("said"),
            "evt merge: b.evt: aligned by wall clock (offset 500 us); as accurate as the two clocks\n");
  EXPECT_EQ(run("evt dump m.evt"), prints("   0.001000000  main#1  send    id=1\n"
                                          "   0.001500000  main#2  receive id=1\n"
                                          "   0.002000000  main#1  say     what=\"hello\"\n"
                                          "   0.002500000  main#2  say     what=\"world\"\n"
                                          "   0.003000000  main#1  send    id=3\n"
                                          "   0.003000000  main#2  say     what=\"hello\"\n"));
  EXPECT_EQ(run("evt check m.evt"), prints("m.evt: session of a.evt+b.evt, 6 events, 0 lost: closed\n"));
}

TEST_F(Merge, SaysInTheFileWhatBecameOfEachInput) {
  given_two();
  merged("a.evt b.evt");
  EXPECT_EQ(
      run("evt dump --header m.evt | grep -E '^(origin|part)'"),
      prints("origin    00010203-0405-4607-8809-0a0b0c0d0e01\n"
             "origin    00010203-0405-4607-8809-0a0b0c0d0e02\n"
             "part      a.evt, stream 1, its time is that of the trace\n"
             "part      b.evt, stream 2, aligned by wall clock (offset 500 us); as accurate as the two clocks\n"));
}

TEST_F(Merge, TypesAreTheSameByNameAndFields) {
  given("a.evt", 1, 0,
        "type 1024 grow (a u32)\ntype 1025 clash (a u32)\ntype 1026 mine (a u8)\nstream 1 \"a\"\n"
        "0.1 1 grow a=1\n0.2 1 clash a=1\n0.3 1 mine a=1\n");
  given("b.evt", 2, 0,
        "type 1026 grow (a u32) (b u32)\ntype 1025 clash (a u64)\ntype 1024 other (a u8)\nstream 1 \"b\"\n"
        "0.11 1 grow a=2 b=3\n0.21 1 clash a=2\n0.31 1 other a=2\n");
  EXPECT_EQ(merged("a.evt b.evt"), prints(""));
  EXPECT_EQ(run("evt dump --types m.evt"), prints("number  name   size  fields       description\n"
                                                  "  1024  grow      8  a:u32 b:u32\n"
                                                  "  1025  clash     4  a:u32\n"
                                                  "  1026  mine      1  a:u8\n"
                                                  "  1027  clash     8  a:u64\n"
                                                  "  1028  other     1  a:u8\n"));
  EXPECT_EQ(run("evt dump m.evt"), prints("   0.100000000  a  grow  a=1\n"
                                          "   0.110000000  b  grow  a=2 b=3\n"
                                          "   0.200000000  a  clash a=1\n"
                                          "   0.210000000  b  clash a=2\n"
                                          "   0.300000000  a  mine  a=1\n"
                                          "   0.310000000  b  other a=2\n"));
}

TEST_F(Merge, EventsOfOneNameAreFoundAsInTheInputs) {
  given("a.evt", 1, 0, "type 1024 app.t (n u32)\nstream 1 \"a\"\n0.1 1 app.t n=1\n");
  given("b.evt", 2, 0, "type 1024 app.t (n u32) (m u32)\nstream 1 \"b\"\n0.2 1 app.t n=2 m=3\n");
  given("c.evt", 3, 0, "type 1024 app.t (n u64)\nstream 1 \"c\"\n0.3 1 app.t n=9\n");
  EXPECT_EQ(merged("a.evt b.evt c.evt"), prints(""));
  EXPECT_EQ(run("evt dump -e app.t m.evt"), prints("   0.100000000  a  app.t n=1\n"
                                                   "   0.200000000  b  app.t n=2 m=3\n"
                                                   "   0.300000000  c  app.t n=9\n"));
  EXPECT_EQ(run("evt merge c.evt b.evt a.evt -o n.evt 2>/dev/null; evt dump --count -e app.t n.evt"), prints("3\n"))
      << "whatever comes first";
}

TEST_F(Merge, TypesThatNobodyDescribesStayUndescribed) {
  given("a.evt", 1, 0, "type 1030 known (a u8)\nstream 1 \"a\"\n0.1 1 known a=1\n");
  given("b.evt", 2, 0, "stream 1 \"b\"\n0.2 1 type#1030 +0x05\n");
  EXPECT_EQ(merged("a.evt b.evt"), prints(""));
  EXPECT_EQ(run("evt dump m.evt"), prints("   0.100000000  a  known a=1\n"
                                          "   0.200000000  b  type#1024 +0x05\n"));
}

TEST_F(Merge, LossesStayWhereTheyWere) {
  given("a.evt", 1, 0,
        "type 1024 tick (n u8)\nstream 1 \"a\"\n0.1 1 tick n=1\n0.2 1 !lost count=5 cause=too_large "
        "duration=0.000000000\n");
  given("b.evt", 2, 0, "stream 1 \"b\"\n");
  const Outcome outcome = run("evt merge a.evt b.evt -o m.evt");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, ::testing::StartsWith("evt merge: a.evt: 5 events of stream 1 \"a\" lost: too_large\n"));
  EXPECT_EQ(run("evt check m.evt").out.substr(0, 48), "m.evt: session of a.evt+b.evt, 1 event, 5 lost: ");
}

TEST_F(Merge, OfOneHasTheSameEvents) {
  given_two();
  EXPECT_EQ(run("evt merge a.evt -o m.evt"), prints(""));
  EXPECT_EQ(run("evt dump a.evt > a.out && evt dump m.evt | cmp - a.out && evt check m.evt > out"), prints(""));
}

TEST_F(Merge, OfMergedOnesHasTheSameEvents) {
  given_two();
  given("c.evt", 3, 0, "type 1024 tick\nstream 1 \"c\"\n0.0022 1 tick\n");
  EXPECT_EQ(run("evt merge a.evt b.evt -o ab.evt 2> said && evt merge ab.evt c.evt -o abc.evt 2> said &&"
                " evt merge a.evt b.evt c.evt -o all.evt 2> said && evt dump all.evt > all.out &&"
                " evt dump abc.evt | cmp - all.out && evt check abc.evt > out"),
            prints(""));
}

TEST_F(Merge, OfTheSameTwiceHasItOnce) {
  given_two();
  EXPECT_EQ(run("evt merge a.evt a.evt -o m.evt"),
            (Outcome{0, "", "evt merge: a.evt: left out: its session is in a.evt already\n"}));
  EXPECT_EQ(run("evt dump --count m.evt"), prints("3\n"));
}

// Its parts, a part and the whole, and what was merged before with what is in it.
TEST_F(Merge, OfWhatHasEventsOfOneSessionIsRefused) {
  given_two();
  const auto refusal = [](const std::string& one, const std::string& other) {
    return refuses(3, fmt::format("evt merge: {} and {} have events of one session, which would count twice: expected "
                                  "each session in one input\n",
                                  one, other));
  };
  ASSERT_EQ(run("evt cut --split-every 1500us a.evt -o p.evt"), prints(""));
  EXPECT_EQ(run("evt merge p.0001.evt p.0002.evt -o m.evt"), refusal("p.0001.evt", "p.0002.evt"));
  EXPECT_EQ(run("evt merge a.evt p.0002.evt -o m.evt"), refusal("a.evt", "p.0002.evt"));
  EXPECT_EQ(run("evt merge p.0002.evt a.evt -o m.evt"), refusal("p.0002.evt", "a.evt"));
  ASSERT_EQ(run("evt merge a.evt b.evt -o ab.evt 2> said"), prints(""));
  EXPECT_EQ(run("evt merge ab.evt b.evt -o m.evt"), refusal("ab.evt", "b.evt"));
  EXPECT_EQ(run("evt merge b.evt ab.evt -o m.evt"), refusal("b.evt", "ab.evt"));
  EXPECT_EQ(run("ls m.evt 2>/dev/null").out, "");
}

// The threads run and the span is open before the cut, which repeats that at its first moment.
TEST_F(Merge, DoesNotCountWhatACutRepeats) {
  given(
      "a.evt", 1, 0,
      "type 1024 begin role=spanBegin (name text role=name)\ntype 1025 end role=spanEnd\n"
      "type 1026 run role=threadRun (thread u32 role=thread)\ntype 1027 stop role=threadStop (thread u32 role=thread)\n"
      "stream 1 \"cpu\"\n0.1 1 run thread=7\n0.2 1 begin name=\"work\"\n0.5 1 end\n0.6 1 stop thread=7\n"
      "0.7 1 run thread=7\n0.8 1 stop thread=7\n");
  ASSERT_EQ(run("evt cut --from 0.3 a.evt -o cut.evt"), prints(""));
  ASSERT_EQ(run("evt dump --count cut.evt"), prints("6\n")) << "two of them are repeated";
  EXPECT_EQ(run("evt merge cut.evt -o m.evt"),
            (Outcome{0, "",
                     "evt merge: cut.evt: a cut of a session: what it repeats from before its first moment does not "
                     "count\n"}));
  const std::string events = "event,events\nstop,2\nend,1\nrun,1\n";
  const std::string columns = " | cut -d, -f1,2";
  EXPECT_EQ(run("evt stats events --csv cut.evt" + columns).out, events);
  EXPECT_EQ(run("evt stats events --csv m.evt" + columns).out, events);
  EXPECT_EQ(run("evt stats spans --csv m.evt | grep work").out, "") << "nothing states when it began";
  EXPECT_EQ(run("evt stats threads --csv m.evt | grep -c 100000000").out, "1\n") << "from 0.7 to 0.8";
}

TEST_F(Merge, NamesTheFoldersOfFilesOfOneName) {
  given_two();
  ASSERT_EQ(run("mkdir -p 1/x 2/x && mv a.evt 1/x/t.evt && mv b.evt 2/x/t.evt"), prints(""));
  const std::string aligned = ": aligned by wall clock (offset 500 us); as accurate as the two clocks\n";
  EXPECT_EQ(run("evt merge 1/x/t.evt 2/x/t.evt -o m.evt"), (Outcome{0, "", "evt merge: 2/x/t.evt" + aligned}));
  EXPECT_EQ(run("evt cut --part 2/x/t.evt m.evt -o b.evt && evt dump --count b.evt"), prints("3\n"));
  ASSERT_EQ(run("mkdir 3 && cp 1/x/t.evt 3/a.evt && mv 2/x/t.evt 3/b.evt"), prints(""));
  EXPECT_EQ(run("evt merge 3/a.evt 3/b.evt -o m.evt"), (Outcome{0, "", "evt merge: b.evt" + aligned}));
}

TEST_F(Merge, NumbersPartsOfOneName) {
  given_two();
  given("c.evt", 3, 0, "type 1024 tick\nstream 1 \"c\"\n0.0022 1 tick\n");
  ASSERT_EQ(run("evt merge a.evt b.evt -o ab.evt 2> said && mkdir other && mv c.evt other/b.evt"), prints(""));
  ASSERT_EQ(run("evt merge ab.evt other/b.evt -o m.evt 2> said"), prints(""));
  EXPECT_EQ(run("evt dump --header m.evt | grep -o '^part  *[^,]*'"),
            prints("part      a.evt\npart      b.evt\npart      b.evt(2)\n"));
  EXPECT_EQ(run("evt cut --part 'b.evt(2)' m.evt -o c.evt && evt dump --count c.evt"), prints("1\n"));
}

TEST_F(Merge, OfAnEmptyFileIsRefused) {
  given_two();
  given_file("empty.evt", "");
  const Outcome outcome = run("evt merge a.evt empty.evt -o m.evt");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(files(), (std::vector<std::string>{"a.evt", "b.evt", "empty.evt"})) << "nothing is left behind";
}

TEST_F(Merge, OntoAnInputIsRefused) {
  given_two();
  const std::string before = content_of("b.evt");
  EXPECT_EQ(run("evt merge a.evt b.evt -o b.evt"),
            refuses(2, "evt merge: b.evt is the input: the output must be another file\n"));
  EXPECT_EQ(run("ln b.evt c.evt; evt merge a.evt b.evt -o c.evt"),
            refuses(2, "evt merge: c.evt is the input b.evt: the output must be another file\n"));
  EXPECT_EQ(content_of("b.evt"), before);
}

TEST_F(Merge, SaysWhichTypesAndFieldsToSyncOnAreNotThere) {
  given_two();
  const std::string times = "evt merge: b.evt: aligned by wall clock (offset 500 us); as accurate as the two clocks\n";
  const std::string none = "evt merge: b.evt: no messages in both directions: its time is by UTC\n";
  EXPECT_EQ(
      run("evt merge --sync-on sned,receive a.evt b.evt -o m.evt"),
      (Outcome{1, "", none + "evt merge: --sync-on: no event type is called sned; did you mean send?\n" + times}));
  EXPECT_EQ(run("evt merge --sync-on send,receive:di a.evt b.evt -o m.evt"),
            (Outcome{1, "",
                     none +
                         "evt merge: --sync-on: send has no field di; did you mean id?\n"
                         "evt merge: --sync-on: receive has no field di; did you mean id?\n" +
                         times}));
  given("c.evt", 3, 0, "type 1024 ping\nstream 1 \"c\"\n0.0022 1 ping\n");
  EXPECT_EQ(run("evt merge --sync-on ping,receive c.evt b.evt -o m.evt 2>&1 | grep sync"),
            prints("evt merge: --sync-on: ping has no fields by which events belong together\n"));
}

TEST_F(Merge, WithoutMessagesToSyncOnSaysSo) {
  given_two();
  EXPECT_EQ(run("evt merge --sync-on send,receive a.evt b.evt -o m.evt"),
            (Outcome{0, "",
                     "evt merge: b.evt: no messages in both directions: its time is by UTC\n"
                     "evt merge: b.evt: aligned by wall clock (offset 500 us); as accurate as the two clocks\n"}));
}

TEST_F(Merge, RefusesToSyncOnWhatCannotBe) {
  given_two();
  EXPECT_EQ(run("evt merge --sync-on send,receive a.evt -o m.evt"),
            refuses(2, "evt merge: --sync-on: needs two traces or more\n"));
  EXPECT_EQ(
      run("evt merge --sync-on send,send a.evt b.evt -o m.evt"),
      refuses(
          2,
          "evt merge: --sync-on: expected SEND,RECEIVE or SEND,RECEIVE:FIELD, two types of events, found send,send\n"));
  EXPECT_EQ(run("evt merge --offset a.evt=1s --offset a.evt=2s a.evt b.evt -o m.evt"),
            refuses(2, "evt merge: --offset: a.evt already has one\n"));
}

TEST_F(Merge, GoesThroughPipes) {
  given_two();
  EXPECT_EQ(run("evt merge a.evt b.evt -o m.evt 2> said"), prints(""));
  EXPECT_EQ(run("mkfifo p && (cat b.evt > p &) ; cat a.evt | evt merge - p -o - 2> said | evt dump - > piped.out;"
                " evt dump m.evt | cmp - piped.out"),
            prints(""));
}

TEST_F(Merge, IsAlwaysTheSameToTheByte) {
  given_two();
  EXPECT_EQ(run("evt merge a.evt b.evt -o m.evt 2> said && evt merge a.evt b.evt -o n.evt 2> said && cmp m.evt n.evt"),
            prints(""));
}

TEST_F(Merge, OffsetsAreAddedToWhatClocksSay) {
  given_two();
  EXPECT_EQ(run("evt merge --offset b.evt=-400000 a.evt b.evt -o m.evt"),
            (Outcome{0, "", "evt merge: b.evt: aligned by hand (offset 100 us); as accurate as the offset\n"}));
  EXPECT_EQ(run("evt dump --event receive m.evt"), prints("   0.001100000  main#2  receive id=1\n"));
}

TEST_F(Merge, WhatIsDamagedIsALossAtItsPlace) {
  std::string lines = "type 1024 say (what text)\nstream 1 \"m\"\n";
  for (int i = 0; i < 20'000; ++i) lines += fmt::format("0.{:09} 1 say what=\"hello\"\n", 100'000 + i);
  given("a.evt", 1, 0, lines);
  given("b.evt", 2, 0, "type 1024 tick\nstream 1 \"b\"\n0.00011 1 tick\n");
  std::string bytes = content_of("a.evt");
  bytes[bytes.find("hello", bytes.size() / 2)] = 'J';
  given_file("a.evt", bytes);
  const Outcome outcome = run("evt merge a.evt b.evt -o m.evt");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, ::testing::HasSubstr("ignored: payload checksum is"));
  EXPECT_EQ(run("echo $(( $(evt dump --count m.evt 2> said) + $(grep -o '[0-9]* events' said | cut -d' ' -f1) ))"),
            prints("20001\n"));
  EXPECT_EQ(run("evt convert m.evt 2> said | grep '^[0-9]' | grep -B2 -A1 '!lost'"),
            prints("0.000108687 1 say what=\"hello\"\n"
                   "0.000110000 2 tick\n"
                   "0.000113032 1 !lost count=4344 cause=damage duration=0.000004345\n"
                   "0.000113032 1 say what=\"hello\"\n"));
  EXPECT_EQ(run("evt check m.evt").status, 0) << "the merged trace itself is whole";
  EXPECT_EQ(run("evt dump --count m.evt").err, "evt dump: m.evt: 4344 events of stream 1 \"m\" lost: damage\n");
}

TEST_F(Merge, ThatAnInputWasCutIsSaidAndKept) {
  given("a.evt", 1, 0, "type 1024 tick\nstream 1 \"a\"\n0.1 1 tick\n");
  given("b.evt", 2, 0, "type 1024 tick\nstream 1 \"b\"\n0.2 1 tick\ntruncated\n");
  const Outcome outcome = run("evt merge a.evt b.evt -o m.evt");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, ::testing::HasSubstr("b.evt: the session of b.evt is truncated: its end is missing\n"));
  EXPECT_EQ(run("evt dump --header m.evt | grep ^part | tail -1"),
            prints("part      b.evt, stream 2, aligned by wall clock; as accurate as the two clocks, truncated\n"));
}

TEST_F(Merge, OfAThousandNeedsFewDescriptors) {
  given_two();
  std::string names;
  for (int i = 0; i < 1000; ++i) {
    const std::string name = fmt::format("t{:03}.evt", i);
    given_trace(name, fmt::format("evtrace text 1\nsession uuid=0x0001020304054607880900b0{:08x} "
                                  "start=1767225600.000000000 program=\"p\"\ntype 1024 tick\nstream 1 \"t\"\n"
                                  "0.{:09} 1 tick\n",
                                  i, i));
  }
  EXPECT_EQ(run("ulimit -n 24 && evt merge t*.evt -o m.evt 2> said && evt dump --count m.evt && evt check m.evt > out"),
            prints("1000\n"));
}

TEST_F(Merge, OfProgramsOfOneBootIsExact) {
  EXPECT_EQ(run("parfib -n 16 -c 8 -w 2 -o a.evt > out && parfib -n 16 -c 8 -w 2 -o b.evt > out &&"
                " evt merge a.evt b.evt -o m.evt"),
            (Outcome{0, "", "evt merge: b.evt: aligned by the same clock; exact\n"}));
  EXPECT_EQ(run("evt check m.evt > out && evt dump --header m.evt | grep -c ^clock"), prints("1\n"));
  EXPECT_EQ(run("test $(evt dump --count m.evt) = $(( $(evt dump --count a.evt) + $(evt dump --count b.evt) ))"),
            prints(""));
}

TEST_F(Merge, OfAKilledProgramHasWhatItsRingHas) {
  EXPECT_EQ(run("parfib -n 60 -c 22 -w 1 -o a.evt > out & until test -s a.evt; do sleep 0.05; done; sleep 0.2; kill -9 "
                "$!; wait $! 2> said;"
                " evt dump --count a.evt > want 2> said; evt merge a.evt -o m.evt 2> said || cat said;"
                " evt check --recover a.evt > out 2> said; evt dump --count m.evt 2> said | cmp - want"),
            prints(""));
}

TEST_F(Merge, OfALivingProgramHasWhatItHasRecordedSoFar) {
  EXPECT_EQ(run("parfib -n 60 -c 22 -w 1 -o a.evt > out &"
                " until evt dump --count a.evt 2> said2 | grep -q '^[1-9]'; do sleep 0.05; done;"
                " evt merge a.evt -o m.evt 2> said; echo $?; kill -9 $!; wait $! 2> said2;"
                " evt check --recover a.evt > out 2> said2; evt check m.evt > out; echo $?"),
            prints("0\n0\n"));
  EXPECT_THAT(content_of("said"), ::testing::HasSubstr("evt merge: a.evt: its writer still runs; "));
}

TEST_F(Merge, SaysWhatIsWrongWithOptions) {
  given_two();
  EXPECT_EQ(run("evt merge a.evt --offset c.evt=5 -o m.evt").status, 2);
  EXPECT_EQ(run("evt merge a.evt --offset a.evt=much -o m.evt").status, 2);
  EXPECT_EQ(run("evt merge a.evt --sync-on send -o m.evt").status, 2);
  EXPECT_EQ(run("evt merge -o m.evt").status, 2);
}

}  // namespace
}  // namespace evt::testing

// evt dump for people: one line for each event.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class Dump : public AtTheShell {
 protected:
  // What evt dump prints of the trace that this text describes.
  Outcome dump_of(std::string_view text, const std::string& options = "") const {
    given_trace("x.evt", text);
    return run("evt dump x.evt " + options);
  }
};

constexpr std::string_view kThreeEvents =
    "type 1024 sched.stop (thread u32) (why text)\n"
    "type 1025 tick\n"
    "stream 1 \"main\" thread=7 process=3\n"
    "stream 12 \"worker two\"\n"
    "0.000000001 1 sched.stop thread=7 why=\"page fault\"\n"
    "1.500000000 12 tick\n"
    "123.000000000 1 sched.stop thread=4294967295 why=\"\"\n";

constexpr const char* kThreeLines =
    "   0.000000001  main        sched.stop thread=7 why=\"page fault\"\n"
    "   1.500000000  worker two  tick\n"
    " 123.000000000  main        sched.stop thread=4294967295 why=\"\"\n";

TEST_F(Dump, ShowsWhatAConvertedTextSays) {
  given_text("x.txt", kThreeEvents);
  EXPECT_EQ(run("evt convert x.txt -o x.evt && evt dump x.evt"), prints(kThreeLines));
}

TEST_F(Dump, PutsTimeStreamAndTypeInColumnsAndThenTheFields) { EXPECT_EQ(dump_of(kThreeEvents), prints(kThreeLines)); }

TEST_F(Dump, IsAlsoCalledTracedump) {
  given_trace("x.evt", kThreeEvents);
  EXPECT_EQ(run("tracedump x.evt"), prints(kThreeLines));
  EXPECT_EQ(run("ln -s $(command -v evt) tracedump && ./tracedump x.evt"), prints(kThreeLines));
}

TEST_F(Dump, ReadsAPipe) {
  given_trace("x.evt", kThreeEvents);
  EXPECT_EQ(run("cat x.evt | tracedump -"), prints(kThreeLines));
  EXPECT_EQ(run("cat x.evt | evt dump -"), prints(kThreeLines));
  EXPECT_EQ(run("cat x.evt | evt dump /dev/stdin"), prints(kThreeLines));
}

TEST_F(Dump, ReadsARedirectedFile) {
  given_trace("x.evt", kThreeEvents);
  EXPECT_EQ(run("tracedump - < x.evt"), prints(kThreeLines));
}

TEST_F(Dump, ReadsAFifo) {
  given_trace("x.evt", kThreeEvents);
  EXPECT_EQ(run("mkfifo f; cat x.evt > f & evt dump f"), prints(kThreeLines));
}

TEST_F(Dump, PrintsNothingOfATraceWithoutEvents) {
  EXPECT_EQ(dump_of("type 1024 tick\nstream 1 \"main\"\n"), prints(""));
}

TEST_F(Dump, NumbersAStreamThatHasNoName) {
  EXPECT_EQ(dump_of("type 1024 tick\n"
                    "stream 1 \"\"\n"
                    "stream 345 \"\"\n"
                    "0.000000001 1 tick\n"
                    "0.000000002 345 tick\n"),
            prints("   0.000000001  #1    tick\n"
                   "   0.000000002  #345  tick\n"));
}

TEST_F(Dump, LetsALongNameReachOverItsColumn) {
  EXPECT_EQ(dump_of("type 1024 tick (n u8)\n"
                    "stream 1 \"a name that is longer than its column can be\"\n"
                    "stream 2 \"short\"\n"
                    "0.000000001 1 tick n=1\n"
                    "0.000000002 2 tick n=2\n"),
            prints("   0.000000001  a name that is longer than its column can be  tick n=1\n"
                   "   0.000000002  short                     tick n=2\n"));
}

TEST_F(Dump, AlignsNamesByTheirCharactersNotTheirBytes) {
  EXPECT_EQ(dump_of("type 1024 tick\n"
                    "stream 1 \"größe\"\n"
                    "stream 2 \"short\"\n"
                    "0.000000001 1 tick\n"
                    "0.000000002 2 tick\n"),
            prints("   0.000000001  größe  tick\n"
                   "   0.000000002  short  tick\n"));
}

TEST_F(Dump, AlignsByTheColumnsThatCharactersTake) {
  EXPECT_EQ(dump_of("type 1024 tick\n"
                    "stream 1 \"漢字\"\n"
                    "stream 2 \"u\xCC\x88 te\"\n"
                    "0.000000001 1 tick\n"
                    "0.000000002 2 tick\n"),
            prints("   0.000000001  漢字  tick\n"
                   "   0.000000002  u\xCC\x88 te  tick\n"));
}

TEST_F(Dump, ShowsTimesBeforeTheStartAndLongAfterIt) {
  EXPECT_EQ(dump_of("type 1024 tick\n"
                    "stream 1 \"m\"\n"
                    "-2.000000003 1 tick\n"
                    "-0.000000001 1 tick\n"
                    "0.000000000 1 tick\n"
                    "3999999999.999999999 1 tick\n"),
            prints("  -2.000000003  m  tick\n"
                   "  -0.000000001  m  tick\n"
                   "   0.000000000  m  tick\n"
                   "3999999999.999999999  m  tick\n"));
}

TEST_F(Dump, QuotesNamesThatLookLikeItsOwnWords) {
  EXPECT_EQ(dump_of("type 1024 \"!lost\" (count u8)\n"
                    "type 1025 \"type#5\"\n"
                    "stream 1 \"#2\"\n"
                    "stream 2 \"\"\n"
                    "0.000000001 1 !lost count=1 cause=sink duration=0.000000000\n"
                    "0.000000002 1 \"!lost\" count=1\n"
                    "0.000000003 2 \"type#5\"\n"
                    "0.000000004 2 type#5\n"),
            (Outcome{0,
                     "   0.000000001  \"#2\"  !lost    count=1 cause=sink duration=0.000000000\n"
                     "   0.000000002  \"#2\"  \"!lost\"  count=1\n"
                     "   0.000000003  #2    \"type#5\"\n"
                     "   0.000000004  #2    type#5\n",
                     "evt dump: x.evt: 1 event of stream 1 \"#2\" lost: sink\n"}));
}

TEST_F(Dump, ShowsTypesThatTheTraceDoesNotDeclare) {
  EXPECT_EQ(dump_of("stream 1 \"m\"\n"
                    "0.000000001 1 type#77 +0x0102\n"
                    "0.000000002 1 type#70000\n"),
            prints("   0.000000001  m  type#77 +0x0102\n"
                   "   0.000000002  m  type#70000\n"));
}

TEST_F(Dump, ShowsAnInternedTextEvenWhereTwoNumbersHaveIt) {
  EXPECT_EQ(dump_of("type 1024 at (where interned)\n"
                    "stream 1 \"m\"\n"
                    "string 5 \"here\"\n"
                    "string 6 \"here\"\n"
                    "0.000000001 1 at where=#5\n"
                    "0.000000002 1 at where=#6\n"
                    "0.000000003 1 at where=#7\n"),
            prints("   0.000000001  m  at where=\"here\"\n"
                   "   0.000000002  m  at where=\"here\"\n"
                   "   0.000000003  m  at where=#7\n"));
}

TEST_F(Dump, ShowsAMeantStepInTime) {
  EXPECT_EQ(dump_of("type 1024 tick\n"
                    "stream 1 \"m\"\n"
                    "0.000000005 1 tick\n"
                    "0.000000002 1 !jump\n"
                    "0.000000002 1 tick\n"),
            prints("   0.000000002  m  !jump\n"
                   "   0.000000002  m  tick\n"
                   "   0.000000005  m  tick\n"));
}

TEST_F(Dump, NamesWhatWasLostAndStillSucceeds) {
  const Outcome expected = {0,
                            "   0.000000001  main    !lost count=1 cause=ring_full duration=0.000000000\n"
                            "   0.000000002  main    tick\n"
                            "   0.000000003  worker  !lost count=41 cause=too_large duration=0.000000000\n"
                            "   0.000000004  worker  !lost count=1 cause=too_large duration=0.000000000\n"
                            "   0.000000005  worker  !lost count=7 cause=99 duration=0.000000000\n",
                            "evt dump: x.evt: 1 event of stream 1 \"main\" lost: ring_full\n"
                            "evt dump: x.evt: 42 events of stream 2 \"worker\" lost: too_large\n"
                            "evt dump: x.evt: 7 events of stream 2 \"worker\" lost: cause 99\n"};
  EXPECT_EQ(dump_of("type 1024 tick\n"
                    "stream 1 \"main\"\n"
                    "stream 2 \"worker\"\n"
                    "0.000000001 1 !lost count=1 cause=ring_full duration=0.000000000\n"
                    "0.000000002 1 tick\n"
                    "0.000000003 2 !lost count=41 cause=too_large duration=0.000000000\n"
                    "0.000000004 2 !lost count=1 cause=too_large duration=0.000000000\n"
                    "0.000000005 2 !lost count=7 cause=99 duration=0.000000000\n"),
            expected);
}

TEST_F(Dump, FollowsOneSessionWithTheNext) {
  given_trace("a.evt",
              "evtrace text 1\n"
              "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program=\"first\"\n"
              "type 1024 tick\n"
              "stream 1 \"m\"\n"
              "5.000000000 1 tick\n");
  given_trace("b.evt",
              "evtrace text 1\n"
              "session uuid=0x100102030405460788090a0b0c0d0e1f start=1767225661.000000002 program=\"second one\"\n"
              "type 1024 other.thing (n u8)\n"
              "stream 1 \"worker\"\n"
              "1.000000000 1 other.thing n=1\n");
  EXPECT_EQ(run("cat a.evt b.evt > ab.evt; evt dump ab.evt"),
            prints("# session of first, 2026-01-01 00:00:00.000000000 UTC\n"
                   "   5.000000000  m       tick\n"
                   "# session of second one, 2026-01-01 00:01:01.000000002 UTC\n"
                   "   1.000000000  worker  other.thing n=1\n"));
  EXPECT_EQ(run("cat a.evt b.evt | evt dump --count -"), prints("2\n"));
}

TEST_F(Dump, CountsEvents) {
  EXPECT_EQ(dump_of(kThreeEvents, "--count"), prints("3\n"));
  EXPECT_EQ(dump_of("", "--count"), prints("0\n"));
}

TEST_F(Dump, DoesNotCountMarkersAsEvents) {
  EXPECT_EQ(dump_of("type 1024 tick\n"
                    "stream 1 \"m\"\n"
                    "0.000000005 1 tick\n"
                    "0.000000006 1 !lost count=9 cause=sink duration=0.000000000\n"
                    "0.000000002 1 !jump\n"
                    "0.000000002 1 tick\n",
                    "--count"),
            (Outcome{0, "2\n", "evt dump: x.evt: 9 events of stream 1 \"m\" lost: sink\n"}));
}

TEST_F(Dump, StopsAtTheLimit) {
  EXPECT_EQ(dump_of(kThreeEvents, "--limit 2"),
            prints("   0.000000001  main        sched.stop thread=7 why=\"page fault\"\n"
                   "   1.500000000  worker two  tick\n"));
  EXPECT_EQ(dump_of(kThreeEvents, "--limit 3"), prints(kThreeLines));
  EXPECT_EQ(dump_of(kThreeEvents, "--limit 4"), prints(kThreeLines));
  EXPECT_EQ(dump_of(kThreeEvents, "--limit 0"), prints(""));
  EXPECT_EQ(dump_of(kThreeEvents, "--limit 2 --count"), prints("2\n"));
}

TEST_F(Dump, NamesALossThatLiesBehindTheLimit) {
  EXPECT_EQ(
      dump_of("type 1024 tick\n"
              "stream 1 \"m\"\n"
              "0.000000001 1 tick\n"
              "0.000000002 1 !lost count=3 cause=overwritten duration=0.000000000\n",
              "--limit 1"),
      (Outcome{0, "   0.000000001  m  tick\n", "evt dump: x.evt: 3 events of stream 1 \"m\" lost: overwritten\n"}));
}

}  // namespace
}  // namespace evt::testing

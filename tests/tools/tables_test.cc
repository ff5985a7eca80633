// evt dump --types, --streams, --header and --canonical.
#include <evt/format.h>
#include <evt/trace.h>
#include <gmock/gmock.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class Tables : public AtTheShell {
 protected:
  Outcome dump_of(std::string_view text, const std::string& options) const {
    given_trace("x.evt", text);
    return run("evt dump x.evt " + options);
  }
};

constexpr std::string_view kTwoTypes =
    "type 1024 sched.stop \"a thread stops\" (thread u32) (why text \"the reason\")\n"
    "type 1025 tick\n"
    "type 70000 sched.state (state enum8 labels=[1=run 2=wait]) (cpus u16[])\n"
    "stream 1 \"main\" thread=7 process=3\n"
    "stream 12 \"worker two\"\n"
    "stream 13 \"\"\n"
    "string 1 \"never used\"\n"
    "0.000000001 1 sched.stop thread=7 why=\"page fault\"\n"
    "1.500000000 12 tick\n"
    "2.000000000 12 !lost count=3 cause=ring_full duration=0.000000000\n";

constexpr const char* kLoss = "evt dump: x.evt: 3 events of stream 12 \"worker two\" lost: ring_full\n";

TEST_F(Tables, TypesHaveNumberNameSizeFieldsAndDescription) {
  EXPECT_EQ(dump_of(kTwoTypes, "--types"),
            (Outcome{0,
                     "number  name             size  fields                  description\n"
                     "  1024  sched.stop   variable  thread:u32 why:text     a thread stops\n"
                     "  1025  tick                0\n"
                     " 70000  sched.state  variable  state:enum8 cpus:u16[]\n",
                     kLoss}));
}

TEST_F(Tables, StreamsHaveTheirThreadsAndCounts) {
  EXPECT_EQ(dump_of(kTwoTypes, "--streams"),
            (Outcome{0,
                     "stream  name        thread  process  rows  lost        first         last\n"
                     "     1  main             7        3     1     0  0.000000001  0.000000001\n"
                     "    12  worker two       -        -     2     3  1.500000000  2.000000000\n"
                     "    13  \"\"               -        -     0     0            -            -\n",
                     kLoss}));
}

TEST_F(Tables, TheHeaderSaysWhoWasRecorded) {
  const std::string text =
      "evtrace text 1\n"
      "session uuid=0x3e4f16a983d64c138414fd5598ee9e24 start=1795305640.721695379 "
      "program=\"hello\" pid=23981 host=\"a-host\" boot=\"fba86de5\" writer=\"evtrace 0.1\" "
      "args=[\"hello\" \"-v\"]\n" +
      std::string(kTwoTypes);
  const std::string size = std::to_string(trace_from_text(text).size());
  EXPECT_EQ(dump_of(text, "--header"), (Outcome{0,
                                                "program   hello\n"
                                                "command   hello -v\n"
                                                "pid       23981\n"
                                                "host      a-host\n"
                                                "start     2026-11-22 00:00:40.721695379 UTC\n"
                                                "uuid      3e4f16a9-83d6-4c13-8414-fd5598ee9e24\n"
                                                "format    1.0\n"
                                                "writer    evtrace 0.1\n"
                                                "clock     1: other, 1000000000 Hz\n"
                                                "types     3\n"
                                                "streams   3\n"
                                                "strings   1\n"
                                                "rows      3\n"
                                                "lost      3\n"
                                                "end       closed\n"
                                                "bytes     " +
                                                    size + "\n",
                                                kLoss}));
}

TEST_F(Tables, TheHeaderNamesTheSessionsThatThisOneWasMadeFrom) {
  const Outcome outcome = dump_of(
      "evtrace text 1\n"
      "session uuid=0x3e4f16a983d64c138414fd5598ee9e24 start=0.000000000 "
      "origins=[0x000102030405460788090a0b0c0d0e0f 0x100102030405460788090a0b0c0d0e1f]\n",
      "--header");
  EXPECT_THAT(outcome.out, HasSubstr("\nuuid      3e4f16a9-83d6-4c13-8414-fd5598ee9e24\n"
                                     "origin    00010203-0405-4607-8809-0a0b0c0d0e0f\n"
                                     "origin    10010203-0405-4607-8809-0a0b0c0d0e1f\n"
                                     "format    1.0\n"));
}

TEST_F(Tables, TheHeaderShowsAStartBefore1970) {
  const Outcome outcome = dump_of(
      "evtrace text 1\n"
      "session uuid=0x3e4f16a983d64c138414fd5598ee9e24 start=-0.000000001\n",
      "--header");
  EXPECT_NE(outcome.out.find("\nstart     1969-12-31 23:59:59.999999999 UTC\n"), std::string::npos) << outcome;
}

TEST_F(Tables, TheHeaderKeepsTheWordsOfTheCommandApart) {
  const Outcome outcome = dump_of(
      "evtrace text 1\n"
      "session uuid=0x3e4f16a983d64c138414fd5598ee9e24 start=0.000000000 args=[\"a\" \"b c\" \"\"]\n",
      "--header");
  EXPECT_NE(outcome.out.find("\ncommand   a \"b c\" \"\"\n"), std::string::npos) << outcome;
}

// Recorded by a program, as no text form describes a ring.
TEST_F(Tables, TheHeaderNamesTheRing) {
  ASSERT_EQ(run("hello"), prints(""));
  const std::string header = run("evt dump --header hello.evt").out;
  EXPECT_THAT(header, ContainsRegex("\nwriter    [^\n]*\nring      shared memory, "
                                    "evtrace-[0-9]+-[0-9a-f]{16}[.]ring\ntime      CLOCK_MONOTONIC\nclock "));
  auto trace = Trace::open(path_of("hello.evt"));
  ASSERT_TRUE(trace);
  EXPECT_THAT(header, HasSubstr("\nring      shared memory, " + trace->sessions()[0].ring_name + "\n"));
}

// With a limit on the size of files there is no shared memory.
TEST_F(Tables, TheHeaderSaysThatTheRingIsPrivate) {
  ASSERT_EQ(run("ulimit -f 1000; hello"), prints(""));
  EXPECT_THAT(run("evt dump --header hello.evt").out, HasSubstr("\nring      private memory\n"));
}

TEST_F(Tables, TheHeaderHasNoRingWhereThereIsNone) {
  ASSERT_EQ(run("EVTRACE=vm.evt,inline interpreter '" EVT_SOURCE_FOLDER "/examples/interpreter/lists.asm'"),
            prints("20100\n"));
  EXPECT_THAT(run("evt dump --header vm.evt").out,
              ContainsRegex("\nwriter    [^\n]*\ntime      CLOCK_MONOTONIC\nclock "));
}

TEST_F(Tables, TheHeaderTellsACutSessionFromAClosedOne) {
  const Outcome outcome = dump_of("truncated\n", "--header");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "evt dump: x.evt: the session of test is truncated: its end is missing\n");
  EXPECT_NE(outcome.out.find("\nend       truncated\n"), std::string::npos) << outcome;
}

TEST_F(Tables, SeveralCanBeAskedForAtOnce) {
  EXPECT_EQ(dump_of("type 1024 tick\nstream 1 \"m\"\n", "--types --streams"),
            prints("number  name  size  fields  description\n"
                   "  1024  tick     0\n"
                   "stream  name  thread  process  rows  lost  first  last\n"
                   "     1  m          -        -     0     0      -     -\n"));
}

TEST_F(Tables, AlignNamesByTheirCharacters) {
  EXPECT_EQ(dump_of("stream 1 \"größe\"\nstream 2 \"short\"\n", "--streams"),
            prints("stream  name   thread  process  rows  lost  first  last\n"
                   "     1  größe       -        -     0     0      -     -\n"
                   "     2  short       -        -     0     0      -     -\n"));
}

TEST_F(Tables, AreOfOneSessionAfterTheOther) {
  const std::string text =
      "evtrace text 1\n"
      "session uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000 program=\"first\"\n"
      "type 1024 tick\n"
      "stream 1 \"m\"\n"
      "session uuid=0x100102030405460788090a0b0c0d0e1f start=0.000000000 program=\"second\"\n"
      "type 1024 tock\n"
      "stream 1 \"n\"\n";
  EXPECT_EQ(dump_of(text, "--types"), prints("session of first\n"
                                             "number  name  size  fields  description\n"
                                             "  1024  tick     0\n"
                                             "session of second\n"
                                             "number  name  size  fields  description\n"
                                             "  1024  tock     0\n"));
  EXPECT_EQ(dump_of(text, "--streams"), prints("session of first\n"
                                               "stream  name  thread  process  rows  lost  first  last\n"
                                               "     1  m          -        -     0     0      -     -\n"
                                               "session of second\n"
                                               "stream  name  thread  process  rows  lost  first  last\n"
                                               "     1  n          -        -     0     0      -     -\n"));
  const Outcome header = dump_of(text, "--header");
  EXPECT_EQ(header.status, 0);
  EXPECT_NE(header.out.find("end       closed\n\nprogram   second\n"), std::string::npos) << header;
}

TEST_F(Tables, CanonicalIsTheTextFormWithEachDeclarationBeforeItsFirstUse) {
  EXPECT_EQ(dump_of("type 1024 later (n u8)\n"
                    "type 1025 unused\n"
                    "type 1026 first (s interned)\n"
                    "stream 1 \"one\"\n"
                    "stream 2 \"two\" thread=7\n"
                    "string 3 \"here\"\n"
                    "string 9 \"unused\"\n"
                    "2.000000000 1 later n=1\n"
                    "1.000000000 2 first s=\"here\"\n"
                    "3.000000000 2 later n=2\n",
                    "--canonical"),
            prints(std::string(kFirstLines) + "type 1026 first (s interned)\n"
                                              "stream 2 \"two\" thread=7\n"
                                              "string 3 \"here\"\n"
                                              "1.000000000 2 first s=\"here\"\n"
                                              "type 1024 later (n u8)\n"
                                              "stream 1 \"one\"\n"
                                              "2.000000000 1 later n=1\n"
                                              "3.000000000 2 later n=2\n"
                                              "type 1025 unused\n"
                                              "string 9 \"unused\"\n"));
}

TEST_F(Tables, CanonicalIsWhatConvertWrites) {
  given_trace("x.evt", kTwoTypes);
  const Outcome dumped = run("evt dump --canonical x.evt");
  EXPECT_EQ(dumped.status, 0);
  EXPECT_EQ(dumped.err, "evt dump: x.evt: 3 events of stream 12 \"worker two\" lost: ring_full\n");
  const Outcome converted = run("evt convert x.evt");
  EXPECT_EQ(converted.status, 0);
  EXPECT_EQ(converted.out, dumped.out);
  EXPECT_EQ(converted.err, "evt convert: x.evt: 3 events of stream 12 \"worker two\" lost: ring_full\n");
}

TEST_F(Tables, CanonicalCanBeLimited) {
  EXPECT_EQ(dump_of("type 1024 tick\n"
                    "stream 1 \"m\"\n"
                    "1.000000000 1 tick\n"
                    "2.000000000 1 tick\n",
                    "--canonical --limit 1"),
            prints(std::string(kFirstLines) + "type 1024 tick\n"
                                              "stream 1 \"m\"\n"
                                              "1.000000000 1 tick\n"));
}

}  // namespace
}  // namespace evt::testing

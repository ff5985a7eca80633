// `evt check`: what a trace is worth, and `--recover`, which puts what a killed program left into it.
#include <evt/writer.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "at_the_shell.h"
#include "support/events_of_writer.h"

namespace {

struct Step {
  std::uint32_t n = 0;
};

}  // namespace

template <>
inline constexpr auto evt::schema<Step> = evt::event("step", "", evt::field("n", &Step::n));

namespace evt::testing {
namespace {

class Check : public AtTheShell {
 protected:
  ~Check() override {
    for (const std::string& ring : rings_) unlink(ring.c_str());
  }

  Writer open(std::string_view name) {
    evt_session_info info = {};
    info.program = "worker";
    evt_options options = {};
    options.session = &info;
    auto writer = Writer::open(path_of(name), options);
    if (!writer) throw std::runtime_error(writer.status().message());
    leave_out_events_of_writer(*writer);
    return *std::move(writer);
  }
  // 10 steps are in the file, 2 in the ring.
  static void record(Writer& writer) {
    const auto types = writer.declare<Step>();
    Stream stream = writer.stream("a");
    for (std::uint32_t n = 0; n < 10; ++n) stream.emit(types, Step{n});
    stream.flush();
    for (std::uint32_t n = 10; n < 12; ++n) stream.emit(types, Step{n});
  }
  void given_killed_program(std::string_view name) {
    const pid_t child = fork();
    if (child == 0) {
      auto* const writer = new Writer(open(name));
      record(*writer);
      kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ring_of(name);
  }
  // The name of the ring of a trace.
  std::string ring_of(std::string_view name) {
    auto trace = Trace::open(path_of(name));
    if (!trace) throw std::runtime_error(trace.status().message());
    std::string ring = trace->sessions()[0].ring_name;
    rings_.push_back("/dev/shm/" + ring);
    return ring;
  }
  bool ring_exists() const { return std::filesystem::exists(rings_.back()); }

 private:
  std::vector<std::string> rings_;
};

TEST_F(Check, FindsNothingWrongWithAClosedTrace) {
  Writer writer = open("a.evt");
  record(writer);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(run("evt check a.evt"), prints("a.evt: session of worker, 12 events, 0 lost: closed\n"));
  EXPECT_EQ(run("evt check --recover a.evt"), prints("a.evt: session of worker, 12 events, 0 lost: closed\n"));
  EXPECT_EQ(run("evt check - <a.evt"), prints("standard input: session of worker, 12 events, 0 lost: closed\n"));
}

TEST_F(Check, CountsOneEvent) {
  given_trace("a.evt", "stream 1 \"m\"\n0.000000001 1 type#7\n");
  EXPECT_EQ(run("evt check a.evt"), prints("a.evt: session of test, 1 event, 0 lost: closed\n"));
}

TEST_F(Check, LooksAtEachFileAndEachSession) {
  given_trace("a.evt", "stream 1 \"m\"\n0.000000001 1 type#7\n");
  given_trace("b.evt", "stream 1 \"m\"\n");
  EXPECT_EQ(run("evt check a.evt b.evt a.evt"), prints("a.evt: session of test, 1 event, 0 lost: closed\n"
                                                       "b.evt: session of test, 0 events, 0 lost: closed\n"
                                                       "a.evt: session of test, 1 event, 0 lost: closed\n"));
}

TEST_F(Check, NamesWhatWasLost) {
  given_trace("a.evt", "stream 1 \"m\"\n0.000000001 1 !lost count=3 cause=ring_full duration=0.000000000\n");
  const Outcome outcome = run("evt check a.evt");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "a.evt: session of test, 0 events, 3 lost: closed\n");
  EXPECT_EQ(outcome.err, "evt check: a.evt: 3 events of stream 1 \"m\" lost: ring_full\n");
}

TEST_F(Check, SaysThatATraceWasCut) {
  given_trace("a.evt", "stream 1 \"m\"\n0.000000001 1 type#7\n");
  const std::string whole = content_of("a.evt");
  given_file("a.evt", whole.substr(0, whole.size() - 88));  // without its TRAILER
  const Outcome cut = {1, "a.evt: session of test, 1 event, 0 lost: truncated\n",
                       "evt check: a.evt: the session of test is truncated: its end is missing\n"};
  EXPECT_EQ(run("evt check a.evt"), cut);
  EXPECT_EQ(run("evt check --recover a.evt"), cut);
}

TEST_F(Check, SaysWhatIsDamaged) {
  given_trace("a.evt", "stream 1 \"m\"\n0.000000001 1 type#7\n");
  std::string bytes = content_of("a.evt");
  bytes[bytes.size() - 88 - 8] ^= 1;  // in the rows
  given_file("a.evt", bytes);
  EXPECT_EQ(run("evt check a.evt"),
            (Outcome{1, "a.evt: session of test, 0 events, 0 lost, 1 row missing: closed\n",
                     "evt check: a.evt: 1 row of stream 1 \"m\" missing, recorded between 0.000000001 and 0.000000001\n"
                     "evt check: a.evt: 128 bytes from offset 520 ignored: payload checksum is 4100b4df, expected "
                     "083cc9f8\n"}));
}

TEST_F(Check, ReadsTheRingOfAKilledProgram) {
  given_killed_program("a.evt");
  EXPECT_EQ(run("evt check a.evt"),
            (Outcome{0, "a.evt: session of worker, 12 events, 0 lost: killed, nothing is lost\n",
                     "evt check: a.evt: its writer ended without closing it; 2 rows read from its ring " +
                         ring_of("a.evt") + ", which evt check --recover puts into the file\n"}));
  EXPECT_TRUE(ring_exists());
}

TEST_F(Check, TakesNoRingAwayForACopy) {
  given_killed_program("a.evt");
  EXPECT_EQ(run("cp a.evt copy.evt; evt check --recover copy.evt"),
            (Outcome{1, "",
                     "evt check: copy.evt: its ring belongs to " + path_of("a.evt") + ": recover that one\n" +
                         "evt check: copy.evt: if it is a copy, evt check --recover --ring " + ring_of("a.evt") +
                         " puts the ring's rows into it\n"}));
  EXPECT_TRUE(ring_exists());
  EXPECT_EQ(run("rm a.evt; evt check --recover copy.evt").status, 1) << "it may not be a copy, but a stranger's";
  EXPECT_TRUE(ring_exists());
}

TEST_F(Check, PutsTheRingOfAKilledProgramIntoItsTrace) {
  given_killed_program("a.evt");
  const std::string before = content_of("a.evt");
  const std::string line = "a.evt: session of worker, 12 events, 0 lost: killed, nothing is lost\n";
  EXPECT_EQ(run("evt check --recover a.evt"),
            (Outcome{0, line, "evt check: a.evt: 2 rows from its ring are in the file now\n"}));
  EXPECT_FALSE(ring_exists());
  EXPECT_EQ(content_of("a.evt").substr(0, before.size()), before);
  EXPECT_EQ(run("evt check a.evt"), (Outcome{0, line, ""}));
  EXPECT_EQ(run("evt check --recover a.evt"), (Outcome{0, line, ""})) << "once more";
  EXPECT_EQ(run("evt check --repair - a.evt > repaired.evt").err,
            "evt check: a.evt: its writer ended without closing it; nothing is lost\n");
}

TEST_F(Check, WhatTheRingWasPutIntoIsWholeInAnotherFormToo) {
  given_killed_program("a.evt");
  EXPECT_EQ(run("evt check --recover a.evt").status, 0);
  const std::string not_closed = ": its writer ended without closing it; nothing is lost\n";
  EXPECT_EQ(run("evt convert --columns a.evt -o b.evt && evt convert --rows b.evt -o c.evt"),
            (Outcome{0, "", "evt convert: a.evt" + not_closed + "evt convert: b.evt" + not_closed}));
  EXPECT_EQ(run("evt dump --canonical c.evt 2>/dev/null >c && evt dump --canonical a.evt 2>/dev/null | cmp - c").status,
            0);
}

TEST_F(Check, RecoversWhateverTheNameOfTheFile) {
  given_killed_program("a.evt");
  EXPECT_EQ(run("mkdir d && mv a.evt d/-x && cd d && evt check --recover -- -x").out,
            "-x: session of worker, 12 events, 0 lost: killed, nothing is lost\n");
  EXPECT_FALSE(ring_exists());
}

TEST_F(Check, ReplacesATornBlockByWhatTheRingHasOfIt) {
  given_killed_program("a.evt");
  const std::string before = content_of("a.evt");
  given_file("a.evt", before + before.substr(0, 30));
  EXPECT_EQ(run("evt check --recover a.evt").status, 0);
  EXPECT_EQ(run("evt check a.evt").out, "a.evt: session of worker, 12 events, 0 lost: killed, nothing is lost\n");
}

TEST_F(Check, SaysThatAWriterLives) {
  Writer writer = open("a.evt");
  record(writer);
  const std::string ring = ring_of("a.evt");
  const std::string line = "a.evt: session of worker, 12 events, 0 lost: living\n";
  EXPECT_EQ(run("evt check a.evt"),
            (Outcome{0, line, "evt check: a.evt: its writer still runs; 2 rows read from its ring " + ring + "\n"}));
  EXPECT_EQ(run("evt dump a.evt | wc -l").out, "12\n");
}

TEST_F(Check, RecoversNothingWhileTheWriterLives) {
  Writer writer = open("a.evt");
  record(writer);
  ring_of("a.evt");
  const std::string before = content_of("a.evt");
  EXPECT_EQ(run("evt check --recover a.evt"),
            refuses(1, "evt check: a.evt: its writer still runs: there is nothing to recover yet\n"));
  EXPECT_EQ(content_of("a.evt"), before);
  EXPECT_TRUE(ring_exists());
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(run("evt check --recover a.evt"), prints("a.evt: session of worker, 12 events, 0 lost: closed\n"));
}

TEST_F(Check, KeepsTheRingOfATraceThatCannotBeWritten) {
  if (geteuid() == 0) GTEST_SKIP() << "to this user nothing is read-only";
  given_killed_program("a.evt");
  run("chmod 400 a.evt");
  EXPECT_EQ(run("evt check --recover a.evt"), refuses(3, "evt check: cannot write a.evt: Permission denied\n"));
  EXPECT_TRUE(ring_exists());
}

TEST_F(Check, HasNoAnswerForWhatIsNoTrace) {
  given_file("a.evt", "not a trace");
  EXPECT_EQ(run("evt check a.evt").status, 3);
  EXPECT_EQ(run("evt check --recover a.evt").status, 3);
  EXPECT_EQ(run("evt check none.evt").status, 3);
  EXPECT_EQ(run("evt check").status, 2);
}

TEST_F(Check, EndsWithTheWorstOfItsAnswers) {
  given_trace("a.evt", "stream 1 \"m\"\n");
  given_file("b.evt", "not a trace");
  const Outcome outcome = run("evt check b.evt a.evt");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.out, "a.evt: session of test, 0 events, 0 lost: closed\n");
}

// Standard input may be a file, but what it is called is not known; it is left alone.
TEST_F(Check, DoesNotRecoverIntoStandardInput) {
  given_killed_program("a.evt");
  const std::string before = content_of("a.evt");
  EXPECT_EQ(run("evt check --recover - <a.evt").status, 3);
  EXPECT_EQ(content_of("a.evt"), before);
  EXPECT_TRUE(ring_exists());
}

}  // namespace
}  // namespace evt::testing

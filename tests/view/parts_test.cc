// Rows of merged sessions: part by part, and none of two.
#include <gmock/gmock.h>

#include "analyze/scheduling.h"
#include "libtrace-view/look/column_stacks.h"
#include "merged.h"
#include "rows.h"

namespace evt::testing {
namespace {

using ::testing::ElementsAre;

// A thread that runs for 10 ns from this time on, and ends then.
std::string part_that_runs(int thread, int at_ns, const char* uuid) {
  return fmt::format(
      "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e{} start=1767225600.000000000 program=\"p\"\n{}"
      "stream 1 \"s\"\n0.{:09} 1 thread.run thread={} cpu=0\n0.{:09} 1 thread.exit thread={}\n",
      uuid, kThreadTypes, at_ns, thread, at_ns + 10, thread);
}

// Each group with its rows: `part 1: cpu 0, thread 7`.
std::vector<std::string> groups_of(const std::string& bytes, bool has_one_clock = false) {
  Trace trace = open_trace(bytes);
  // Texts of traces state no clock that parts could share.
  for (MergedPart& part : const_cast<Session&>(trace.sessions().front()).parts) {
    if (has_one_clock) part.alignment = EVT_ALIGNED_SAME_CLOCK;
  }
  std::vector<view::RowGroup> groups;
  std::vector<std::string> all;
  std::uint32_t latest = view::RowGroups::kNone - 1;
  for (const view::Track& track : tracks_of(trace, view::Scale(0, 100, 100), all_rows, &groups)) {
    const bool is_of_all = track.group == view::RowGroups::kNone;
    if (track.group != latest) all.push_back((is_of_all ? "" : groups[track.group].title) + ":");
    all.back() += " " + (track.name.empty() ? "-" : track.name) + ",";
    latest = track.group;
  }
  return all;
}

TEST(Parts, HaveLanesOfTheirOwn) {
  EXPECT_THAT(groups_of(merged_of({part_that_runs(7, 0, "01"), part_that_runs(8, 50, "02")})),
              ElementsAre(": all cpus,", "part 1: cpu 0, thread 7, s,", "part 2, clock exact: cpu 0, thread 8, s,"));
}

TEST(Parts, AreNoneOfAnOrdinarySession) {
  EXPECT_THAT(groups_of(trace_from_text(part_that_runs(7, 0, "01"))), ElementsAre(": cpu 0, thread 7, s,"));
}

TEST(Parts, OfOneNameHaveTheirProcesses) {
  const auto of = [](int number, const char* pid) {
    return fmt::format(
        "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e0{} start=1767225600.000000000 {}\n{}stream 1 "
        "\"s\"\n0.000000010 1 mark message=\"m\"\n",
        number, pid, kThreadTypes);
  };
  EXPECT_THAT(groups_of(merged_of({of(1, "pid=41"), of(2, "pid=42"), of(3, "")}, {"a.evt", "a.evt", "a.evt"})),
              ElementsAre("a.evt, pid 41: s,", "a.evt, pid 42, clock exact: s,", "a.evt (3 of 3), clock exact: s,",
                          ": marks,"));
}

// What evt run records of a shell (pid 41) with two children: one becomes readlink (42), the other a script and then
// python3 (43), which makes threads 44 and 45; nothing that 45 calls is recorded. 46 is none of theirs, and 47 and 48
// write traces.
class Run : public ::testing::Test {
 protected:
  static constexpr const char* kTypes =
      "type 1 create role=threadCreate (thread u64 role=thread scope=boot)\n"
      "type 2 name role=threadName (thread u64 role=thread scope=boot) (name text role=name)\n"
      "type 4 run role=threadRun (thread u64 role=thread scope=boot) (cpu u32 role=cpu scope=boot)\n"
      "type 5 stop role=threadStop (thread u64 role=thread scope=boot)\n"
      "type 8 exit role=threadExit (thread u64 role=thread scope=boot)\n"
      "type 9 start role=processStart (process u64 role=process scope=boot) (parent u64 role=parent scope=boot)\n"
      "type 10 program role=program (process u64 role=process scope=boot) (name text role=name)\n"
      "type 11 thread_start (thread u64 role=thread scope=boot) (process u64 role=process scope=boot)\n"
      "type 13 mark role=mark (message text role=message)\n"
      "type 14 in role=spanBegin (name text role=name)\ntype 15 out role=spanEnd\n";

  std::string part(const char* program, int pid, const std::string& streams, const std::string& events) {
    return fmt::format(
        "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e{:02} start=1767225600.000000000 "
        "program=\"{}\" pid={} boot=\"b\"\n{}{}{}",
        ++parts_, program, pid, kTypes, streams, events);
  }
  static std::string runs(int thread, int from_ns, int to_ns, const char* name = "") {
    std::string text = fmt::format("0.{:09} 1 run thread={} cpu={}\n", from_ns, thread, thread % 2);
    if (*name != 0) text += fmt::format("0.{:09} 1 name thread={} name=\"{}\"\n", from_ns, thread, name);
    return text + fmt::format("0.{:09} 1 stop thread={}\n", to_ns, thread);
  }
  static std::string ends(int thread, int ns) { return fmt::format("0.{:09} 1 exit thread={}\n", ns, thread); }
  static std::string call(int ns) { return fmt::format("0.{:09} 1 in name=\"f\"\n0.{:09} 1 out\n", ns, ns + 1); }
  std::string merged() {
    return merged_of(
        {part("bash", 41, "stream 1 \"bash\" thread=41\n", call(10)),
         part("bash", 42, "stream 1 \"bash\" thread=42\n", call(10)),
         part("readlink", 42, "stream 1 \"readlink\" thread=42\n", call(12)),
         part("bash", 43, "stream 1 \"bash\" thread=43\n", call(14)),
         part("env", 43, "stream 1 \"script\" thread=43\n", call(16)),
         part("python3", 43, "stream 1 \"python3\" thread=43\nstream 2 \"python3\" thread=44\n",
              call(20) + "0.000000022 1 create thread=45\n0.000000023 2 in name=\"g\"\n0.000000024 2 out\n"),
         part("evt run", 40, "stream 1 \"cpu 0\"\n",
              runs(41, 0, 2, "bash") + runs(42, 2, 4, "readlink") + runs(47, 4, 6, "evt-flusher") + ends(47, 6) +
                  runs(43, 6, 9, "python3") + runs(44, 30, 50, "python3") + runs(45, 50, 60) + runs(46, 60, 61) +
                  runs(48, 70, 71, "evt-flusher"))},
        {"bash.41", "readlink.42", "readlink.42", "python3.43", "python3.43", "python3.43", "evt run"});
  }

 private:
  int parts_ = 0;
};

TEST_F(Run, HasAGroupForEachProcessAndItsOwnRowsLast) {
  EXPECT_THAT(groups_of(merged(), true),
              ElementsAre(": all cpus, cpu 0, cpu 1,", "bash 41: bash 41, -, bash,",
                          "bash 42: readlink: readlink 42, -, bash, readlink,",
                          "bash 43: python3: python3 44, -, thread 45, python3 43, -, bash, script, python3, python3,",
                          "Other threads: thread 46,", "Recorder: evt-flusher 47, 48, cpu 0,"));
}

// The shell (41) becomes make, which is static, and then starts another (51) without a part, which becomes go: both
// make threads, of which nothing else is recorded. A thread that ends gives its number to a process.
TEST_F(Run, HasThreadsOfWhichNothingElseIsRecordedWithTheirProcess) {
  const std::string events =
      "0.000000001 1 program process=41 name=\"make\"\n0.000000003 1 thread_start thread=44 process=41\n"
      "0.000000005 1 start process=51 parent=41\n0.000000006 1 program process=51 name=\"go\"\n"
      "0.000000007 1 thread_start thread=52 process=51\n";
  EXPECT_THAT(
      groups_of(merged_of({part("bash", 41, "stream 1 \"bash\" thread=41\n", call(10)),
                           part("evt run", 40, "stream 1 \"cpu 0\"\n",
                                events + runs(41, 8, 10) + runs(44, 12, 18) + ends(44, 19) + runs(51, 20, 22) +
                                    runs(52, 22, 24) +
                                    "0.000000040 1 start process=44 parent=51\n0.000000041 1 create thread=44\n" +
                                    runs(44, 42, 44) + runs(46, 50, 52))},
                          {"bash.41", "evt run"}),
                true),
      ElementsAre(": all cpus, cpu 0, cpu 1,", "bash 41: make: thread 44, bash 41, -, bash,",
                  "make 51: go: thread 51, thread 52,", "go 44: thread 44,", "Other threads: thread 46,",
                  "Recorder: cpu 0,"));
}

// A script that is a shell's again in the end.
TEST_F(Run, CallsAProcessByTheScriptThatItRan) {
  EXPECT_THAT(groups_of(merged_of({part("bash", 41, "stream 1 \"bash\" thread=41\n", call(10)),
                                   part("env", 41, "stream 1 \"script\" thread=41\n", ""),
                                   part("bash", 41, "stream 1 \"bash\" thread=41\n", call(20)),
                                   part("evt run", 40, "stream 1 \"cpu 0\"\n", runs(41, 0, 2))},
                                  {"bash.41", "bash.41", "bash.41", "evt run"}),
                        true),
              ElementsAre(": cpu 1,", "bash 41: script: bash 41, -, bash, bash,", "Recorder: cpu 0,"));
}

// Of 100 ns: cpu 0 runs a thread for 40 of them by one part, and for 20 others by another of the same machine.
TEST(AllCpus, CountACpuOfOneMachineOnce) {
  const auto part = [](const char* uuid, const char* boot, int from_ns, int to_ns) {
    return fmt::format(
        "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e{} start=1767225600.000000000 program=\"p\" "
        "boot=\"{}\"\n{}stream 1 \"s\"\n0.{:09} 1 thread.run thread=1 cpu=0\n0.{:09} 1 thread.stop thread=1 "
        "reason=blocked object=0\n",
        uuid, boot, kThreadTypes, from_ns, to_ns);
  };
  const auto sum_of = [](const std::string& bytes) {
    Trace trace = open_trace(bytes);
    const view::Track sum = tracks_of(trace, view::Scale(0, 100, 1)).front();
    return fmt::format("{:.2f} of {}", view::shares_of(sum, view::Scale(0, 100, 1))[0][0], sum.rows);
  };
  EXPECT_EQ(sum_of(merged_of({part("01", "b", 0, 40), part("02", "b", 40, 60)})), "0.60 of 1");
  EXPECT_EQ(sum_of(merged_of({part("01", "b", 0, 40), part("02", "c", 40, 60)})), "0.30 of 2");
  EXPECT_EQ(sum_of(trace_from_text(part("01", "b", 0, 40))), "0.40 of 1");
}

}  // namespace
}  // namespace evt::testing

// The text of `perf script`.
#include "sampled_reading.h"

namespace evt::testing {
namespace {

TEST(PerfScript, ASampleHasItsStackThreadTimeAndPeriod) {
  EXPECT_EQ(samples_of("# captured on: today\n"
                       "burn 17 5.000001:    1003009 cpu-clock:u: \n"
                       "\t            11ae inner+0x3d (/tmp/burn)\n"
                       "\t            11fa main+0x11 (/tmp/burn)\n"
                       "\t           2724a __libc_start_call_main+0x7a (/usr/lib/libc.so.6)\n"
                       "\n"
                       "           my app    7/19    [003]    5.000002001:    1003009    cpu-clock:u:\n"
                       "\t  7f01 std::map<int, char>::find(int const&) const+0x3d (/usr/lib/a (1).so (deleted))\n"
                       "\t  ffff [unknown] ([unknown])\n"
                       "\t  ffff [unknown] (/usr/lib/b.so)\n"),
            "0 burn perf.cpu-clock:u 1003009: inner in /tmp/burn, main in /tmp/burn, __libc_start_call_main in "
            "/usr/lib/libc.so.6\n"
            "1001 my app perf.cpu-clock:u 1003009: std::map<int, char>::find(int const&) const in /usr/lib/a (1).so, "
            "[unknown], [b.so] in /usr/lib/b.so\n");
}

TEST(PerfScript, InlinedFramesAndSourceLinesAreKept) {
  EXPECT_EQ(samples_of("burn 17/17 5.000001: 100 task-clock: \n"
                       "\t 11ae inner (inlined)\n"
                       "  burn.c:5\n"
                       "\t 11ae outer+0x9 (/tmp/burn)\n"
                       "  burn.c:6\n"),
            "0 burn perf.task-clock 100: inner in /tmp/burn line 5, outer in /tmp/burn line 6\n");
}

TEST(PerfScript, WithoutAStackTheFunctionIsOnTheLine) {
  EXPECT_EQ(samples_of("burn 17 5.000001: 9 cpu-clock:  11ae inner+0x3d (/tmp/burn)\n"
                       "burn 17 5.000002: 9 cpu-clock:  11b1 [unknown] ([kernel.kallsyms])\n"
                       "burn 17 5.000003: 9 cpu-clock: \n"),
            "0 burn perf.cpu-clock 9: inner in /tmp/burn\n"
            "1000 burn perf.cpu-clock 9: [kernel.kallsyms] in [kernel.kallsyms]\n"
            "2000 burn perf.cpu-clock 9: [unknown]\n");
}

TEST(PerfScript, EventsThatAreNoClocksAreNamed) {
  EXPECT_EQ(samples_of("a 1 5.000001: 250000 cycles:u: \n\t 1 f+0x1 (/a)\n\n"
                       "a 1 5.000002: cpu-clock: \n\t 1 f+0x1 (/a)\n\n"
                       "a 1 5.000003: 1 sched:sched_switch: prev_comm=a prev_pid=1\n\t 1 f+0x1 (/a)\n"),
            "0 a perf.cycles:u 250000: f in /a\n"
            "1000 a perf.cpu-clock 1: f in /a\n"
            "2000 a perf.sched:sched_switch 1: f in /a\n"
            "note: cpu-clock: samples without a period count as 1 ns each\n"
            "note: cycles:u is no clock: its periods are read as nanoseconds\n"
            "note: sched:sched_switch is no clock: its periods are read as nanoseconds\n");
}

// "add" and "8" are hexadecimal numbers, too.
TEST(PerfScript, FieldsOfTracepointsAreNoFrames) {
  EXPECT_EQ(samples_of("a 1 5.000001: 1 block:block_rq_issue: 8,0 W 4096 () 9 + 8 [a]\n\n"
                       "a 1 5.000002: 1 probe:parse: add (7f12) x=1\n\t 1 f+0x1 (/a)\n\n"
                       "a 1 5.000003: 9 cycles:uppp:  11ae inner (/bin/burn)\n"
                       "a 1 5.000004: 9 mem:0x7f12:rw:  11ae inner (/bin/burn)\n"
                       "a 1 5.000005: 9 cpu/event=0xc0,umask=0x1/u:  11ae inner (/bin/burn)\n"),
            "0 a perf.block:block_rq_issue 1: [unknown]\n"
            "1000 a perf.probe:parse 1: f in /a\n"
            "2000 a perf.cycles:uppp 9: inner in /bin/burn\n"
            "3000 a perf.mem:0x7f12:rw 9: inner in /bin/burn\n"
            "4000 a perf.cpu/event=0xc0,umask=0x1/u 9: inner in /bin/burn\n"
            "note: block:block_rq_issue is no clock: its periods are read as nanoseconds\n"
            "note: cpu/event=0xc0,umask=0x1/u is no clock: its periods are read as nanoseconds\n"
            "note: cycles:uppp is no clock: its periods are read as nanoseconds\n"
            "note: mem:0x7f12:rw is no clock: its periods are read as nanoseconds\n"
            "note: probe:parse is no clock: its periods are read as nanoseconds\n");
}

TEST(PerfScript, ALineThatIsNeitherIsALossWithItsNumber) {
  EXPECT_EQ(samples_of("a 1 5.000001: 7 cpu-clock: \n\t zz f\n\t 1 f+0x1 (/a)\nwhat is this\n\n\t 2 g (/a)\n"
                       "a 1 5.000002: 8 cpu-clock: \n\t 2 g (/a)\n"),
            "0 a lost 1\n"
            "0 a perf.cpu-clock 7: f in /a\n"
            "0 a lost 1\n"
            "1000 a perf.cpu-clock 8: g in /a\n"
            "damage 28+7: line 2 is no frame: ADDRESS FUNCTION+0xOFFSET (MODULE)\n"
            "damage 50+13: no sample: line 4 is neither the front of a sample (COMMAND TID TIME: PERIOD EVENT:) nor a "
            "frame\n"
            "damage 64+11: no sample: line 6 is a frame of no sample\n");
}

TEST(PerfScript, OtherRecordsAreNoSamples) {
  EXPECT_EQ(samples_of("a 1 5.000000: PERF_RECORD_COMM: a:1/1\n"
                       "what is this\n"
                       "a 1 5.000000: PERF_RECORD_MMAP2 1/1: [0x1000(0x1000) @ 0 08:01 1 0]: r-xp /a\n"
                       "a 1 5.000001: 7 cpu-clock: \n\t 1 (anonymous namespace)::f(int)+0x1 (/a)\n\t 2 (/b)\n"),
            "0 a lost 1\n"
            "1000 a perf.cpu-clock 7: (anonymous namespace)::f(int) in /a, [b] in /b\n"
            "damage 38+13: no sample: line 2 is neither the front of a sample (COMMAND TID TIME: PERIOD EVENT:) nor a "
            "frame\n");
}

TEST(PerfScript, SamplesOfSeveralCpusComeInOrderOfTime) {
  EXPECT_EQ(samples_of("a 1 5.000003: 7 cpu-clock: \n\t 1 f (/a)\n\nb 2 5.000001: 7 cpu-clock: \n\t 1 g (/a)\n"),
            "0 b perf.cpu-clock 7: g in /a\n2000 a perf.cpu-clock 7: f in /a\n");
}

}  // namespace
}  // namespace evt::testing

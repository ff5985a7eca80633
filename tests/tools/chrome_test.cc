// Chrome's JSON at the shell.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class ChromeFiles : public AtTheShell {};

TEST_F(ChromeFiles, EveryCommandTakesThem) {
  given_file("x.json",
             "[{\"ph\":\"X\",\"pid\":1,\"tid\":7,\"ts\":1000,\"dur\":3,\"name\":\"work\"},\n"
             "{\"ph\":\"X\",\"pid\":1,\"tid\":7,\"ts\":1001,\"dur\":1,\"name\":\"part\"}]");
  EXPECT_EQ(run("evt dump x.json"),
            prints("   0.000002000  thread 7  chrome.span duration=0.000001000 name=\"part\"\n"
                   "   0.000003000  thread 7  chrome.span duration=0.000003000 name=\"work\"\n"));
  EXPECT_EQ(run("cat x.json | evt dump --count -"), prints("2\n"));
  EXPECT_EQ(run("evt stats spans --csv x.json | cut -d, -f1-4 | head -3"),
            prints("name,count,sum_ns,self_ns\nwork,1,3000,2000\npart,1,1000,1000\n"));
  EXPECT_EQ(run("evt convert x.json -o x.evt && evt dump --count x.evt && evt convert x.json --format folded"),
            prints("2\nthread 7;work 2000\nthread 7;work;part 1000\n"));
}

TEST_F(ChromeFiles, WhatEvtWroteIsTheSameTraceToStatistics) {
  given_trace("x.evt",
              "type 9 span.begin role=spanBegin (name text role=name)\n"
              "type 10 span.end role=spanEnd\n"
              "type 1026 heap role=counter (name text role=name) (bytes u64 role=value unit=bytes)\n"
              "stream 1 \"main\"\n"
              "0.000002000 1 span.begin name=\"work\"\n"
              "0.000003000 1 span.begin name=\"part\"\n"
              "0.000004000 1 heap name=\"heap\" bytes=9\n"
              "0.000004001 1 span.end\n"
              "0.000008000 1 span.end\n");
  EXPECT_EQ(run("evt convert x.evt -o x.json && evt stats diff spans --fail-above 0 x.evt x.json"),
            refuses(0, "evt stats: spans: no difference\n"));
  EXPECT_EQ(run("evt dump --event '*counter*' x.json"),
            prints("   0.000004000  main  chrome.counter    name=\"heap\" value=9 id=0\n"));
}

TEST_F(ChromeFiles, AFileThatEndsInTheMiddleIsNamedAsATruncatedTraceIs) {
  given_file("x.json", "{\"traceEvents\":[{\"ph\":\"B\",\"pid\":1,\"tid\":7,\"ts\":1,\"name\":\"a\"},{\"ph\":\"E\"");
  EXPECT_EQ(run("evt dump x.json"),
            (Outcome{1,
                     "   0.000000000  thread 7  chrome.span_begin name=\"a\"\n"
                     "   0.000000000  thread 7  !lost             count=1 cause=damage duration=0.000000000\n",
                     "evt dump: x.json: 1 event of stream 1 \"thread 7\" lost: damage\n"
                     "evt dump: x.json: 9 bytes from offset 61 ignored: the file ends inside an event, or is no JSON "
                     "from here on\n"
                     "evt dump: x.json: the last session is truncated: its end is missing\n"}));
}

TEST_F(ChromeFiles, CountersOfOneNameAreTwoIfTheirIdOrProcessDiffers) {
  given_file("x.json",
             "[{\"ph\":\"C\",\"pid\":1,\"tid\":1,\"ts\":0,\"name\":\"heap\",\"id\":\"a\",\"args\":{\"bytes\":10}},\n"
             "{\"ph\":\"C\",\"pid\":1,\"tid\":2,\"ts\":0,\"name\":\"heap\",\"id\":\"b\",\"args\":{\"bytes\":1000}},\n"
             "{\"ph\":\"C\",\"pid\":1,\"tid\":2,\"ts\":10,\"name\":\"heap\",\"id\":\"a\",\"args\":{\"bytes\":20}},\n"
             "{\"ph\":\"C\",\"pid\":2,\"tid\":1,\"ts\":20,\"name\":\"heap\",\"id\":\"a\",\"args\":{\"bytes\":5}}]\n");
  EXPECT_EQ(run("evt convert --format vcd x.json | tail -n +4"), prints("$scope module process_1 $end\n"
                                                                        "$var real 64 ! heap_a_ $end\n"
                                                                        "$var real 64 \" heap_b_ $end\n"
                                                                        "$upscope $end\n"
                                                                        "$scope module process_2 $end\n"
                                                                        "$var real 64 # heap_a_ $end\n"
                                                                        "$upscope $end\n"
                                                                        "$enddefinitions $end\n"
                                                                        "#0\n"
                                                                        "$dumpvars\n"
                                                                        "r0 !\n"
                                                                        "r0 \"\n"
                                                                        "r0 #\n"
                                                                        "$end\n"
                                                                        "r10 !\n"
                                                                        "r1000 \"\n"
                                                                        "#10000\n"
                                                                        "r20 !\n"
                                                                        "#20000\n"
                                                                        "r5 #\n"));
}

TEST_F(ChromeFiles, AnEventThatIsNoJsonIsLostOnceToEveryCommand) {
  given_file("x.json",
             "[\n"
             "{\"ph\":\"X\",\"name\":\"one\",\"ts\":0,\"dur\":5,\"pid\":1,\"tid\":1},\n"
             "{\"ph\":\"X\",\"name\":\"C:\\src\\\",\"ts\":7,\"dur\":1,\"pid\":1,\"tid\":1},\n"
             "{\"ph\":\"X\",\"name\":\"two\",\"ts\":10,\"dur\":5,\"pid\":1,\"tid\":1}\n"
             "]\n");
  const auto says = [](const std::string& command) {
    return command + ": x.json: 1 event of stream 1 \"thread 1\" lost: damage\n" + command +
           ": x.json: 58 bytes from offset 58 ignored: no event: it is no JSON\n";
  };
  EXPECT_EQ(run("evt check x.json"),
            (Outcome{1, "x.json: session of an unknown program, 2 events, 1 lost: closed\n", says("evt check")}));
  EXPECT_EQ(run("evt dump --count x.json"), (Outcome{1, "2\n", says("evt dump")}));
  EXPECT_EQ(run("evt stats spans --csv x.json > x.csv"), (Outcome{1, "", says("evt stats")}));
  EXPECT_EQ(run("cut -d, -f1-3 x.csv | head -3"), prints("name,count,sum_ns\none,1,5000\ntwo,1,5000\n"));
}

TEST_F(ChromeFiles, WhatTheFormatAllowsOrAFileOnlyStatesIsANote) {
  given_file("x.json",
             "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":10,\"dur\":5,\"pid\":1,\"tid\":1},\n"
             "{\"ph\":\"X\",\"name\":\"back\",\"ts\":5,\"dur\":-2,\"pid\":1,\"tid\":1},\n");
  const auto says = [](const std::string& command) {
    return command +
           ": x.json: its array of events has no end, which the format allows: its writer may have been killed\n" +
           command + ": x.json: the duration of the event at offset 56 is negative\n";
  };
  EXPECT_EQ(run("evt check x.json"),
            (Outcome{0, "x.json: session of an unknown program, 2 events, 0 lost: closed\n", says("evt check")}));
  EXPECT_EQ(run("evt dump --count x.json"), (Outcome{0, "2\n", says("evt dump")}));
}

TEST_F(ChromeFiles, ASpanWithoutADurationIsUnfinished) {
  given_file("x.json",
             "[{\"ph\":\"X\",\"name\":\"open\",\"ts\":0,\"pid\":1,\"tid\":1},\n"
             "{\"ph\":\"X\",\"name\":\"inner\",\"ts\":5,\"dur\":10,\"pid\":1,\"tid\":1}]");
  EXPECT_EQ(run("evt stats spans --csv x.json > x.csv"),
            (Outcome{0, "", "evt stats: x.json: 1 span unfinished at the end\n"}));
  EXPECT_EQ(run("cut -d, -f1-3,14 x.csv | head -3"),
            prints("name,count,sum_ns,unfinished\ninner,1,10000,0\nopen,0,,1\n"));
}

TEST_F(ChromeFiles, JsonThatIsNoTraceIsASentence) {
  given_file("x.json", "{\"a\":1}");
  EXPECT_EQ(run("evt stats spans x.json"),
            refuses(3, "evt stats: x.json is JSON and not a trace: it has no array traceEvents\n"));
  EXPECT_EQ(run("evt convert x.json -o x.evt"),
            refuses(3, "evt convert: x.json is JSON and not a trace: it has no array traceEvents\n"));
}

}  // namespace
}  // namespace evt::testing

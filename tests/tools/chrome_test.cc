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
  EXPECT_EQ(run("evt convert x.json -o x.evt && evt dump --count x.evt && evt convert x.json --to folded"),
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

TEST_F(ChromeFiles, JsonThatIsNoTraceIsASentence) {
  given_file("x.json", "{\"a\":1}");
  EXPECT_EQ(run("evt stats spans x.json"),
            refuses(3, "evt stats: x.json is JSON and not a trace: it has no array traceEvents\n"));
  EXPECT_EQ(run("evt convert x.json -o x.evt"),
            refuses(3, "evt convert: x.json is JSON and not a trace: it has no array traceEvents\n"));
}

}  // namespace
}  // namespace evt::testing

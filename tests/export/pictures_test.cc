// Timelines as files of other programs.
#include "pictures.h"

namespace evt::testing {
namespace {

TEST_F(Pictures, ForChromeHaveSlicesOfThreadsAndOfCpus) {
  EXPECT_EQ(
      file_of(chrome_json(), kLife),
      "{\"displayTimeUnit\":\"ns\",\"evtraceStartUtcNs\":1767225600000000000,\"traceEvents\":[\n"
      "{\"ph\":\"M\",\"pid\":77,\"name\":\"process_name\",\"args\":{\"name\":\"app\"}},\n"
      "{\"ph\":\"M\",\"pid\":77,\"tid\":8388608,\"name\":\"thread_name\",\"args\":{\"name\":\"thread 7\"}},\n"
      "{\"ph\":\"B\",\"ts\":3.000,\"pid\":77,\"tid\":8388608,\"name\":\"step\",\"cat\":\"span\"},\n"
      "{\"ph\":\"B\",\"ts\":3.500,\"pid\":77,\"tid\":8388608,\"name\":\"read\",\"cat\":\"call\"},\n"
      "{\"ph\":\"E\",\"ts\":4.750,\"pid\":77,\"tid\":8388608,\"name\":\"read\"},\n"
      "{\"ph\":\"M\",\"pid\":33554432,\"name\":\"process_name\",\"args\":{\"name\":\"cpus\"}},\n"
      "{\"ph\":\"M\",\"pid\":33554432,\"tid\":0,\"name\":\"thread_name\",\"args\":{\"name\":\"cpu 0\"}},\n"
      "{\"ph\":\"X\",\"ts\":2.500,\"pid\":33554432,\"tid\":0,\"dur\":2.500,\"name\":\"worker\",\"cat\":\"running\"},\n"
      "{\"ph\":\"E\",\"ts\":7.000,\"pid\":77,\"tid\":8388608,\"name\":\"step\",\"args\":{\"bytes\":9}},\n"
      "{\"ph\":\"M\",\"pid\":33554432,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"cpu 1\"}},\n"
      "{\"ph\":\"X\",\"ts\":6.000,\"pid\":33554432,\"tid\":1,\"dur\":3.000,\"name\":\"worker\",\"cat\":\"running\"},\n"
      "{\"ph\":\"M\",\"pid\":77,\"tid\":8388608,\"name\":\"thread_name\",\"args\":{\"name\":\"worker\"}}\n"
      "]}\n");
  EXPECT_EQ(
      left_out_,
      (std::vector<std::string>{"2 changes of threads to other states than running have no place in Chrome's format"}));
}

TEST_F(Pictures, ForChromeHaveWhatOverlapsAsAsynchronous) {
  EXPECT_EQ(file_of(chrome_json(),
                    "0.000001000 1 open thread=7 name=\"a\"\n0.000005000 1 close thread=7 name=\"a\" bytes=1\n"
                    "0.000006000 1 whole thread=7 function=\"b\" took=0.000003000\n"),
            "{\"displayTimeUnit\":\"ns\",\"evtraceStartUtcNs\":1767225600000000000,\"traceEvents\":[\n"
            "{\"ph\":\"M\",\"pid\":77,\"name\":\"process_name\",\"args\":{\"name\":\"app\"}},\n"
            "{\"ph\":\"M\",\"pid\":77,\"tid\":8388608,\"name\":\"thread_name\",\"args\":{\"name\":\"thread 7\"}},\n"
            "{\"ph\":\"b\",\"ts\":1.000,\"pid\":77,\"tid\":8388608,\"id\":\"0x2a063e58f305fc7f\",\"name\":\"a\","
            "\"cat\":\"span\"},\n"
            "{\"ph\":\"B\",\"ts\":3.000,\"pid\":77,\"tid\":8388608,\"name\":\"b\",\"cat\":\"call\"},\n"
            "{\"ph\":\"e\",\"ts\":5.000,\"pid\":77,\"tid\":8388608,\"id\":\"0x2a063e58f305fc7f\",\"name\":\"a\","
            "\"cat\":\"span\",\"args\":{\"bytes\":1}},\n"
            "{\"ph\":\"E\",\"ts\":6.000,\"pid\":77,\"tid\":8388608,\"name\":\"b\"}\n"
            "]}\n");
}

TEST_F(Pictures, ForChromeHaveCountersMarksFlowsAndOtherEvents) {
  EXPECT_EQ(file_of(chrome_json(),
                    "0.000001000 1 heap name=\"heap\" bytes=4096\n0.000002000 1 mark message=\"half \\\"way\\\"\"\n"
                    "0.000003000 1 send thread=7 id=5\n0.000004000 1 receive thread=8 id=5\n"
                    "0.000005000 1 job.done job=3 ok=true who=\"x\"\n0.000006000 1 ask name=\"page\" id=1\n"
                    "0.000007000 1 answer name=\"page\" id=1\n"),
            "{\"displayTimeUnit\":\"ns\",\"evtraceStartUtcNs\":1767225600000000000,\"traceEvents\":[\n"
            "{\"ph\":\"M\",\"pid\":77,\"name\":\"process_name\",\"args\":{\"name\":\"app\"}},\n"
            "{\"ph\":\"M\",\"pid\":77,\"tid\":8388608,\"name\":\"thread_name\",\"args\":{\"name\":\"log\"}},\n"
            "{\"ph\":\"C\",\"ts\":1.000,\"pid\":77,\"tid\":8388608,\"id\":0,\"name\":\"heap\",\"args\":{\"B\":4096}},\n"
            "{\"ph\":\"i\",\"ts\":2.000,\"pid\":77,\"tid\":8388608,\"s\":\"t\",\"name\":\"half "
            "\\\"way\\\"\",\"cat\":\"mark\",\"args\":{\"message\":\"half \\\"way\\\"\"}},\n"
            "{\"ph\":\"M\",\"pid\":77,\"tid\":8388609,\"name\":\"thread_name\",\"args\":{\"name\":\"thread 7\"}},\n"
            "{\"ph\":\"i\",\"ts\":3.000,\"pid\":77,\"tid\":8388609,\"s\":\"t\",\"name\":\"send\",\"cat\":\"event\","
            "\"args\":{\"id\":5}},\n"
            "{\"ph\":\"s\",\"ts\":3.000,\"pid\":77,\"tid\":8388609,\"id\":\"0xb14bd75f4199db96\",\"bp\":\"e\",\"name\":"
            "\"flow\",\"cat\":\"flow\"},\n"
            "{\"ph\":\"M\",\"pid\":77,\"tid\":8388610,\"name\":\"thread_name\",\"args\":{\"name\":\"thread 8\"}},\n"
            "{\"ph\":\"i\",\"ts\":4.000,\"pid\":77,\"tid\":8388610,\"s\":\"t\",\"name\":\"receive\",\"cat\":\"event\","
            "\"args\":{\"id\":5}},\n"
            "{\"ph\":\"f\",\"ts\":4.000,\"pid\":77,\"tid\":8388610,\"id\":\"0xb14bd75f4199db96\",\"bp\":\"e\",\"name\":"
            "\"flow\",\"cat\":\"flow\"},\n"
            "{\"ph\":\"i\",\"ts\":5.000,\"pid\":77,\"tid\":8388608,\"s\":\"t\",\"name\":\"job.done\",\"cat\":\"event\","
            "\"args\":{\"job\":3,\"ok\":true,\"who\":\"x\"}},\n"
            "{\"ph\":\"b\",\"ts\":6.000,\"pid\":77,\"tid\":8388608,\"id\":\"0xd5af775014741577\",\"name\":\"page\","
            "\"cat\":\"async\",\"args\":{\"id\":1}},\n"
            "{\"ph\":\"e\",\"ts\":7.000,\"pid\":77,\"tid\":8388608,\"id\":\"0xd5af775014741577\",\"name\":\"page\","
            "\"cat\":\"async\",\"args\":{\"id\":1}}\n"
            "]}\n");
}

TEST_F(Pictures, ForChromeShowLosses) {
  EXPECT_EQ(file_of(chrome_json(),
                    "0.000001000 1 mark message=\"a\"\n0.000009000 1 !lost count=2 cause=ring_full "
                    "duration=0.000004000\n"),
            "{\"displayTimeUnit\":\"ns\",\"evtraceStartUtcNs\":1767225600000000000,\"traceEvents\":[\n"
            "{\"ph\":\"M\",\"pid\":77,\"name\":\"process_name\",\"args\":{\"name\":\"app\"}},\n"
            "{\"ph\":\"M\",\"pid\":77,\"tid\":8388608,\"name\":\"thread_name\",\"args\":{\"name\":\"log\"}},\n"
            "{\"ph\":\"i\",\"ts\":1.000,\"pid\":77,\"tid\":8388608,\"s\":\"t\",\"name\":\"a\",\"cat\":\"mark\","
            "\"args\":{\"message\":\"a\"}},\n"
            "{\"ph\":\"M\",\"pid\":16777216,\"name\":\"process_name\",\"args\":{\"name\":\"lost events\"}},\n"
            "{\"ph\":\"M\",\"pid\":16777216,\"tid\":3,\"name\":\"thread_name\",\"args\":{\"name\":\"log\"}},\n"
            "{\"ph\":\"B\",\"ts\":5.000,\"pid\":16777216,\"tid\":3,\"name\":\"2 events lost\",\"cat\":\"trace\"},\n"
            "{\"ph\":\"E\",\"ts\":9.000,\"pid\":16777216,\"tid\":3,\"name\":\"2 events lost\"}\n"
            "]}\n");
}

TEST_F(Pictures, AsStacksWeighTimeOfTheirOwn) {
  EXPECT_EQ(file_of(folded_stacks(PathWeight::kWall), kLife),
            "worker;step 2750\n"
            "worker;step;read 1250\n");
  EXPECT_EQ(file_of(folded_stacks(PathWeight::kRunning), kLife),
            "worker;step 1750\n"
            "worker;step;read 1250\n");
  EXPECT_EQ(file_of(folded_stacks(PathWeight::kCount), kLife),
            "worker;step 1\n"
            "worker;step;read 1\n");
}

TEST_F(Pictures, ForSpeedscopeHaveAProfileOfEachThread) {
  EXPECT_EQ(
      file_of(speedscope(PathWeight::kWall), kLife),
      "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"evtrace\",\"profiles\":[\n"
      "{\"type\":\"evented\",\"name\":\"worker\",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":4000,"
      "\"events\":[\n"
      "{\"type\":\"O\",\"frame\":0,\"at\":0},\n"
      "{\"type\":\"O\",\"frame\":1,\"at\":0},\n"
      "{\"type\":\"C\",\"frame\":1,\"at\":1250},\n"
      "{\"type\":\"C\",\"frame\":0,\"at\":4000}]}\n"
      "],\"shared\":{\"frames\":[\n"
      "{\"name\":\"step\"},\n"
      "{\"name\":\"read\"}\n"
      "]}}\n");
}

TEST_F(Pictures, AsWaveformsHaveStatesCpusAndCounters) {
  EXPECT_EQ(file_of(waveform(), std::string(kLife) + "0.000010000 1 heap name=\"heap in B\" bytes=4096\n"),
            "$version evtrace $end\n"
            "$timescale 1 ns $end\n"
            "$comment threads: 0 unknown, 1 runnable, 2 running, 3 waiting, 4 outside, z not there; cpus: the number "
            "of the thread, z idle $end\n"
            "$scope module app $end\n"
            "$var reg 3 ! worker $end\n"
            "$var integer 64 \" cpu_0 $end\n"
            "$var integer 64 # cpu_1 $end\n"
            "$var real 64 $ heap_in_B $end\n"
            "$upscope $end\n"
            "$enddefinitions $end\n"
            "#0\n"
            "$dumpvars\n"
            "bz !\n"
            "bz \"\n"
            "bz #\n"
            "r0 $\n"
            "$end\n"
            "#1000\n"
            "b0 !\n"
            "b1 !\n"
            "#2500\n"
            "b10 !\n"
            "b111 \"\n"
            "#5000\n"
            "bz \"\n"
            "b11 !\n"
            "#6000\n"
            "b10 !\n"
            "b111 #\n"
            "#9000\n"
            "bz #\n"
            "bz !\n"
            "#10000\n"
            "r4096 $\n");
  EXPECT_EQ(left_out_, (std::vector<std::string>{"2 spans and calls have no place in a waveform"}));
}

TEST_F(Pictures, AsWaveformsNameWhatHasNoPlace) {
  const std::string file = file_of(waveform(),
                                   "type 1040 load role=counter (name text role=name) (value f64 role=value)\n"
                                   "0.000003000 1 send thread=7 id=5\n0.000004000 1 receive thread=8 id=5\n"
                                   "0.000005000 1 mark message=\"half\"\n0.000006000 1 load name=\"load\" value=nan\n"
                                   "0.000007000 1 load name=\"load\" value=0.5\n");
  EXPECT_EQ(file.substr(file.find("$end\n#7000")), "$end\n#7000\nr0.5 !\n");
  EXPECT_EQ(left_out_,
            (std::vector<std::string>{"3 events without a state or counter have no place in a waveform",
                                      "1 value of a counter that is not a finite number has no place in a waveform"}));
}

// Two requests overlap, and one of another name is open at the end. An end without a begin changes nothing.
TEST_F(Pictures, AsWaveformsCountOpenAsynchronousSpans) {
  const std::string text =
      "0.000001000 1 ask name=\"page\" id=1\n0.000002000 1 ask name=\"page\" id=2\n"
      "0.000003000 1 answer name=\"page\" id=1\n0.000004000 1 ask name=\"dns\" id=1\n"
      "0.000005000 1 answer name=\"page\" id=2\n0.000006000 1 answer name=\"page\" id=9\n";
  const std::string file = file_of(waveform(), text);
  EXPECT_EQ(file.substr(file.find("$var")),
            "$var real 64 ! page_open $end\n$var real 64 \" dns_open $end\n$upscope $end\n$enddefinitions $end\n"
            "#0\n$dumpvars\nr0 !\nr0 \"\n$end\n#1000\nr1 !\n#2000\nr2 !\n#3000\nr1 !\n#4000\nr1 \"\n#5000\nr0 "
            "!\n#6000\n");
  EXPECT_EQ(left_out_, std::vector<std::string>());
  const auto is_of_one = [](const Event& event) { return event.value("id")->as_unsigned() == 1; };
  const std::string of_one = file_of(waveform(), text, is_of_one);
  EXPECT_EQ(of_one.substr(of_one.find("$end\n#1000")), "$end\n#1000\nr1 !\n#3000\nr0 !\n#4000\nr1 \"\n#6000\n");
}

TEST_F(Pictures, TellAStreamWithoutANameFromTheThreadOfItsNumber) {
  EXPECT_EQ(file_of(folded_stacks(PathWeight::kWall),
                    "type 1040 in role=spanBegin (name text role=name)\ntype 1041 out role=spanEnd\nstream 3 \"\"\n"
                    "0.000001000 1 open thread=3 name=\"a\"\n0.000002000 3 in name=\"a\"\n"
                    "0.000004000 1 close thread=3 name=\"a\" bytes=1\n0.000006000 3 out\n"),
            "thread 3;a 3000\n"
            "#3;a 4000\n");
}

TEST_F(Pictures, LeaveOutWhatIsNotWanted) {
  const auto is_span = [](const Event& event) { return event.type().role() == Role::kSpanBegin; };
  EXPECT_EQ(file_of(folded_stacks(PathWeight::kCount), kLife, is_span), "worker;step 1\n");
}

TEST_F(Pictures, OfATraceWithoutEventsAreWhole) {
  EXPECT_EQ(file_of(chrome_json(), ""),
            "{\"displayTimeUnit\":\"ns\",\"evtraceStartUtcNs\":1767225600000000000,\"traceEvents\":[\n"
            "\n"
            "]}\n");
  EXPECT_EQ(
      file_of(speedscope(PathWeight::kWall), ""),
      "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"evtrace\",\"profiles\":[\n"
      "],\"shared\":{\"frames\":[\n"
      "]}}\n");
  EXPECT_EQ(file_of(folded_stacks(PathWeight::kWall), ""), "");
}

}  // namespace
}  // namespace evt::testing

// evt view at a shell.
#pragma once

#include "analyze/scheduling.h"
#include "tools/at_the_shell.h"

namespace evt::testing {

class View : public AtTheShell {
 protected:
  // Two cpus: one runs for a quarter, then half, then three quarters of each of four periods; the other collects.
  void given_cpus() const {
    std::string text =
        "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
        "type 5 thread.stop role=threadStop (thread u64 role=thread)\n"
        "type 21 gc.start role=gcStart (generation u16 role=generation)\ntype 22 gc.end role=gcEnd\n"
        "type 13 mark role=mark (message text role=message)\n"
        "stream 1 \"scheduler\"\nstream 2 \"cap 0\"\n";
    for (int period = 0; period < 12; ++period) {
      const int at = period * 100;
      const int runs = 25 * (1 + period / 4);
      text += line(at, "1 thread.run thread=7 cpu=0") + line(at + runs, "1 thread.stop thread=7");
    }
    text += line(1150, "2 gc.start generation=0") + line(1190, "2 gc.end") + line(1200, "1 mark message=\"end\"");
    given_trace("cpus.evt", text);
  }
  // Threads that wait, could run and call out, spans, a counter, marks and lost events.
  void given_all_kinds() const {
    given_trace("all.evt", std::string(kThreadTypes) +
                               "type 9 span.begin role=spanBegin (name text role=name)\ntype 10 span.end role=spanEnd\n"
                               "type 12 counter role=counter (name text role=name) (value i64 role=value)\n"
                               "stream 1 \"scheduler\"\nstream 2 \"worker\" thread=2\n"
                               "0.000000000 1 thread.name thread=2 name=\"worker\"\n"
                               "0.000000000 2 counter name=\"queue\" value=3\n"
                               "0.000100000 1 thread.run thread=2 cpu=0\n"
                               "0.000120000 2 span.begin name=\"request\"\n"
                               "0.000150000 2 span.begin name=\"parse\"\n0.000300000 2 span.end\n"
                               "0.000300000 2 counter name=\"queue\" value=9\n"
                               "0.000400000 1 thread.stop thread=2 reason=blocked object=0\n"
                               "0.000600000 1 thread.wake thread=2 waker=0\n"
                               "0.000700000 1 thread.run thread=2 cpu=1\n"
                               "0.000720000 2 mark message=\"half way\"\n"
                               "0.000800000 2 span.end\n"
                               "0.000800000 1 thread.stop thread=2 reason=called_out object=0\n"
                               "0.000950000 2 !lost count=3 cause=ring_full duration=0.000030000\n"
                               "0.001000000 1 mark message=\"end\"\n");
  }
  // Beside a span: four requests, three of them at a time, and two look-ups.
  void given_asynchronous_spans() const {
    given_trace("async.evt",
                "type 1 began role=asyncBegin (id u64 role=spanId) (name text role=name)\n"
                "type 2 ended role=asyncEnd (id u64 role=spanId)\n"
                "type 3 in role=spanBegin (name text role=name)\ntype 4 out role=spanEnd\n"
                "stream 1 \"client\" thread=1\nstream 2 \"server\" thread=2\n"
                "0.000000000 1 in name=\"main\"\n"
                "0.000100000 1 began id=1 name=\"request\"\n"
                "0.000150000 2 began id=7 name=\"dns\"\n"
                "0.000200000 1 began id=2 name=\"request\"\n"
                "0.000250000 1 began id=3 name=\"request\"\n"
                "0.000300000 2 ended id=7\n0.000400000 2 ended id=1\n"
                "0.000500000 1 began id=4 name=\"request\"\n"
                "0.000600000 2 ended id=3\n"
                "0.000650000 2 !lost count=3 cause=ring_full duration=0.000030000\n"
                "0.000800000 2 ended id=2\n"
                "0.000850000 2 began id=8 name=\"dns\"\n0.000950000 2 ended id=8\n"
                "0.001000000 1 out\n");
  }
  // Samples of two threads, of 100 ns in all, and a span.
  void given_samples() const {
    given_trace("samples.evt",
                "type 1 sample role=sample (thread u64 role=thread) (stack interned[] role=stack) "
                "(weight u64 role=weight unit=nanoseconds)\n"
                "type 2 in role=spanBegin (thread u64 role=thread) (name text role=name)\n"
                "type 3 out role=spanEnd (thread u64 role=thread)\n"
                "type 4 name role=threadName (thread u64 role=thread) (name text role=name)\n"
                "string 1 \"main\"\nstring 2 \"parse\"\nstring 3 \"read<a;b>\"\nstream 1 \"main\"\n"
                "type 5 run role=threadRun (thread u64 role=thread)\n"
                "0.000000000 1 run thread=1\n0.000000000 1 name thread=1 name=\"worker\"\n0.000000000 1 in thread=1 "
                "name=\"work\"\n"
                "0.000000010 1 sample thread=1 stack=[\"main\"] weight=10\n"
                "0.000000020 1 sample thread=1 stack=[\"parse\" \"main\"] weight=20\n"
                "0.000000040 1 sample thread=1 stack=[\"read<a;b>\" \"parse\" \"main\"] weight=40\n"
                "0.000000050 1 sample thread=2 stack=[\"read<a;b>\" \"main\"] weight=30\n"
                "0.000000070 1 out thread=1\n");
  }
  static std::string line(int us, const std::string& event) { return fmt::format("0.{:06}000 {}\n", us, event); }
};

}  // namespace evt::testing

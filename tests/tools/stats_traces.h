// Traces that evt stats is asked about.
#pragma once

#include "analyze/scheduling.h"
#include "at_the_shell.h"

namespace evt::testing {

class Stats : public AtTheShell {
 protected:
  // In at 0, out at 1, in at 5, out at 7; the trace ends at 9.
  void given_study() const {
    given_trace("study.evt",
                std::string(kThreadTypes) +
                    "stream 1 \"cpu 0\"\n0.000000000 1 run.here thread=7\n0.000000001 1 stop.here thread=7\n"
                    "0.000000005 1 run.here thread=7\n0.000000007 1 stop.here thread=7\n"
                    "0.000000009 1 mark message=\"end\"\n");
  }
  // Two threads on two cpus, one of which waits for the other.
  void given_threads() const {
    given_trace("t.evt", std::string(kThreadTypes) +
                             "stream 1 \"scheduler\"\n"
                             "0.000000000 1 thread.name thread=1 name=\"main\"\n"
                             "0.000000000 1 thread.run thread=1 cpu=0\n"
                             "0.000500000 1 thread.create thread=2\n"
                             "0.000600000 1 thread.run thread=2 cpu=1\n"
                             "0.001000000 1 thread.stop thread=1 reason=blocked object=2\n"
                             "0.001500000 1 thread.wake thread=1 waker=2\n"
                             "0.002000000 1 thread.stop thread=2 reason=finished object=0\n"
                             "0.002100000 1 thread.run thread=1 cpu=1\n"
                             "0.004000000 1 thread.stop thread=1 reason=sleeping object=0\n"
                             "0.005000000 1 mark message=\"end\"\n");
  }
  void given_collector() const {
    given_trace("gc.evt",
                "type 4 thread.run role=threadRun (thread u64 role=thread)\n"
                "type 5 thread.stop role=threadStop (thread u64 role=thread)\n"
                "type 21 gc.start role=gcStart (generation u16 role=generation)\ntype 22 gc.end role=gcEnd\n"
                "type 1024 spark role=sparkCreate\ntype 1025 ran role=sparkRun\ntype 1026 sync role=gcSync\nstream 1 "
                "\"cap 0\"\nstream 2 \"cap 1\"\n"
                "0.000010000 1 thread.run thread=7\n0.000011000 1 spark\n0.000020000 1 thread.stop thread=7\n"
                "0.000020000 1 gc.start generation=1\n0.000021000 2 gc.start generation=1\n0.000022000 1 sync\n"
                "0.000049000 2 gc.end\n"
                "0.000050000 1 gc.end\n0.000050000 1 thread.run thread=7\n0.000060000 2 ran\n"
                "0.000090000 1 thread.stop thread=7\n0.000099000 1 gc.start generation=0\n0.000100000 1 gc.end\n");
  }
  // A Python expression of the JSON that an analysis of the study is.
  Outcome said_of(const std::string& analysis, const std::string& expression) const {
    return run("evt stats " + analysis +
               " --json study.evt | python3 -c \"import json, sys; said = json.load(sys.stdin); print(" + expression +
               ")\"");
  }
};

}  // namespace evt::testing

// Traces of calls, and of a program that is stopped, for tests of evt stats usage.
#pragma once

#include "at_the_shell.h"

namespace evt::testing {

class StatsUsage : public AtTheShell {
 protected:
  void given(const std::string& events) {
    given_trace(
        "x.evt",
        std::string(
            "type 1024 run role=threadRun (thread u32 role=thread) (cpu u32 role=cpu)\n"
            "type 1025 stop role=threadStop (thread u32 role=thread) (why enum8 role=reason labels=[0=preempted "
            "1=sleeping])\n"
            "type 1026 exit role=threadExit (thread u32 role=thread)\n"
            "type 1027 call role=callBegin (thread u32 role=thread) (f text role=function) (fd u64 role=object) (kind "
            "text role=resource) (n u64 role=amount)\n"
            "type 1028 back role=callEnd (thread u32 role=thread) (f text role=function) (n u64 role=amount)\n"
            "type 1029 was role=call (thread u32 role=thread) (f text role=function) (fd u64 role=object) (kind text "
            "role=resource) (n u64 role=amount) (limit u64 role=limit) (took tick_delta role=duration)\n"
            "type 1030 open role=objectOpen (fd u64 role=object) (kind text role=resource) (limit u64 role=limit)\n"
            "type 1031 name role=objectName (fd u64 role=object) (name text role=name)\n"
            "type 1032 close role=objectClose (fd u64 role=object)\n"
            "type 1033 frozen role=stopped (took tick_delta role=duration)\n"
            "type 1034 tick\n"
            "stream 1 \"main\" thread=1\n") +
            events);
  }
};

}  // namespace evt::testing

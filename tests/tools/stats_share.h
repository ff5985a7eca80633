// Traces of threads that run and of spans and calls, for tests of evt stats share.
#pragma once

#include "at_the_shell.h"

namespace evt::testing {

class StatsShare : public AtTheShell {
 protected:
  void given(const std::string& events) {
    given_trace("x.evt", std::string("type 1024 run role=threadRun (thread u32 role=thread) (cpu u32 role=cpu)\n"
                                     "type 1025 stop role=threadStop (thread u32 role=thread) (why enum8 role=reason "
                                     "labels=[0=preempted 1=sleeping])\n"
                                     "type 1026 new role=threadCreate (thread u32 role=thread)\n"
                                     "type 1027 exit role=threadExit (thread u32 role=thread)\n"
                                     "type 1028 begin role=spanBegin (thread u32 role=thread) (name text role=name)\n"
                                     "type 1029 end role=spanEnd (thread u32 role=thread)\n"
                                     "type 1030 call role=callBegin (thread u32 role=thread) (f text role=function)\n"
                                     "type 1031 back role=callEnd (thread u32 role=thread) (f text role=function)\n"
                                     "type 1032 was role=call (thread u32 role=thread) (f text role=function) (took "
                                     "u32 role=duration unit=milliseconds)\n"
                                     "type 1033 tick\n"
                                     "stream 1 \"a\"\n"
                                     "stream 2 \"b\"\n") +
                             events);
  }
};

}  // namespace evt::testing

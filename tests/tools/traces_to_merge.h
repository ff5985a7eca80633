// Traces of several programs, for the tests of evt merge.
#pragma once

#include <fmt/core.h>

#include <string>

#include "at_the_shell.h"

namespace evt::testing {

class TracesToMerge : public AtTheShell {
 protected:
  // A trace of a session that began this many microseconds into 2026, on a machine without a name.
  void given(const std::string& name, int who, int start_us, const std::string& lines, const std::string& boot = "") {
    std::string first = fmt::format(
        "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e{:02x} "
        "start=1767225600.{:06}000 program=\"{}\" pid={} boot=\"{}\"\n",
        who, start_us, name, 10 + who, boot);
    given_trace(name, first + lines);
  }
};

}  // namespace evt::testing

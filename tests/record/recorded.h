// Programs under evt run, and what their traces have.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/at_the_shell.h"

namespace evt::testing {

class Recorded : public AtTheShell {
 protected:
  // Runs it under evt run, into t.evt; its report goes into the file `report`.
  Outcome record(const std::string& program, const std::string& options = "") const {
    return run("exec evt run -o t.evt " + options + " -- " + program + " 2>report");
  }
  // In every way of recording that this machine has, a program does what it does by itself.
  void expect_same(const std::string& line) const {
    const Outcome plain = run(line);
    std::vector<std::string> ways = {"", "--calls all", "--calls none"};
    if (run("which hooked").status == 0) ways.insert(ways.end(), {"--all-calls", "--count", "--count=calls"});
    for (const std::string& way : ways) EXPECT_EQ(record(line, way), plain) << way << "\n" << report();
  }
  // Lines FUNCTION,CALLS,AMOUNT of the functions that the pattern matches, in the order of their names.
  std::string calls(const std::string& pattern) const {
    return run("evt stats usage --by function --csv t.evt 2>/dev/null | awk -F, '"
               "NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }"
               "$at[\"function\"] ~ /^(" +
               pattern +
               ")$/ {"
               "  calls[$at[\"function\"]] += $at[\"calls\"]; had[$at[\"function\"]] += $at[\"amount\"] }"
               "END { for (f in calls) print f \",\" calls[f] \",\" had[f] }' | sort")
        .out;
  }
  // Lines FUNCTION,CALLS of those that were counted.
  std::string counts(const std::string& pattern, const std::string& trace = "t.evt") const {
    return run("evt stats counts --by function --csv " + trace + " 2>/dev/null | awk -F, 'NR > 1 && $1 ~ /^(" +
               pattern + ")$/ { print $1 \",\" $6 }' | sort")
        .out;
  }
  std::string report() const { return content_of("report"); }
};

}  // namespace evt::testing

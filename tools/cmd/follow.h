// evt dump --follow: the events of a program that runs, as they come.
#pragma once

namespace evt::tools {

struct DumpArguments;
class Report;

// Opens the trace ten times a second and prints what is new, until its program has ended. Each event once, and none is
// left out; in the order of their times among those of one look. The exit status.
int run_follow(DumpArguments& options, Report& report);

}  // namespace evt::tools

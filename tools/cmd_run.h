// evt run: a program, recorded, and its statistics when it has ended.
#pragma once

namespace evt::tools {

struct RunArguments;

// The exit status: the program's.
int run_run(RunArguments& options);

}  // namespace evt::tools

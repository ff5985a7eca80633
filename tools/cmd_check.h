// evt check: what a trace is worth.
#pragma once

namespace evt::tools {

struct CheckArguments;

// The exit status.
int run_check(CheckArguments& options);

}  // namespace evt::tools

// evt cut: a part of a trace -> a trace of its own, or several.
#pragma once

namespace evt::tools {

struct CutArguments;

// The exit status.
int run_cut(CutArguments& options);

}  // namespace evt::tools

// evt view: timelines of traces.
#pragma once

namespace evt::tools {

struct ViewArguments;

// The exit status.
int run_view(ViewArguments& options);

}  // namespace evt::tools

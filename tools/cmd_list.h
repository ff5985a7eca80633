// evt list: the rings that there are on this machine, and their removal.
#pragma once

namespace evt::tools {

struct ListArguments;

// The exit status.
int run_list(ListArguments& options);

}  // namespace evt::tools

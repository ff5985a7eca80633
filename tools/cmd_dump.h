// evt dump, also known as tracedump: a trace as text.
#pragma once

namespace evt::tools {

struct DumpArguments;

// The exit status.
int run_dump(DumpArguments& options);

}  // namespace evt::tools

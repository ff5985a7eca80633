// evt convert: between a trace and other forms of it.
#pragma once

namespace evt::tools {

struct ConvertArguments;

// The exit status.
int run_convert(ConvertArguments& options);

}  // namespace evt::tools

// evt merge: several traces -> one.
#pragma once

namespace evt::tools {

struct MergeArguments;

// The exit status.
int run_merge(MergeArguments& options);

}  // namespace evt::tools

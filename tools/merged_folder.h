// A folder of sessions, as evt run has it while programs run and leaves it after a crash, read as one trace.
#pragma once

#include <evt/status.h>

#include <string>

namespace evt::tools {

// A descriptor of an unlinked file with the merged trace, which stays open as long as this program runs.
Result<int> open_merged_folder(const std::string& folder);

}  // namespace evt::tools

// The folder of sessions that evt run leaves, which is a trace.
#pragma once

#include <evt/status.h>

#include <string>
#include <vector>

namespace evt::tools {

bool is_trace_folder(const std::string& path);
struct OpenedFolder {
  int descriptor = -1;                // the caller's, at the front
  std::vector<std::string> problems;  // sentences: what of the folder could not be read
};
// What is in it as one trace, in a temporary file that has no name. Errors as merge_folder() has them, or if there is
// no room.
Result<OpenedFolder> open_trace_folder(const std::string& path);

}  // namespace evt::tools

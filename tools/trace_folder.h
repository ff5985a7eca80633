// Folders that are traces: of the sessions that evt run leaves, and of CTF, of which a single stream is one, too.
#pragma once

#include <evt/status.h>

#include <string>

namespace evt::tools {

bool is_trace_folder(const std::string& path);
// What is in it as one trace, in a temporary file that has no name: a descriptor, at the front. Errors as
// merge_folder() and read_ctf() have them, or if there is no room.
Result<int> open_trace_folder(const std::string& path);

}  // namespace evt::tools

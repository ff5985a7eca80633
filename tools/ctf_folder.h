// Folders of CTF 1.8, and single streams in them, as LTTng and `perf data convert --to-ctf` leave them.
#pragma once

#include <evt/status.h>

#include <string>

namespace evt::tools {

// It has a file `metadata`, or a folder in it has one.
bool is_ctf_folder(const std::string& path);
// It begins as the packets of a stream do.
bool is_ctf_stream(const std::string& path);
// Of a folder, or of a stream that has its metadata beside it: writes the trace that it becomes to the descriptor, by
// the program evt-import-ctf, which is a package of its own. Errors: kIo, also without that program; its own sentence,
// kNotATrace.
Status read_ctf(const std::string& path, int descriptor);

}  // namespace evt::tools

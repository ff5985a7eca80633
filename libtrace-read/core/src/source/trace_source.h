// The bytes of a trace, whatever the format of the file.
#pragma once

#include "byte_source.h"

namespace evt {

// A file that an importer recognizes, as it makes a trace of it; all others stay what they are.
Result<std::unique_ptr<ByteSource>> as_trace(Result<std::unique_ptr<ByteSource>> source);
// The same of a path, and of a descriptor as open_descriptor() takes it. Folders are those that are traces.
Result<std::unique_ptr<ByteSource>> open_trace_file(const std::string& path);
Result<std::unique_ptr<ByteSource>> open_trace_descriptor(int descriptor, const std::string& name, Bytes already_read);

}  // namespace evt

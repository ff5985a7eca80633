// Files, folders and pipes as the bytes of traces.
#pragma once

#include <memory>
#include <string>

#include "byte_source.h"

namespace evt {

// As open_file(), and what importers make of it; also a folder that is a trace of another format.
Result<std::unique_ptr<ByteSource>> open_trace_file(const std::string& path);
// The same of a descriptor, as open_descriptor() takes it.
Result<std::unique_ptr<ByteSource>> open_trace_descriptor(int descriptor, const std::string& name, Bytes already_read);

}  // namespace evt

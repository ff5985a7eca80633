// Files, pipes and memory as bytes at offsets, and as the bytes of traces, in any format.
#pragma once

#include <evt/status.h>

#include <memory>
#include <string>

#include "byte_source.h"

namespace evt {

// True if a file that begins this way, with kFrontSize bytes or all of a shorter one, may be a trace or become one.
// Other input is not kept if it would have to be read to its end first.
bool may_be_trace(Bytes front);

// A file that an importer recognises, converted to a trace; all others unchanged.
Result<std::unique_ptr<ByteSource>> as_trace(Result<std::unique_ptr<ByteSource>> source);

// Each of these decompresses compressed files: the bytes are the original ones, and have no identity.
Result<std::unique_ptr<ByteSource>> open_file(const std::string& path);
// A descriptor of the caller, which is read to its end if it is not seekable. In this case, `already_read` are its
// first bytes.
Result<std::unique_ptr<ByteSource>> open_descriptor(int descriptor, const std::string& name, Bytes already_read);
Result<std::unique_ptr<ByteSource>> open_memory(Bytes bytes);

// Like open_file(), with conversion by importers; also opens a folder that is a trace of another format.
Result<std::unique_ptr<ByteSource>> open_trace_file(const std::string& path);
// Like open_trace_file(), for a descriptor of open_descriptor().
Result<std::unique_ptr<ByteSource>> open_trace_descriptor(int descriptor, const std::string& name, Bytes already_read);

}  // namespace evt

// Files, pipes and memory as bytes at offsets, and as the bytes of traces, whatever format they have.
#pragma once

#include <evt/status.h>

#include <memory>
#include <string>

#include "byte_source.h"

namespace evt {

// Whether a file that begins so, with kFrontSize bytes or all of what is shorter, may be a trace or what becomes one.
// Of all other bytes nothing is kept that would have to be read to its end first.
bool may_be_trace(Bytes front);

// A file that an importer recognizes, as it makes a trace of it; all others stay what they are.
Result<std::unique_ptr<ByteSource>> as_trace(Result<std::unique_ptr<ByteSource>> source);

// What is compressed is decompressed, whichever of these opens it: the bytes are those that were compressed, and have
// no identity.
Result<std::unique_ptr<ByteSource>> open_file(const std::string& path);
// A descriptor of the caller's, which is read to its end if it cannot be seeked.
// `already_read` are its first bytes then.
Result<std::unique_ptr<ByteSource>> open_descriptor(int descriptor, const std::string& name, Bytes already_read);
Result<std::unique_ptr<ByteSource>> open_memory(Bytes bytes);

// As open_file(), and what importers make of it; also a folder that is a trace of another format.
Result<std::unique_ptr<ByteSource>> open_trace_file(const std::string& path);
// The same of a descriptor, as open_descriptor() takes it.
Result<std::unique_ptr<ByteSource>> open_trace_descriptor(int descriptor, const std::string& name, Bytes already_read);

}  // namespace evt

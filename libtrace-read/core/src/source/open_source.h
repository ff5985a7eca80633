// Files, pipes and memory as bytes at offsets.
#pragma once

#include <evt/status.h>

#include <memory>
#include <string>

#include "byte_source.h"

namespace evt {

// What is compressed is decompressed, whichever of these opens it: the bytes are those that were compressed, and have
// no identity.
Result<std::unique_ptr<ByteSource>> open_file(const std::string& path);
// A descriptor of the caller's, which is read to its end if it cannot be seeked.
// `already_read` are its first bytes then.
Result<std::unique_ptr<ByteSource>> open_descriptor(int descriptor, const std::string& name, Bytes already_read);
Result<std::unique_ptr<ByteSource>> open_memory(Bytes bytes);

}  // namespace evt

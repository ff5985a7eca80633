// Compressed files and pipes as the bytes that they were made of.
#pragma once

#include <memory>
#include <string>

#include "byte_source.h"
#include "spool.h"

namespace evt {

// The file as it is if it is not compressed. Else a small one is in memory, a larger one in a temporary file. Where the
// compressed bytes are damaged, what is before is there, and the rest is damage, at places of the compressed file.
// Errors: kNotATrace, if nothing comes out, or nothing that opens; or if it is a bomb: more than 64 MiB, and more than
// a thousand times what was compressed. kIo: there is no room for it.
Result<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> file);
// The same of a pipe that is compressed.
Result<std::unique_ptr<ByteSource>> spool_decompressed(Incoming& compressed, const std::string& name);

}  // namespace evt

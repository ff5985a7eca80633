// The bytes of a trace, whatever the format of the file.
#pragma once

#include "byte_source.h"

namespace evt {

// A file that an importer recognizes, as it makes a trace of it; all others stay what they are.
Result<std::unique_ptr<ByteSource>> as_trace(Result<std::unique_ptr<ByteSource>> source);

}  // namespace evt

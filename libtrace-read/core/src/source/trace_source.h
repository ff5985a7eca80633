// The bytes of a trace, whatever the format of the file.
#pragma once

#include "byte_source.h"

namespace evt {

// Whether a file that begins so, with kFrontSize bytes or all of what is shorter, may be a trace or what becomes one.
// Of all other bytes nothing is kept that would have to be read to its end first.
bool may_be_trace(Bytes front);

// A file that an importer recognizes, as it makes a trace of it; all others stay what they are.
Result<std::unique_ptr<ByteSource>> as_trace(Result<std::unique_ptr<ByteSource>> source);

}  // namespace evt

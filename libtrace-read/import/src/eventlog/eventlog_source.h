// A GHC eventlog as the bytes of a trace: what is read here is made of the log when it is asked for. Nothing above
// knows the difference.
#pragma once

#include <mutex>

#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

// Whether a file that begins so is one.
bool is_eventlog(Bytes front);

// Walks the log once. What of it cannot be read is the damage of the source it returns, in places of the log. Errors:
// kNotATrace, if its header cannot be read.
Result<std::unique_ptr<ByteSource>> open_eventlog(std::unique_ptr<ByteSource> log);

}  // namespace evt

// A file of Chrome's Trace Event Format (V8, clang -ftime-trace, Bazel, PyTorch, uftrace, evt convert) as the bytes of
// a trace.
#pragma once

#include <memory>

#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

// Whether a file that begins so is JSON that may be one: an object, or an array of objects.
bool is_chrome_json(Bytes front);

// Reads the file once, sorts its events by time, and keeps the trace in an unlinked temporary file. What of it cannot
// be read is the damage of the source it returns, in places of the file; a file that ends in the middle is a trace that
// was not closed. Errors: kNotATrace, if it is JSON without an array of events; kIo, if there is no room for the trace.
Result<std::unique_ptr<ByteSource>> open_chrome_json(std::unique_ptr<ByteSource> file);

}  // namespace evt

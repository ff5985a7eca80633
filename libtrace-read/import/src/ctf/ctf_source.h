// CTF traces (LTTng, perf, barectf, Zephyr, evt convert) as the bytes of a trace: of version 1.8, and 2.
#pragma once

#include <memory>

#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

// Whether a file that begins so is a stream of one.
bool is_ctf_stream(Bytes front);

// A stream whose metadata is beside it. Reads the file once, sorts its events by time, and keeps the trace in an
// unlinked temporary file. What cannot be read is the damage of the source, in places of the stream's file, which its
// reason names. Errors: kNotATrace, if there is no metadata, or if that cannot be read; kIo.
Result<std::unique_ptr<ByteSource>> open_ctf_stream(std::unique_ptr<ByteSource> file);

// Whether a folder, or one in it, has a file `metadata`.
bool is_ctf_folder(const std::string& folder);

// All traces in a folder and below it as one session; as open_ctf_stream().
Result<std::unique_ptr<ByteSource>> open_ctf_folder(const std::string& folder);

}  // namespace evt

// Files and folders of other formats as the bytes of traces, in unlinked temporary files. No code above knows the
// difference.
#pragma once

#include <evt/recode.h>

#include <functional>
#include <memory>
#include <string>

#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

// --- A file of Chrome's Trace Event Format (V8, clang -ftime-trace, Bazel, PyTorch, uftrace, evt convert) as the bytes
// of a trace.

// True if a file that begins so is JSON that may be one: an object, or an array of objects.
bool is_chrome_json(Bytes front);

// Reads the file once, sorts its events by time, and keeps the trace in an unlinked temporary file. Unreadable bytes
// are damage of the returned source, at offsets of the file; a file that ends in the middle is a trace that was not
// closed. Errors: kNotATrace, if it is JSON without an array of events; kIo, if there is no room for the trace.
Result<std::unique_ptr<ByteSource>> open_chrome_json(std::unique_ptr<ByteSource> file);

// --- CTF traces (LTTng, perf, barectf, Zephyr, evt convert) as the bytes of a trace: versions 1.8 and 2.

// True if a file that begins so is a stream of one.
bool is_ctf_stream(Bytes front);

// A stream whose metadata is in the same folder. Reads the file once, sorts its events by time, and keeps the trace in
// an unlinked temporary file. Unreadable bytes are damage of the source, at offsets of the stream's file, which its
// reason names. Errors: kNotATrace, if there is no metadata, or if that cannot be read; kIo.
Result<std::unique_ptr<ByteSource>> open_ctf_stream(std::unique_ptr<ByteSource> file);

// --- A GHC eventlog as the bytes of a trace: bytes are made from the log when they are read.

// True if a file that begins so is one.
bool is_eventlog(Bytes front);

// Walks the log once. Unreadable bytes are damage of the returned source, at offsets of the log. Errors: kNotATrace, if
// its header cannot be read.
Result<std::unique_ptr<ByteSource>> open_eventlog(std::unique_ptr<ByteSource> log);

// --- Samples of stacks as the bytes of a trace: folded stacks, profiles of pprof, and the text of `perf script`.

// True if a file that begins so is one of these.
bool is_folded(Bytes front);
bool is_pprof(Bytes front);
bool is_perf_script(Bytes front);

// Reads the file once and keeps the trace in an unlinked temporary file. Folded stacks and profiles state no times:
// their samples follow one another, each for as long as it weighs. What cannot be read is damage of the source, and a
// loss. Errors: kNotATrace, if no sample can be read, or a profile is too large; kIo, if there is no room for the
// trace.
Result<std::unique_ptr<ByteSource>> open_folded(std::unique_ptr<ByteSource> file);
Result<std::unique_ptr<ByteSource>> open_pprof(std::unique_ptr<ByteSource> file);
Result<std::unique_ptr<ByteSource>> open_perf_script(std::unique_ptr<ByteSource> file);

// `write` passes the trace's bytes on; `from` is the file called `name`. Errors: its own; kIo, if there is no temporary
// file.
Result<std::unique_ptr<ByteSource>> imported_source(const std::string& name, MadeFrom from,
                                                    const std::function<Status(const TakeBytes&)>& write);

}  // namespace evt

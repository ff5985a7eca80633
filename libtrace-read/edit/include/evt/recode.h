// The same trace with its events stored in another form: smaller, or as rows, which readers without zstd can read. Also
// converts a GHC eventlog, which opens like a trace.
#pragma once

#include <evt/trace.h>

#include <functional>
#include <string>

#pragma GCC visibility push(default)
namespace evt {

enum class Form : std::uint8_t {
  kRows,     // uncompressed, as recorded
  kColumns,  // compressed: a quarter of the space or less
};

// Takes bytes of the new trace, one part after another; returns 0, or an errno that ends it.
using TakeBytes = std::function<int(Bytes)>;

// Passes the trace at `path` to `take`, block by block in the order in which they were written, with events in that
// form. Sessions do not change, except that those of a draft of this version become sessions of it. Rows are restored
// byte for byte; INDEX blocks describe the new form, or are left out. Rows in the ring of a killed or running program
// are not included. Blocks that are not understood, or cannot be read, are copied unchanged: nothing of a later version
// is lost, and the same rows are missing from the new trace as from this one. Bytes between blocks, and repeated
// blocks, are not copied; a session that was not closed stays so.
//
// Returns the trace as it was read: its status, damage and missing rows are the result of reading all of it, with
// `ReadOptions::check_index`. Errors: kNotATrace, kNewerFormat, kIo: nothing was passed. kMemory, or kIo from `take`:
// not everything was.
Result<Trace> recode(const std::string& path, Form form, const TakeBytes& take);
// As above for a session in several files, see Trace::open(): they become one.
Result<Trace> recode(std::span<const std::string> paths, Form form, const TakeBytes& take);
// As above for a descriptor, which stays the caller's; `name` is its name in messages, and `already_read` what was read
// from it before.
Result<Trace> recode(int descriptor, const std::string& name, Bytes already_read, Form form, const TakeBytes& take);

}  // namespace evt
#pragma GCC visibility pop

// The same trace with its events stored in another form: smaller, or as rows, for which no reader needs
// zstd. Of a GHC eventlog, which opens as a trace does, it makes one.
#pragma once

#include <evt/trace.h>

#include <functional>
#include <string>

#pragma GCC visibility push(default)
namespace evt {

enum class Form : std::uint8_t {
  kRows,     // as they were recorded
  kColumns,  // compressed: a quarter of the space or less
};

// Takes bytes of the new trace, one part after another; 0, or an errno that ends it.
using TakeBytes = std::function<int(Bytes)>;

// Hands the trace at `path` to `take`, block by block in the order in which they were written, events in that form
// where they are not yet. Sessions stay what they are, rows come back byte for byte; INDEX blocks describe the new
// form, or are left out. What the ring of a killed or living program has is not part of it. Blocks that are not
// understood, or cannot be read, go along as they are: nothing of a later version is lost, and the same rows are
// missing from the new trace as from this one. What is between blocks, or a block again, does not; a session that was
// not closed stays so.
//
// Gives the trace as it was read: its status, damage and missing rows are what reading all of it, with
// `ReadOptions::check_index`, has shown. Errors: kNotATrace, kNewerFormat, kIo: nothing was handed over. kMemory, or
// kIo from `take`: not all was.
Result<Trace> recode(const std::string& path, Form form, const TakeBytes& take);
// The same of a session in several files, as Trace::open() takes them: they become one.
Result<Trace> recode(std::span<const std::string> paths, Form form, const TakeBytes& take);
// The same of a descriptor, which stays the caller's; `name` is how messages call it, and `already_read` what was read
// from it before it was handed over.
Result<Trace> recode(int descriptor, const std::string& name, Bytes already_read, Form form, const TakeBytes& take);

}  // namespace evt
#pragma GCC visibility pop

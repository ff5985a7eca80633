// The same trace with its events stored in another form: smaller, or as rows, for which no reader needs
// zstd. Of a GHC eventlog, which opens as a trace does, it makes one.
#pragma once

#include <evt/schema.h>
#include <evt/status.h>

#include <functional>
#include <string>

#pragma GCC visibility push(default)
namespace evt {

enum class Form : std::uint8_t {
  kRows,     // as they were recorded
  kColumns,  // compacted: a quarter of the space or less
};

// Takes bytes of the new trace, one part after another; 0, or an errno that ends it.
using TakeBytes = std::function<int(Bytes)>;

// Hands the trace at `path` to `take`, every readable block of it, events in that form where they are not yet. Sessions
// stay what they are, rows come back byte for byte; INDEX blocks tell of the new form, or are left out where a block
// is. What the ring of a killed or living program has is not part of it. Nothing of a later version is lost: blocks
// that are not understood go along.
//
// Errors: kIo, kNotATrace, kNewerFormat: nothing was handed over. kMemory, or kIo from `take`: not all was. kCut,
// kDamaged: all that can be read was.
Status recode(const std::string& path, Form form, const TakeBytes& take);
// The same of a descriptor, which stays the caller's; `name` is how messages call it, and `already_read` what was read
// from it before it was handed over.
Status recode(int descriptor, const std::string& name, Bytes already_read, Form form, const TakeBytes& take);

}  // namespace evt
#pragma GCC visibility pop

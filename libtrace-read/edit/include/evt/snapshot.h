// What a session has at one moment -> a separate trace, which is closed: nothing of the session is ever added to it.
#pragma once

#include <evt/recode.h>
#include <evt/trace.h>

#include <functional>
#include <string>

#pragma GCC visibility push(default)
namespace evt {

struct SnapshotOptions {
  std::function<bool(const Session&)> session{};  // the wanted ones; empty: all
  std::string writer{};                           // the new trace's: the program and its version
  // Called when `done` bytes of the trace, of `total`, have been looked at.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

// Passes all rows of the trace, with those that were read from rings, to `take`: one session for each session, which
// names it as its origin, with all it describes, its facts and copyable blocks. Compressed rows are copied as they are
// stored, without being unpacked. Rows of segments that were not kept are stated as such, by a SEGMENT block; damaged
// or missing parts become a loss by damage, at their place in their stream. For a part of it there is cut(), which
// takes the same trace.
//
// The trace lists what was damaged. The same trace and options give the same bytes. Errors: kIo: from `take`.
Status snapshot(Trace& trace, const SnapshotOptions& options, const TakeBytes& take);

}  // namespace evt
#pragma GCC visibility pop

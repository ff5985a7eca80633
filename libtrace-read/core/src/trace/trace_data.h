// The data of an open trace: the stages from bytes to sessions.
#pragma once

#include <evt/trace.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "libtrace-read/core/src/block/indexed_block_verifier.h"
#include "libtrace-read/core/src/block/ledger.h"
#include "libtrace-read/core/src/session/handed_out.h"
#include "libtrace-read/core/src/session/session_builder.h"
#include "ring_file.h"

namespace evt {

// A small file needs little memory, unless it is compressed to do harm.
inline ReadOptions fitting(ReadOptions options, std::uint64_t file_size) {
  constexpr std::uint64_t kMin = 8 << 20;
  const std::uint64_t most = kMin + 64 * std::min<std::uint64_t>(file_size, UINT32_MAX);
  options.memory_budget = static_cast<std::size_t>(std::min<std::uint64_t>(options.memory_budget, most));
  return options;
}

struct TraceData {
  TraceData(std::unique_ptr<ByteSource> from, const ReadOptions& opt)
      : options(fitting(opt, from->size())),
        source(std::move(from)),
        blocks(*source, ledger, opt.salvage),
        verifier(blocks, ledger) {}

  // For code that makes a trace from another.
  static TraceData& of(Trace& trace) { return *trace.data_; }
  static const TraceData& of(const Trace& trace) { return *trace.data_; }
  static Result<Trace> trace_of(std::unique_ptr<TraceData> data) { return Trace::from_data(std::move(data), true); }

  ReadOptions options;
  std::unique_ptr<ByteSource> source;
  Ledger ledger;
  BlockReader blocks;
  IndexedBlockVerifier verifier;
  std::deque<Session> sessions;
  std::deque<SessionData> data;                        // one for each session
  std::map<const Session*, std::vector<Loss>> losses;  // for sessions that were requested
  Status structure;                                    // the status of building the sessions
  Trace::Recovery recovery;
  std::vector<Trace::File> files;
  std::vector<std::string> duplicates;
  std::vector<std::unique_ptr<RingFile>> locked_rings;
};

// The first reason why not everything that was written can be read, so far.
Status first_problem(const TraceData& trace);

// Opens a trace: the file and, if its writer was killed or still runs, what its ring has that the file lacks. Reads the
// structure; looks for rings of its sessions if the source is a file and the options allow it. `handed_out`: the source
// is what one that follows the writer reads next; rows that were handed out are left out, and not missing.
std::unique_ptr<TraceData> open_trace(std::unique_ptr<ByteSource> source, const ReadOptions& options,
                                      const HandedOut* handed_out = nullptr);

}  // namespace evt

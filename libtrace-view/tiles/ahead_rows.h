// What threads and cpus do in a stretch of a session of which not all before it was read: from a checkpoint on.
#pragma once

#include <evt/analysis/state_history.h>

#include <string>
#include <vector>

#include "fine_rows.h"
#include "layout.h"

namespace evt::view {

// The rows are those of the session as far as it was read: of a thread that was not met, or had ended, there is none.
// Refers to the trace. One thread at a time.
class AheadRows {
 public:
  // Whether what a row of this kind has follows from the state at a checkpoint and what is recorded from there on.
  static bool has(TrackKind kind) {
    return kind == TrackKind::kCpus || kind == TrackKind::kCpu || kind == TrackKind::kThread ||
           kind == TrackKind::kSpan || kind == TrackKind::kSamples;
  }

  // REQUIRES: as FineRows has it.
  AheadRows(StateHistory& history, std::size_t session, const Scale& scale, FineRows::Limits limits);

  FineRows& rows() { return rows_; }
  // With the keys that they have in `whole`, from the begin of the session on. What goes on does so until this time.
  std::vector<Track> tracks(FineRows& whole, const Layout& layout, const Scale& as, std::int64_t until_ns,
                            const ShownKeys& keys);

 private:
  LanePlan lanes_in(FineRows& whole, const LanePlan& lanes);
  // By the indexes of Actors; empty of those that it has not met.
  std::vector<std::string> cpu_keys_in(FineRows& whole);

  FineRows rows_;
};

}  // namespace evt::view

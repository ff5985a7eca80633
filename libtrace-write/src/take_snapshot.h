// Snapshots of a session that its own process takes, one at a time: what evt_snapshot does.
#pragma once

#include <evt/evt.h>

#include <cstdint>

namespace evt {

// What asked for a snapshot, in words, and when, on the session's time scale.
struct SnapshotReason {
  char text[EVT_MAX_TYPE_NAME + 128];
  std::int64_t ns;
};

// evt_snapshot; the snapshot has the reason, unless it is null, as a fact.
int take_snapshot(evt_writer* writer, const char* path, const evt_snapshot_options& options,
                  const SnapshotReason* reason, evt_error* error);
// Waits until no thread takes a snapshot of this session, which takes none any more. Called by close.
void wait_for_snapshot(const evt_writer* writer);
// In a fork child, in which nobody takes one.
void forget_snapshot();

}  // namespace evt

// Decides when a session continues in a new file, and which files it then deletes.
#pragma once

#include <evt/evt.h>

#include <cstdint>

#include "numbered_files.h"
#include "recording.h"

namespace evt {

// Before the session begins it belongs to the thread that opens it, then to the one that writes the trace.
class Rotation {
 public:
  // Returns false, with the reason in `error`, if the path and these options contradict each other. `can_change`: a
  // thread writes the trace, because only then a session can continue in another file. REQUIRES: the pattern has %n.
  bool open(const char* pattern, const evt_options& options, bool can_change, evt_error* error);
  NumberedFiles& files() { return files_; }

  // The session has its first file. Deletes files beyond the budget, and from now on the oldest when the disk is full.
  void begin(Recording& recording);
  // True if the file has no room for so many bytes, or is old enough, and has rows. REQUIRES: begin().
  bool is_due(const Recording& recording, std::uint64_t upcoming_bytes) const;
  const char* next_path() { return files_.next_path(); }
  // The session continues in the file of the last next_path().
  void changed(Recording& recording);
  // That file could not be made, for this reason, an errno. Returns whether the next one is to be tried now; otherwise
  // none is due for a second.
  bool tries_again(int reason);
  // Deletes files that are older, or more bytes, than allowed. The current file stays.
  void delete_what_is_over();
  // Why there may be more bytes than was asked for: the first reason; empty: none.
  const char* notice() const { return notice_.message; }

 private:
  static bool give_space(void* self);
  void note_segment(Recording& recording);
  bool delete_oldest();
  void note(const char* what, int reason);

  NumberedFiles files_;
  std::uint64_t rotate_bytes_ = 0;  // 0: not by size
  std::uint64_t rotate_ns_ = 0;
  std::uint64_t keep_bytes_ = 0;
  std::uint64_t keep_ns_ = 0;
  // The current file's.
  std::uint64_t number_ = 0;
  std::uint64_t least_bytes_ = 0;
  std::uint64_t rows_before_ = 0;
  std::uint64_t began_at_ns_ = 0;  // CLOCK_MONOTONIC
  std::uint64_t retry_at_ns_ = 0;  // CLOCK_MONOTONIC; 0: the last file could be made
  evt_error notice_ = {EVT_OK, ""};
};

}  // namespace evt

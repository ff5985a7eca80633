// Decides when a session continues in a new file, and which files it then deletes: numbered files, or the segments of a
// flight recorder beside its ring.
#pragma once

#include <evt/evt.h>

#include <cstdint>

#include "descriptor.h"
#include "format-spec/src/ring/ring_layout.h"
#include "numbered_files.h"
#include "recording.h"

namespace evt {

// Before the session begins it belongs to the thread that opens it, then to the one that writes the trace.
class Rotation {
 public:
  Rotation() = default;
  Rotation(const Rotation&) = delete;
  Rotation& operator=(const Rotation&) = delete;
  ~Rotation() { first_.close(); }

  // True if the options ask for such files.
  static bool is_wanted(const evt_options& options);
  // Returns false, with the reason in `error`, if these options contradict each other. `can_change`: a thread writes
  // the trace, because only then a session can continue in another file.
  bool take(const evt_options& options, bool can_change, evt_error* error);
  // The same, with the path. REQUIRES: take(); the pattern has %n.
  bool open(const char* pattern, evt_error* error);
  // A flight recorder whose segments are beside this ring. `error` may get a notice, with code EVT_OK.
  bool open_beside(const char* ring_path, evt_error* error);
  NumberedFiles& files() { return files_; }
  bool is_beside_ring() const { return is_beside_ring_; }
  // Keeps this descriptor of the first file, and its lock.
  void keep_first(int descriptor);
  // In a fork child the lock is the parent's.
  void detach() { first_.close(); }

  // What it keeps, for the ring. `path`: of the first file.
  ring::Budget budget(const char* path) const;

  // The session has its first file. Deletes files beyond the budget, and from now on the oldest when the disk is full.
  void begin(Recording& recording);
  // True if the file has no room for so many bytes of rows, or is old enough, and has rows. REQUIRES: begin().
  bool is_due(const Recording& recording, std::uint64_t upcoming_bytes) const;
  const char* next_path() { return files_.next_path(); }
  // The session continues in the file of the last next_path().
  void changed(Recording& recording);
  // That file could not be made, for this reason, an errno. Returns whether the next one is to be tried now; otherwise
  // none is due for a second.
  bool tries_again(int reason);
  // Deletes files that are older, or more bytes, than allowed. The current file stays.
  void delete_what_is_over();
  // These bytes of a segment, and as many rows, are the state that a runtime described again.
  void add_state(std::uint64_t rows, std::uint64_t bytes);
  // The session is closed. Puts all segments into the file at `path`, which is the first of them, and deletes them.
  // Returns false, with the reason in `error`, if they stay. REQUIRES: is_beside_ring().
  bool join(const char* path, evt_error* error);
  // Why there may be more bytes than was asked for, or fewer: the first reason; empty: none.
  const char* notice() const { return notice_.message; }

 private:
  static bool give_space(void* self);
  void note_segment(Recording& recording);
  void fit_to_room();
  bool delete_oldest();
  void note(const char* what, int reason, const char* consequence);

  NumberedFiles files_;
  bool is_beside_ring_ = false;
  Descriptor first_;
  std::uint64_t flight_bytes_ = 0;
  std::uint64_t rotate_bytes_ = 0;  // 0: not by size
  std::uint64_t rotate_ns_ = 0;
  std::uint64_t keep_bytes_ = 0;
  std::uint64_t keep_ns_ = 0;
  // The current file's.
  std::uint64_t number_ = 0;
  std::uint64_t rows_before_ = 0;
  std::uint64_t front_bytes_ = 0;
  std::uint64_t state_bytes_ = 0;
  std::uint64_t began_at_ns_ = 0;  // CLOCK_MONOTONIC
  std::uint64_t retry_at_ns_ = 0;  // CLOCK_MONOTONIC; 0: the last file could be made
  evt_error notice_ = {EVT_OK, ""};
};

}  // namespace evt

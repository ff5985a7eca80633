// Continues a session in its next file: because the program asks for one, or its rotation does.
#pragma once

#include "recording.h"
#include "ring.h"
#include "rotation.h"
#include "segment_change.h"

namespace evt {

// For the thread that writes the trace, except change() as far as it states that.
class NextFile {
 public:
  NextFile(Recording& recording, Ring& ring) : recording_(recording), change_(recording, ring) {}
  NextFile(const NextFile&) = delete;
  NextFile& operator=(const NextFile&) = delete;

  // A file that the program asks for.
  SegmentChange& change() { return change_; }
  const SegmentChange& change() const { return change_; }
  // Makes the session continue in new files by itself. Null: it does not.
  Rotation* rotation() { return rotation_; }
  // Called before the first rows; null without memory.
  Rotation* make_rotation();
  // Called before the first rows: the session continues at once in a file of the rotation. Returns false, with the
  // reason in `error`, if it does not; the file is deleted.
  bool begin_beside_ring(evt_error* error);
  // REQUIRES: nothing is written any more.
  void end_rotation();

  // Continues a change of files; false if it is to be retried, and no rows may be written until then. REQUIRES:
  // change().is_due().
  bool go_on();
  // Changes to the next file of the rotation, if that is due before so many bytes of rows. Returns false while no rows
  // may be written.
  bool rotate_if_due(std::uint64_t upcoming_bytes = 0);

 private:
  Recording& recording_;
  SegmentChange change_;
  Rotation* rotation_ = nullptr;
};

}  // namespace evt

// Moves a session from one file to the next (FORMAT.md, section 6.7), in steps that can be retried.
#pragma once

#include "format-spec/src/base/buffer.h"
#include "recording.h"
#include "ring.h"

namespace evt {

// For the thread that writes the trace, except request().
class SegmentChange {
 public:
  SegmentChange(Recording& recording, Ring& ring) : recording_(recording), ring_(ring) {}
  SegmentChange(const SegmentChange&) = delete;
  SegmentChange& operator=(const SegmentChange&) = delete;

  // Requests that the session continues in a new file at this absolute path; false if an earlier request is not done,
  // or the path is too long. Any thread.
  bool request(const char* path);
  // Number of requests that were answered, and of those whose file is or was in use. Any thread.
  std::uint64_t answered() const { return __atomic_load_n(&answered_, __ATOMIC_ACQUIRE); }
  std::uint64_t changed() const { return __atomic_load_n(&changed_, __ATOMIC_ACQUIRE); }

  // Why the file of the last request could not be made, an errno; 0: it was made. For the thread that writes the trace.
  int error_number() const { return error_number_; }

  bool is_due() const { return __atomic_load_n(&is_due_, __ATOMIC_ACQUIRE); }
  // The old file has its end: no rows may be written until the next one has its beginning.
  bool has_begun() const { return step_ != Step::kNone; }
  // Continues as far as it can; false if it is to be retried. REQUIRES: is_due(); at first, all rows are written.
  bool go_on();
  // The session ends: a change that has not begun is dropped.
  void give_up();

 private:
  enum class Step : std::uint8_t { kNone, kEnd, kBegin, kFront };

  bool open();
  bool gather();
  void begin();
  void answer();

  Recording& recording_;
  Ring& ring_;
  bool is_due_ = false;         // atomic
  std::uint64_t answered_ = 0;  // atomic
  std::uint64_t changed_ = 0;   // atomic
  char* path_ = nullptr;
  Step step_ = Step::kNone;
  int fd_ = -1;
  int error_number_ = 0;
  std::uint64_t first_block_no_ = 0;
  Buffer table_;     // table of streams, for INDEX
  Buffer segment_;   // the payload of SEGMENT
  Buffer metadata_;  // all of it
  Buffer front_;     // the beginning of the next file, as MetadataLog collects blocks
  std::size_t front_written_ = 0;
};

}  // namespace evt

#include "rotation.h"

#include <errno.h>
#include <string.h>

#include "clock.h"
#include "error_text.h"

namespace evt {
namespace {

// Four blocks of the largest slots.
constexpr std::uint64_t kMinSegment = 1 << 20;
// A budget without a file size has so many files.
constexpr std::uint64_t kSegmentsKept = 8;
// A file is at least so many times as long as the metadata that it begins with.
constexpr std::uint64_t kMetadataShare = 8;
constexpr std::uint64_t kRetryAfterNs = 1'000'000'000;

bool misfit(evt_error* error, const char* sentence) {
  set_error(error, EVT_CODE_INVALID, "%s", sentence);
  return false;
}

}  // namespace

bool Rotation::open(const char* pattern, const evt_options& options, bool can_change, evt_error* error) {
  rotate_bytes_ = options.rotate_bytes;
  rotate_ns_ = options.rotate_ns;
  keep_bytes_ = options.keep_bytes;
  keep_ns_ = options.keep_ns;
  if (keep_bytes_ != 0 && rotate_bytes_ == 0) {
    const std::uint64_t share = keep_bytes_ / kSegmentsKept;
    rotate_bytes_ = share > kMinSegment ? share : kMinSegment;
  }
  const bool rotates = rotate_bytes_ != 0 || rotate_ns_ != 0;
  if (options.append != 0)
    return misfit(error, "append and %n exclude one another: each session with %n has files of its own");
  if (rotates && !can_change)
    return misfit(error, "rotate and keep need a thread that writes the trace, and there is none");
  if (rotate_bytes_ != 0 && rotate_bytes_ < kMinSegment) {
    set_error(error, EVT_CODE_INVALID, "a file of %llu bytes is too small: expected rotate to be %llu at least",
              static_cast<unsigned long long>(rotate_bytes_), static_cast<unsigned long long>(kMinSegment));
    return false;
  }
  if (keep_bytes_ != 0 && keep_bytes_ / 2 < rotate_bytes_) {
    set_error(error, EVT_CODE_INVALID, "keep has to be at least two files: expected %llu bytes, found %llu",
              static_cast<unsigned long long>(rotate_bytes_ * 2), static_cast<unsigned long long>(keep_bytes_));
    return false;
  }
  return files_.open(pattern, error);
}

void Rotation::begin(Recording& recording) {
  if (keep_bytes_ != 0 || keep_ns_ != 0) {
    files_.list(recording.output().sink().path(), recording.output().session_id());
  }
  recording.output().use_space_giver(&Rotation::give_space, this);
  note_segment(recording);
  delete_what_is_over();
}

void Rotation::note_segment(Recording& recording) {
  number_ = files_.last();
  retry_at_ns_ = 0;
  const std::uint64_t least = recording.output().segment_bytes() * kMetadataShare;
  least_bytes_ = rotate_bytes_ > least ? rotate_bytes_ : least;
  rows_before_ = recording.rows().rows_written();
  began_at_ns_ = monotonic_ns();
}

bool Rotation::is_due(const Recording& recording, std::uint64_t upcoming_bytes) const {
  if (rotate_bytes_ == 0 && rotate_ns_ == 0) return false;
  if (recording.rows().rows_written() == rows_before_) return false;
  if (retry_at_ns_ != 0 && monotonic_ns() < retry_at_ns_) return false;
  return (rotate_bytes_ != 0 && recording.output().segment_bytes() + upcoming_bytes >= least_bytes_) ||
         (rotate_ns_ != 0 && monotonic_ns() - began_at_ns_ >= rotate_ns_);
}

void Rotation::changed(Recording& recording) {
  if (keep_bytes_ != 0 || keep_ns_ != 0) files_.add(number_);
  note_segment(recording);
  delete_what_is_over();
}

// With the current file there may be one more than the budget has.
void Rotation::delete_what_is_over() {
  while (keep_bytes_ != 0 && !files_.empty() && files_.bytes() > keep_bytes_) delete_oldest();
  if (keep_ns_ == 0) return;
  const std::int64_t now = utc_ns();
  const auto is_too_old = [&](std::int64_t then) {
    return now > then && static_cast<std::uint64_t>(now - then) > keep_ns_;
  };
  while (!files_.empty() && is_too_old(files_.oldest_utc_ns())) delete_oldest();
}

// Other programs take numbers, and a full disk may have no room for a file's name. What else there is may last.
bool Rotation::tries_again(int reason) {
  if (reason == EEXIST) return true;
  if ((reason == ENOSPC || reason == EDQUOT) && give_space(this)) return true;
  retry_at_ns_ = monotonic_ns() + kRetryAfterNs;
  note("cannot begin the next file of the trace", reason);
  return false;
}

bool Rotation::give_space(void* self) {
  auto& rotation = *static_cast<Rotation*>(self);
  return !rotation.files_.empty() && rotation.delete_oldest();
}

bool Rotation::delete_oldest() {
  if (files_.delete_oldest()) return true;
  note("cannot delete an earlier file of the trace", errno);
  return false;
}

void Rotation::note(const char* what, int reason) {
  if (notice_.message[0] != '\0') return;
  set_error(&notice_, EVT_OK, "%s: %s: there may be more than rotate and keep allow", what, strerror(reason));
}

}  // namespace evt

#include "rotation.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "clock.h"
#include "error_text.h"
#include "segment_join.h"

namespace evt {
namespace {

// Four blocks of the largest slots.
constexpr std::uint64_t kMinSegment = 1 << 20;
// A budget without a file size has so many files.
constexpr std::uint64_t kSegmentsKept = 8;
// A file is at least so many times as long as the metadata that it begins with.
constexpr std::uint64_t kMetadataShare = 8;
constexpr std::uint64_t kRetryAfterNs = 1'000'000'000;
// When one of these is deleted, seven eighths of the budget are still there.
constexpr std::uint64_t kFlightSegments = 16;

std::uint64_t segment_of(std::uint64_t flight_bytes) {
  const std::uint64_t share = flight_bytes / kFlightSegments;
  return share > kMinSegment ? share : kMinSegment;
}

// Three quarters of what is free: others need some, too.
std::uint64_t room_in(const char* folder) {
  struct statvfs status;
  return statvfs(folder, &status) == 0 ? std::uint64_t{status.f_bavail} * status.f_frsize / 4 * 3 : 0;
}

bool misfit(evt_error* error, const char* sentence) {
  set_error(error, EVT_CODE_INVALID, "%s", sentence);
  return false;
}

}  // namespace

bool Rotation::is_wanted(const evt_options& options) {
  return options.rotate_bytes != 0 || options.rotate_ns != 0 || options.keep_bytes != 0 || options.keep_ns != 0 ||
         options.flight_bytes != 0 || options.flight_ns != 0;
}

bool Rotation::take(const evt_options& options, bool can_change, evt_error* error) {
  rotate_bytes_ = options.rotate_bytes;
  rotate_ns_ = options.rotate_ns;
  keep_bytes_ = options.keep_bytes;
  keep_ns_ = options.keep_ns;
  flight_bytes_ = options.flight_bytes;
  const bool rotates_already = rotate_bytes_ != 0 || rotate_ns_ != 0 || keep_bytes_ != 0 || keep_ns_ != 0;
  if (flight_bytes_ == 0 && options.flight_ns != 0)
    return misfit(error, "age is that of a flight recorder: expected flight with it, such as flight=64M,age=5m");
  if (flight_bytes_ != 0 && rotates_already)
    return misfit(error, "flight and rotate or keep exclude one another: a flight recorder has files of its own");
  if (flight_bytes_ != 0 && options.append != 0)
    return misfit(error, "append and flight exclude one another: a flight recorder has files of its own");
  if (flight_bytes_ != 0 && flight_bytes_ < 2 * kMinSegment) {
    set_error(error, EVT_CODE_INVALID, "a flight recorder of %llu bytes is too small: expected %llu at least",
              static_cast<unsigned long long>(flight_bytes_), static_cast<unsigned long long>(2 * kMinSegment));
    return false;
  }
  if (flight_bytes_ != 0) {
    rotate_bytes_ = segment_of(flight_bytes_);
    keep_bytes_ = flight_bytes_ - rotate_bytes_;
    keep_ns_ = options.flight_ns;
    rotate_ns_ = options.flight_ns / kFlightSegments;
  }
  if (keep_bytes_ != 0 && rotate_bytes_ == 0) {
    const std::uint64_t share = keep_bytes_ / kSegmentsKept;
    rotate_bytes_ = share > kMinSegment ? share : kMinSegment;
  }
  const bool rotates = rotate_bytes_ != 0 || rotate_ns_ != 0;
  if (options.append != 0)
    return misfit(error, "append and %n exclude one another: each session with %n has files of its own");
  if (rotates && !can_change)
    return misfit(error, "rotate, keep and flight need a thread that writes the trace, and there is none");
  if (rotate_bytes_ != 0 && rotate_bytes_ < kMinSegment) {
    set_error(error, EVT_CODE_INVALID, "a file of %llu bytes is too small: expected rotate to be %llu at least",
              static_cast<unsigned long long>(rotate_bytes_), static_cast<unsigned long long>(kMinSegment));
    return false;
  }
  if (flight_bytes_ == 0 && keep_bytes_ != 0 && keep_bytes_ / 2 < rotate_bytes_) {
    set_error(error, EVT_CODE_INVALID, "keep has to be at least two files: expected %llu bytes, found %llu",
              static_cast<unsigned long long>(rotate_bytes_ * 2), static_cast<unsigned long long>(keep_bytes_));
    return false;
  }
  return true;
}

bool Rotation::open(const char* pattern, evt_error* error) { return files_.open(pattern, error); }

bool Rotation::open_beside(const char* ring_path, evt_error* error) {
  is_beside_ring_ = true;
  if (*ring_path == '\0' || !files_.open_beside(ring_path))
    return misfit(error, "a flight recorder needs a ring in shared memory, and there is none");
  const std::uint64_t room = room_in(files_.folder());
  char shown[kPathOfTwoShown];
  show_path(files_.folder(), shown, sizeof shown);
  if (room < 2 * kMinSegment) {
    set_error(error, EVT_CODE_IO, "no flight recorder in %s: it has room for %llu bytes, expected %llu", shown,
              static_cast<unsigned long long>(room), static_cast<unsigned long long>(2 * kMinSegment));
    return false;
  }
  if (room < flight_bytes_) {
    add_notice(error, "the flight recorder keeps %llu MiB: %s has no room for more",
               static_cast<unsigned long long>(room >> 20), shown);
  }
  fit_to_room();
  return true;
}

void Rotation::keep_first(int descriptor) {
  const int fd = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (fd >= 0) first_.own(fd);
}

ring::Budget Rotation::budget(const char* path) const {
  ring::Budget budget = {};
  budget.bytes = flight_bytes_ != 0 ? flight_bytes_ : keep_bytes_;
  budget.ns = keep_ns_;
  if (!is_beside_ring_) files_.find_number(path, &budget.number_at, &budget.number_size);
  return budget;
}

// Others may use the memory that was free before.
void Rotation::fit_to_room() {
  if (!is_beside_ring_) return;
  const std::uint64_t room = room_in(files_.folder()) + files_.bytes();
  const std::uint64_t most = room < flight_bytes_ ? room : flight_bytes_;
  rotate_bytes_ = segment_of(most);
  keep_bytes_ = most > 2 * rotate_bytes_ ? most - rotate_bytes_ : rotate_bytes_;
}

void Rotation::begin(Recording& recording) {
  if (!is_beside_ring_ && (keep_bytes_ != 0 || keep_ns_ != 0)) {
    files_.list(recording.output().sink().path(), recording.output().session_id());
  }
  recording.output().use_space_giver(&Rotation::give_space, this);
  note_segment(recording);
  delete_what_is_over();
}

void Rotation::note_segment(Recording& recording) {
  number_ = files_.last();
  retry_at_ns_ = 0;
  front_bytes_ = recording.output().segment_bytes();
  state_bytes_ = 0;
  rows_before_ = recording.rows().rows_written();
  began_at_ns_ = monotonic_ns();
}

void Rotation::add_state(std::uint64_t rows, std::uint64_t bytes) {
  rows_before_ += rows;
  state_bytes_ += bytes;
}

// The last events of an idle flight recorder stay: only others push them out.
bool Rotation::is_due(const Recording& recording, std::uint64_t upcoming_bytes) const {
  if (rotate_bytes_ == 0 && rotate_ns_ == 0) return false;
  if (recording.rows().rows_written() <= rows_before_) return false;
  if (retry_at_ns_ != 0 && monotonic_ns() < retry_at_ns_) return false;
  const std::uint64_t least = (front_bytes_ + state_bytes_) * kMetadataShare;
  const std::uint64_t most = rotate_bytes_ > least ? rotate_bytes_ : least;
  return (rotate_bytes_ != 0 && recording.output().segment_bytes() + upcoming_bytes >= most) ||
         (rotate_ns_ != 0 && monotonic_ns() - began_at_ns_ >= rotate_ns_ && (flight_bytes_ == 0 || upcoming_bytes > 0));
}

void Rotation::changed(Recording& recording) {
  const bool is_first_beside_ring = is_beside_ring_ && number_ == 0;
  if (!is_first_beside_ring && (keep_bytes_ != 0 || keep_ns_ != 0)) files_.add(number_);
  note_segment(recording);
  fit_to_room();
  delete_what_is_over();
}

// With the current file there may be one more than the budget has.
void Rotation::delete_what_is_over() {
  while (keep_bytes_ != 0 && !files_.empty() && files_.bytes() > keep_bytes_) delete_oldest();
  while (keep_ns_ != 0 && !files_.empty() && files_.is_oldest_older_than(keep_ns_)) delete_oldest();
}

// Other programs take numbers, and a full disk may have no room for a file's name. What else there is may last.
bool Rotation::tries_again(int reason) {
  if (reason == EEXIST) return true;
  if ((reason == ENOSPC || reason == EDQUOT) && give_space(this)) return true;
  retry_at_ns_ = monotonic_ns() + kRetryAfterNs;
  note("cannot begin the next file of the trace", reason, "there may be more than rotate, keep and flight allow");
  return false;
}

bool Rotation::give_space(void* self) {
  auto& rotation = *static_cast<Rotation*>(self);
  if (rotation.files_.empty()) return false;
  if (rotation.is_beside_ring_) rotation.note("the flight recorder has less room", ENOSPC, "it keeps less");
  return rotation.delete_oldest();
}

bool Rotation::delete_oldest() {
  if (files_.delete_oldest()) return true;
  note("cannot delete an earlier file of the trace", errno, "there may be more than rotate, keep and flight allow");
  return false;
}

// A crash at any moment leaves the segments, or all of them in the first file, or both.
bool Rotation::join(const char* path, evt_error* error) {
  SegmentJoin all;
  bool joined = all.begin(path) && all.add(first_.number());
  // The user may have deleted some.
  for (std::size_t i = 0; joined && i < files_.count(); ++i) joined = all.add(files_.path(i)) || errno == ENOENT;
  joined = joined && all.add(files_.current_path()) && all.take_place(first_.id());
  if (!joined) {
    char name[kPathOfTwoShown];
    char folder[kPathOfTwoShown];
    show_path(path, name, sizeof name);
    show_path(files_.folder(), folder, sizeof folder);
    set_error(error, EVT_CODE_IO, "cannot put the events into %s: %s: they stay in %s, where readers of it find them",
              name, strerror(errno), folder);
    return false;
  }
  unlink(files_.current_path());
  while (!files_.empty()) delete_oldest();
  return true;
}

void Rotation::note(const char* what, int reason, const char* consequence) {
  if (notice_.message[0] != '\0') return;
  set_error(&notice_, EVT_OK, "%s: %s: %s", what, strerror(reason), consequence);
}

}  // namespace evt

#include "next_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <new>

#include "error_text.h"

namespace evt {
namespace {

constexpr int kMaxTaken = 100;  // numbers that others may take first

}  // namespace

Rotation* NextFile::make_rotation() {
  void* const memory = calloc(1, sizeof(Rotation));
  if (memory != nullptr) rotation_ = new (memory) Rotation;
  return rotation_;
}

void NextFile::end_rotation() {
  if (rotation_ != nullptr) rotation_->~Rotation();
  free(rotation_);
  rotation_ = nullptr;
}

bool NextFile::begin_beside_ring(evt_error* error) {
  const char* path = nullptr;
  for (int i = 0; i < kMaxTaken; ++i) {
    path = rotation_->next_path();
    if (!change_.request(path)) break;
    const bool is_done = go_on();
    if (is_done && change_.error_number() == 0) return true;
    if (is_done && change_.error_number() == EEXIST) continue;
    char shown[kPathShown];
    show_path(path, shown, sizeof shown);
    if (recording_.output().met_error()) *error = recording_.output().first_error();
    if (!recording_.output().met_error()) {
      set_error(error, EVT_CODE_IO, "cannot write %s: %s", shown, strerror(change_.error_number()));
    }
    if (!is_done) unlink(path);
    return false;
  }
  set_error(error, EVT_CODE_MEMORY, "no memory for a flight recorder");
  return false;
}

bool NextFile::go_on() {
  const std::uint64_t changed = change_.changed();
  const bool is_done = change_.go_on() || !change_.has_begun();
  if (change_.changed() != changed && rotation_ != nullptr) rotation_->changed(recording_);
  return is_done;
}

// Between two blocks: rows in the ring belong to the next file.
bool NextFile::rotate_if_due(std::uint64_t upcoming_bytes) {
  if (change_.has_begun()) return go_on();
  if (rotation_ == nullptr) return true;
  for (int i = 0; i < kMaxTaken && !recording_.output().failed() && rotation_->is_due(recording_, upcoming_bytes);
       ++i) {
    if (!change_.is_due() && !change_.request(rotation_->next_path())) return true;
    if (!go_on()) return false;
    if (change_.is_due() || change_.error_number() == 0) return true;  // it cannot begin now, or is done
    if (!rotation_->tries_again(change_.error_number())) return true;
  }
  return true;
}

}  // namespace evt

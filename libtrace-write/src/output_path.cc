#include "output_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "error_text.h"
#include "file_names.h"
#include "previous_session.h"

namespace evt {
namespace {

constexpr int kMaxTries = 100;
constexpr int kPlain = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
constexpr int kNew = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;

// The descriptor of this process that a name means; -1: an ordinary name. Opening such a name again would write at the
// start of a file that the descriptor is in the middle of; replacing it would take it from all others.
int descriptor_named(const char* path) {
  static constexpr struct {
    const char* name;
    int descriptor;
  } kNames[] = {{"-", STDOUT_FILENO},
                {"/dev/stdin", STDIN_FILENO},
                {"/dev/stdout", STDOUT_FILENO},
                {"/dev/stderr", STDERR_FILENO}};
  for (const auto& known : kNames) {
    if (strcmp(path, known.name) == 0) return known.descriptor;
  }
  static constexpr const char* kFolders[] = {"/dev/fd/", "/proc/self/fd/"};
  for (const char* const folder : kFolders) {
    const std::size_t length = strlen(folder);
    if (strncmp(path, folder, length) != 0 || path[length] < '0' || path[length] > '9') continue;
    char* end = nullptr;
    const long number = strtol(path + length, &end, 10);
    if (*end == '\0' && number <= INT_MAX) return static_cast<int>(number);
  }
  return -1;
}

void cannot_write(const char* path, const char* why, evt_error* error) {
  char name[kPathShown];
  show_path(path, name, sizeof name);
  set_error(error, EVT_CODE_IO, "cannot write %s: %s", name, why);
}

}  // namespace

int OutputPath::open(const char* pattern, bool append, evt_error* error) {
  fd_ = -1;
  char asked[PATH_MAX];
  if (!expand_path(pattern, asked, sizeof asked)) {
    evt::cannot_write(pattern, strerror(ENAMETOOLONG), error);
    return -1;
  }
  memcpy(path_, asked, strlen(asked) + 1);
  const int descriptor = descriptor_named(asked);
  if (descriptor >= 0) {
    duplicate(descriptor, error);
    return fd_;
  }
  // Other writers may open the same path at the same time: the second one gives way.
  for (int i = 0; i < kMaxTries; ++i) {
    memcpy(path_, asked, strlen(asked) + 1);
    is_new_ = is_beside_parent_ = false;
    *error = {EVT_OK, ""};
    const Opened opened = try_open(append, error);
    if (opened == Opened::kYes) return fd_;
    aside_.give_back();
    if (opened == Opened::kNo) return -1;
  }
  cannot_write("others keep taking its place", error);
  return -1;
}

int OutputPath::open_next(NumberedFiles& files, evt_error* error) {
  fd_ = -1;
  for (int i = 0; i < kMaxTries; ++i) {
    snprintf(path_, sizeof path_, "%s", files.next_path());
    const Opened opened = make_new(false, error);
    if (opened != Opened::kAgain) return opened == Opened::kYes ? fd_ : -1;
  }
  cannot_write("others keep taking its place", error);
  return -1;
}

void OutputPath::give_back(const FileId& made) {
  if (is_new_ && name_leads_to(path_, made)) unlink(path_);
  aside_.give_back();
}

OutputPath::Opened OutputPath::cannot_write(const char* why, evt_error* error) const {
  evt::cannot_write(path_, why, error);
  return Opened::kNo;
}

OutputPath::Opened OutputPath::duplicate(int descriptor, evt_error* error) {
  if (isatty(descriptor) != 0) return cannot_write("it is a terminal", error);
  fd_ = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  return fd_ >= 0 ? Opened::kYes : cannot_write(strerror(errno), error);
}

OutputPath::Opened OutputPath::try_open(bool append, evt_error* error) {
  struct stat there;
  if (lstat(path_, &there) != 0) {
    return errno == ENOENT ? make_new(append, error) : cannot_write(strerror(errno), error);
  }
  const FileId found = id_of(there);
  if (S_ISDIR(there.st_mode)) return cannot_write("it is a directory", error);
  if (S_ISBLK(there.st_mode)) return cannot_write("it is a block device", error);
  if (S_ISLNK(there.st_mode)) return take_place_of_link(found, append, error);
  if (!S_ISREG(there.st_mode)) return open_existing(found, kPlain, error);
  switch (displace_existing(path_, sizeof path_, append, found, aside_, error)) {
    case Way::kOfParent:
      is_beside_parent_ = true;
      return make_new(append, error);
    case Way::kFree:  // the path may be another one now
      return make_new(append, error);
    case Way::kStays:
      return open_existing(found, kPlain | O_APPEND | O_NONBLOCK, error);
    case Way::kChanged:
      return Opened::kAgain;
    case Way::kNone:
      break;
  }
  return Opened::kNo;
}

// A regular file is created anew, and readers of the old one keep it; truncating a large one would also take long.
OutputPath::Opened OutputPath::make_new(bool append, evt_error* error) {
  do {
    fd_ = ::open(path_, kNew | (append ? O_APPEND : 0), 0600);
  } while (fd_ < 0 && errno == EINTR);
  if (fd_ < 0) return errno == EEXIST ? Opened::kAgain : cannot_write(strerror(errno), error);
  is_new_ = true;
  if (holds_file()) return Opened::kYes;
  detach();
  return Opened::kAgain;
}

// Waits until somebody reads a FIFO; but not one that replaced a file.
OutputPath::Opened OutputPath::open_existing(const FileId& found, int how, evt_error* error) {
  do {
    fd_ = ::open(path_, how);
  } while (fd_ < 0 && errno == EINTR);
  const bool changed = errno == ENOENT || errno == ELOOP || (errno == ENXIO && (how & O_NONBLOCK) != 0);
  if (fd_ < 0) return changed ? Opened::kAgain : cannot_write(strerror(errno), error);
  struct stat opened;
  const bool same = fstat(fd_, &opened) == 0 && id_of(opened) == found;
  if (same && (!S_ISREG(opened.st_mode) || holds_file())) return Opened::kYes;
  detach();
  return Opened::kAgain;
}

// The user who made the link need not have the right to write its target. So it is not followed: a trace takes its
// place, unless the target is something other than a file.
OutputPath::Opened OutputPath::take_place_of_link(const FileId& link, bool append, evt_error* error) {
  struct stat target;
  if (stat(path_, &target) == 0 && !S_ISREG(target.st_mode)) {
    return cannot_write(S_ISDIR(target.st_mode)   ? "it is a link to a directory"
                        : S_ISBLK(target.st_mode) ? "it is a link to a block device"
                                                  : "it is a link to a device, FIFO or socket: name that itself",
                        error);
  }
  // While it is open, no new file gets its inode: another program's file that replaced it already is left alone.
  const int pinned = ::open(path_, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (pinned < 0 && errno != ENOENT) return cannot_write(strerror(errno), error);
  struct stat opened;
  const bool same = pinned >= 0 && fstat(pinned, &opened) == 0 && S_ISLNK(opened.st_mode) && id_of(opened) == link;
  const PutAside::Taken taken = same ? aside_.take(path_, link) : PutAside::Taken::kIsAnother;
  const int reason = errno;
  if (pinned >= 0) ::close(pinned);
  errno = reason;
  if (taken == PutAside::Taken::kNo) return cannot_write(strerror(errno), error);
  if (taken == PutAside::Taken::kIsAnother) return Opened::kAgain;
  if (append) {
    char name[kPathShown];
    show_path(path_, name, sizeof name);
    set_error(error, EVT_OK, "%s was a link, to which nothing is appended: it is a new file now", name);
  }
  return make_new(append, error);
}

// True if we may write the opened file, and it is still the one at the path. The lock tells other processes so for as
// long as we live; without locks this does without.
bool OutputPath::holds_file() {
  if (flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  struct stat opened;
  return fstat(fd_, &opened) == 0 && name_leads_to(path_, id_of(opened));
}

void OutputPath::detach() {
  ::close(fd_);
  fd_ = -1;
}

}  // namespace evt

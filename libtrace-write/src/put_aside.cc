#include "put_aside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "file_names.h"

namespace evt {
namespace {

// For a file of another writer that was renamed in error. If a third one has its name by now, the other writer gives
// way when it finds that out, which it does before it writes: no one needs its file then.
void return_name(const char* aside, const char* path) {
  if (rename_to_free(aside, path)) return;
  const int fd = open(aside, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
  if (fd < 0) return;
  struct stat file;
  const bool is_empty = fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_size == 0;
  if (is_empty && flock(fd, LOCK_EX | LOCK_NB) == 0 && name_leads_to(aside, id_of(file))) unlink(aside);
  close(fd);
}

}  // namespace

// The name identifies the owner, in case this program is killed meanwhile: app.PID-0.old.evt, in the same folder.
bool PutAside::make_name(const char* path, int number, bool is_short) {
  char word[48];
  snprintf(word, sizeof word, "%d-%d.old", static_cast<int>(getpid()), number);
  if (!is_short) return insert_word(path, word, aside_, sizeof aside_);
  const char* const slash = strrchr(path, '/');
  const int folder = slash == nullptr ? 0 : static_cast<int>(slash - path) + 1;
  const int size = snprintf(aside_, sizeof aside_, "%.*sevtrace.%s.evt", folder, path, word);
  return size > 0 && static_cast<std::size_t>(size) < sizeof aside_;
}

// Under its own name the file can be examined, and that name cannot be the file of another process.
PutAside::Taken PutAside::take(const char* path, const FileId& found) {
  give_back();
  bool is_short = false;
  int reason = ENAMETOOLONG;
  for (int i = 0; i < 100; ++i) {
    const bool fits = make_name(path, i, is_short);
    if (fits && rename_to_free(path, aside_)) {
      if (name_leads_to(aside_, found)) {
        snprintf(path_, sizeof path_, "%s", path);
        return Taken::kYes;
      }
      return_name(aside_, path);
      aside_[0] = '\0';
      return Taken::kIsAnother;
    }
    reason = fits ? errno : ENAMETOOLONG;
    if (reason != EEXIST && (reason != ENAMETOOLONG || is_short)) break;
    is_short |= reason == ENAMETOOLONG;
  }
  aside_[0] = '\0';
  const bool is_another = reason == ENOENT || !name_leads_to(path, found);
  errno = reason;
  return is_another ? Taken::kIsAnother : Taken::kNo;
}

void PutAside::remove() {
  if (aside_[0] != '\0') unlink(aside_);
  aside_[0] = '\0';
}

void PutAside::give_back() {
  if (aside_[0] == '\0') return;
  if (!rename_to_free(aside_, path_) && errno == EEXIST) unlink(aside_);
  aside_[0] = '\0';
}

}  // namespace evt

#include "file_names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"

namespace evt {
namespace {

constexpr unsigned kNoReplace = 1;  // RENAME_NOREPLACE, which not every libc declares

bool rename_without_replacing(const char* from, const char* to) {
  return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, kNoReplace) == 0;
}

}  // namespace

bool expand_path(const char* pattern, char* path, std::size_t size) {
  std::size_t at = 0;
  for (const char* p = pattern; *p != '\0'; ++p) {
    char word[32] = {*p, '\0'};
    if (*p == '%' && p[1] == 'p') snprintf(word, sizeof word, "%d", static_cast<int>(getpid()));
    if (*p == '%' && p[1] == 't') format_utc(utc_ns() / 1'000'000'000, word, sizeof word);
    if (*p == '%' && (p[1] == 'p' || p[1] == 't' || p[1] == '%')) ++p;
    const std::size_t length = strlen(word);
    if (at + length >= size) return false;
    memcpy(path + at, word, length);
    at += length;
  }
  path[at] = '\0';
  return true;
}

bool insert_word(const char* path, const char* word, char* out, std::size_t size) {
  const char* const name = strrchr(path, '/') != nullptr ? strrchr(path, '/') + 1 : path;
  const char* const dot = strrchr(name, '.');
  const std::size_t stem = dot != nullptr && dot != name ? static_cast<std::size_t>(dot - path) : strlen(path);
  const int n = snprintf(out, size, "%.*s.%s%s", static_cast<int>(stem), path, word, path + stem);
  return n > 0 && static_cast<std::size_t>(n) < size;
}

bool rename_to_free(const char* from, const char* to) {
  if (rename_without_replacing(from, to)) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  // For a file system that does not support it. link() fails where rename() would replace.
  if (link(from, to) == 0) return unlink(from) == 0;
  if (errno == EEXIST) return false;
  struct stat there;
  if (lstat(to, &there) == 0) {
    errno = EEXIST;
    return false;
  }
  return rename(from, to) == 0;
}

}  // namespace evt

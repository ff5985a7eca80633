#include "ring_folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring_layout.h"

namespace evt {
namespace {

// Absolute: its user may change its folder before the ring is removed.
bool copy_folder(const char* from, const char* inside, char (&to)[RingFolders::kMaxPath]) {
  const int length = snprintf(to, sizeof to, "%s%s", from, inside);
  if (from[0] != '/' || length < 0 || static_cast<std::size_t>(length) >= sizeof to) return false;
  for (std::size_t end = strlen(to); end > 1 && to[end - 1] == '/'; --end) to[end - 1] = '\0';
  return true;
}

// Copies the part of a path before its last name.
bool copy_folder_of(const char* path, char (&to)[PATH_MAX]) {
  const char* const slash = strrchr(path, '/');
  const std::size_t length = slash == nullptr ? 1 : slash == path ? 1 : static_cast<std::size_t>(slash - path);
  if (length >= sizeof to) return false;
  memcpy(to, slash == nullptr ? "." : path, length);
  to[length] = '\0';
  return true;
}

// /proc/1234/root/app.evt -> /proc/1234/root/dev/shm
bool copy_folder_of_root(const char* path, char* to, std::size_t size) {
  static constexpr char kProc[] = "/proc/";
  static constexpr char kRoot[] = "/root/";
  if (strncmp(path, kProc, sizeof kProc - 1) != 0) return false;
  const char* const number = path + sizeof kProc - 1;
  const std::size_t digits = strspn(number, "0123456789");
  if (digits == 0 || digits > 10 || strncmp(number + digits, kRoot, sizeof kRoot - 1) != 0) return false;
  snprintf(to, size, "%s%.*s/root%s", kProc, static_cast<int>(digits), number, ring::kFolder);
  return true;
}

}  // namespace

RingFolders::RingFolders(const char* trace) {
  const char* const own = secure_getenv("EVTRACE_RING_DIR");
  const bool has_own = own != nullptr && own[0] != '\0';
  if (has_own && copy_folder(own, "", own_)) add(own_);
  if (has_own && count_ == 0) misfit_ = own;
  add(ring::kFolder);
  for_writers_ = count_;
  const char* const runtime = secure_getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && copy_folder(runtime, "/evtrace", runtime_)) add(runtime_);
  if (trace != nullptr && copy_folder_of_root(trace, of_root_, sizeof of_root_)) add(of_root_);
  if (trace != nullptr && copy_folder_of(trace, of_trace_)) add(of_trace_);
}

void RingFolders::add(const char* folder) {
  for (const char* const known : *this) {
    if (strcmp(known, folder) == 0) return;
  }
  all_[count_++] = folder;
}

}  // namespace evt

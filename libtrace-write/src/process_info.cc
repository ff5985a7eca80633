#include "process_info.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "clock.h"

namespace evt {
namespace {

// Reads the beginning of a small file under /proc. Returns the number of bytes, and always appends a NUL.
std::size_t read_small_file(const char* path, char* out, std::size_t size) {
  out[0] = '\0';
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t n = read(fd, out, size - 1);
  close(fd);
  const std::size_t length = n > 0 ? static_cast<std::size_t>(n) : 0;
  out[length] = '\0';
  return length;
}

bool is_zero(const std::uint8_t* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

void draw_uuid(std::uint8_t* uuid) {
  if (getrandom(uuid, 16, GRND_NONBLOCK) != 16) {
    // Before the system has gathered randomness: time and pid still distinguish sessions.
    const std::uint64_t parts[2] = {monotonic_ns() * 0x9E3779B97F4A7C15u, static_cast<std::uint64_t>(getpid())};
    memcpy(uuid, parts, 16);
  }
  uuid[6] = static_cast<std::uint8_t>((uuid[6] & 0x0F) | 0x40);  // RFC 9562, version 4
  uuid[8] = static_cast<std::uint8_t>((uuid[8] & 0x3F) | 0x80);
}

}  // namespace

// Two values are not valid session ids: FORMAT.md, section 6.1.
void make_uuid(std::uint8_t* uuid) {
  do {
    draw_uuid(uuid);
  } while (evt_session_id(uuid) == 0 || evt_session_id(uuid) == UINT64_MAX);
}

ProcessInfo::ProcessInfo(const evt_session_info* given) {
  if (given != nullptr) info = *given;
  if (is_zero(info.uuid, sizeof info.uuid)) make_uuid(info.uuid);
  if (info.exact == 0) find_out();
}

void ProcessInfo::find_out() {
  if (info.program == nullptr) info.program = program_invocation_short_name;
  if (info.host == nullptr) {
    gethostname(host_, sizeof host_ - 1);
    info.host = host_;
  }
  if (info.boot_id == nullptr) {
    read_small_file("/proc/sys/kernel/random/boot_id", boot_id_, sizeof boot_id_);
    boot_id_[strcspn(boot_id_, "\n")] = '\0';
    info.boot_id = boot_id_;
  }
  if (info.writer == nullptr) info.writer = "evtrace " EVT_VERSION;
  if (info.pid == 0) info.pid = static_cast<std::uint64_t>(getpid());
  if (info.command_line == nullptr) read_command_line();
}

void ProcessInfo::read_command_line() {
  const std::size_t size = read_small_file("/proc/self/cmdline", command_line_, sizeof command_line_);
  const char* word = command_line_;
  while (word < command_line_ + size && info.command_line_count < kMaxWords) {
    words_[info.command_line_count++] = word;
    word += strlen(word) + 1;
  }
  info.command_line = words_;
}

}  // namespace evt

// What a program states about itself, completed by what the system knows about it.
#pragma once

#include <evt/evt.h>

#include <cstdint>

namespace evt {

// Draws a number for a session, 16 bytes.
void make_uuid(std::uint8_t* uuid);

// Refers to `given` and to itself: must not move, and must not outlive `given`.
struct ProcessInfo {
  explicit ProcessInfo(const evt_session_info* given);
  ProcessInfo(const ProcessInfo&) = delete;
  ProcessInfo& operator=(const ProcessInfo&) = delete;

  evt_session_info info = {};

 private:
  void find_out();
  void read_command_line();

  static constexpr unsigned kMaxWords = 64;
  char host_[256] = "";
  char boot_id_[64] = "";
  char command_line_[4096] = "";
  const char* words_[kMaxWords] = {};
};

}  // namespace evt

#include "jit_names.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <utility>

namespace evt::record {
namespace {

constexpr std::size_t kReadAtOnce = 1 << 20;  // what takes some ms; the rest has the next times
constexpr std::size_t kMostName = 512;
constexpr std::size_t kPieceBytes = 128;  // a piece takes as much memory besides its name

std::uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// The number by which the process knows itself: the last one of the line "NSpid: 4711 12".
std::uint64_t number_within(std::uint32_t process) {
  std::ifstream in(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("NSpid:")) return std::stoull("0" + line.substr(line.find_last_of(" \t") + 1));
  }
  return process;
}

int open_to_read(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
}

// As the process itself sees it; one that has ended may have left it here.
int open_map(std::uint32_t process) {
  const int descriptor = open_to_read(fmt::format("/proc/{}/root/tmp/perf-{}.map", process, number_within(process)));
  return descriptor >= 0 ? descriptor : open_to_read(fmt::format("/tmp/perf-{}.map", process));
}

bool take_number(std::string_view* line, std::uint64_t* number) {
  if (line->starts_with("0x")) line->remove_prefix(2);
  const auto [end, error] = std::from_chars(line->data(), line->data() + line->size(), *number, 16);
  if (error != std::errc() || end == line->data() + line->size() || *end != ' ') return false;
  line->remove_prefix(static_cast<std::size_t>(end - line->data()) + 1);
  return true;
}

}  // namespace

const JitNames::Code* JitNames::find(std::uint32_t process, std::uint64_t ns, std::uint64_t address) {
  Map& map = maps_[process];
  if (ns > map.looked_ns) look(process, &map);
  const auto next = map.pieces.upper_bound(address);
  if (next == map.pieces.begin()) return nullptr;
  const Code& code = std::prev(next)->second;
  return address < code.end ? &code : nullptr;
}

void JitNames::look(std::uint32_t process, Map* map) {
  map->looked_ns = now_ns();
  struct stat found {};
  if (stat(fmt::format("/proc/{}", process).c_str(), &found) == 0) {
    map->owner = found.st_uid;
    map->has_owner = true;
  }
  const int descriptor = open_map(process);
  if (descriptor < 0) return;
  const bool is_file = fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode);
  const bool is_own = found.st_uid == geteuid() || (map->has_owner && found.st_uid == map->owner);
  if (is_file && is_own) {
    if (!is_continued(descriptor, *map)) forget_pieces(map);
    read(descriptor, static_cast<std::uint64_t>(found.st_size), map);
  }
  close(descriptor);
}

// False: it is another file, or began anew.
bool JitNames::is_continued(int descriptor, const Map& map) const {
  std::string there(map.last.size(), '\0');
  const auto at = static_cast<off_t>(map.read - there.size());
  return pread(descriptor, there.data(), there.size(), at) == static_cast<ssize_t>(there.size()) && there == map.last;
}

// Whole lines only: the rest of one is written later.
void JitNames::read(int descriptor, std::uint64_t size, Map* map) {
  if (is_full_ || size <= map->read) return;
  std::string bytes(std::min<std::uint64_t>(size - map->read, kReadAtOnce), '\0');
  const ssize_t got = pread(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(map->read));
  std::string_view left = std::string_view(bytes).substr(0, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (left.size() == kReadAtOnce && left.find('\n') == left.npos) {
    map->read += left.size();  // no line at all
    map->last.clear();
  }
  for (std::size_t end = 0; (end = left.find('\n')) != left.npos; left.remove_prefix(end + 1)) {
    read_line(left.substr(0, end), map);
    map->read += end + 1;
    map->last = left.substr(0, end + 1);
  }
}

// BEGIN SIZE NAME, the numbers in hexadecimal digits.
void JitNames::read_line(std::string_view line, Map* map) {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  if (!take_number(&line, &begin) || !take_number(&line, &size)) return;
  if (size == 0 || begin + size < begin || line.empty()) return;
  add({begin + size, begin, std::string(line.substr(0, kMostName))}, map);
}

// What a runtime made later is where something was that it has dropped.
void JitNames::add(Code code, Map* map) {
  auto at = map->pieces.upper_bound(code.begin);
  if (at != map->pieces.begin() && std::prev(at)->second.end > code.begin) --at;
  while (at != map->pieces.end() && at->first < code.end) {
    bytes_ -= kPieceBytes + at->second.name.size();
    at = map->pieces.erase(at);
  }
  if (bytes_ + kPieceBytes + code.name.size() > kMostBytes) is_full_ = true;
  if (is_full_) return;
  bytes_ += kPieceBytes + code.name.size();
  map->pieces[code.begin] = std::move(code);
}

void JitNames::forget_pieces(Map* map) {
  for (const auto& [begin, code] : map->pieces) bytes_ -= kPieceBytes + code.name.size();
  map->pieces.clear();
  map->read = 0;
  map->last.clear();
}

}  // namespace evt::record

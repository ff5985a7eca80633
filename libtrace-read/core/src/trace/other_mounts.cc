#include "other_mounts.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <tuple>

namespace evt {
namespace {

// Two programs may share one of these without the other: unshare changes the first, chroot the second.
using View = std::tuple<ino_t, dev_t, ino_t>;

// `process`: its folder in /proc. Nothing, where this process may not look.
std::optional<View> view_of(const std::string& process) {
  struct stat mounts;
  struct stat root;
  if (::stat((process + "/ns/mnt").c_str(), &mounts) != 0 || ::stat((process + "/root").c_str(), &root) != 0) {
    return std::nullopt;
  }
  return View(mounts.st_ino, root.st_dev, root.st_ino);
}

// Its number in the innermost namespace of processes: the last one of the line "NSpid: 1234 1".
std::uint64_t number_inside(const std::string& process) {
  std::ifstream status(process + "/status");
  std::uint64_t number = 0;
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("NSpid:")) continue;
    const std::size_t last = line.find_last_of(" \t") + 1;
    std::from_chars(line.data() + last, line.data() + line.size(), number);
    break;
  }
  return number;
}

}  // namespace

std::vector<OtherMounts> find_other_mounts() {
  std::map<View, OtherMounts> others;
  const std::optional<View> own = view_of("/proc/self");
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
    const std::string process = entry->path().string();
    const std::string number = entry->path().filename().string();
    if (number.find_first_not_of("0123456789") != number.npos) continue;
    const std::optional<View> view = view_of(process);
    if (!view || view == own) continue;
    OtherMounts& mounts = others[*view];
    if (mounts.root.empty()) mounts.root = process + "/root";
    mounts.processes.emplace(number_inside(process), std::stoull(number));
  }
  std::vector<OtherMounts> all;
  for (auto& [view, mounts] : others) all.push_back(std::move(mounts));
  return all;
}

}  // namespace evt

#include "output_mode.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace evt::tools {
namespace {

constexpr mode_t kOwner = 0600;
constexpr mode_t kGroup = 0060;
constexpr mode_t kOthers = 0006;

mode_t mode_of_new_files() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// To another group's members an input gives what it gives to others.
mode_t for_members_of(gid_t group, gid_t of_input, mode_t mode) {
  const mode_t as_others = (mode & kOthers) << 3;
  return (mode & kOthers) | (group == of_input ? mode & kGroup : mode & kGroup & as_others);
}

}  // namespace

OutputMode OutputMode::of(const std::vector<std::string>& inputs) {
  OutputMode mode(mode_of_new_files());
  for (const std::string& input : inputs) mode.add(input);
  return mode;
}

void OutputMode::add(const std::string& path) {
  struct stat facts;
  if ((path == "-" ? fstat(STDIN_FILENO, &facts) : stat(path.c_str(), &facts)) != 0) return;
  add(facts);
  if (!S_ISDIR(facts.st_mode)) return;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    if (stat(at->path().c_str(), &facts) == 0 && S_ISREG(facts.st_mode)) add(facts);
  }
}

void OutputMode::add(const struct stat& input) {
  const bool is_file = S_ISREG(input.st_mode) || S_ISDIR(input.st_mode);
  const mode_t mode = is_file ? input.st_mode & (kGroup | kOthers) : 0;
  const auto known = std::ranges::find_if(shared_, [&](const Shared& each) { return each.group == input.st_gid; });
  if (known != shared_.end()) {
    known->mode &= mode;
  } else {
    shared_.push_back({input.st_gid, mode});
  }
}

mode_t OutputMode::of_file(gid_t group) const {
  mode_t mode = most_;
  for (const Shared& each : shared_) mode &= for_members_of(group, each.group, each.mode);
  return kOwner | mode;
}

// Who may read it may look for what is in it.
mode_t OutputMode::of_folder(gid_t group) const {
  const mode_t mode = of_file(group);
  return mode | (mode & 0444) >> 2;
}

bool OutputMode::make_folders(const std::string& path) const {
  struct stat made;
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string folder = path.substr(0, end);
    if (mkdir(folder.c_str(), 0700) == 0) {
      if (stat(folder.c_str(), &made) != 0 || chmod(folder.c_str(), of_folder(made.st_gid)) != 0) return false;
    } else if (errno != EEXIST && stat(folder.c_str(), &made) != 0) {
      return false;
    }
    if (end == std::string::npos) return true;
  }
}

}  // namespace evt::tools

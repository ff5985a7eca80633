#include "user_folders.h"

#include <stdlib.h>

#include <filesystem>
#include <system_error>

namespace evt::tools {
namespace {

std::string folder_of_user(const char* variable, const char* below_home) {
  const char* const folder = getenv(variable);
  if (folder != nullptr && *folder == '/') return std::string(folder) + "/evtrace";
  const char* const home = getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + below_home : "";
}

}  // namespace

std::string cache_folder() { return folder_of_user("XDG_CACHE_HOME", "/.cache/evtrace"); }
std::string state_folder() { return folder_of_user("XDG_STATE_HOME", "/.local/state/evtrace"); }

bool make_private_folder(const std::string& folder) {
  std::error_code error;
  const bool is_new = std::filesystem::create_directories(folder, error);
  if (is_new) std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  return !error;
}

}  // namespace evt::tools

#include "preload_library.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace evt::record {

PreloadLibrary find_preload_library() {
  constexpr const char* kName = "libevtrace-preload.so";
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path& path : {folder / kName, folder / EVT_PRELOAD_FOLDER / kName}) {
    if (error || access(path.c_str(), R_OK) != 0) continue;
    const std::string name = std::filesystem::weakly_canonical(path, error).string();
    // Names in LD_PRELOAD end at these.
    if (name.find_first_of(": ") == name.npos) return {name, ""};
    return {"", name + ": a path with a space or colon cannot be preloaded: calls are not recorded"};
  }
  return {"", std::string(kName) + " is not installed with this evt: calls are not recorded"};
}

}  // namespace evt::record

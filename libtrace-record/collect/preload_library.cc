#include "preload_library.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace evt::record {
namespace {

// Files that an installation has beside its programs. The path of one, whole: beside this program, as it is built, or
// in `folder`, which counts from there. Empty if there is none that this process may access in this way (R_OK, X_OK).
std::string installed_file(const std::string& folder, const std::string& name, int access_mode) {
  std::error_code error;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path& path : {own / name, own / folder / name}) {
    if (error || access(path.c_str(), access_mode) != 0) continue;
    return std::filesystem::weakly_canonical(path, error).string();
  }
  return "";
}

}  // namespace

PreloadLibrary find_preload_library(bool has_memory) {
  const std::string name = has_memory ? "libevtrace-preload-memory.so" : "libevtrace-preload.so";
  const std::string path = installed_file(EVT_PRELOAD_FOLDER, name, R_OK);
  if (path.empty()) return {"", name + " is not installed with this evt: calls cannot be recorded"};
  // Names in LD_PRELOAD end at these.
  if (path.find_first_of(": ") == path.npos) return {path, ""};
  return {"", path + ": a path with a space or colon cannot be preloaded: calls cannot be recorded"};
}

}  // namespace evt::record

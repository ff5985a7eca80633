#include "preload_library.h"

#include <unistd.h>

#include "installed_file.h"

namespace evt::record {

PreloadLibrary find_preload_library() {
  constexpr const char* kName = "libevtrace-preload.so";
  const std::string path = installed_file(EVT_PRELOAD_FOLDER, kName, R_OK);
  if (path.empty()) return {"", std::string(kName) + " is not installed with this evt: calls are not recorded"};
  // Names in LD_PRELOAD end at these.
  if (path.find_first_of(": ") == path.npos) return {path, ""};
  return {"", path + ": a path with a space or colon cannot be preloaded: calls are not recorded"};
}

}  // namespace evt::record

#include "preload_library.h"

#include <unistd.h>

#include "installed_file.h"

namespace evt::record {

PreloadLibrary find_preload_library(bool has_memory) {
  const std::string name = has_memory ? "libevtrace-preload-memory.so" : "libevtrace-preload.so";
  const std::string path = installed_file(EVT_PRELOAD_FOLDER, name, R_OK);
  if (path.empty()) return {"", name + " is not installed with this evt: calls cannot be recorded"};
  // Names in LD_PRELOAD end at these.
  if (path.find_first_of(": ") == path.npos) return {path, ""};
  return {"", path + ": a path with a space or colon cannot be preloaded: calls cannot be recorded"};
}

}  // namespace evt::record

#include "cache_folder.h"

#include <stdlib.h>

namespace evt::tools {

std::string cache_folder() {
  const char* const cache = getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/evtrace";
  const char* const home = getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/evtrace" : "";
}

}  // namespace evt::tools

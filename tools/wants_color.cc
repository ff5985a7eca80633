#include "wants_color.h"

#include <stdlib.h>
#include <unistd.h>

#include <string_view>

namespace evt::tools {

bool wants_color(const std::string& when) {
  if (when != "auto") return when == "always";
  const char* const no_color = getenv("NO_COLOR");
  const char* const terminal = getenv("TERM");
  const bool able = terminal != nullptr && std::string_view(terminal) != "dumb";
  return able && (no_color == nullptr || *no_color == 0) && isatty(STDOUT_FILENO) == 1;
}

}  // namespace evt::tools

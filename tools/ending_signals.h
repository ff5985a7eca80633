// The signals by which a user, or the end of the terminal, ends the command.
#pragma once

#include <signal.h>

namespace evt::tools {

inline constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};

}  // namespace evt::tools

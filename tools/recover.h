// evt check --recover.
#pragma once

#include "report.h"

namespace evt::tools {

// Puts what the ring of a killed program still holds into its trace, and removes the ring. kExitOk when there is nothing
// left to recover.
int recover(const std::string& file, const Report& report);

}  // namespace evt::tools

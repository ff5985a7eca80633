// evt check --recover.
#pragma once

#include "recoverable_file.h"
#include "report.h"

namespace evt::tools {

// Puts what the ring of a killed program still holds into its trace, and removes the ring when the trace, read again,
// has all that was to be seen in both. kExitOk when there is nothing left to recover.
int recover(RecoverableFile& file, const Report& report);
// The same of one ring, by its name or path, that may belong to another file, of which this is a copy. It stays.
int recover_from(const std::string& ring, RecoverableFile& file, const Report& report);

}  // namespace evt::tools

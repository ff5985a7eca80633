// Which process holds the lock of a file that another session has.
#pragma once

#include <sys/types.h>

#include "file_id.h"

namespace evt {

// By /proc/locks; 0 where that does not tell.
pid_t lock_holder(const FileId& file);
// Whether this process comes from that one: by fork, or by the programs that it and its children became.
bool is_ancestor(pid_t process);

}  // namespace evt

// The trace that a file of another format becomes, in an unlinked temporary file.
#pragma once

#include <evt/recode.h>

#include <functional>
#include <memory>
#include <string>

#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

// `write` passes the trace's bytes on; `from` is the file called `name`. Errors: its own; kIo, if there is no temporary
// file.
Result<std::unique_ptr<ByteSource>> imported_source(const std::string& name, MadeFrom from,
                                                    const std::function<Status(const TakeBytes&)>& write);

}  // namespace evt

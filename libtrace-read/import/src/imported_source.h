// The trace that a file of another format becomes, in an unlinked temporary file.
#pragma once

#include <evt/recode.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

// What is kept of the file.
struct ImportedFrom {
  std::string name;
  std::uint64_t size = 0;
  std::uint64_t spooled = 0;
  std::vector<Damage> damage;
  std::vector<std::string> notes;
};

// `write` hands the trace's bytes on. Errors: its own; kIo, if there is no temporary file.
Result<std::unique_ptr<ByteSource>> imported_source(ImportedFrom from,
                                                    const std::function<Status(const TakeBytes&)>& write);

}  // namespace evt

// Where a writer's blocks go that are to be read again at once.
#pragma once

#include <cstddef>
#include <string>

namespace evt::bench {

// A writer's sink: `out` is a std::string.
inline int keep(void* out, const void* bytes, std::size_t size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), size);
  return 0;
}

}  // namespace evt::bench

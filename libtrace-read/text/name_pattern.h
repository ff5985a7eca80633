// Names that users write with *, ? and [...].
#pragma once

#include <fnmatch.h>

#include <string>

namespace evt {

inline bool matches_name(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

}  // namespace evt

// Shell patterns of names.
#pragma once

namespace evt {

// * is any run of characters, ? any one. libc's fnmatch would bring 30 KB of locale into a static program.
inline bool matches(const char* pattern, const char* name) {
  const char* after_star = nullptr;  // in the pattern
  const char* tried = nullptr;       // where in the name it was last tried
  while (*name != '\0') {
    if (*pattern == '*') {
      after_star = ++pattern;
      tried = name;
    } else if (*pattern == '?' || *pattern == *name) {
      ++pattern;
      ++name;
    } else if (after_star != nullptr) {
      pattern = after_star;  // the star takes one more character
      name = ++tried;
    } else {
      return false;
    }
  }
  while (*pattern == '*') ++pattern;
  return *pattern == '\0';
}

}  // namespace evt

// Where the library is that is loaded into recorded programs.
#pragma once

#include <string>

namespace evt::record {

struct PreloadLibrary {
  std::string path;      // empty: there is none that can be loaded
  std::string obstacle;  // why not: a sentence
};

// Beside this program, or where an installation has it. `has_memory`: the one that sees allocations, too.
PreloadLibrary find_preload_library(bool has_memory);

}  // namespace evt::record

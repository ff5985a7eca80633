// Names of functions as their authors wrote them.
#pragma once

#include <string>

namespace evt::record {

// C++ and Rust. Drops the version that a library's symbol may have at its end; keeps other names.
std::string demangled(const std::string& symbol);

}  // namespace evt::record

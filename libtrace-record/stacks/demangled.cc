#include "demangled.h"

#include <libiberty/demangle.h>
#include <stdlib.h>

#include <memory>

namespace evt::record {

std::string demangled(const std::string& symbol) {
  const std::string name = symbol.substr(0, symbol.find('@'));
  const std::unique_ptr<char, decltype(&free)> text(cplus_demangle(name.c_str(), DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO),
                                                    free);
  return text ? text.get() : name;
}

}  // namespace evt::record

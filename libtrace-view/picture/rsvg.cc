#include "rsvg.h"

#include <dlfcn.h>

namespace evt::view {

const Rsvg* Rsvg::load() {
  static Rsvg rsvg;
  static const bool is_loaded = [] {
    void* const library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
    return library != nullptr && rsvg.find_all(library);
  }();
  return is_loaded ? &rsvg : nullptr;
}

// What its own libraries have is found by its handle, too.
bool Rsvg::find_all(void* library) {
#define EVT_RSVG_FIND(result, name, parameters)                   \
  name = reinterpret_cast<decltype(name)>(dlsym(library, #name)); \
  if (name == nullptr) return false;
  EVT_RSVG_FUNCTIONS(EVT_RSVG_FIND)
#undef EVT_RSVG_FIND
  return true;
}

}  // namespace evt::view

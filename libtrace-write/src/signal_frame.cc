#include "signal_frame.h"

#include <dlfcn.h>
#include <unwind.h>

// Programs in C++ have an unwinder. Programs in C load it here, as the C library does for backtrace(), and are not
// linked with it. A static program has none of these functions.
#pragma weak dlopen
#pragma weak dlsym

namespace evt {
namespace {

using Backtrace = decltype(&_Unwind_Backtrace);
using IpInfo = decltype(&_Unwind_GetIPInfo);

// Atomic. The second is set when the first is.
Backtrace backtrace = nullptr;
IpInfo ip_info = nullptr;

void use_those_of(void* library) {
  const auto walk = reinterpret_cast<Backtrace>(dlsym(library, "_Unwind_Backtrace"));
  const auto info = reinterpret_cast<IpInfo>(dlsym(library, "_Unwind_GetIPInfo"));
  if (walk == nullptr || info == nullptr) return;
  __atomic_store_n(&ip_info, info, __ATOMIC_RELEASE);
  __atomic_store_n(&backtrace, walk, __ATOMIC_RELEASE);
}
bool has_unwinder() { return __atomic_load_n(&backtrace, __ATOMIC_ACQUIRE) != nullptr; }

struct Walk {
  int frames_left = 64;
  bool found = false;
};

_Unwind_Reason_Code look(_Unwind_Context* context, void* of) {
  Walk& walk = *static_cast<Walk*>(of);
  int was_interrupted = 0;
  __atomic_load_n(&ip_info, __ATOMIC_ACQUIRE)(context, &was_interrupted);
  walk.found = was_interrupted != 0;
  return walk.found || --walk.frames_left == 0 ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

void prepare_for_signal_frames() {
  if (has_unwinder() || dlopen == nullptr || dlsym == nullptr) return;
  use_those_of(RTLD_DEFAULT);
  void* const library = has_unwinder() ? nullptr : dlopen("libgcc_s.so.1", RTLD_LAZY);
  if (library != nullptr) use_those_of(library);
  is_in_signal_handler();
}

bool is_in_signal_handler() {
  const Backtrace walk_frames = __atomic_load_n(&backtrace, __ATOMIC_ACQUIRE);
  if (walk_frames == nullptr) return false;
  Walk walk;
  walk_frames(look, &walk);
  return walk.found;
}

}  // namespace evt

// What the places of a program that record by <evt/trace_macros.h> refer to in one session. Guarded by its lock.
#pragma once

#include <evt/trace_site.h>

namespace evt {

class SiteHandles {
 public:
  // One for each type, however many places record it. Never freed: a place may be that of a library that is unloaded,
  // and others refer to it. Null without memory.
  const evt_site_handle_* find_or_add(const evt_site_handle_& wanted);

 private:
  struct Kept {
    evt_site_handle_ handle;
    Kept* next;
  };
  Kept* first_ = nullptr;
};

}  // namespace evt

#include "site_handles.h"

#include <stdlib.h>

namespace evt {

const evt_site_handle_* SiteHandles::find_or_add(const evt_site_handle_& wanted) {
  for (const Kept* kept = first_; kept != nullptr; kept = kept->next) {
    if (kept->handle.type == wanted.type && kept->handle.span_name == wanted.span_name) return &kept->handle;
  }
  auto* const kept = static_cast<Kept*>(calloc(1, sizeof(Kept)));
  if (kept == nullptr) return nullptr;
  *kept = {wanted, first_};
  first_ = kept;
  return &kept->handle;
}

}  // namespace evt

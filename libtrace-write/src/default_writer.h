// The default session, evt_set_default: how it ends.
#pragma once

#include <evt/evt.h>

namespace evt {

// It is closed, or the parent's.
void end_default(const evt_writer* writer);
// Replaces the default; NULL: none.
void make_default(evt_writer* writer);
// Unless there is one.
void become_default(evt_writer* writer);

}  // namespace evt

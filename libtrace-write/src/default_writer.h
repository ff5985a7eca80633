// The default session, evt_set_default: when it is one no more.
#pragma once

#include <evt/evt.h>

namespace evt {

// It is closed.
void end_default(const evt_writer* writer);
// It is the parent's.
void leave_default_to_parent();
// Unless there is one.
void become_default(evt_writer* writer);

}  // namespace evt

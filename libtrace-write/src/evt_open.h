// Sessions that are opened for the user of a program, not for the program.
#pragma once

#include <evt/evt.h>

namespace evt {

// As evt_open, with notices printed in any case.
evt_writer* open_for_user(const char* path, const evt_options& options, evt_error* error);

}  // namespace evt

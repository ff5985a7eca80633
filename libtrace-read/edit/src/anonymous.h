// What an anonymous session leaves out of events and their texts (FORMAT.md, section 6.1).
#pragma once

#include <evt/event_type.h>

namespace evt {

// The texts of this field are functions, modules and source files of the program.
bool names_code(const EventType& type, const Field& field);
// Such texts are in its rows themselves.
bool states_code(const EventType& type);
// Its events say what the program is called, how it was started, or what it opened and what its variables are called.
bool names_program_or_objects(const EventType& type);

}  // namespace evt

// Part of <evt/evt.h>: the standard events for programs in C, which cannot read their schemas.
#include <evt/encode.h>
#include <evt/events.h>

#include "error_text.h"

namespace evt {
namespace {

using Declare = const evt_type* (*)(evt_writer*, evt_error*);

template <typename... Event>
Declare find(std::uint32_t number, const std::tuple<Event...>*) {
  Declare found = nullptr;
  ((schema<Event>.number == number ? void(found = &encoding::declare<Event>) : void()), ...);
  return found;
}

// A type without a name, which is refused with a sentence.
const evt_type* declare_none(evt_writer* writer, evt_error* error) {
  const evt_event_type none = {};
  return evt_declare(writer, &none, error);
}

}  // namespace
}  // namespace evt

const evt_type* evt_declare_standard(evt_writer* writer, uint32_t number, evt_error* error) {
  const evt::Declare declare = evt::find(number, static_cast<const evt::events::All*>(nullptr));
  if (declare != nullptr) return declare(writer, error);
  const evt_type* const none = evt::declare_none(writer, error);
  if (error != nullptr) evt::set_error(error, EVT_CODE_INVALID, "no standard event has the number %u", number);
  return none;
}

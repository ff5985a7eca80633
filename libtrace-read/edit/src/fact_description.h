// Converts a fact that was read to the encoder's form.
#pragma once

#include <evt/describe.h>
#include <evt/session.h>

#include "time_shift.h"

namespace evt {

// Refers to its texts. `start_ns`: of its session, on the time scale of the message's.
inline evt_fact_info to_message(const Fact& fact, std::int64_t start_ns) {
  evt_fact_info message = {};
  message.scope = fact.scope;
  message.id = fact.id;
  message.ns = later_ns(start_ns, fact.ns);
  message.key = fact.key.data();
  message.key_size = fact.key.size();
  message.value = fact.value.data();
  message.value_size = fact.value.size();
  return message;
}

}  // namespace evt

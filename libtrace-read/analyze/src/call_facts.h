// Facts about a call that an event records.
#pragma once

#include <evt/timeline.h>

#include <cstdint>

namespace evt {

// The amount that counts: an error, recorded as a negative number, is not an amount.
inline std::uint64_t amount_of(const Event& event) {
  const std::uint64_t amount = event.number(Role::kAmount).value_or(0);
  if (amount == 0 || event.type().field(Role::kAmount)->kind != Kind::kSigned) return amount;
  return event.value(Role::kAmount)->as_signed() > 0 ? amount : 0;
}

inline CallFacts facts_of(const Event& call, EventNames* names) {
  return {call.number(Role::kObject).value_or(0), amount_of(call), call.number(Role::kLimit).value_or(0),
          names->said_by(call, Role::kResource)};
}

}  // namespace evt

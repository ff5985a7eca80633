// How long an event says that something lasted.
#pragma once

#include <evt/event.h>

#include <cmath>
#include <optional>

namespace evt {

// Nanoseconds in one of the unit; 0: it is none of time.
constexpr std::int64_t ns_in(Unit unit) {
  switch (unit) {
    case Unit::kNanoseconds:
      return 1;
    case Unit::kMicroseconds:
      return 1'000;
    case Unit::kMilliseconds:
      return 1'000'000;
    case Unit::kSeconds:
      return 1'000'000'000;
    default:
      return 0;
  }
}

// A moment so much before another; the earliest there is, if there is none.
inline std::int64_t moment_before(std::int64_t ns, std::int64_t length) {
  std::int64_t moment = 0;
  return __builtin_sub_overflow(ns, length, &moment) ? INT64_MIN : moment;
}

// Of the event's field of this role: ticks, or a number with a unit of time. Nothing when there is none, or it makes no
// sense.
inline std::optional<std::int64_t> duration_of(const Event& event, Role role = Role::kDuration) {
  const Field* const field = event.type().field(role);
  if (field == nullptr) return std::nullopt;
  const std::int64_t unit = field->kind == Kind::kTickDelta ? 1 : ns_in(field->unit);
  std::int64_t ns = 0;
  if (field->kind == Kind::kFloat) {
    const std::optional<Value> value = event.value(role);
    if (!value || value->is_sequence()) return std::nullopt;
    const double exact = value->as_double() * static_cast<double>(unit);
    if (!(exact >= 0 && exact < 0x1p62)) return std::nullopt;
    ns = std::llround(exact);
  } else {
    const std::optional<std::uint64_t> number = event.number(role);
    if (!number) return std::nullopt;
    const bool is_negative = field->kind == Kind::kSigned && event.value(role)->as_signed() < 0;
    if (field->kind == Kind::kTickDelta) {
      ns = event.delta_to_ns(static_cast<std::int64_t>(*number));
    } else if (is_negative || __builtin_mul_overflow(*number, unit, &ns)) {
      return std::nullopt;
    }
  }
  return unit != 0 && ns >= 0 ? std::optional(ns) : std::nullopt;
}

}  // namespace evt

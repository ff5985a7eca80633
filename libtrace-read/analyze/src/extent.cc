#include <evt/analysis/extent.h>

#include <cmath>

#include "unit_time.h"

namespace evt {
namespace {

constexpr std::uint64_t kMax = INT64_MAX;

// How long something lasted, from the field of an event that records it.
struct Duration {
  std::uint64_t ns = 0;       // at most INT64_MAX
  std::uint64_t step_ns = 0;  // the unit of ns, and so its possible shortfall: 0 for ticks of the events' clock
  bool is_negative = false;   // the field is negative, which counts as 0
};

[[gnu::always_inline]] inline Duration times(std::uint64_t number, std::uint64_t unit) {
  std::uint64_t ns = 0;
  if (__builtin_mul_overflow(number, unit, &ns) || ns > kMax) ns = kMax;
  return {ns, unit > 1 ? unit : 0, false};
}

[[gnu::always_inline]] inline Duration of_signed(std::int64_t number, std::uint64_t unit) {
  Duration duration = times(number > 0 ? static_cast<std::uint64_t>(number) : 0, unit);
  duration.is_negative = number < 0;
  return duration;
}

bool take_fraction(double number, std::uint64_t unit, Duration* to) {
  if (std::isnan(number)) return false;
  const double ns = number * static_cast<double>(unit);
  *to = {kMax, 0, false};
  if (ns < static_cast<double>(kMax)) *to = {ns > 0 ? static_cast<std::uint64_t>(ns) : 0, 1, ns < 0};
  return true;
}

// When a field of ticks states it.
std::optional<std::int64_t> stated_moment(const Event& event, Role role) {
  const std::optional<Value> value = event.value(role);
  if (!value || value->is_sequence() || value->kind() != Kind::kTicks) return std::nullopt;
  if (!event.is_known(*value)) return std::nullopt;
  return event.ticks_to_ns(event.ticks_in(*value));
}

// Inline, because most types have no such field.
inline std::optional<std::int64_t> moment_of(const Event& event, Role role) {
  return event.type().field(role) != nullptr ? stated_moment(event, role) : std::nullopt;
}

// From its beginning to `to_ns`.
[[gnu::always_inline]] inline Duration since(std::int64_t from_ns, std::int64_t to_ns) {
  std::int64_t length = 0;
  if (__builtin_sub_overflow(to_ns, from_ns, &length)) length = from_ns < to_ns ? INT64_MAX : INT64_MIN;
  return of_signed(length, 1);
}

// Written to `to`, because a returned value would be copied through memory.
bool get_duration(const Event& event, std::int64_t ns, Duration* to) {
  const Field* const field = event.type().field(Role::kDuration);
  if (field == nullptr || !field->known()) return false;
  if (field->kind == Kind::kTickDelta) {
    std::uint64_t ticks = 0;
    if (!event.get_number(Role::kDuration, &ticks)) return false;
    if (field->width == sizeof(std::int32_t)) {
      ticks = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(ticks)});
    }
    const bool is_positive = static_cast<std::int64_t>(ticks) > 0;
    if (is_positive && !event.is_known(event.ticks() - ticks)) return false;
    *to = since(event.ticks_to_ns(event.ticks() - ticks), ns);
    return true;
  }
  const std::uint64_t unit = ns_in(field->unit);
  if (unit == 0) return false;
  const std::optional<Value> value = event.value(Role::kDuration);
  if (!value || value->is_sequence()) return false;
  if (field->scale != 0) return take_fraction(value->as_double() * std::pow(10.0, field->scale), unit, to);
  switch (field->kind) {
    case Kind::kUnsigned:
      *to = times(value->as_unsigned(), unit);
      return true;
    case Kind::kSigned:
      *to = of_signed(value->as_signed(), unit);
      return true;
    case Kind::kFloat:
      return take_fraction(value->as_double(), unit, to);
    default:
      return false;
  }
}

}  // namespace

std::optional<Extent> extent_of(const Event& event, std::int64_t ns) {
  // Each time is rounded to nanoseconds.
  constexpr std::uint64_t kRounding = 2;
  const std::optional<std::int64_t> began = moment_of(event, Role::kBegan);
  const std::optional<std::int64_t> ended = moment_of(event, Role::kEnded);
  Duration stated;
  const bool has_duration = get_duration(event, ns, &stated);
  Extent extent;
  extent.ended_ns = ended.value_or(ns);
  if (began) {
    extent.began_ns = *began;
    if (!ended && has_duration && !stated.is_negative) {
      std::int64_t end = 0;
      const bool is_time = !__builtin_add_overflow(extent.began_ns, static_cast<std::int64_t>(stated.ns), &end);
      const std::uint64_t slack = stated.step_ns + kRounding;
      if (is_time && end<ns&& static_cast<std::uint64_t>(ns) - static_cast<std::uint64_t>(end)> slack) {
        extent.ended_ns = end;
      }
    }
  } else if (has_duration) {
    extent.is_negative = stated.is_negative;
    extent.began_ns = begin_of(stated.ns, extent.ended_ns);
    extent.step_ns = stated.step_ns;
  } else {
    return std::nullopt;
  }
  if (extent.ended_ns > ns) return std::nullopt;
  if (extent.began_ns > extent.ended_ns) {
    extent.is_negative = true;
    extent.began_ns = extent.ended_ns;
  }
  return extent;
}

}  // namespace evt

#include "duration.h"

#include <cmath>

namespace evt {
namespace {

constexpr std::uint64_t kMax = INT64_MAX;

std::uint64_t ns_in(Unit unit) {
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

Duration times(std::uint64_t number, std::uint64_t unit) {
  std::uint64_t ns = 0;
  if (__builtin_mul_overflow(number, unit, &ns) || ns > kMax) ns = kMax;
  return {ns, unit > 1 ? unit : 0, false};
}

Duration of_signed(std::int64_t number, std::uint64_t unit) {
  Duration duration = times(number > 0 ? static_cast<std::uint64_t>(number) : 0, unit);
  duration.is_negative = number < 0;
  return duration;
}

std::optional<Duration> of_fraction(double number, std::uint64_t unit) {
  if (std::isnan(number)) return std::nullopt;
  const double ns = number * static_cast<double>(unit);
  if (ns >= static_cast<double>(kMax)) return Duration{kMax, 0, false};
  return Duration{ns > 0 ? static_cast<std::uint64_t>(ns) : 0, 1, ns < 0};
}

}  // namespace

std::optional<Duration> duration_of(const Event& event, std::int64_t ns) {
  const Field* const field = event.type().field(Role::kDuration);
  if (field == nullptr || !field->known()) return std::nullopt;
  if (field->kind == Kind::kTickDelta) {
    const std::optional<std::uint64_t> ticks = event.number(Role::kDuration);
    if (!ticks) return std::nullopt;
    const std::int64_t begin = event.ticks_to_ns(event.ticks() - *ticks);
    std::int64_t length = 0;
    if (__builtin_sub_overflow(ns, begin, &length)) length = begin < ns ? INT64_MAX : INT64_MIN;
    return of_signed(length, 1);
  }
  const std::uint64_t unit = ns_in(field->unit);
  if (unit == 0) return std::nullopt;
  const std::optional<Value> value = event.value(Role::kDuration);
  if (!value || value->is_sequence()) return std::nullopt;
  switch (field->kind) {
    case Kind::kUnsigned:
      return times(value->as_unsigned(), unit);
    case Kind::kSigned:
      return of_signed(value->as_signed(), unit);
    case Kind::kFloat:
      return of_fraction(value->as_double(), unit);
    default:
      return std::nullopt;
  }
}

}  // namespace evt

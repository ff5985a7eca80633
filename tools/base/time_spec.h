// A moment as users write it in an option.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace evt::tools {

// One of: seconds since the start (1.5), or with a unit (200ms; ns us ms s m h d, and min); the same before the end
// (-2s); a date (2026-11-21T22:48:09.5Z, a space instead of the T will do, and fewer parts), in the zone that it states
// (Z, +02:00), the one that was chosen, or UTC; a time of day (22:48, 22:48:09.5), in the zone that it states, or
// TimeZone's.
struct TimeSpec {
  enum class From : std::uint8_t {
    kStart,
    kEnd,
    kUtc,   // since 1970
    kDate,  // since 1970, as the clocks of a zone show it
    kDay,   // since midnight
  };
  From from = From::kStart;
  std::int64_t ns = 0;
  std::string text{};                    // as the user wrote it
  std::optional<std::int64_t> zone_s{};  // of kDay: seconds east of Greenwich, if it states them
  std::int64_t more_ns = 0;              // behind all of that

  static std::optional<TimeSpec> parse(std::string_view text);
  static constexpr const char* kForms = "1.5, 200ms, 5m, -2s, 14:05 or 2026-11-21T22:48:09Z";
  // Since this session's start. A time of day is that of the day on which the session starts, or of the next if it is
  // more than twelve hours before the start, or before the start and the next one is not behind the end.
  std::int64_t in(const Session& session) const;
  // It names a time of day, with a date or without.
  bool is_of_day() const { return from >= From::kUtc; }
};

// A length of time: seconds, or with a unit.
std::optional<std::int64_t> parse_length(std::string_view text);

// Nanoseconds, a second of them at most, with digits behind the point; as picoseconds.
std::optional<std::uint64_t> parse_picoseconds(std::string_view text);

}  // namespace evt::tools

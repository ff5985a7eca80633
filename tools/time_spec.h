// A moment as users write it in an option.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace evt::tools {

// One of: seconds since the start (1.5), or with a unit (200ms; s ms us ns); the same before the end (-2s); UTC
// (2026-11-21T22:48:09.5Z, a space instead of the T will do, and fewer parts).
struct TimeSpec {
  enum class From : std::uint8_t { kStart, kEnd, kUtc };
  From from = From::kStart;
  std::int64_t ns = 0;
  std::string text{};  // as the user wrote it

  static std::optional<TimeSpec> parse(std::string_view text);
  // Since this session's start.
  std::int64_t in(const Session& session) const;
};

// A length of time: seconds, or with a unit.
std::optional<std::int64_t> parse_length(std::string_view text);

// Nanoseconds, a second of them at most, with digits behind the point; as picoseconds.
std::optional<std::uint64_t> parse_picoseconds(std::string_view text);

}  // namespace evt::tools

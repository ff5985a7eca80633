// Times at the beginning of lines, many of which in a row are in the same second.
#pragma once

#include <evt/text/text_buffer.h>

#include <cstdint>

#include "format_number.h"

namespace evt {

class TimeText {
 public:
  enum class Style : std::uint8_t {
    kSeconds,  // 12.123456789
    kColumn,   // like kSeconds, in a column as wide as most of them need
    kSteps,    // in such a column, with a sign: +0.000000089
    kUtc,      // 2026-11-21 22:48:09.123456789 UTC
    kIso,      // 2026-11-21T22:48:09.123456789Z
    kLocal,    // 2026-11-21 23:48:09.123456789 +01:00, in the process's time zone
    kLocalIso  // 2026-11-21T23:48:09.123456789+01:00
  };
  explicit TimeText(Style style) : style_(style) { begin_second(0); }

  void append(TextBuffer& out, std::int64_t ns) {
    const std::uint64_t since = static_cast<std::uint64_t>(ns) - second_ns_;
    if (since >= kSecond) return append_other(out, ns);
    out += front_;
    out.end_at(write_fraction(out.room(kFractionRoom), static_cast<std::uint32_t>(since)));
    if (is_of_day()) out += behind_;
  }

 private:
  static constexpr std::uint64_t kSecond = 1'000'000'000;

  bool is_of_day() const { return style_ >= Style::kUtc; }
  bool is_iso() const { return style_ == Style::kIso || style_ == Style::kLocalIso; }
  bool is_local() const { return style_ >= Style::kLocal; }
  void append_other(TextBuffer& out, std::int64_t ns);
  void begin_second(std::int64_t second);

  Style style_;
  std::uint64_t second_ns_ = 0;  // when the second began
  CachedText front_;             // the part before the point
  CachedText behind_;            // the part after the fraction: the zone of a time of day
};

}  // namespace evt

#include "time_text.h"

#include <fmt/chrono.h>

#include <ctime>
#include <string>

#include "text_syntax.h"

namespace evt {
namespace {

constexpr std::size_t kColumns = 14;

// Hours and minutes east of Greenwich; seconds, which only offsets before time zones have, are not shown.
std::string offset_text(const std::tm& parts) {
  const long minutes = std::labs(parts.tm_gmtoff) / 60;
  return fmt::format("{}{:02}:{:02}", parts.tm_gmtoff < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

}  // namespace

void TimeText::append_other(TextBuffer& out, std::int64_t ns) {
  // Before zero the digits of a second run backwards, but not those of a time of day.
  if (ns < 0 && !is_of_day()) return append_seconds(out, ns, style_ == Style::kSeconds ? 0 : kColumns);
  constexpr auto kLength = static_cast<std::int64_t>(kSecond);
  begin_second(ns / kLength - (ns % kLength < 0 ? 1 : 0));
  append(out, ns);
}

void TimeText::begin_second(std::int64_t second) {
  second_ns_ = static_cast<std::uint64_t>(second) * kSecond;
  if (is_of_day()) {
    const std::time_t time = second;
    std::tm parts = {};
    is_local() ? localtime_r(&time, &parts) : gmtime_r(&time, &parts);
    front_ = CachedText(fmt::format("{:%Y-%m-%d}{}{:%H:%M:%S}", parts, is_iso() ? 'T' : ' ', parts));
    behind_ =
        CachedText(is_local() ? (is_iso() ? "" : " ") + offset_text(parts) : std::string(is_iso() ? "Z" : " UTC"));
  } else {
    TextBuffer text;
    append_seconds(text, static_cast<std::int64_t>(second_ns_), style_ == Style::kSeconds ? 0 : kColumns,
                   style_ == Style::kSteps);
    front_ = CachedText(text.text().substr(0, text.size() - kFractionRoom));
  }
}

}  // namespace evt

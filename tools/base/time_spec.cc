#include "time_spec.h"

#include <charconv>
#include <cmath>
#include <ctime>

#include "time_zone.h"

namespace evt::tools {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kDay = 24 * 3600;  // seconds

// Digits from the front of `text`, up to nine of them; how many there were.
std::size_t take_digits(std::string_view* text, std::size_t most, std::int64_t* out) {
  std::size_t count = 0;
  *out = 0;
  while (count < most && count < text->size() && (*text)[count] >= '0' && (*text)[count] <= '9') {
    *out = *out * 10 + ((*text)[count++] - '0');
  }
  text->remove_prefix(count);
  return count;
}

bool take(std::string_view* text, std::string_view what) {
  if (!text->starts_with(what)) return false;
  text->remove_prefix(what.size());
  return true;
}

// .25 as ns where `unit` is the value of 1; false when it is no fraction.
bool take_fraction(std::string_view* text, std::int64_t unit, std::int64_t* ns) {
  *ns = 0;
  if (!take(text, ".")) return true;
  bool any = false;
  for (; !text->empty() && text->front() >= '0' && text->front() <= '9'; text->remove_prefix(1)) {
    any = true;
    unit /= 10;
    *ns += (text->front() - '0') * unit;
  }
  return any;
}

// Behind a time of day: nothing, or a zone. False when it is something else.
bool take_zone(std::string_view* text, std::optional<std::int64_t>* east_s) {
  if (text->empty()) return true;
  *east_s = take(text, " UTC") ? 0 : (take(text, " "), parse_zone_offset(*text));
  *text = {};
  return east_s->has_value();
}

// 22:48, 22:48:09.5
std::optional<TimeSpec> parse_time_of_day(std::string_view text) {
  TimeSpec moment{TimeSpec::From::kDay};
  constexpr std::int64_t kMax[] = {23, 59, 60};
  constexpr std::int64_t kUnits[] = {3600 * kSecond, 60 * kSecond, kSecond};
  std::size_t parts = 0;
  for (; parts < 3; ++parts) {
    if (parts > 0 && !take(&text, ":")) break;
    std::int64_t part = 0;
    if (take_digits(&text, 2, &part) == 0 || part > kMax[parts]) return std::nullopt;
    moment.ns += part * kUnits[parts];
  }
  std::int64_t fraction = 0;
  if (parts < 2 || (parts == 3 && !take_fraction(&text, kSecond, &fraction))) return std::nullopt;
  moment.ns += fraction;
  return take_zone(&text, &moment.zone_s) ? std::optional(moment) : std::nullopt;
}

std::optional<TimeSpec> parse_date(std::string_view text) {
  std::int64_t year = 0;
  std::int64_t part[5] = {1, 1, 0, 0, 0};  // month, day, hour, minute, second
  if (take_digits(&text, 4, &year) != 4) return std::nullopt;
  constexpr std::string_view kBefore[] = {"-", "-", "T", ":", ":"};
  std::size_t parts = 0;
  for (; parts < 5; ++parts) {
    const std::string_view before = text;
    if (!take(&text, kBefore[parts]) && !(parts == 2 && take(&text, " "))) break;
    if (take_digits(&text, 2, &part[parts]) == 2) continue;
    // A space may be in front of a zone, too.
    if (parts != 2) return std::nullopt;
    text = before;
    break;
  }
  std::int64_t fraction = 0;
  if (!take_fraction(&text, kSecond, &fraction)) return std::nullopt;
  constexpr std::int64_t kMin[] = {1, 1, 0, 0, 0};
  constexpr std::int64_t kMax[] = {12, 31, 23, 59, 60};
  for (std::size_t i = 0; i < 5; ++i) {
    if (part[i] < kMin[i] || part[i] > kMax[i]) return std::nullopt;
  }
  std::optional<std::int64_t> east_s;
  if (!take_zone(&text, &east_s) || year < 1970 || year > 2261) return std::nullopt;
  std::tm time = {};
  time.tm_year = static_cast<int>(year - 1900);
  time.tm_mon = static_cast<int>(part[0] - 1);
  time.tm_mday = static_cast<int>(part[1]);
  time.tm_hour = static_cast<int>(part[2]);
  time.tm_min = static_cast<int>(part[3]);
  time.tm_sec = static_cast<int>(part[4]);
  const std::int64_t shown_ns = timegm(&time) * kSecond + fraction;
  // Not the 31st of a month of 30 days; only the 60th second may be of the next day.
  if (time.tm_mday != part[1] && part[4] != 60) return std::nullopt;
  if (!east_s) return TimeSpec{TimeSpec::From::kDate, shown_ns};
  return TimeSpec{TimeSpec::From::kUtc, shown_ns - *east_s * kSecond};
}

std::int64_t bounded_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return a < 0 ? INT64_MIN : INT64_MAX;
  return sum;
}

// Seconds, down to the one that is not later.
std::int64_t seconds_in(std::int64_t ns) { return ns / kSecond - (ns % kSecond < 0 ? 1 : 0); }

// ns since 1970 of what is shown in the zone that was chosen, else in UTC.
std::int64_t utc_of_date(std::int64_t shown_ns) {
  if (!TimeZone::is_chosen()) return shown_ns;
  const std::int64_t second = seconds_in(shown_ns);
  return TimeZone::utc_of(second) * kSecond + (shown_ns - second * kSecond);
}

// ns since 1970 of a time of day, `days` behind the day on which a session starts.
std::int64_t utc_of_day(const TimeSpec& moment, std::int64_t start_utc_ns, std::int64_t days) {
  const std::int64_t start_s = seconds_in(start_utc_ns);
  const std::int64_t shown = moment.zone_s ? start_s + *moment.zone_s : TimeZone::shown_at(start_s);
  const std::int64_t day = shown / kDay - (shown % kDay < 0 ? 1 : 0) + days;
  const std::int64_t wanted_s = day * kDay + moment.ns / kSecond;
  const std::int64_t utc_s = moment.zone_s ? wanted_s - *moment.zone_s : TimeZone::utc_of(wanted_s);
  std::int64_t utc_ns = 0;
  if (__builtin_mul_overflow(utc_s, kSecond, &utc_ns)) return utc_s < 0 ? INT64_MIN : INT64_MAX;
  return bounded_sum(utc_ns, moment.ns % kSecond);
}

}  // namespace

std::optional<std::int64_t> parse_length(std::string_view text) {
  std::string_view rest = text;
  std::string_view digits = rest.substr(0, rest.find_first_not_of("0123456789."));
  rest.remove_prefix(digits.size());
  constexpr std::pair<std::string_view, std::int64_t> kUnits[] = {
      {"", kSecond},       {"s", kSecond},        {"ms", 1'000'000},     {"us", 1'000},        {"ns", 1},
      {"m", 60 * kSecond}, {"min", 60 * kSecond}, {"h", 3600 * kSecond}, {"d", kDay * kSecond}};
  for (const auto& [name, unit] : kUnits) {
    if (rest != name) continue;
    std::int64_t whole = 0;
    std::int64_t fraction = 0;
    const bool any = take_digits(&digits, 18, &whole) > 0;
    if (!take_fraction(&digits, unit, &fraction) || !digits.empty() || (!any && fraction == 0)) return std::nullopt;
    std::int64_t ns = 0;
    if (__builtin_mul_overflow(whole, unit, &ns) || __builtin_add_overflow(ns, fraction, &ns)) return std::nullopt;
    return ns;
  }
  return std::nullopt;
}

std::optional<TimeSpec> TimeSpec::parse(std::string_view text) {
  const std::string whole(text);
  const bool from_end = take(&text, "-");
  std::optional<TimeSpec> moment;
  if (const auto length = parse_length(text)) {
    moment = TimeSpec{from_end ? From::kEnd : From::kStart, from_end ? -*length : *length};
  } else if (!from_end) {
    moment = parse_time_of_day(text);
    if (!moment) moment = parse_date(text);
  }
  if (moment) moment->text = whole;
  return moment;
}

std::int64_t TimeSpec::in(const Session& session) const {
  const auto since_start = [&](std::int64_t utc_ns) {
    return bounded_sum(session.start_utc_ns == INT64_MIN ? INT64_MAX : -session.start_utc_ns, utc_ns);
  };
  switch (from) {
    case From::kEnd:
      return bounded_sum(bounded_sum(session.last_ns, ns), more_ns);
    case From::kUtc:
      return bounded_sum(since_start(ns), more_ns);
    case From::kDate:
      return bounded_sum(since_start(utc_of_date(ns)), more_ns);
    case From::kDay:
      break;
    default:
      return bounded_sum(ns, more_ns);
  }
  const std::int64_t today = since_start(utc_of_day(*this, session.start_utc_ns, 0));
  const std::int64_t tomorrow = since_start(utc_of_day(*this, session.start_utc_ns, 1));
  const bool is_of_tomorrow = today < -kDay / 2 * kSecond || (today < 0 && tomorrow <= session.last_ns);
  return bounded_sum(is_of_tomorrow ? tomorrow : today, more_ns);
}

std::optional<std::uint64_t> parse_picoseconds(std::string_view text) {
  double ns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ns, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size() || !(ns >= 0 && ns <= 1e9)) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(ns * 1000));
}

}  // namespace evt::tools

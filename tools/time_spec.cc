#include "time_spec.h"

#include <charconv>
#include <cmath>
#include <ctime>
#include <string>

namespace evt::tools {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

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

std::optional<TimeSpec> parse_utc(std::string_view text) {
  std::int64_t year = 0;
  std::int64_t part[5] = {1, 1, 0, 0, 0};  // month, day, hour, minute, second
  if (take_digits(&text, 4, &year) != 4) return std::nullopt;
  constexpr std::string_view kBefore[] = {"-", "-", "T", ":", ":"};
  for (std::size_t i = 0; i < 5; ++i) {
    if (!take(&text, kBefore[i]) && !(i == 2 && take(&text, " "))) break;
    if (take_digits(&text, 2, &part[i]) != 2) return std::nullopt;
  }
  std::int64_t fraction = 0;
  if (!take_fraction(&text, kSecond, &fraction)) return std::nullopt;
  if (!take(&text, "Z")) take(&text, " UTC");
  constexpr std::int64_t kMin[] = {1, 1, 0, 0, 0};
  constexpr std::int64_t kMax[] = {12, 31, 23, 59, 60};
  for (std::size_t i = 0; i < 5; ++i) {
    if (part[i] < kMin[i] || part[i] > kMax[i]) return std::nullopt;
  }
  if (!text.empty() || year < 1970 || year > 2261) return std::nullopt;
  std::tm time = {};
  time.tm_year = static_cast<int>(year - 1900);
  time.tm_mon = static_cast<int>(part[0] - 1);
  time.tm_mday = static_cast<int>(part[1]);
  time.tm_hour = static_cast<int>(part[2]);
  time.tm_min = static_cast<int>(part[3]);
  time.tm_sec = static_cast<int>(part[4]);
  return TimeSpec{TimeSpec::From::kUtc, timegm(&time) * kSecond + fraction, {}};
}

}  // namespace

std::optional<std::int64_t> parse_length(std::string_view text) {
  std::string_view rest = text;
  std::string_view digits = rest.substr(0, rest.find_first_not_of("0123456789."));
  rest.remove_prefix(digits.size());
  constexpr std::pair<std::string_view, std::int64_t> kUnits[] = {
      {"", kSecond}, {"s", kSecond}, {"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}};
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
    moment = TimeSpec{from_end ? From::kEnd : From::kStart, from_end ? -*length : *length, {}};
  } else if (!from_end) {
    moment = parse_utc(text);
  }
  if (moment) moment->text = whole;
  return moment;
}

std::int64_t TimeSpec::in(const Session& session) const {
  const std::int64_t zero = from == From::kStart ? 0 : from == From::kEnd ? session.last_ns : -session.start_utc_ns;
  std::int64_t since = 0;
  if (__builtin_add_overflow(zero, ns, &since)) return zero < 0 ? INT64_MIN : INT64_MAX;
  return since;
}

std::optional<std::uint64_t> parse_picoseconds(std::string_view text) {
  double ns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ns, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size() || !(ns >= 0 && ns <= 1e9)) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(ns * 1000));
}

}  // namespace evt::tools

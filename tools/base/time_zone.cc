#include "time_zone.h"

#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <vector>

#include "libtrace-read/text/near_names.h"

namespace evt::tools {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kMaxHours = 14;

bool chosen = false;

std::string zone_folder() {
  const char* const folder = getenv("TZDIR");
  return folder != nullptr && *folder != 0 ? folder : "/usr/share/zoneinfo";
}

// A name that leads to no other folder.
bool is_zone_name(std::string_view name) {
  const auto is_part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-+/").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.front() != '/' && std::ranges::all_of(name, is_part_of_name);
}

bool is_zone_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char magic[4] = {};
  return file.read(magic, sizeof magic) && std::string_view(magic, sizeof magic) == "TZif";
}

std::vector<std::string> zones_like(const std::string& name) {
  namespace fs = std::filesystem;
  std::vector<std::string> all;
  std::vector<std::string> of_that_city;
  std::error_code error;
  const std::string folder = zone_folder() + "/";
  for (fs::recursive_directory_iterator each(folder, error); !error && each != fs::end(each); each.increment(error)) {
    const std::string zone = each->path().string().substr(folder.size());
    const bool is_other_list = zone.starts_with("posix") || zone.starts_with("right");
    if (is_other_list && each.depth() == 0) each.disable_recursion_pending();
    if (is_other_list || !is_zone_name(zone)) continue;
    if (zone.ends_with("/" + name)) of_that_city.push_back(zone);
    all.push_back(zone);
  }
  std::ranges::sort(all);
  std::ranges::sort(of_that_city);
  return of_that_city.empty() ? near_names(name, all) : of_that_city;
}

void set_zone(const std::string& value) {
  setenv("TZ", value.c_str(), 1);
  tzset();
  chosen = true;
}

// By the C library, `is_summer` being what it is to try first; nothing when clocks do not show this then.
std::optional<std::int64_t> utc_when(const std::tm& shown, int is_summer) {
  std::tm parts = shown;
  parts.tm_isdst = is_summer;
  const std::time_t found = mktime(&parts);
  const bool is_same = parts.tm_isdst == is_summer && parts.tm_hour == shown.tm_hour && parts.tm_min == shown.tm_min;
  return is_same ? std::optional<std::int64_t>(found) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parse_zone_offset(std::string_view text) {
  if (text == "Z") return 0;
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return std::nullopt;
  const bool is_west = text.front() == '-';
  std::string digits(text.substr(1));
  if (digits.size() == 5 && digits[2] == ':') digits.erase(2, 1);
  if (digits.size() == 2) digits += "00";
  if (digits.size() != 4 || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const int number = std::stoi(digits);
  const std::int64_t hours = number / 100;
  const std::int64_t minutes = number % 100;
  if (hours > kMaxHours || minutes > 59) return std::nullopt;
  const std::int64_t east = hours * kHour + minutes * kMinute;
  return is_west ? -east : east;
}

Status TimeZone::choose(const std::string& name) {
  if (const auto east = parse_zone_offset(name)) {
    // In TZ a sign counts to the west.
    const std::int64_t size = *east < 0 ? -*east : *east;
    const char* const west = *east > 0 ? "-" : "+";
    set_zone(fmt::format("<zone>{}{:02}:{:02}", west, size / kHour, size % kHour / kMinute));
    return {};
  }
  // Which takes no file.
  if (name == "UTC") {
    set_zone("UTC0");
    return {};
  }
  if (is_zone_name(name) && is_zone_file(zone_folder() + "/" + name)) {
    set_zone(name);
    return {};
  }
  if (!is_zone_file(zone_folder() + "/UTC")) {
    return {Code::kInvalid, fmt::format("expected +02:00, as {} has no time zones, found {}", zone_folder(), name)};
  }
  return {Code::kInvalid, fmt::format("expected a time zone like Europe/Berlin, UTC or +02:00, found {}{}", name,
                                      did_you_mean_one_of(zones_like(name)))};
}

bool TimeZone::is_chosen() { return chosen; }

std::int64_t TimeZone::utc_of(std::int64_t shown) {
  const std::time_t as_utc = shown;
  std::tm parts = {};
  gmtime_r(&as_utc, &parts);
  tzset();
  // Where clocks are set back, both are; which of them is summer time differs from zone to zone.
  const auto summer = utc_when(parts, 1);
  const auto winter = utc_when(parts, 0);
  if (summer && winter) return std::min(*summer, *winter);
  if (summer || winter) return summer ? *summer : *winter;
  parts.tm_isdst = 0;
  return mktime(&parts);
}

std::int64_t TimeZone::shown_at(std::int64_t utc) {
  const std::time_t time = utc;
  std::tm parts = {};
  tzset();
  localtime_r(&time, &parts);
  return utc + parts.tm_gmtoff;
}

}  // namespace evt::tools

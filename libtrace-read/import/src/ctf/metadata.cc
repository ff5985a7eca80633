#include "metadata.h"

#include <cstdlib>

#include "libtrace-read/core/src/base/uint128.h"

namespace evt::ctf {
namespace {

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kMaxSeconds = (std::int64_t{1} << 62) / std::int64_t{kNsPerSecond} - 3;

}  // namespace

void Clock::set_offset(std::int64_t seconds, std::int64_t ticks) {
  const auto per_second = static_cast<std::int64_t>(hz);
  const std::int64_t whole = ticks / per_second - (ticks % per_second < 0 ? 1 : 0);
  const auto fits = [](std::int64_t number) { return -kMaxSeconds < number && number < kMaxSeconds; };
  is_offset_left_out = !fits(seconds) || !fits(whole) || !fits(seconds + whole);
  if (is_offset_left_out) return;
  offset_s = seconds + whole;
  offset_ticks = static_cast<std::uint64_t>(ticks - whole * per_second);
}

std::optional<std::int64_t> Clock::ns_of(std::uint64_t ticks) const {
  const std::uint64_t whole = ticks / hz;
  if (whole > kMaxSeconds) return std::nullopt;
  const std::uint64_t rest = ticks % hz + offset_ticks;
  const std::int64_t seconds = static_cast<std::int64_t>(whole) + offset_s;
  if (std::abs(seconds) > kMaxSeconds) return std::nullopt;
  const std::uint64_t ns = hz == kNsPerSecond ? rest : division(product(rest, kNsPerSecond), hz).quotient;
  return seconds * std::int64_t{kNsPerSecond} + static_cast<std::int64_t>(ns);
}

bool Metadata::has_event(std::string_view name) const {
  for (const auto& [id, stream] : streams) {
    for (const auto& [event_id, event] : stream.events) {
      if (event.name == name) return true;
    }
  }
  return false;
}

std::string Metadata::text_of(const std::string& key) const {
  const auto entry = environment.find(key);
  const std::string* const text = entry == environment.end() ? nullptr : std::get_if<std::string>(&entry->second);
  return text != nullptr ? *text : std::string();
}

std::int64_t Metadata::number_of(const std::string& key) const {
  const auto entry = environment.find(key);
  const std::int64_t* const number = entry == environment.end() ? nullptr : std::get_if<std::int64_t>(&entry->second);
  return number != nullptr ? *number : 0;
}

}  // namespace evt::ctf

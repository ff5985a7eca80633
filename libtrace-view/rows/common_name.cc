#include "common_name.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace evt::view {
namespace {

struct Numbered {
  std::string_view word;
  std::uint64_t number = 0;
};

// A word and its number, with or without a space between them.
std::optional<Numbered> numbered(std::string_view name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  Numbered result{name.substr(0, digits)};
  const auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), result.number);
  return error == std::errc() && digits > 0 ? std::optional(result) : std::nullopt;
}

}  // namespace

std::string common_name(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  const std::string& first = names.front();
  if (names.size() == 1) return first;
  if (std::all_of(names.begin(), names.end(), [&](const std::string& name) { return name == first; })) {
    return first + ", " + std::to_string(names.size()) + " times";
  }
  const std::optional<Numbered> begin = numbered(first);
  std::uint64_t least = begin ? begin->number : 0;
  std::uint64_t most = least;
  const bool is_range = begin && std::all_of(names.begin(), names.end(), [&](const std::string& name) {
                          const std::optional<Numbered> each = numbered(name);
                          if (!each || each->word != begin->word) return false;
                          least = std::min(least, each->number);
                          most = std::max(most, each->number);
                          return true;
                        });
  if (!is_range) return first + " and " + std::to_string(names.size() - 1) + " more";
  const std::string word = begin->word == "thread " ? "threads " : std::string(begin->word);
  return word + std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace evt::view

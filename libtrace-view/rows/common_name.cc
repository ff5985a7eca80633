#include "common_name.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
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

// 3 to 17; 3, 9, 17; 5 of 3 to 17.
std::string text_of(const std::set<std::uint64_t>& numbers) {
  const std::string range = std::to_string(*numbers.begin()) + " to " + std::to_string(*numbers.rbegin());
  if (*numbers.rbegin() - *numbers.begin() == numbers.size() - 1 && numbers.size() > 2) return range;
  if (numbers.size() > 3) return std::to_string(numbers.size()) + " of " + range;
  std::string list;
  for (const std::uint64_t number : numbers) list += (list.empty() ? "" : ", ") + std::to_string(number);
  return list;
}

}  // namespace

std::string common_name(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  const std::string& first = names.front();
  if (names.size() == 1) return first;
  if (std::all_of(names.begin(), names.end(), [&](const std::string& name) { return name == first; })) {
    return first + ", " + std::to_string(names.size()) + " times";
  }
  std::set<std::uint64_t> numbers;
  for (const std::string& name : names) {
    const std::optional<Numbered> each = numbered(name);
    if (!each || each->word != numbered(first)->word) break;
    numbers.insert(each->number);
  }
  if (numbers.size() < names.size()) return first + " and " + std::to_string(names.size() - 1) + " more";
  const std::string_view word = numbered(first)->word;
  return (word == "thread " ? "threads " : std::string(word)) + text_of(numbers);
}

}  // namespace evt::view

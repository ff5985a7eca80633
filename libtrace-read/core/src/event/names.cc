#include <evt/names.h>
#include <evt/unit_text.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "libtrace-read/core/src/base/read_number.h"

namespace evt {
namespace {

struct Line {
  NumberList list;
  NamedNumber number;
};

constexpr Line kLines[] = {
#define EVT_NUMBER(list, number, name, words) {NumberList::list, {number, name, words}},
#include "format-spec/registry.def"
#undef EVT_NUMBER
};

constexpr bool is_of(const Line& line, NumberList list) { return line.list == list; }

template <NumberList kList>
constexpr auto kNumbersOf = [] {
  constexpr auto kCount = std::ranges::count_if(kLines, [](const Line& l) { return is_of(l, kList); });
  std::array<NamedNumber, static_cast<std::size_t>(kCount)> numbers{};
  std::size_t at = 0;
  for (const Line& line : kLines) {
    if (is_of(line, kList)) numbers[at++] = line.number;
  }
  return numbers;
}();

template <NumberList kList, typename Number>
std::string name_of(Number number) {
  const NamedNumber* const found = named_number(kList, static_cast<std::uint16_t>(number));
  return found != nullptr ? found->name : std::to_string(static_cast<unsigned>(number));
}

template <NumberList kList, typename Number>
std::optional<Number> parse(std::string_view text) {
  for (const NamedNumber& number : kNumbersOf<kList>) {
    if (number.name == text) return static_cast<Number>(number.number);
  }
  const std::optional<std::uint16_t> value = read_number<std::uint16_t>(text);
  return value ? std::optional(static_cast<Number>(*value)) : std::nullopt;
}

}  // namespace

std::span<const NamedNumber> named_numbers(NumberList list) {
  switch (list) {
    case NumberList::kKind:
      return kNumbersOf<NumberList::kKind>;
    case NumberList::kShape:
      return kNumbersOf<NumberList::kShape>;
    case NumberList::kRole:
      return kNumbersOf<NumberList::kRole>;
    case NumberList::kUnit:
      return kNumbersOf<NumberList::kUnit>;
    case NumberList::kStopReason:
      return kNumbersOf<NumberList::kStopReason>;
    case NumberList::kLossCause:
      return kNumbersOf<NumberList::kLossCause>;
    case NumberList::kClock:
      return kNumbersOf<NumberList::kClock>;
    case NumberList::kRing:
      return kNumbersOf<NumberList::kRing>;
    case NumberList::kAlignment:
      return kNumbersOf<NumberList::kAlignment>;
    case NumberList::kTimeScale:
      return kNumbersOf<NumberList::kTimeScale>;
    case NumberList::kFactScope:
      return kNumbersOf<NumberList::kFactScope>;
    case NumberList::kScope:
      return kNumbersOf<NumberList::kScope>;
    case NumberList::kSampling:
      return kNumbersOf<NumberList::kSampling>;
    case NumberList::kStandardEvent:
      return kNumbersOf<NumberList::kStandardEvent>;
  }
  return {};
}

std::string label_of(const NamedNumber& number) {
  std::string label = number.words;
  std::ranges::replace(label, ' ', '_');
  return label;
}

const NamedNumber* named_number(NumberList list, std::uint16_t number) {
  for (const NamedNumber& each : named_numbers(list)) {
    if (each.number == number) return &each;
  }
  return nullptr;
}

std::string to_string(Kind kind) { return name_of<NumberList::kKind>(kind); }
std::string to_string(Shape shape) { return name_of<NumberList::kShape>(shape); }
std::string to_string(Role role) { return name_of<NumberList::kRole>(role); }
std::string to_string(Unit unit) { return name_of<NumberList::kUnit>(unit); }
std::string to_string(Scope scope) { return name_of<NumberList::kScope>(scope); }

std::optional<Role> parse_role(std::string_view text) { return parse<NumberList::kRole, Role>(text); }
std::optional<Unit> parse_unit(std::string_view text) { return parse<NumberList::kUnit, Unit>(text); }
std::optional<Scope> parse_scope(std::string_view text) { return parse<NumberList::kScope, Scope>(text); }

std::string unit_text(const Field& field) {
  switch (field.unit) {
    case Unit::kNanoseconds:
      return "ns";
    case Unit::kMicroseconds:
      return "us";
    case Unit::kMilliseconds:
      return "ms";
    case Unit::kSeconds:
      return "s";
    case Unit::kBytes:
      return "B";
    case Unit::kPercent:
      return "%";
    case Unit::kHertz:
      return "Hz";
    case Unit::kBytesPerSecond:
      return "B/s";
    default:
      return field.unit_text;
  }
}

}  // namespace evt
